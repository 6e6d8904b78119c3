"""The doors of a table: who holds which chair, and by which secrets one may sit, join or watch.

A table knows chairs, not people. Which guest holds a chair, and the hashes of the links' tokens, are kept
beside its log, always together with the event that they belong to.
"""

import asyncio
import secrets
from dataclasses import dataclass, replace

from sanssouci.store import AddGame, AddToken, Change, DropTokens, Hold, Release, Store, TokenKind, TokenRow
from sanssouci.table import (
    Appoint,
    Caller,
    Chair,
    Declined,
    No,
    Rematch,
    Rise,
    Sit,
    Sitter,
    Stage,
    Standing,
    Terms,
    Viewer,
    Visibility,
    new_table,
    rematch_of,
)

from .hall import Done, Hall, Order
from .hosted import Hosted
from .ledger import append, game_row
from .tokens import Token, looks_like_token, token_hash

OWNER = -1
"""The place of whoever set a table up, among the chairs that a guest holds."""


@dataclass(frozen=True, slots=True)
class Access:
    """What a caller may do at a table."""

    guest: str | None
    chairs: frozenset[int] = frozenset()
    owner: bool = False
    may_join: bool = False
    may_watch: bool = False

    @property
    def may_see(self) -> bool:
        """Whether the table is any of the caller's business."""
        return bool(self.chairs) or self.owner or self.may_join or self.may_watch

    def chair(self, wanted: int | None) -> int | None:
        """The chair that the caller speaks from: the wanted one, or the only one."""
        if wanted is None:
            return next(iter(self.chairs)) if len(self.chairs) == 1 else None
        if wanted not in self.chairs:
            raise Declined(No.NOT_ALLOWED)
        return wanted

    def caller(self, wanted: int | None) -> Caller:
        """The caller of a command."""
        return Caller(self.chair(wanted), self.owner, self.may_join)

    def viewer(self, wanted: int | None, watch: bool = False) -> Viewer:
        """With whose eyes the caller looks."""
        return Viewer(None if watch else self.chair(wanted), self.owner)


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table, and the secrets of its links."""

    hosted: Hosted
    seats: dict[int, Token]
    join: Token
    watch: Token


class Doors:
    """Lets guests in and out of the tables of a hall."""

    def __init__(self, hall: Hall, store: Store) -> None:
        self._hall = hall
        self._store = store

    async def access(self, hosted: Hosted, guest: str | None, key: str | None) -> Access:
        """What a guest may do at a table, and whoever has the secret of a link."""
        return await asyncio.to_thread(self._access, hosted.table.standing, guest, key)

    async def create(self, guest: str, terms: Terms, chairs: tuple[Chair, ...]) -> Opened:
        """A new table: the guest owns it, and holds the chairs on which people sit."""
        means = self._hall.means
        table, seed, at = means.table_id(), means.seed(), means.now()
        move = new_table(table, terms, chairs, at, means.croupier(seed, table))
        seats = {place: means.token() for place, chair in enumerate(chairs) if chair.is_person}
        join, watch = means.token(), means.token()
        changes = [Hold(table, place, guest) for place in (OWNER, *seats)]
        tokens = [
            *(_kept(token, table, TokenKind.SEAT, place, at) for place, token in seats.items()),
            _kept(join, table, TokenKind.JOIN, None, at),
            _kept(watch, table, TokenKind.WATCH, None, at),
        ]
        hosted = await self._hall.create(table, seed, move, *changes, *tokens)
        return Opened(hosted, seats, join, watch)

    async def sit(self, hosted: Hosted, access: Access, chair: int | None, name: str) -> tuple[int, Token]:
        """A guest takes an open chair, and gets the secret of its seat link."""
        if access.guest is None:
            raise Declined(No.NOT_ALLOWED)
        place = _open_chair(hosted.table.standing) if chair is None else chair
        token, table = self._hall.means.token(), hosted.table.id
        sitting = Order(Sit(place, name), Caller(may_join=access.may_join), secrets.token_hex(16))
        kept = _kept(token, table, TokenKind.SEAT, place, self._hall.means.now())
        await self._hall.command(hosted, sitting, Hold(table, place, access.guest), kept)
        return place, token

    async def claim(self, hosted: Hosted, access: Access, chair: int) -> None:
        """Whoever has the secret of a seat link keeps the chair in this browser too."""
        if access.guest is None or chair not in access.chairs:
            raise Declined(No.NOT_ALLOWED)
        table = hosted.table.id
        await self._hall.write(Release(table, chair), Hold(table, chair, access.guest))

    async def new_seat_link(self, hosted: Hosted, access: Access, chair: int) -> Token:
        """A new secret for a seat; the old link opens nothing any more."""
        if chair not in access.chairs:
            raise Declined(No.NOT_ALLOWED)
        token, table = self._hall.means.token(), hosted.table.id
        await self._hall.write(
            DropTokens(table, TokenKind.SEAT, chair),
            _kept(token, table, TokenKind.SEAT, chair, self._hall.means.now()),
        )
        return token

    async def command(self, hosted: Hosted, order: Order) -> Done:
        """Carry an order out; whoever loses a chair by it loses its secrets."""
        lost = _lost_chair(order)
        if lost is None:
            return await self._hall.command(hosted, order)
        table = hosted.table.id
        done = await self._hall.command(
            hosted, order, DropTokens(table, TokenKind.SEAT, lost), Release(table, lost)
        )
        if not done.repeated:
            hosted.dismiss(lost)
        return done

    async def rematch(self, hosted: Hosted, order: Order) -> Done:
        """A new table for the same people; their links open it too."""
        means, old = self._hall.means, hosted.table.standing
        table, seed = means.table_id(), means.seed()
        move = new_table(table, *rematch_of(old), means.now(), means.croupier(seed, table))
        doors = await asyncio.to_thread(self._kept_doors, old.table, table)
        order = replace(order, command=Rematch(table))
        return await self._hall.command(hosted, order, AddGame(game_row(move), seed), append(move), *doors)

    def _kept_doors(self, old: str, new: str) -> list[Change]:
        """Who held what at a table, for another one."""
        held = [Hold(new, row.chair, row.guest) for row in self._store.holdings(old)]
        tokens = [AddToken(replace(token, game=new)) for token in self._store.tokens(old)]
        return [*held, *tokens]

    def _access(self, standing: Standing, guest: str | None, key: str | None) -> Access:
        table = standing.table
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        token = self._store.token(token_hash(key), table) if key and looks_like_token(key) else None
        kind = None if token is None else token.kind
        if token is not None and token.kind is TokenKind.SEAT and token.chair is not None:
            held.add(token.chair)
        is_open = standing.terms.visibility is Visibility.OPEN
        return Access(
            guest,
            frozenset(held - {OWNER}),
            OWNER in held,
            is_open or kind is TokenKind.JOIN,
            is_open or kind in (TokenKind.JOIN, TokenKind.WATCH),
        )


def _kept(token: Token, table: str, kind: TokenKind, chair: int | None, at: float) -> Change:
    return AddToken(TokenRow(token_hash(token), table, kind, chair, None, at))


def _open_chair(standing: Standing) -> int:
    for place, chair in enumerate(standing.chairs):
        if chair.sitter is Sitter.OPEN and standing.stage is Stage.LOBBY:
            return place
    raise Declined(No.NOT_IN_LOBBY if standing.stage is not Stage.LOBBY else No.CHAIR_TAKEN)


def _lost_chair(order: Order) -> int | None:
    match order.command:
        case Appoint(chair):
            return chair
        case Rise():
            return order.caller.chair
        case _:
            return None
