"""Export and import of all games as one text file, ``sanssouci-games/1``.

One JSON object per line; the last line holds a checksum of all lines before it.

::

    {"format": "sanssouci-games/1"}
    {"guest": {...}, "tokens": [...], "played": [...], "reviews": [...]}                 for every guest
    {"game": {...}, "seed": hex, "events": [...], "tokens": [...], "holdings": [...],
     "barred": [...]}                                                                    for every game
    {"end": {"guests": n, "games": n, "sha256": of all bytes before this line}}
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy.exc import SQLAlchemyError

from sanssouci.locale import UserError

from .atomic_file import atomic_file
from .changes import AddGame, AddGuest, AddPlayed, AddReview, AddToken, AppendEvent, AssignSeat, Ban, Change
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
from .read_snapshot import ReadSnapshot
from .reader import Reader
from .store import Store

FORMAT = "sanssouci-games/1"
_MAX_LINE = 1 << 26
"""Bytes, many times the longest game: limits the memory that a file which is no export can take."""


@dataclass(slots=True)
class Counts:
    """How many guests and games an export holds, or an import has read."""

    guests: int = 0
    games: int = 0

    def count(self, export: ExportRow) -> None:
        self.guests += isinstance(export, GuestExport)
        self.games += isinstance(export, GameExport)


def export_games(
    store: Reader, path: Path, force: bool = False, progress: Callable[[Counts], None] = lambda counts: None
) -> Counts:
    """Write a snapshot of all guests and games to a file that only its owner can read.

    Calls ``progress`` after each guest and game. Damaged rows are left out and passed to ``store.damaged``.
    """
    check_apart(store.path, path)
    counts, digest = Counts(), sha256()
    with atomic_file(path, force) as unfinished, unfinished.open("wb") as file:

        def write(document: dict[str, Any]) -> None:
            line = write_line(document)
            digest.update(line)
            file.write(line)

        write({"format": FORMAT})
        try:
            with store.snapshot() as connection:
                snapshot = ReadSnapshot(store.path, connection)
                snapshot.damaged = store.damaged
                for export in _exports(snapshot):
                    write(dump_export(export))
                    counts.count(export)
                    progress(counts)
        except SQLAlchemyError as error:
            raise not_read(error) from None
        write({"end": {**asdict(counts), "sha256": digest.hexdigest()}})
    return counts


def _exports(store: Reader) -> Iterator[ExportRow]:
    """All guests and games except damaged ones; seats and bans of guests that are left out go too."""
    guests: set[str] = set()
    for guest in store.all_guests():
        guests.add(guest.id)
        yield store.guest_export(guest)
    for game in store.all_games():
        try:
            export = store.game_export(game)
        except DamagedRow as row:
            store.damaged(row)
            continue
        holdings = tuple(row for row in export.holdings if row.guest in guests)
        barred = tuple(row for row in export.barred if row.guest in guests)
        yield replace(export, holdings=holdings, barred=barred)


def import_games(
    store: Store, path: Path, examine: Examine, examine_guest: ExamineGuest = any_guest
) -> Counts:
    """Import all games of a file or none; ``UserError`` if a game exists already or is not valid.

    A guest who exists already keeps name and tokens, and gains the chairs listed in the file.
    """
    counts = Counts()
    try:
        with file_errors(path), path.open("rb") as file:
            store.write_all(_changes(store, file, examine, examine_guest, counts)).result()
    except UserError:
        raise
    except (Conflict, ValueError):
        raise UserError("store.misfit") from None
    return counts


def _changes(
    store: Store, file: BinaryIO, examine: Examine, examine_guest: ExamineGuest, counts: Counts
) -> Iterator[Change]:
    for export in _read(file, counts):
        if isinstance(export, GuestExport):
            examine_guest(export)
            if store.guest(export.guest.id) is None:
                yield AddGuest(export.guest)
                yield from map(AddToken, export.tokens)
                yield from map(AddPlayed, export.played)
                yield from map(AddReview, export.reviews)
            continue
        if store.game(export.game.id) is not None:
            raise UserError("store.game_exists", game=export.game.id)
        check_game(export, examine)
        yield from _game_changes(export)


def _game_changes(export: GameExport) -> Iterator[Change]:
    yield AddGame(export.game, export.seed)
    for event in export.events:
        yield AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
    yield from map(AddToken, export.tokens)
    for holding in export.holdings:
        yield AssignSeat(holding.game, holding.chair, holding.guest)
    for barred in export.barred:
        yield Ban(barred.game, barred.guest)


def _read(file: BinaryIO, counts: Counts) -> Iterator[ExportRow]:
    """The guests and games of a file; ``UserError`` if an export has not written it."""
    line = file.readline(_MAX_LINE)
    _check_format(line)
    digest, number = sha256(line), 1
    while line := file.readline(_MAX_LINE):
        number += 1
        document = _document(line, number)
        if "end" in document:
            if document["end"] != {**asdict(counts), "sha256": digest.hexdigest()} or file.read(1):
                raise UserError("store.altered")
            return
        export = _load(document, number)
        counts.count(export)
        yield export
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
    if not line.endswith(b"\n") and len(line) < _MAX_LINE:
        raise UserError("store.truncated")
    try:
        return read_line(line)
    except PARSE_ERRORS:
        raise UserError("store.bad_line", line=number) from None


def _load(document: dict[str, Any], number: int) -> ExportRow:
    try:
        return load_export(document)
    except PARSE_ERRORS:
        raise UserError("store.bad_line", line=number) from None
