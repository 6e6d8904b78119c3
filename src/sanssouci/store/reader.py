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

from sanssouci.locale import Complaint

from . import queries
from .error import not_read, reason_of
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
    PlayedRow,
    ReviewRow,
    TokenRow,
)

P = ParamSpec("P")
T = TypeVar("T")
ParcelT = TypeVar("ParcelT", GameParcel, GuestParcel)

_log = logging.getLogger("sanssouci.store")


class Reader(ABC):
    """Asks on connections that it is given; ``Unavailable`` where the file cannot be read."""

    path: Path
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
            _log.error("something cannot be read: %s", reason_of(error))
            raise not_read(error) from None

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

    def played_by(self, guest: str, most: int = -1) -> list[PlayedRow]:
        """What came of a guest's games, the last one first; a number below 0 is all."""
        return self._ask(queries.played_by, guest, most)

    def review(self, review: str) -> ReviewRow | None:
        """A review, if there is one."""
        return self._ask(queries.review, review)

    def reviews_of(self, guest: str) -> list[ReviewRow]:
        """The reviews of a guest, the oldest first."""
        return self._ask(queries.reviews_of, guest)

    def unfinished_reviews(self) -> list[ReviewRow]:
        """Reviews in which not all was found yet, the oldest first."""
        return self._ask(queries.unfinished_reviews)

    def old_reviews(self, before: float) -> list[str]:
        """The reviews that were asked for before a moment."""
        return self._ask(queries.old_reviews, before)

    def open_games(self, most: int, after: OpenPlace = FIRST_OPEN) -> list[GameRow]:
        """Games that wait for people and that anyone may join, the newest first: what comes after a place."""
        return self._ask(queries.open_games, most, after)

    def running_games(self, most: int, after: OpenPlace = FIRST_OPEN) -> list[GameRow]:
        """Games that have begun and that anyone may watch, the newest first: what comes after a place."""
        return self._ask(queries.running_games, most, after)

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
        """Every guest with the guest's own tokens, results and reviews; ``Complaint`` as for a game."""
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
