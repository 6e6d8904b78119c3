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
from .atomic_file import atomic_file
from .changes import AddGame, AddGuest, AddPlayed, AddReview, AddToken, AppendEvent, AssignSeat, Ban, Change
from .decoding import attempt, sound
from .errors import Conflict, DamagedRow, file_errors, not_read
from .export_rows import (
    PARSE_ERRORS,
    ExportRow,
    GameExport,
    GuestExport,
    dump_export,
    load_export,
    read_line,
    write_line,
)
from .integrity import Examine, ExamineGuest, any_guest, check_game
from .lock import check_apart
from .reader import Reader
from .store import Store

FORMAT = "sanssouci-games/1"
_LONGEST_LINE = 1 << 26
"""Bytes: many times the longest game."""


@dataclass(slots=True)
class Counts:
    """What an export holds, or what an import has found."""

    guests: int = 0
    games: int = 0

    def count(self, parcel: ExportRow) -> None:
        """One more."""
        self.guests += isinstance(parcel, GuestExport)
        self.games += isinstance(parcel, GameExport)


def export_games(
    store: Reader, path: Path, force: bool = False, told: Callable[[Counts], None] = lambda tally: None
) -> Counts:
    """Write all guests and games, as they are at one moment, to a file that only its owner can read.

    ``told`` hears again and again how far it is. ``store.damaged`` is called with what is left out.
    """
    check_apart(store.path, path)
    tally, digest = Counts(), sha256()
    with atomic_file(path, force) as beside, beside.open("wb") as file:

        def write(document: dict[str, Any]) -> None:
            line = write_line(document)
            digest.update(line)
            file.write(line)

        write({"format": FORMAT})
        try:
            with store.snapshot() as connection:
                for parcel in _parcels(connection, store.damaged):
                    write(dump_export(parcel))
                    tally.count(parcel)
                    told(tally)
        except SQLAlchemyError as error:
            raise not_read(error) from None
        write({"end": {**asdict(tally), "sha256": digest.hexdigest()}})
    return tally


def _parcels(connection: Connection, damaged: Callable[[DamagedRow], None]) -> Iterator[ExportRow]:
    """All guests and games but the damaged ones; a game has no holder whom the export does not have."""
    guests: set[str] = set()
    for name in sound(queries.guest_ids(connection), damaged):
        guest = attempt(partial(queries.guest, connection, name))
        if isinstance(guest, DamagedRow):
            damaged(guest)
        elif guest is not None:
            guests.add(guest.id)
            yield queries.guest_export(connection, guest, damaged)
    for name in sound(queries.game_ids(connection), damaged):
        parcel = attempt(partial(_game_export, connection, name))
        if isinstance(parcel, DamagedRow):
            damaged(parcel)
        elif parcel is not None:
            holdings = tuple(row for row in parcel.holdings if row.guest in guests)
            barred = tuple(row for row in parcel.barred if row.guest in guests)
            yield replace(parcel, holdings=holdings, barred=barred)


def _game_export(connection: Connection, name: str) -> GameExport | None:
    game = queries.game(connection, name)
    return None if game is None else queries.game_export(connection, game)


def import_games(
    store: Store, path: Path, examine: Examine, examine_guest: ExamineGuest = any_guest
) -> Counts:
    """Let in the games of a file, all or none; ``UserError`` if one is here already, or is not sound.

    A guest who is here already keeps name and tokens, and gets the chairs that the file tells of.
    """
    tally = Counts()
    try:
        with file_errors(path), path.open("rb") as file:
            store.write_all(_changes(store, file, examine, examine_guest, tally)).result()
    except UserError:
        raise
    except (Conflict, ValueError):
        raise UserError("store.misfit") from None
    return tally


def _changes(
    store: Store, file: BinaryIO, examine: Examine, examine_guest: ExamineGuest, tally: Counts
) -> Iterator[Change]:
    for parcel in _read(file, tally):
        if isinstance(parcel, GuestExport):
            examine_guest(parcel)
            if store.guest(parcel.guest.id) is None:
                yield AddGuest(parcel.guest)
                yield from map(AddToken, parcel.tokens)
                yield from map(AddPlayed, parcel.played)
                yield from map(AddReview, parcel.reviews)
            continue
        if store.game(parcel.game.id) is not None:
            raise UserError("store.game_exists", game=parcel.game.id)
        check_game(parcel, examine)
        yield from _game_changes(parcel)


def _game_changes(parcel: GameExport) -> Iterator[Change]:
    yield AddGame(parcel.game, parcel.seed)
    for event in parcel.events:
        yield AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
    yield from map(AddToken, parcel.tokens)
    for holding in parcel.holdings:
        yield AssignSeat(holding.game, holding.chair, holding.guest)
    for barred in parcel.barred:
        yield Ban(barred.game, barred.guest)


def _read(file: BinaryIO, tally: Counts) -> Iterator[ExportRow]:
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
    except PARSE_ERRORS:
        raise UserError("store.no_export") from None
    if name != FORMAT:
        family = name.startswith(FORMAT.rstrip("1"))
        raise UserError("store.newer_export" if family else "store.no_export")


def _document(line: bytes, number: int) -> dict[str, Any]:
    if not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
        raise UserError("store.truncated")
    try:
        return read_line(line)
    except PARSE_ERRORS:
        raise UserError("store.bad_line", line=number) from None


def _parcel(document: dict[str, Any], number: int) -> ExportRow:
    try:
        return load_export(document)
    except PARSE_ERRORS:
        raise UserError("store.bad_line", line=number) from None
