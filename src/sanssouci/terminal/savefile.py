"""Saved games, ``sanssouci-save/1``: seed, picks and turns, from which the game is replayed.

Players named in a file must be installed players. The name of a program is only shown; nothing in a file is
ever run.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sanssouci.dealer import FairDealer, Seed, parse_seed, write_seed
from sanssouci.editions import check_boards, parse_boards, write_boards
from sanssouci.locale import UserError, os_error_reason
from sanssouci.notation import LARGEST, parse_json, parse_turn, read_file, write_atomic, write_turn
from sanssouci.players import PREFIX, UnknownPlayer, check_player, player_names
from sanssouci.rules import EDITIONS, EXPANSIONS, REWARDS, WILD_BOAR, Refused, Variant, variant_refusal

from .session import PERSON, Seat, Session

FORMAT = "sanssouci-save/1"

Warn = Callable[[UserError], None]
"""Shows a warning to the player."""


def default_folder() -> Path:
    """The default folder for saved games."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(os.path.expanduser(state)) / "sanssouci" / "games"  # noqa: PTH111 - never raises


def latest_game(folder: Path, warn: Warn) -> Path:
    """The save of the unfinished game that was played last; warns about files that are not saves."""
    for path in sorted(folder.glob("*.json"), key=_age, reverse=True):
        try:
            if not read_game(path).over:
                return path
        except UserError as user_error:
            warn(user_error)
    raise UserError("save.none", folder=folder)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def write_game(session: Session, path: Path) -> None:
    """Save a copy of the game, readable by its owner only because it holds the seed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, _document(session), private=True)


class AutoSave:
    """Saves a game after every change; if that fails, warns the player once and gives up."""

    def __init__(self, session: Session, path: Path, warn: Warn) -> None:
        self.session = session
        self.path = path
        self.warn = warn
        self.kept = True
        self._written = _read(path)

    def keep(self) -> None:
        """Save the game, unless another process has continued it in the meantime."""
        try:
            if self._written is not None and self.path.read_bytes() != self._written:
                raise UserError("save.conflict")
            write_game(self.session, self.path)
            self._written = self.path.read_bytes()
            self.kept = True
        except OSError as error:
            self._give_up(
                UserError("terminal.no_folder", folder=self.path.parent, reason=os_error_reason(error))
            )
        except UserError as user_error:
            self._give_up(user_error)

    def _give_up(self, user_error: UserError) -> None:
        if self.kept:
            self.warn(user_error)
        self.kept = False


def _read(path: Path) -> bytes | None:
    """The contents of a file; None if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _document(session: Session) -> bytes:
    document = {
        "format": FORMAT,
        "edition": session.variant.edition,
        "expansions": list(session.variant.expansions),
        "seats": [{"name": seat.name, "player": str(seat.player)} for seat in session.seats],
        "game": session.dealer.game,
        "seed": write_seed(session.dealer.seed),
        "nonces": list(session.dealer.nonces),
        "boards": write_boards(session.boards),
        "picks": [list(session.setup.garden_sides), list(session.setup.reward_sides)],
        "turns": [write_turn(turn) for turn in session.turns],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8")


def read_game(path: Path) -> Session:
    """Load a saved game; ``UserError`` if the file is not valid."""
    try:
        return _session(parse_json(read_file(path, LARGEST)))
    except (UserError, Refused, ValueError, LookupError, TypeError, AttributeError) as error:
        reason = error if isinstance(error, UserError) else UserError("save.bad")
        raise UserError("cli.in_file", path=path, sentence=reason) from None


def _session(document: Any) -> Session:
    """Replay the game from the file; any exception means that it is not valid."""
    if document["format"] != FORMAT:
        raise UserError("save.unknown_format", wanted=FORMAT)
    boards = parse_boards(document["boards"].encode("utf-8"))
    expansions = document["expansions"]
    variant = Variant(
        len(document["seats"]),
        document["edition"],
        REWARDS in expansions,
        WILD_BOAR in expansions,
        boards.deck,
    )
    if variant.edition not in EDITIONS or not set(expansions) <= set(EXPANSIONS) or variant_refusal(variant):
        raise UserError("save.bad")
    check_boards(boards, variant)
    seats = tuple(_seat(seat) for seat in document["seats"])
    session = Session(variant, boards, seats, _dealer(document))
    _pick_again(session, document["picks"])
    for text in document["turns"]:
        session.play(parse_turn(text))
    return session


def _seat(value: Any) -> Seat:
    name, player = value["name"], value["player"]
    if not isinstance(name, str) or not name.isprintable():
        raise UserError("save.bad")
    if not _is_known(player):
        known = ", ".join((PERSON, *player_names()))
        raise UserError("save.unknown_player", name=ascii(player)[:60], known=known)
    return Seat(name, player)


def _is_known(player: Any) -> bool:
    """Whether the player of a seat is known; a program is, because its command is typed again."""
    if not isinstance(player, str) or player.startswith(PREFIX):
        return isinstance(player, str)
    try:
        check_player(player, also=(PERSON,))
    except UnknownPlayer:
        return False
    return True


def _dealer(document: Any) -> FairDealer:
    seed: Seed = parse_seed(document["seed"])
    nonces = document["nonces"]
    if not isinstance(document["game"], str) or not all(isinstance(nonce, str) for nonce in nonces):
        raise UserError("save.bad")
    return FairDealer(seed, document["game"], tuple(nonces))


def _pick_again(session: Session, picks: list[list[int | None]]) -> None:
    for sides in picks:
        for seat in session.seats_to_pick():
            side = sides[seat] if seat < len(sides) else None
            if side is not None:
                if type(side) is not int:
                    raise UserError("save.bad")
                session.pick(seat, side)
