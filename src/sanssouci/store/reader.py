"""All queries.

Each statement is a constant with bound parameters, so that SQLAlchemy compiles it once. ``Reader._read`` is
the only place that runs statements and translates errors; every method decodes the rows it returns.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import groupby
from math import inf
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    case,
    func,
    select,
    tuple_,
)
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from sanssouci.locale import UserError
from sanssouci.notation import FieldError

from .database import Address
from .decoding import T as RowT
from .decoding import attempt, decode_list, decode_row, decode_rows, is_name, sound
from .errors import DamagedRow, Unavailable, code_of, not_read
from .export_rows import PARSE_ERRORS, GameExport, GuestExport, read_export, write_export
from .rows import (
    FIRST_OPEN,
    FIRST_OWN,
    BanRow,
    EventRow,
    GameRow,
    GameVersion,
    GuestRow,
    HeldGame,
    HoldingRow,
    LatestEvents,
    OpenTablesCursor,
    OwnTablesCursor,
    PlayedRow,
    ReviewRow,
    StoredTable,
    TokenKind,
    TokenRow,
)
from .tables import (
    BAN,
    EVENT,
    EXPIRED,
    GAME,
    GAME_ROW,
    GUEST,
    HOLDING,
    LEASE,
    PLAYED,
    REVIEW,
    SECRET,
    TICKET,
    TOKEN,
)

T = TypeVar("T")
ExportT = TypeVar("ExportT", GameExport, GuestExport)

_log = logging.getLogger("sanssouci.store")

_GUEST = select(GUEST).where(GUEST.c.id == bindparam("guest"))
_GUEST_IDS = select(GUEST.c.id).order_by(GUEST.c.id)
_UNSEEN = _GUEST_IDS.where(GUEST.c.seen_at < bindparam("before"))
_GAMES = select(*GAME_ROW)
_GAME = _GAMES.where(GAME.c.id == bindparam("game"))
_ACCESS = select(GAME.c.access).where(GAME.c.id == bindparam("game"))
_GAME_IDS = select(GAME.c.id).order_by(GAME.c.id)
_IDLE_GAMES = _GAMES.where(GAME.c.updated_at < bindparam("before")).order_by(GAME.c.updated_at)
_SEED = select(SECRET.c.seed).where(SECRET.c.game == bindparam("game"))
_EVENTS = (
    select(EVENT)
    .where(EVENT.c.game == bindparam("game"), EVENT.c.seq > bindparam("after"))
    .order_by(EVENT.c.seq)
)
_LATEST_EVENTS = (
    select(GAME.c.access, EVENT)
    .join(EVENT, EVENT.c.game == GAME.c.id)
    .where(GAME.c.id == bindparam("game"), EVENT.c.seq > bindparam("after"))
    .order_by(EVENT.c.seq)
)
_HOLDINGS = select(HOLDING).where(HOLDING.c.game == bindparam("game")).order_by(HOLDING.c.chair)
_ALL_HOLDINGS = select(HOLDING.c.guest, HOLDING.c.game)
_BANS = select(BAN).where(BAN.c.game == bindparam("game")).order_by(BAN.c.guest)

_TOKEN = select(TOKEN).where(TOKEN.c.hash == bindparam("digest"), TOKEN.c.game == bindparam("game"))
_TOKENS = select(TOKEN).order_by(TOKEN.c.created_at, TOKEN.c.hash)
_GAME_TOKENS = _TOKENS.where(TOKEN.c.game == bindparam("game"))
_GUEST_TOKENS = _TOKENS.where(TOKEN.c.guest == bindparam("guest"))
_OF_A_GUEST = (TOKEN.c.game == "") & (TOKEN.c.kind == TokenKind.GUEST.value) & TOKEN.c.guest.is_not(None)
_OF_A_GAME = TOKEN.c.game.in_(select(GAME.c.id)) & (TOKEN.c.kind != TokenKind.GUEST.value)
_STRAY_TOKENS = select(func.count()).select_from(TOKEN).where(~(_OF_A_GUEST | _OF_A_GAME))

_TICKET = select(TICKET.c.body).where(TICKET.c.hash == bindparam("digest"), TICKET.c.until > bindparam("now"))

_REVIEW = select(REVIEW).where(REVIEW.c.id == bindparam("review"))
_REVIEWS = select(REVIEW).order_by(REVIEW.c.created_at, REVIEW.c.id)
_GUEST_REVIEWS = _REVIEWS.where(REVIEW.c.guest == bindparam("guest"))
_UNFINISHED_REVIEWS = _REVIEWS.where(REVIEW.c.body == "")
_ABANDONED_REVIEWS = _UNFINISHED_REVIEWS.join(LEASE, LEASE.c.game == REVIEW.c.id).where(
    LEASE.c.until <= bindparam("now")
)
_PROGRESS = select(LEASE.c.progress).where(LEASE.c.game == bindparam("review"))
_OLD_REVIEW_IDS = select(REVIEW.c.id).where(REVIEW.c.created_at < bindparam("before"))


def _public(*phases: str) -> Select[Any]:
    """One page of the public games in these phases, the newest first."""
    return (
        _GAMES.where(
            GAME.c.phase.in_(phases),
            GAME.c.visibility == "open",
            tuple_(GAME.c.created_at, GAME.c.id) < tuple_(bindparam("created_at"), bindparam("id")),
        )
        .order_by(GAME.c.created_at.desc(), GAME.c.id.desc())
        .limit(bindparam("limit"))
    )


_OPEN = _public("lobby")
_RUNNING = _public("picking", "playing")
# 1 if the game waits for one of the guest's chairs. The owner's place is below 0 and has no bit in
# ``waiting``; in the lobby the game waits for other people to join.
_AWAITED = func.max(
    case((GAME.c.phase == "lobby", 0), else_=GAME.c.waiting.bitwise_rshift(HOLDING.c.chair).bitwise_and(1))
)
_PAGE_OF_GUEST = (
    select(GAME.c.id, _AWAITED.label("awaited"))
    .join(HOLDING, GAME.c.id == HOLDING.c.game)
    .where(HOLDING.c.guest == bindparam("guest"))
    .group_by(GAME.c.id)
    .having(
        tuple_(_AWAITED, GAME.c.updated_at, GAME.c.id)
        < tuple_(bindparam("awaited"), bindparam("updated_at"), bindparam("id"))
    )
    .order_by(_AWAITED.desc(), GAME.c.updated_at.desc(), GAME.c.id.desc())
    .limit(bindparam("limit"))
    .subquery()
)
_HELD = (
    select(HOLDING.c.chair, *GAME_ROW)
    .join(GAME, GAME.c.id == HOLDING.c.game)
    .where(HOLDING.c.guest == bindparam("guest"))
)
_OF_GUEST = _HELD.join(_PAGE_OF_GUEST, _PAGE_OF_GUEST.c.id == GAME.c.id).order_by(
    _PAGE_OF_GUEST.c.awaited.desc(), GAME.c.updated_at.desc(), GAME.c.id.desc(), HOLDING.c.chair
)
_UNFINISHED = _HELD.where(GAME.c.phase != "over").order_by(GAME.c.id, HOLDING.c.chair)
_PLAYED = (
    select(PLAYED)
    .where(PLAYED.c.guest == bindparam("guest"))
    .order_by(PLAYED.c.ended_at.desc(), PLAYED.c.game)
    .limit(bindparam("limit"))
)
_DEADLINES = (
    select(GAME.c.id, GAME.c.deadline)
    .where(GAME.c.deadline.is_not(None), GAME.c.deadline <= bindparam("until"))
    .order_by(GAME.c.deadline)
)

_IDLE_LOBBIES = (
    select(GAME.c.id, GAME.c.updated_at)
    .where(
        GAME.c.phase.in_(("lobby", "full")),
        GAME.c.updated_at < bindparam("before"),
        tuple_(GAME.c.updated_at, GAME.c.id) > tuple_(bindparam("updated_at"), bindparam("id")),
    )
    .order_by(GAME.c.updated_at, GAME.c.id)
    .limit(bindparam("limit"))
)
_VERSIONS = select(GAME.c.id, GAME.c.seq, GAME.c.access).where(
    GAME.c.id.in_(bindparam("games", expanding=True))
)
_IDS_AT_ONCE = 1000
_NO_LIMIT = (1 << 31) - 1
"""PostgreSQL has no negative limits."""
_EXPIRED = select(EXPIRED.c.at).where(EXPIRED.c.game == bindparam("game"))
_GAMES_AHEAD = select(GAME.c.id, GAME.c.updated_at).where(
    GAME.c.deadline.is_not(None), GAME.c.updated_at > bindparam("now")
)


class Reader(ABC):
    """The queries on a data file; subclasses provide the connections.

    Methods raise ``Unavailable`` if the file cannot be read, and ``DamagedRow`` if a row holds a value that
    the store never writes. Lists of independent rows leave damaged rows out and call ``damaged`` with each.
    A negative ``limit`` means no limit.
    """

    address: Address
    damaged: Callable[[DamagedRow], None] = staticmethod(
        lambda row: _log.error("row_damaged", extra={"reason": f"{row.table}.{row.column}"})
    )
    _failed_read: Callable[[], object] | None = None

    @property
    def unreadable(self) -> bool:
        """Whether a read has failed; ``read_again`` clears it once that read succeeds."""
        return self._failed_read is not None

    def read_again(self) -> None:
        """Repeat the last read that failed; ``Unavailable`` if it still fails."""
        if (read := self._failed_read) is not None:
            read()
            if self._failed_read is read:
                self._failed_read = None

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Connection]:
        """A connection on which every query sees the same state of the data."""

    @abstractmethod
    def _connected(self, snapshot: bool) -> AbstractContextManager[Connection]:
        """A connection for one read.

        Without ``snapshot``, statements may see different states of the data.
        """

    def _read(self, *statements: Select[Any], **values: object) -> list[Sequence[Sequence[Any]]]:
        """The rows of each statement, all of the same state of the data."""
        try:
            try:
                return self._execute(*statements, **values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return self._execute(*statements, **values)  # the database was restarted
        except SQLAlchemyError as error:
            if _is_no_value(error):
                return [[] for _ in statements]
            self._failed_read = partial(self._read, *statements, **values)
            _log.error("store_read_failed", extra={"error": code_of(error)})
            raise not_read(error) from None

    def _execute(self, *statements: Select[Any], **values: object) -> list[Sequence[Sequence[Any]]]:
        with self._connected(len(statements) > 1) as connection:
            return [connection.execute(statement, values).all() for statement in statements]

    def _rows(self, statement: Select[Any], **values: object) -> Sequence[Sequence[Any]]:
        return self._read(statement, **values)[0]

    def _one(self, kind: type[RowT], statement: Select[Any], **values: object) -> RowT | None:
        rows = self._rows(statement, **values)
        return decode_row(kind, rows[0]) if rows else None

    def _list(self, kind: type[RowT], statement: Select[Any], **values: object) -> list[RowT]:
        return sound(decode_list(kind, self._rows(statement, **values)), self.damaged)

    def _ids(self, rows: Iterable[Sequence[Any]], table: str) -> list[str]:
        ids = (row[0] if isinstance(row[0], str) else DamagedRow(table, "id") for row in rows)
        return sound(ids, self.damaged)

    def _page(self, limit: int, read: Callable[[int], list[T | DamagedRow]]) -> list[T]:
        """As many sound rows as ``limit`` allows: reads more where some of the rows are damaged."""
        asked = limit if limit >= 0 else _NO_LIMIT
        while True:
            found = read(asked)
            rows = [row for row in found if not isinstance(row, DamagedRow)]
            if len(rows) == len(found) or limit < 0 or len(found) < asked or len(rows) >= limit:
                return sound(found, self.damaged)[: limit if limit >= 0 else None]
            asked += limit - len(rows)

    def _each(self, ids: list[str], read: Callable[[str], T | None]) -> Iterator[T]:
        """One read per id, so that memory holds one at a time; rows deleted meanwhile are skipped."""
        for id_ in ids:
            row = attempt(partial(read, id_))
            if isinstance(row, DamagedRow):
                self.damaged(row)
            elif row is not None:
                yield row

    def guest(self, guest: str) -> GuestRow | None:
        return self._one(GuestRow, _GUEST, guest=guest)

    def all_guests(self) -> Iterator[GuestRow]:
        return self._each(self._ids(self._rows(_GUEST_IDS), GUEST.name), self.guest)

    def idle_guests(self, before: float, without: Collection[str] = ()) -> list[str]:
        """Guests last seen before a time who hold no chair in any game except those in ``without``."""
        held, unseen = self._read(_ALL_HOLDINGS, _UNSEEN, before=before)
        busy = {guest for guest, game in held if game not in without}
        return [guest for guest in self._ids(unseen, GUEST.name) if guest not in busy]

    def game(self, game: str) -> GameRow | None:
        return self._one(GameRow, _GAME, game=game)

    def all_games(self) -> Iterator[GameRow]:
        """Every game that exists when the first is requested."""
        yield from self._each(self._ids(self._rows(_GAME_IDS), GAME.name), self.game)

    def count_games(self) -> int:
        return int(self._rows(select(func.count()).select_from(GAME))[0][0])

    def seed(self, game: str) -> bytes | None:
        return _seed(game, self._rows(_SEED, game=game))

    def events(self, game: str, after: int = -1) -> list[EventRow]:
        """The events of a game with a ``seq`` above ``after``, in order."""
        return decode_rows(EventRow, self._rows(_EVENTS, game=game, after=after))

    def stored_table(self, game: str, after: int = -1, with_tokens: bool = False) -> StoredTable | None:
        """A game with its events above ``after``, read in one transaction."""
        found = (_GAME, _ACCESS, _EVENTS, _SEED, _HOLDINGS, *((_GAME_TOKENS,) if with_tokens else ()))
        games, access, events, seed, holdings, *tokens = self._read(*found, game=game, after=after)
        if not games:
            return None
        return StoredTable(
            decode_row(GameRow, games[0]),
            access[0][0],
            decode_rows(EventRow, events),
            _seed(game, seed) or b"",
            decode_rows(HoldingRow, holdings),
            decode_rows(TokenRow, tokens[0]) if tokens else [],
        )

    def latest_events(self, game: str, after: int) -> LatestEvents | None:
        """The events of a game above ``after``; None if there are none."""
        rows = self._rows(_LATEST_EVENTS, game=game, after=after)
        return LatestEvents(rows[0][0], decode_rows(EventRow, (row[1:] for row in rows))) if rows else None

    def holdings(self, game: str) -> list[HoldingRow]:
        return decode_rows(HoldingRow, self._rows(_HOLDINGS, game=game))

    def bans(self, game: str) -> list[BanRow]:
        return decode_rows(BanRow, self._rows(_BANS, game=game))

    def token(self, digest: str, game: str = "") -> TokenRow | None:
        """The token with this hash; ``game`` is empty for a guest's own token."""
        return self._one(TokenRow, _TOKEN, digest=digest, game=game)

    def tokens(self, game: str) -> list[TokenRow]:
        """All tokens of a game, the oldest first."""
        return decode_rows(TokenRow, self._rows(_GAME_TOKENS, game=game))

    def tokens_of(self, guest: str) -> list[TokenRow]:
        """All tokens of a guest, the oldest first."""
        return self._list(TokenRow, _GUEST_TOKENS, guest=guest)

    def ticket(self, digest: str, now: float) -> str | None:
        """What a ticket with this hash grants, unless it has expired."""
        rows = self._rows(_TICKET, digest=digest, now=now)
        return str(rows[0][0]) if rows else None

    def stray_tokens(self) -> int:
        """How many tokens belong to neither a guest nor a game; no foreign key rules them out."""
        return int(self._rows(_STRAY_TOKENS)[0][0])

    def games_of(self, guest: str, limit: int = -1, after: OwnTablesCursor = FIRST_OWN) -> list[HeldGame]:
        """A page of the games in which a guest holds a chair: those awaiting the guest, then the latest."""
        awaited, updated_at, game = after
        page = {"guest": guest, "awaited": awaited, "updated_at": updated_at, "id": game}
        return self._page(limit, lambda asked: _held(self._rows(_OF_GUEST, limit=asked, **page)))

    def unfinished_games_of(self, guest: str) -> list[HeldGame]:
        return sound(_held(self._rows(_UNFINISHED, guest=guest)), self.damaged)

    def open_games(self, limit: int, after: OpenTablesCursor = FIRST_OPEN) -> list[GameRow]:
        """A page of the public games that wait for players, the newest first."""
        return self._public_games(_OPEN, limit, after)

    def running_games(self, limit: int, after: OpenTablesCursor = FIRST_OPEN) -> list[GameRow]:
        """A page of the public games that have begun, the newest first."""
        return self._public_games(_RUNNING, limit, after)

    def _public_games(self, statement: Select[Any], limit: int, after: OpenTablesCursor) -> list[GameRow]:
        page = {"created_at": after[0], "id": after[1]}
        return self._page(
            limit, lambda asked: decode_list(GameRow, self._rows(statement, limit=asked, **page))
        )

    def deadlines(self, until: float = inf) -> list[tuple[str, float]]:
        """Games whose clock runs out by ``until``, each with its deadline, the earliest first."""
        rows = self._rows(_DEADLINES, until=until)
        found = ((game, at) if isinstance(game, str) else DamagedRow(GAME.name, "id") for game, at in rows)
        return sound(found, self.damaged)

    def games_ahead(self, now: float) -> list[tuple[str, float]]:
        """Games with a deadline whose last event is later than ``now``, each with the time of that event."""
        rows = self._rows(_GAMES_AHEAD, now=now)
        found = ((game, at) if isinstance(game, str) else DamagedRow(GAME.name, "id") for game, at in rows)
        return sound(found, self.damaged)

    def idle_games(self, before: float) -> list[GameRow]:
        """Games without an event since ``before``, the oldest first."""
        return self._list(GameRow, _IDLE_GAMES, before=before)

    def idle_lobbies(
        self, before: float, limit: int, after: tuple[float, str] = (-inf, "")
    ) -> list[tuple[str, float]]:
        """A page of the games that have not started, without an event since ``before``, the oldest first."""
        rows = self._rows(_IDLE_LOBBIES, before=before, limit=limit, updated_at=after[0], id=after[1])
        found = ((game, at) if isinstance(game, str) else DamagedRow(GAME.name, "id") for game, at in rows)
        return sound(found, self.damaged)

    def versions(self, games: Collection[str]) -> dict[str, GameVersion]:
        """The versions of these games, except for those that do not exist any more."""
        ids, versions = list(games), {}
        for start in range(0, len(ids), _IDS_AT_ONCE):
            for game, *version in self._rows(_VERSIONS, games=ids[start : start + _IDS_AT_ONCE]):
                versions[game] = GameVersion(*version)
        return versions

    def has_expired(self, game: str) -> bool:
        """Whether a game was deleted because nobody used it."""
        return bool(self._rows(_EXPIRED, game=game))

    def played_by(self, guest: str, limit: int = -1) -> list[PlayedRow]:
        """The results of a guest's games, the latest first."""
        return self._page(
            limit, lambda asked: decode_list(PlayedRow, self._rows(_PLAYED, guest=guest, limit=asked))
        )

    def review(self, review: str) -> ReviewRow | None:
        return self._one(ReviewRow, _REVIEW, review=review)

    def reviews_of(self, guest: str) -> list[ReviewRow]:
        """The reviews of a guest, the oldest first."""
        return self._list(ReviewRow, _GUEST_REVIEWS, guest=guest)

    def unfinished_reviews(self) -> list[ReviewRow]:
        """Reviews that are not finished yet, the oldest first."""
        return self._list(ReviewRow, _UNFINISHED_REVIEWS)

    def abandoned_reviews(self, now: float) -> list[ReviewRow]:
        """Unfinished reviews of servers that have not renewed their leases."""
        return self._list(ReviewRow, _ABANDONED_REVIEWS, now=now)

    def review_progress(self, review: str) -> int | None:
        """How far a server had got with a review when it last said so; None if no server works on it."""
        rows = self._rows(_PROGRESS, review=review)
        return int(rows[0][0]) if rows else None

    def old_reviews(self, before: float) -> list[str]:
        """The ids of reviews requested before a time."""
        return self._ids(self._rows(_OLD_REVIEW_IDS, before=before), REVIEW.name)

    def game_export(self, game: GameRow) -> GameExport:
        """A game with everything that belongs to it; a lost seed becomes an empty one."""
        seed, events, tokens, holdings, bans = self._read(
            _SEED, _EVENTS, _GAME_TOKENS, _HOLDINGS, _BANS, game=game.id, after=-1
        )
        return GameExport(
            game,
            _seed(game.id, seed) or b"",
            tuple(decode_rows(EventRow, events)),
            tuple(decode_rows(TokenRow, tokens)),
            tuple(decode_rows(HoldingRow, holdings)),
            tuple(decode_rows(BanRow, bans)),
        )

    def guest_export(self, guest: GuestRow) -> GuestExport:
        """A guest with the guest's own tokens, results and reviews, except for damaged rows."""
        tokens, played, reviews = self._read(
            _GUEST_TOKENS, _PLAYED, _GUEST_REVIEWS, guest=guest.id, limit=_NO_LIMIT
        )
        return GuestExport(
            guest,
            tuple(token for token in sound(decode_list(TokenRow, tokens), self.damaged) if token.game == ""),
            tuple(sound(decode_list(PlayedRow, played), self.damaged)),
            tuple(sound(decode_list(ReviewRow, reviews), self.damaged)),
        )

    def checked_game_export(self, game: GameRow) -> GameExport:
        """``game_export``, or ``UserError`` if it could not be imported again."""
        return _checked(partial(self.game_export, game), game.id)

    def checked_guest_exports(self) -> Iterator[GuestExport | UserError]:
        """``guest_export`` of every guest, or the error for one that could not be imported again."""
        for guest in self.all_guests():
            try:
                yield _checked(partial(self.guest_export, guest), guest.id)
            except Unavailable:
                raise
            except UserError as user_error:
                yield user_error


def _is_no_value(error: SQLAlchemyError) -> bool:
    """Whether the driver has refused a value that no column can hold, such as an id with a zero byte."""
    return isinstance(error, DataError) and getattr(error.orig, "sqlstate", None) is None


def _seed(game: str, rows: Sequence[Sequence[Any]]) -> bytes | None:
    if not rows:
        return None
    (seed,) = rows[0]
    if not isinstance(seed, bytes):
        raise DamagedRow(SECRET.name, "seed", game)
    return seed


def _held(rows: Iterable[Sequence[Any]]) -> list[HeldGame | DamagedRow]:
    """One entry per game, from one row per chair."""
    groups = (list(group) for _, group in groupby(rows, key=lambda row: row[1]))
    return [attempt(partial(_held_game, same)) for same in groups]


def _held_game(rows: Sequence[Sequence[Any]]) -> HeldGame:
    game = decode_row(GameRow, rows[0][1:])
    holdings = [decode_row(HoldingRow, (game.id, row[0], "")) for row in rows]
    return HeldGame(game, tuple(holding.chair for holding in holdings))


def _checked(read: Callable[[], ExportT], name: str) -> ExportT:
    """An export that survives writing and reading: SQLite does not enforce the types of columns."""
    try:
        export = read()
        intact = read_export(write_export(export)) == export
    except FieldError:
        intact = False
    except UserError:
        raise
    except PARSE_ERRORS:
        intact = False
    if not intact:
        raise UserError("store.unreadable", name=name if is_name(name) else "?")
    return export
