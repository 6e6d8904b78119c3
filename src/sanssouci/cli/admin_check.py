"""``sanssouci admin check``: checks the integrity of a server's data."""

from typing import TYPE_CHECKING, Any

import typer

from sanssouci.locale import UserError

from . import plurals
from .data_file import readable
from .game_options import Json
from .language import Lang, current_language, sentence, set_language
from .output import print_json, print_line, print_notice, progress_bar
from .setting_options import Data

if TYPE_CHECKING:
    from sanssouci.server import Fault
    from sanssouci.store import Address, DamagedRow, Reader


class _Findings:
    """The faults found so far; each is printed at once."""

    def __init__(self, aloud: bool) -> None:
        self.guests = self.games = self.events = self.bad_games = 0
        self.faults: list[dict[str, Any]] = []
        self.unreadable: Address | None = None
        """The data file, if it could not be read completely."""
        self._aloud = aloud

    def add(self, user_error: UserError, game: str | None = None, seq: int | None = None) -> None:
        """Print and count a fault of the file or of a game."""
        said = user_error.translate(current_language())
        self.faults.append({"game": game, "event": seq, "reason": said})
        if self._aloud:
            print_line(said)

    def add_file(self, path: "Address", user_error: UserError) -> None:
        """Report a damaged file once, because every further read fails in the same way."""
        if self.unreadable is None:
            self.unreadable = path
            self.add(user_error)

    def add_game(self, events: int, faults: "list[Fault]") -> None:
        self.games += 1
        self.events += events
        self.bad_games += bool(faults)
        for fault in faults:
            self.add(fault.user_error(), fault.game, fault.seq)

    def add_damaged_game(self, row: "DamagedRow") -> None:
        """Add a game whose own row is damaged, so that the rest of it cannot be checked."""
        self.games += 1
        self.bad_games += 1
        self.add(row.located(), row.game)


def check(data: Data = None, json: Json = False, lang: Lang = "") -> None:
    """Check everything: the file, every hash chain, and every game against the rules and its seed.

    While a server runs, it checks the state at the start of the command. Prints one line per fault, with
    the game and the event; exits with status 1 if it finds any fault.
    """
    set_language(lang)
    findings = _Findings(aloud=not json)
    with readable(data) as store:
        _check_file(store, findings)
        _check_games(store, findings)
    if json:
        plurals = {name: getattr(findings, name) for name in ("guests", "games", "events", "bad_games")}
        print_json({**plurals, "faults": findings.faults})
    else:
        print_notice(_summary(findings))
    raise typer.Exit(1 if findings.faults else 0)


def _check_file(store: "Reader", findings: _Findings) -> None:
    from sanssouci.server import check_guest_export
    from sanssouci.store import Unavailable, check_file, check_guests

    try:
        check_file(store)
    except UserError as user_error:
        findings.add_file(store.address, user_error)
    try:
        findings.guests, wrong = check_guests(store, check_guest_export)
        for fault in wrong:
            findings.add(fault)
    except Unavailable as unavailable:
        findings.add_file(store.address, unavailable)


def _check_games(store: "Reader", findings: _Findings) -> None:
    """Check one game after another; a damaged file may end it early."""
    from sanssouci.server import audit
    from sanssouci.store import Unavailable, reporting

    try:
        with progress_bar() as bar, reporting(store, findings.add_damaged_game):
            games = bar.track(store.all_games(), store.count_games(), description=sentence("admin.checking"))
            for game in games:
                findings.add_game(*audit(store, game))
    except Unavailable as unavailable:
        findings.add_file(store.address, unavailable)


def _summary(findings: _Findings) -> str:
    counted = {
        "guests": plurals.guests(findings.guests),
        "games": plurals.games(findings.games),
        "events": plurals.events(findings.events),
    }
    if not findings.faults:
        return sentence("admin.sound", **counted)
    if findings.unreadable is not None:
        return sentence("admin.unreadable", **counted, path=findings.unreadable)
    faults, bad = plurals.faults(len(findings.faults)), plurals.games(findings.bad_games)
    return sentence("admin.faulty", **counted, faults=faults, bad=bad)
