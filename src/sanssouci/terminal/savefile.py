"""Keeping a game in a file, ``sanssouci-save/1``: seed, picks and turns; the rest follows from them.

A file names players, never programs: what it says is looked up among the known players and refused if it is
not there. Nothing in a file is ever run.
"""

import json
import os
from pathlib import Path
from typing import Any

from sanssouci.dealer import FairDealer, Seed, parse_seed, write_seed
from sanssouci.editions import check_boards, parse_boards, write_boards
from sanssouci.locale import Complaint
from sanssouci.notation import LARGEST, parse_json, parse_turn, read_file, write_turn, write_whole
from sanssouci.players import PLAYERS
from sanssouci.rules import EDITIONS, EXPANSIONS, REWARDS, WILD_BOAR, Refused, Variant, refuse_variant

from .session import PERSON, Seat, Session

FORMAT = "sanssouci-save/1"


def default_folder() -> Path:
    """Where games are kept if nothing else is said."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "sanssouci" / "games"


def latest_game(folder: Path) -> Path:
    """The file of the game that was played last and is not over."""
    try:
        files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        files = []
    for path in files:
        if not read_game(path).over:
            return path
    raise Complaint("save.none", folder=folder)


def write_game(session: Session, path: Path) -> None:
    """Keep the game; the file is whole at every moment."""
    document = {
        "format": FORMAT,
        "edition": session.variant.edition,
        "expansions": list(session.variant.expansions),
        "seats": [{"name": seat.name, "player": seat.player} for seat in session.seats],
        "game": session.dealer.game,
        "seed": write_seed(session.dealer.seed),
        "nonces": list(session.dealer.nonces),
        "boards": write_boards(session.boards),
        "picks": [list(session.setup.garden_sides), list(session.setup.reward_sides)],
        "turns": [write_turn(turn) for turn in session.turns],
    }
    data = json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)


def read_game(path: Path) -> Session:
    """The game that a file keeps, or ``Complaint``."""
    try:
        return _session(parse_json(read_file(path, LARGEST)))
    except (Complaint, Refused, ValueError, LookupError, TypeError, AttributeError) as error:
        reason = error if isinstance(error, Complaint) else Complaint("save.bad")
        raise Complaint("cli.in_file", path=path, sentence=reason) from None


def _session(document: Any) -> Session:
    """Play the game again from the file; anything that does not fit raises."""
    if document["format"] != FORMAT:
        raise Complaint("save.unknown_format", wanted=FORMAT)
    boards = parse_boards(document["boards"].encode("utf-8"))
    expansions = document["expansions"]
    variant = Variant(
        len(document["seats"]),
        document["edition"],
        REWARDS in expansions,
        WILD_BOAR in expansions,
        boards.deck,
    )
    if variant.edition not in EDITIONS or not set(expansions) <= set(EXPANSIONS) or refuse_variant(variant):
        raise Complaint("save.bad")
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
        raise Complaint("save.bad")
    if player not in (PERSON, *PLAYERS):
        raise Complaint("save.unknown_player", name=ascii(player)[:60], known=", ".join((PERSON, *PLAYERS)))
    return Seat(name, player)


def _dealer(document: Any) -> FairDealer:
    seed: Seed = parse_seed(document["seed"])
    nonces = document["nonces"]
    if not isinstance(document["game"], str) or not all(isinstance(nonce, str) for nonce in nonces):
        raise Complaint("save.bad")
    return FairDealer(seed, document["game"], tuple(nonces))


def _pick_again(session: Session, picks: list[list[int | None]]) -> None:
    for sides in picks:
        for seat in session.seats_to_pick():
            if seat < len(sides) and sides[seat] is not None:
                session.pick(seat, int(sides[seat] or 0))
