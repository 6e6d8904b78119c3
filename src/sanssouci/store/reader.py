"""What can be asked of a data file, whoever has it."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from functools import partial
from math import inf
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from sanssouci.locale import UserError

from . import queries
from .decoding import is_name, sound
from .errors import DamagedRow, Unavailable, code_of, not_read
from .export_rows import (
    PARSE_ERRORS,
    GameExport,
    GuestExport,
    dump_export,
    load_export,
    read_line,
    write_line,
)
from .rows import (
    FIRST_OPEN,
    FIRST_OWN,
    BanRow,
    EventRow,
    GameRow,
    GuestRow,
    HeldGame,
    HoldingRow,
    OpenPlace,
    OwnPlace,
    PlayedRow,
    ReviewRow,
    TokenRow,
)

P = ParamSpec("P")
T = TypeVar("T")
ParcelT = TypeVar("ParcelT", GameExport, GuestExport)

_log = logging.getLogger("sanssouci.store")


class Reader(ABC):
    """Asks on connections that it is given.

    ``Unavailable`` where the file cannot be read, ``DamagedRow`` where a row holds what was never written. A
    list leaves damaged rows out and calls ``damaged`` with each.
    """

    path: Path
    damaged: Callable[[DamagedRow], None] = staticmethod(
        lambda row: _log.error("damaged row: %s.%s", row.table, row.column)
    )
    _unanswered: Callable[[], object] | None = None
    """The last question that could not be answered."""

    @property
    def unreadable(self) -> bool:
        """Whether something could not be read; ``read_again`` finds out whether it can be now."""
        return self._unanswered is not None

    def read_again(self) -> None:
        """Ask once more what could not be answered last: ``Unavailable`` if it still cannot."""
        if (ask := self._unanswered) is not None:
            ask()
            if self._unanswered is ask:
                self._unanswered = None

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Connection]:
        """A connection for ``queries`` that sees one moment of the data."""

    @abstractmethod
    def _connected(self) -> AbstractContextManager[Connection]:
        """A connection for one question."""

    def _ask(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with self._connected() as connection:
                return query(connection, *args, **kwargs)
        except SQLAlchemyError as error:
            self._unanswered = partial(self._ask, query, *args, **kwargs)
            _log.error("something cannot be read: %s", code_of(error))
            raise not_read(error) from None

    def _list(
        self,
        query: Callable[Concatenate[Connection, P], list[T | DamagedRow]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> list[T]:
        """The rows of a list that are not damaged."""
        return sound(self._ask(query, *args, **kwargs), self.damaged)

    def _page(self, most: int, ask: Callable[[int], list[T | DamagedRow]]) -> list[T]:
        """So many rows that are not damaged, if there are as many; a number below 0 is all."""
        asked = most
        while True:
            found = ask(asked)
            rows = [row for row in found if not isinstance(row, DamagedRow)]
            if len(rows) == len(found) or most < 0 or len(found) < asked or len(rows) >= most:
                return sound(found, self.damaged)[: most if most >= 0 else None]
            asked += most - len(rows)

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
        return self._list(queries.tokens_of, guest)

    def holdings(self, game: str) -> list[HoldingRow]:
        """Who holds which chair of a game."""
        return self._ask(queries.holdings, game)

    def barred(self, game: str) -> list[BanRow]:
        """Who may not join a game any more."""
        return self._ask(queries.bans, game)

    def idle_guests(self, before: float, without: Collection[str] = ()) -> list[str]:
        """Guests who were not seen since then and hold nothing, the games left aside that are named."""
        return self._list(queries.idle_guests, before, without)

    def games_of(self, guest: str, most: int = -1, after: OwnPlace = FIRST_OWN) -> list[HeldGame]:
        """The games in which a guest holds a chair: those that wait for it, then the one that moved last.

        No more than so many, and what comes after a place; a number below 0 is all.
        """
        return self._page(most, lambda asked: self._ask(queries.games_of, guest, asked, after))

    def unfinished_games_of(self, guest: str) -> list[HeldGame]:
        """The games in which a guest holds a chair and that are not over."""
        return self._list(queries.unfinished_games_of, guest)

    def played_by(self, guest: str, most: int = -1) -> list[PlayedRow]:
        """What came of a guest's games, the last one first; a number below 0 is all."""
        return self._page(most, lambda asked: self._ask(queries.played_by, guest, asked))

    def review(self, review: str) -> ReviewRow | None:
        """A review, if there is one."""
        return self._ask(queries.review, review)

    def reviews_of(self, guest: str) -> list[ReviewRow]:
        """The reviews of a guest, the oldest first."""
        return self._list(queries.reviews_of, guest)

    def unfinished_reviews(self) -> list[ReviewRow]:
        """Reviews in which not all was found yet, the oldest first."""
        return self._list(queries.unfinished_reviews)

    def old_reviews(self, before: float) -> list[str]:
        """The reviews that were asked for before a moment."""
        return self._list(queries.old_reviews, before)

    def open_games(self, most: int, after: OpenPlace = FIRST_OPEN) -> list[GameRow]:
        """Games that wait for people and that anyone may join, the newest first: what comes after a place."""
        return self._page(most, lambda asked: self._ask(queries.open_games, asked, after))

    def running_games(self, most: int, after: OpenPlace = FIRST_OPEN) -> list[GameRow]:
        """Games that have begun and that anyone may watch, the newest first: what comes after a place."""
        return self._page(most, lambda asked: self._ask(queries.running_games, asked, after))

    def deadlines(self, until: float = inf) -> list[tuple[str, float]]:
        """The games whose clock runs out until a moment, with when it does, the first first."""
        return self._list(queries.deadlines, until)

    def idle_games(self, before: float) -> list[GameRow]:
        """Games in which nothing has happened since then, the oldest first."""
        return self._list(queries.idle_games, before)

    def parcel(self, game: GameRow) -> GameExport:
        """A game with all that belongs to it; ``UserError`` if a value there is none of the store's."""
        return _typed(partial(self._ask, queries.game_export, game), game.id)

    def guest_exports(self) -> Iterator[GuestExport | UserError]:
        """Every guest with the guest's own tokens, results and reviews, or what is wrong with them."""
        for name in self._list(queries.guest_ids):
            try:
                guest = self.guest(name)
            except DamagedRow as row:
                self.damaged(row)
                continue
            if guest is not None:
                try:
                    yield _typed(partial(self._ask, queries.guest_export, guest, self.damaged), guest.id)
                except Unavailable:
                    raise
                except UserError as user_error:
                    yield user_error

    def stray_tokens(self) -> int:
        """How many tokens belong neither to a guest nor to a game."""
        return self._ask(queries.stray_tokens)

    def count_games(self) -> int:
        """How many games there are."""
        return self._ask(queries.count_games)

    def all_games(self) -> Iterator[GameRow]:
        """Every game that is there when the first is asked for."""
        for name in self._list(queries.game_ids):
            try:
                game = self.game(name)
            except DamagedRow as row:
                self.damaged(row)
                continue
            if game is not None:
                yield game


def _typed(read: Callable[[], ParcelT], name: str) -> ParcelT:
    """A parcel whose values have their types, which SQLite does not insist on."""
    try:
        parcel = read()
        sound = load_export(read_line(write_line(dump_export(parcel)))) == parcel
    except UserError:
        raise
    except PARSE_ERRORS:
        sound = False
    if not sound:
        raise UserError("store.unreadable", name=name if is_name(name) else "?")
    return parcel
