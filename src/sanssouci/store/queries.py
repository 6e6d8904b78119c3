"""What can be asked of the tables, on whichever connection."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, bindparam, case, func, select, tuple_

from .decoding import attempt, decode_list, decode_row, decode_rows, sound
from .errors import DamagedRow
from .export_rows import GameExport, GuestExport
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
    TokenKind,
    TokenRow,
)
from .tables import BARRED, EVENT, GAME, GUEST, HOLDING, PLAYED, REVIEW, SECRET, TOKEN

_GAMES = select(GAME)
_EVENTS = (
    select(EVENT)
    .where(EVENT.c.game == bindparam("game"), EVENT.c.seq > bindparam("after"))
    .order_by(EVENT.c.seq)
)


def _public(*phases: str) -> Select[Any]:
    """Games in one of these phases that anyone may look at, the newest first."""
    return (
        _GAMES.where(
            GAME.c.phase.in_(phases),
            GAME.c.visibility == "open",
            tuple_(GAME.c.created_at, GAME.c.id) < tuple_(bindparam("created_at"), bindparam("id")),
        )
        .order_by(GAME.c.created_at.desc(), GAME.c.id.desc())
        .limit(bindparam("most"))
    )


_OPEN = _public("lobby")
_RUNNING = _public("picking", "playing")
_AWAITED = func.max(
    case((GAME.c.phase == "lobby", 0), else_=GAME.c.waiting.bitwise_rshift(HOLDING.c.chair).bitwise_and(1))
)
"""Whether a game waits for one of a guest's chairs; the owner's place, below 0, has no bit.

Where a chair is open others are waited for.
"""
_FIRST_OF_GUEST = (
    select(GAME.c.id, _AWAITED.label("awaited"))
    .join(HOLDING, GAME.c.id == HOLDING.c.game)
    .where(HOLDING.c.guest == bindparam("guest"))
    .group_by(GAME.c.id)
    .having(
        tuple_(_AWAITED, GAME.c.updated_at, GAME.c.id)
        < tuple_(bindparam("awaited"), bindparam("updated_at"), bindparam("id"))
    )
    .order_by(_AWAITED.desc(), GAME.c.updated_at.desc(), GAME.c.id.desc())
    .limit(bindparam("most"))
    .subquery()
)
_HELD = (
    select(HOLDING.c.chair, GAME)
    .join(GAME, GAME.c.id == HOLDING.c.game)
    .where(HOLDING.c.guest == bindparam("guest"))
)
_OF_GUEST = _HELD.join(_FIRST_OF_GUEST, _FIRST_OF_GUEST.c.id == GAME.c.id).order_by(
    _FIRST_OF_GUEST.c.awaited.desc(), GAME.c.updated_at.desc(), GAME.c.id.desc(), HOLDING.c.chair
)
_UNFINISHED = _HELD.where(GAME.c.phase != "over").order_by(GAME.c.id, HOLDING.c.chair)
_PLAYED = (
    select(PLAYED)
    .where(PLAYED.c.guest == bindparam("guest"))
    .order_by(PLAYED.c.ended_at.desc(), PLAYED.c.game)
    .limit(bindparam("most"))
)
_DEADLINES = (
    select(GAME.c.id, GAME.c.deadline)
    .where(GAME.c.deadline.is_not(None), GAME.c.deadline <= bindparam("until"))
    .order_by(GAME.c.deadline)
)


def guest(connection: Connection, guest: str) -> GuestRow | None:
    """A guest, if known."""
    row = connection.execute(select(GUEST).where(GUEST.c.id == guest)).first()
    return None if row is None else decode_row(GuestRow, row)


def guest_ids(connection: Connection) -> list[str | DamagedRow]:
    """The ids of all guests."""
    return _ids(GUEST.name, connection.execute(select(GUEST.c.id).order_by(GUEST.c.id)).scalars())


def game(connection: Connection, game: str) -> GameRow | None:
    """A game, if there is one."""
    row = connection.execute(_GAMES.where(GAME.c.id == game)).first()
    return None if row is None else decode_row(GameRow, row)


def game_ids(connection: Connection) -> list[str | DamagedRow]:
    """The ids of all games."""
    return _ids(GAME.name, connection.execute(select(GAME.c.id).order_by(GAME.c.id)).scalars())


def _ids(table: str, found: Iterable[object]) -> list[str | DamagedRow]:
    return [value if isinstance(value, str) else DamagedRow(table, "id") for value in found]


def count_games(connection: Connection) -> int:
    """How many games there are."""
    return connection.execute(select(func.count()).select_from(GAME)).scalar_one()


def guest_export(
    connection: Connection, guest: GuestRow, damaged: Callable[[DamagedRow], None]
) -> GuestExport:
    """A guest with the guest's own tokens, what came of games, and reviews; all but damaged rows."""
    tokens = sound(tokens_of(connection, guest.id), damaged)
    return GuestExport(
        guest,
        tuple(token for token in tokens if token.game == ""),
        tuple(sound(played_by(connection, guest.id), damaged)),
        tuple(sound(reviews_of(connection, guest.id), damaged)),
    )


def review(connection: Connection, review: str) -> ReviewRow | None:
    """A review, if there is one."""
    row = connection.execute(select(REVIEW).where(REVIEW.c.id == review)).first()
    return None if row is None else decode_row(ReviewRow, row)


def reviews_of(connection: Connection, guest: str) -> list[ReviewRow | DamagedRow]:
    """The reviews of a guest, the oldest first."""
    wanted = select(REVIEW).where(REVIEW.c.guest == guest)
    return decode_list(ReviewRow, connection.execute(wanted.order_by(REVIEW.c.created_at, REVIEW.c.id)))


def unfinished_reviews(connection: Connection) -> list[ReviewRow | DamagedRow]:
    """Reviews in which not all was found yet, the oldest first."""
    wanted = select(REVIEW).where(REVIEW.c.body == "")
    return decode_list(ReviewRow, connection.execute(wanted.order_by(REVIEW.c.created_at, REVIEW.c.id)))


def old_reviews(connection: Connection, before: float) -> list[str | DamagedRow]:
    """The reviews that were asked for before a moment."""
    wanted = select(REVIEW.c.id).where(REVIEW.c.created_at < before)
    return _ids(REVIEW.name, connection.execute(wanted).scalars())


def played_by(connection: Connection, guest: str, most: int = -1) -> list[PlayedRow | DamagedRow]:
    """What came of a guest's games, the last one first; no more than so many, a number below 0 is all."""
    return decode_list(PlayedRow, connection.execute(_PLAYED, {"guest": guest, "most": most}))


def game_export(connection: Connection, game: GameRow) -> GameExport:
    """A game with all that belongs to it; one that has lost its seed has an empty one."""
    return GameExport(
        game,
        seed(connection, game.id) or b"",
        tuple(events(connection, game.id)),
        tuple(tokens(connection, game.id)),
        tuple(holdings(connection, game.id)),
        tuple(bans(connection, game.id)),
    )


def seed(connection: Connection, game: str) -> bytes | None:
    """The seed of a game, if there is one."""
    row = connection.execute(select(SECRET.c.seed).where(SECRET.c.game == game)).first()
    if row is None:
        return None
    if not isinstance(row.seed, bytes):
        raise DamagedRow(SECRET.name, "seed", game)
    return row.seed


def events(connection: Connection, game: str, after: int = -1) -> list[EventRow]:
    """The events of a game that come after a seq, in their order."""
    return decode_rows(EventRow, connection.execute(_EVENTS, {"game": game, "after": after}))


def token(connection: Connection, digest: str, game: str) -> TokenRow | None:
    """What the token with this hash is good for at a game, if it is."""
    row = connection.execute(select(TOKEN).where(TOKEN.c.hash == digest, TOKEN.c.game == game)).first()
    return None if row is None else decode_row(TokenRow, row)


def tokens(connection: Connection, game: str) -> list[TokenRow]:
    """All tokens of a game, in the order in which they were given."""
    rows = connection.execute(
        select(TOKEN).where(TOKEN.c.game == game).order_by(TOKEN.c.created_at, TOKEN.c.hash)
    )
    return decode_rows(TokenRow, rows)


def tokens_of(connection: Connection, guest: str) -> list[TokenRow | DamagedRow]:
    """All tokens of a guest, in the order in which they were given."""
    rows = connection.execute(
        select(TOKEN).where(TOKEN.c.guest == guest).order_by(TOKEN.c.created_at, TOKEN.c.hash)
    )
    return decode_list(TokenRow, rows)


def stray_tokens(connection: Connection) -> int:
    """How many tokens belong neither to a guest nor to a game: no key of the tables forbids them."""
    of_guest = (TOKEN.c.game == "") & (TOKEN.c.kind == TokenKind.GUEST.value) & TOKEN.c.guest.is_not(None)
    of_game = TOKEN.c.game.in_(select(GAME.c.id)) & (TOKEN.c.kind != TokenKind.GUEST.value)
    return connection.execute(
        select(func.count()).select_from(TOKEN).where(~(of_guest | of_game))
    ).scalar_one()


def holdings(connection: Connection, game: str) -> list[HoldingRow]:
    """Who holds which chair of a game."""
    rows = connection.execute(select(HOLDING).where(HOLDING.c.game == game).order_by(HOLDING.c.chair))
    return decode_rows(HoldingRow, rows)


def bans(connection: Connection, game: str) -> list[BanRow]:
    """Who may not join a game any more."""
    rows = connection.execute(select(BARRED).where(BARRED.c.game == game).order_by(BARRED.c.guest))
    return decode_rows(BanRow, rows)


def idle_guests(
    connection: Connection, before: float, without: Collection[str] = ()
) -> list[str | DamagedRow]:
    """Guests who were not seen since then and hold nothing, the games left aside that are named."""
    held = connection.execute(select(HOLDING.c.guest, HOLDING.c.game))
    busy = {guest for guest, game in held if game not in without}
    unseen = connection.execute(select(GUEST.c.id).where(GUEST.c.seen_at < before).order_by(GUEST.c.id))
    return [guest for guest in _ids(GUEST.name, unseen.scalars()) if guest not in busy]


def games_of(
    connection: Connection, guest: str, most: int = -1, after: OwnPlace = FIRST_OWN
) -> list[HeldGame | DamagedRow]:
    """The games in which a guest holds a chair: those that wait for it, then the one that moved last.

    No more than so many, and what comes after a place; a number below 0 is all.
    """
    awaited, updated_at, game = after
    wanted = {"guest": guest, "most": most, "awaited": awaited, "updated_at": updated_at, "id": game}
    return _held(connection.execute(_OF_GUEST, wanted).all())


def unfinished_games_of(connection: Connection, guest: str) -> list[HeldGame | DamagedRow]:
    """The games in which a guest holds a chair and that are not over."""
    return _held(connection.execute(_UNFINISHED, {"guest": guest}).all())


def _held(rows: Iterable[Any]) -> list[HeldGame | DamagedRow]:
    groups = (list(group) for _, group in groupby(rows, key=lambda row: row[1]))
    return [attempt(partial(_held_game, same)) for same in groups]


def _held_game(rows: Sequence[Sequence[Any]]) -> HeldGame:
    game = decode_row(GameRow, rows[0][1:])
    holdings = [decode_row(HoldingRow, (game.id, row[0], "")) for row in rows]
    return HeldGame(game, tuple(holding.chair for holding in holdings))


def open_games(
    connection: Connection, most: int, after: OpenPlace = FIRST_OPEN
) -> list[GameRow | DamagedRow]:
    """Games that wait for people and that anyone may join, the newest first: what comes after a place."""
    return _page(connection, _OPEN, most, after)


def running_games(
    connection: Connection, most: int, after: OpenPlace = FIRST_OPEN
) -> list[GameRow | DamagedRow]:
    """Games that have begun and that anyone may watch, the newest first: what comes after a place."""
    return _page(connection, _RUNNING, most, after)


def _page(
    connection: Connection, wanted: Select[Any], most: int, after: OpenPlace
) -> list[GameRow | DamagedRow]:
    created_at, game = after
    rows = connection.execute(wanted, {"most": most, "created_at": created_at, "id": game})
    return decode_list(GameRow, rows)


def deadlines(connection: Connection, until: float) -> list[tuple[str, float] | DamagedRow]:
    """The games whose clock runs out until a moment, with when it does, the first first."""
    rows = connection.execute(_DEADLINES, {"until": until})
    return [
        (game, deadline) if isinstance(game, str) else DamagedRow(GAME.name, "id") for game, deadline in rows
    ]


def idle_games(connection: Connection, before: float) -> list[GameRow | DamagedRow]:
    """Games in which nothing has happened since then, the oldest first."""
    rows = connection.execute(_GAMES.where(GAME.c.updated_at < before).order_by(GAME.c.updated_at))
    return decode_list(GameRow, rows)
