"""The store: a data file that this process alone writes, and all that can be asked of it."""

import sqlite3
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from functools import partial
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sanssouci.locale import Complaint
from sanssouci.notation import real_path

from . import queries, sqlite
from .changes import Change, DeleteGame, ForgetGuest
from .error import Unavailable, database_trouble, unavailable, usable
from .lock import DataLock
from .migration import migrate
from .parcels import DAMAGE, GameParcel, GuestParcel, read_line, read_parcel, write_line, write_parcel
from .rows import (
    FIRST_OPEN,
    FIRST_OWN,
    BarredRow,
    EventRow,
    GameRow,
    GuestRow,
    HeldGame,
    HoldingRow,
    OpenPlace,
    OwnPlace,
    TokenRow,
)
from .writer import Writer

P = ParamSpec("P")
T = TypeVar("T")
ParcelT = TypeVar("ParcelT", GameParcel, GuestParcel)


class Store:
    """Open from when it is made until it is closed. Every method may be called from any thread."""

    def __init__(self, path: Path, lock: DataLock, made: tuple[Path, ...] = ()) -> None:
        """Use ``open``."""
        self.path = path
        self._lock = lock
        self._made = made
        self._readers = sqlite.reading_engine(path)
        self._writer = Writer(sqlite.writing_engine(path), sqlite.BEGIN, sqlite.PROBE)

    @classmethod
    def open(cls, path: Path, create: bool = True) -> "Store":
        """Lock a data file and bring it up to date.

        ``Locked`` if another process has it; ``Complaint`` if it is no data file, is too new, or is not there
        and shall not be made.
        """
        path = real_path(path)
        with usable(path):
            if not is_data_file(path) and not create:
                raise Complaint("store.missing", path=path)
            made = tuple(each for each in (path, *path.parents) if not each.exists())
            sqlite.prepare_file(path)
            lock = DataLock(path)
        try:
            _bring_up_to_date(path)
            return cls(path, lock, made)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it takes writes: not when it was closed, nor when its writer has died."""
        return self._writer.alive

    @property
    def failing(self) -> bool:
        """Whether the disk did not take what was last given to it; a probe finds out when it does again."""
        return self._writer.failing

    def probe(self) -> "Future[None]":
        """Write a page that stays as it is: ``Unavailable`` if nothing can be written."""
        return self._writer.probe()

    def close(self) -> None:
        """Write what is waiting, and let go of the file."""
        self._disconnect()
        self._lock.release()

    def discard(self) -> None:
        """Close it; a file that was made when it was opened goes again, and so do the folders made for it."""
        self._disconnect()
        if self._made:
            sqlite.remove_file(self.path)
            self._lock.remove()
        self._lock.release()
        with suppress(OSError):  # somebody else has begun to use a folder
            for folder in self._made[1:]:
                folder.rmdir()

    def _disconnect(self) -> None:
        self._readers.dispose()  # before the last connection that can tidy the file up
        self._writer.close()

    def publish(self, url: str) -> None:
        """Tell others who want to open the file where its server is; ``OSError`` if it cannot be told."""
        self._lock.publish(url)

    def write(self, *changes: Change) -> "Future[None]":
        """All of the changes or none; the future has its result when they are on the disk.

        It raises ``Conflict``, with which the same write will always meet, or ``Unavailable``, after which it
        may be tried again.
        """
        return self._writer.write(changes)

    def write_all(self, changes: Iterable[Change]) -> "Future[None]":
        """The same for more than fit into memory; no other write gets ahead before the last is drawn."""
        return self._writer.write(changes)

    def delete(self, games: Iterable[str], guests: Iterable[str] = ()) -> None:
        """Delete games with all that belongs to them, and guests, all or none.

        Nothing else ever deletes an event.
        """
        self.write(*map(DeleteGame, games), *map(ForgetGuest, guests)).result()

    def snapshot(self) -> AbstractContextManager[Connection]:
        """A connection for ``queries`` that sees one moment of the data."""
        return sqlite.snapshot(self._readers)

    def _ask(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if not self._writer.alive:
            raise Unavailable("store.closed")
        try:
            with self._readers.connect() as connection:
                return query(connection, *args, **kwargs)
        except SQLAlchemyError as error:
            raise unavailable(error) from None

    def guest(self, guest: str) -> GuestRow | None:
        """A guest, if known."""
        return self._ask(queries.guest, guest)

    def game(self, game: str) -> GameRow | None:
        """A game, if there is one."""
        return self._ask(queries.game, game)

    def seed(self, game: str) -> bytes | None:
        """The seed of a game, if there is one."""
        return self._ask(queries.seed, game)

    def events(self, game: str, after: int = -1) -> list[EventRow]:
        """The events of a game that come after a seq, in their order."""
        return self._ask(queries.events, game, after)

    def token(self, digest: str, game: str = "") -> TokenRow | None:
        """What the token with this hash is good for at a game, if it is."""
        return self._ask(queries.token, digest, game)

    def tokens(self, game: str) -> list[TokenRow]:
        """All tokens of a game."""
        return self._ask(queries.tokens, game)

    def tokens_of(self, guest: str) -> list[TokenRow]:
        """All tokens of a guest."""
        return self._ask(queries.tokens_of, guest)

    def holdings(self, game: str) -> list[HoldingRow]:
        """Who holds which chair of a game."""
        return self._ask(queries.holdings, game)

    def barred(self, game: str) -> list[BarredRow]:
        """Who may not join a game any more."""
        return self._ask(queries.barred, game)

    def idle_guests(self, before: float, without: Collection[str] = ()) -> list[str]:
        """Guests who were not seen since then and hold nothing, the games left aside that are named."""
        return self._ask(queries.idle_guests, before, without)

    def games_of(self, guest: str, most: int = -1, after: OwnPlace = FIRST_OWN) -> list[HeldGame]:
        """The games in which a guest holds a chair: those that wait for it, then the one that moved last.

        No more than so many, and what comes after a place; a number below 0 is all.
        """
        return self._ask(queries.games_of, guest, most, after)

    def unfinished_games_of(self, guest: str) -> list[HeldGame]:
        """The games in which a guest holds a chair and that are not over."""
        return self._ask(queries.unfinished_games_of, guest)

    def open_games(self, most: int, after: OpenPlace = FIRST_OPEN) -> list[GameRow]:
        """Games that wait for people and that anyone may join, the newest first: what comes after a place."""
        return self._ask(queries.open_games, most, after)

    def deadlines(self, until: float = inf) -> list[tuple[str, float]]:
        """The games whose clock runs out until a moment, with when it does, the first first."""
        return self._ask(queries.deadlines, until)

    def idle_games(self, before: float) -> list[GameRow]:
        """Games in which nothing has happened since then, the oldest first."""
        return self._ask(queries.idle_games, before)

    def parcel(self, game: GameRow) -> GameParcel:
        """A game with all that belongs to it; ``Complaint`` if a value there is none of the store's."""
        return _typed(partial(self._ask, queries.game_parcel, game), game.id)

    def guest_parcels(self) -> Iterator[GuestParcel]:
        """Every guest with the guest's own tokens; ``Complaint`` as for a game."""
        for guest in self._ask(lambda connection: list(queries.all_guests(connection))):
            yield _typed(partial(self._ask, queries.guest_parcel, guest), guest.id)

    def stray_tokens(self) -> int:
        """How many tokens belong neither to a guest nor to a game."""
        return self._ask(queries.stray_tokens)

    def count_games(self) -> int:
        """How many games there are."""
        return self._ask(queries.count_games)

    def all_games(self) -> Iterator[GameRow]:
        """Every game, by and by; one that is made meanwhile may be among them."""
        last = ""
        while page := self._ask(queries.some_games, last):
            yield from page
            last = page[-1].id


def _typed(read: Callable[[], ParcelT], name: str) -> ParcelT:
    """A parcel whose values have their types, which SQLite does not insist on."""
    try:
        parcel = read()
        sound = read_parcel(read_line(write_line(write_parcel(parcel)))) == parcel
    except Complaint:
        raise
    except DAMAGE:
        sound = False
    if not sound:
        raise Complaint("store.unreadable", name=name)
    return parcel


def is_data_file(path: Path) -> bool:
    """Whether a file is there; ``Complaint`` or ``OSError`` if there is something else, or no way there."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        key = "file.folder" if stat.S_ISDIR(mode) else "file.not_a_file"
        raise Complaint("store.unusable", path=path, reason=Complaint(key))
    return True


def _bring_up_to_date(path: Path) -> None:
    """Nothing in a file that is not ours is changed."""
    try:
        if sqlite.is_foreign(path):
            raise Complaint("store.foreign", path=path)
        with sqlite.writing_engine(path).begin() as connection:
            migrate(connection, path)
    except (sqlite3.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if sqlite.is_no_database(cause):
            raise Complaint("store.not_a_database", path=path) from None
        raise Complaint("store.unusable", path=path, reason=database_trouble(error)) from None
