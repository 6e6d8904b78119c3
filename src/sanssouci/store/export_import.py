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
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.exc import SQLAlchemyError
from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.notation import FieldError, read_typed_json

from .atomic_file import atomic_file
from .changes import Add, AddGame, AppendEvent, Change
from .errors import Conflict, DamagedRow, LostRace, file_errors, not_read
from .export_rows import ExportRow, GameExport, GuestExport, read_export, write_export, write_line
from .integrity import CheckExport, CheckGuestExport, any_guest, check_game, reporting
from .lock import check_apart
from .read_snapshot import ReadSnapshot
from .reader import Reader
from .rows import GuestRow
from .store import Store

FORMAT = "sanssouci-games/1"
_MAX_LINE = 1 << 26
"""Bytes, many times the longest game: limits the memory that a file which is no export can take."""


class _Header(TypedDict):
    """The first line; newer formats may have more fields."""

    format: str


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
    if isinstance(store.address, Path):
        check_apart(store.address, path)
    counts, digest = Counts(), sha256()
    with atomic_file(path, force) as unfinished, unfinished.open("wb") as file:

        def write(line: bytes) -> None:
            digest.update(line)
            file.write(line)

        write(write_line({"format": FORMAT}))
        try:
            with store.snapshot() as connection:
                snapshot = ReadSnapshot(store.address, connection)
                snapshot.damaged = store.damaged
                for export in _exports(snapshot):
                    write(write_export(export))
                    counts.count(export)
                    progress(counts)
        except SQLAlchemyError as error:
            raise not_read(error) from None
        file.write(_end(counts, digest.hexdigest()))
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
    store: Store, path: Path, check_export: CheckExport, check_guest_export: CheckGuestExport = any_guest
) -> Counts:
    """Import all games of a file or none; ``UserError`` if a game exists already or is not valid.

    A guest who exists already keeps name and tokens, and gains the chairs listed in the file.
    """
    counts = Counts()
    try:
        with file_errors(path), path.open("rb") as file:
            writes = _writes(store, file, check_export, check_guest_export, counts)
            if store.is_beside:
                _import_beside(store, file, writes)
            else:
                store.write_all(change for changes in writes for change in changes).result()
    except UserError:
        raise
    except LostRace:
        raise UserError("store.locked_rows") from None
    except (Conflict, ValueError):
        raise UserError("store.misfit") from None
    return counts


def copy_games(source: Reader, target: Store, progress: Callable[[int], None] = lambda games: None) -> Counts:
    """Copy all guests and games in one transaction, then compare each with its copy.

    ``UserError`` if the target is not empty, or a copy differs. ``progress`` is called with the number of
    games that were copied or compared. Damaged rows are left out and passed to ``source.damaged``.
    """
    if target.count_games() or next(target.all_guests(), None) is not None:
        raise UserError("store.not_empty", path=target.address)
    counts = Counts()

    def changes() -> Iterator[Change]:
        for export in _exports(source):
            counts.count(export)
            progress(counts.games)
            yield from _guest_changes(export) if isinstance(export, GuestExport) else _game_changes(export)

    try:
        target.write_all(changes()).result()
    except LostRace:
        raise UserError("store.locked_rows") from None
    except (Conflict, ValueError):
        raise UserError("store.misfit") from None
    _compare(source, target, lambda games: progress(counts.games + games))
    return counts


def _compare(source: Reader, target: Reader, progress: Callable[[int], None]) -> None:
    compared = Counts()
    with reporting(source, lambda row: None):  # reported when it was copied
        for export, copy in zip_longest(_exports(source), _exports(target)):
            if export != copy:
                name = export.game.id if isinstance(export, GameExport) else "?"
                raise UserError("store.copy_differs", game=name)
            compared.count(export)
            progress(compared.games)


def _import_beside(store: Store, file: BinaryIO, checked: Iterator[list[Change]]) -> None:
    """Check the whole file first, then write game by game, so that the server can write in between.

    If a write fails, everything that was imported is deleted again.
    """
    for _ in checked:
        pass
    file.seek(0)
    games: list[str] = []
    guests: list[str] = []

    def writes() -> Iterator[list[Change]]:
        for changes in _writes(store, file, _accept, any_guest, Counts()):
            match changes[0]:
                case AddGame(game):
                    games.append(game.id)
                case Add(GuestRow(id=guest)):
                    guests.append(guest)
            yield changes

    try:
        store.write_steps(writes())
    except BaseException:
        with suppress(UserError, Conflict):
            store.delete(games, guests)
        raise


def _accept(export: GameExport) -> None:
    """The game was checked before."""


def _writes(
    store: Store,
    file: BinaryIO,
    check_export: CheckExport,
    check_guest_export: CheckGuestExport,
    counts: Counts,
) -> Iterator[list[Change]]:
    """The changes for each guest and each game, which must be made together."""
    for export in _read(file, counts):
        if isinstance(export, GuestExport):
            check_guest_export(export)
            if store.guest(export.guest.id) is None:
                yield [*_guest_changes(export)]
            continue
        if store.game(export.game.id) is not None:
            raise UserError("store.game_exists", game=export.game.id)
        check_game(export, check_export)
        yield [*_game_changes(export)]


def _guest_changes(export: GuestExport) -> Iterator[Change]:
    yield Add(export.guest)
    yield from map(Add, export.tokens)
    yield from map(Add, export.played)
    # Earlier versions could make two reviews of a game: the finished one is imported, or the older one.
    ranked = sorted(export.reviews, key=lambda row: (row.body != "", -row.created_at))
    yield from map(Add, {row.subject: row for row in ranked}.values())


def _game_changes(export: GameExport) -> Iterator[Change]:
    yield AddGame(export.game, export.seed)
    for event in export.events:
        yield AppendEvent(event.game, event.seq, event.command_id, event.seat, event.body, event.engine)
    yield from map(Add, export.tokens)
    yield from map(Add, export.holdings)
    yield from map(Add, export.barred)


def _read(file: BinaryIO, counts: Counts) -> Iterator[ExportRow]:
    """The guests and games of a file; ``UserError`` if an export has not written it."""
    line = file.readline(_MAX_LINE)
    _check_format(line)
    digest, number = sha256(line), 1
    while line := file.readline(_MAX_LINE):
        number += 1
        if not line.endswith(b"\n"):
            raise UserError("store.truncated") if len(line) < _MAX_LINE else _bad_line(number)
        if line.startswith(b'{"end"'):
            if line != _end(counts, digest.hexdigest()) or file.read(1):
                raise UserError("store.altered")
            return
        try:
            export = read_export(line)
        except FieldError:
            raise _bad_line(number) from None
        counts.count(export)
        yield export
        digest.update(line)
    raise UserError("store.truncated")


def _end(counts: Counts, digest: str) -> bytes:
    return write_line({"end": {**asdict(counts), "sha256": digest}})


def _bad_line(number: int) -> UserError:
    return UserError("store.bad_line", line=number)


def _check_format(line: bytes) -> None:
    try:
        name = read_typed_json(_Header, line)["format"] if line.endswith(b"\n") else ""
    except FieldError:
        name = ""
    if name != FORMAT:
        family = name.startswith(FORMAT.rstrip("1"))
        raise UserError("store.newer_export" if family else "store.no_export")
