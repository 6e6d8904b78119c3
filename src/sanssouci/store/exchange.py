"""All games as one text file, ``sanssouci-games/1``: JSON in lines, the last of which vouches for the others.

::

    {"format": "sanssouci-games/1"}
    {"guest": {...}, "tokens": [...], "played": [...], "reviews": [...]}                 for every guest
    {"game": {...}, "seed": hex, "events": [...], "tokens": [...], "holdings": [...],
     "barred": [...]}                                                                    for every game
    {"end": {"guests": n, "games": n, "sha256": of all bytes before this line}}
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from sanssouci.locale import UserError

from . import queries
from .changes import AddGame, AddGuest, AddPlayed, AddReview, AddToken, AppendEvent, Bar, Change, Hold
from .decoding import attempt, sound
from .error import Conflict, DamagedRow, not_read, usable
from .inspection import Examine, ExamineGuest, any_guest, inspect_game
from .lock import check_apart
from .parcels import DAMAGE, GameParcel, GuestParcel, Parcel, read_line, read_parcel, write_line, write_parcel
from .reader import Reader
from .store import Store
from .whole_file import whole_file

FORMAT = "sanssouci-games/1"
_LONGEST_LINE = 1 << 26
"""Bytes: many times the longest game."""


@dataclass(slots=True)
class Tally:
    """What an export holds, or what an import has found."""

    guests: int = 0
    games: int = 0

    def count(self, parcel: Parcel) -> None:
        """One more."""
        self.guests += isinstance(parcel, GuestParcel)
        self.games += isinstance(parcel, GameParcel)


def export_games(
    store: Reader, path: Path, force: bool = False, told: Callable[[Tally], None] = lambda tally: None
) -> Tally:
    """Write all guests and games, as they are at one moment, to a file that only its owner can read.

    ``told`` hears again and again how far it is. ``store.damaged`` is called with what is left out.
    """
    check_apart(store.path, path)
    tally, digest = Tally(), sha256()
    with whole_file(path, force) as beside, beside.open("wb") as file:

        def write(document: dict[str, Any]) -> None:
            line = write_line(document)
            digest.update(line)
            file.write(line)

        write({"format": FORMAT})
        try:
            with store.snapshot() as connection:
                for parcel in _parcels(connection, store.damaged):
                    write(write_parcel(parcel))
                    tally.count(parcel)
                    told(tally)
        except SQLAlchemyError as error:
            raise not_read(error) from None
        write({"end": {**asdict(tally), "sha256": digest.hexdigest()}})
    return tally


def _parcels(connection: Connection, damaged: Callable[[DamagedRow], None]) -> Iterator[Parcel]:
    """All guests and games but the damaged ones; a game has no holder whom the export does not have."""
    guests: set[str] = set()
    for name in sound(queries.guest_ids(connection), damaged):
        guest = attempt(partial(queries.guest, connection, name))
        if isinstance(guest, DamagedRow):
            damaged(guest)
        elif guest is not None:
            guests.add(guest.id)
            yield queries.guest_parcel(connection, guest, damaged)
    for name in sound(queries.game_ids(connection), damaged):
        parcel = attempt(partial(_game_parcel, connection, name))
        if isinstance(parcel, DamagedRow):
            damaged(parcel)
        elif parcel is not None:
            holdings = tuple(row for row in parcel.holdings if row.guest in guests)
            barred = tuple(row for row in parcel.barred if row.guest in guests)
            yield replace(parcel, holdings=holdings, barred=barred)


def _game_parcel(connection: Connection, name: str) -> GameParcel | None:
    game = queries.game(connection, name)
    return None if game is None else queries.game_parcel(connection, game)


def import_games(
    store: Store, path: Path, examine: Examine, examine_guest: ExamineGuest = any_guest
) -> Tally:
    """Let in the games of a file, all or none; ``UserError`` if one is here already, or is not sound.

    A guest who is here already keeps name and tokens, and gets the chairs that the file tells of.
    """
    tally = Tally()
    try:
        with usable(path), path.open("rb") as file:
            store.write_all(_changes(store, file, examine, examine_guest, tally)).result()
    except UserError:
        raise
    except (Conflict, ValueError):
        raise UserError("store.misfit") from None
    return tally


def _changes(
    store: Store, file: BinaryIO, examine: Examine, examine_guest: ExamineGuest, tally: Tally
) -> Iterator[Change]:
    for parcel in _read(file, tally):
        if isinstance(parcel, GuestParcel):
            examine_guest(parcel)
            if store.guest(parcel.guest.id) is None:
                yield AddGuest(parcel.guest)
                yield from map(AddToken, parcel.tokens)
                yield from map(AddPlayed, parcel.played)
                yield from map(AddReview, parcel.reviews)
            continue
        if store.game(parcel.game.id) is not None:
            raise UserError("store.game_exists", game=parcel.game.id)
        inspect_game(parcel, examine)
        yield from _game_changes(parcel)


def _game_changes(parcel: GameParcel) -> Iterator[Change]:
    yield AddGame(parcel.game, parcel.seed)
    for event in parcel.events:
        yield AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
    yield from map(AddToken, parcel.tokens)
    for holding in parcel.holdings:
        yield Hold(holding.game, holding.chair, holding.guest)
    for barred in parcel.barred:
        yield Bar(barred.game, barred.guest)


def _read(file: BinaryIO, tally: Tally) -> Iterator[Parcel]:
    """The parcels of a file; ``UserError`` where it is not what an export has written."""
    line = file.readline(_LONGEST_LINE)
    _check_format(line)
    digest, number = sha256(line), 1
    while line := file.readline(_LONGEST_LINE):
        number += 1
        document = _document(line, number)
        if "end" in document:
            if document["end"] != {**asdict(tally), "sha256": digest.hexdigest()} or file.read(1):
                raise UserError("store.altered")
            return
        parcel = _parcel(document, number)
        tally.count(parcel)
        yield parcel
        digest.update(line)
    raise UserError("store.truncated")


def _check_format(line: bytes) -> None:
    try:
        name = str(read_line(line)["format"])
    except DAMAGE:
        raise UserError("store.no_export") from None
    if name != FORMAT:
        family = name.startswith(FORMAT.rstrip("1"))
        raise UserError("store.newer_export" if family else "store.no_export")


def _document(line: bytes, number: int) -> dict[str, Any]:
    if not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
        raise UserError("store.truncated")
    try:
        return read_line(line)
    except DAMAGE:
        raise UserError("store.bad_line", line=number) from None


def _parcel(document: dict[str, Any], number: int) -> Parcel:
    try:
        return read_parcel(document)
    except DAMAGE:
        raise UserError("store.bad_line", line=number) from None
