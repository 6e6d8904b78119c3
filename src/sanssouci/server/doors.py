"""The doors of a table: who holds which chair, and by which secrets one may sit, join or watch.

A table knows chairs, not people. Which guest holds a chair, and the hashes of the links' tokens, are kept
beside its log, always together with the event that they belong to.
"""

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from sanssouci.dealer import daily_seed
from sanssouci.locale import UserError
from sanssouci.store import (
    AddGame,
    AddToken,
    AssignSeat,
    Ban,
    Change,
    DropTokens,
    ForgetGuest,
    FreeSeat,
    GameRow,
    Store,
    TokenKind,
    TokenRow,
    Unavailable,
    Unban,
)
from sanssouci.table import (
    Abandon,
    AssignChair,
    Caller,
    Chair,
    CommandRejected,
    LeaveChair,
    Origin,
    RejectReason,
    Rematch,
    Sit,
    Sitter,
    Stage,
    StepAway,
    TableSettings,
    TableState,
    Visibility,
    new_table,
    rematch_of,
)

from .access import Access, Newcomer, check_only_link
from .hall import Amendment, Done, Hall, Order, UnknownTable, just
from .hosted import LINKS, OWNER, Hosted, Listener
from .ledger import append, game_row
from .quotas import Full, Quotas
from .succession import kept_doors, owner_of
from .tokens import Token, looks_like_token, token_hash


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table, and the secrets of its links."""

    hosted: Hosted
    seats: dict[int, Token]
    join: Token
    watch: Token


class Doors:
    """Lets guests in and out of the tables of a hall."""

    def __init__(self, hall: Hall, store: Store, quotas: Quotas) -> None:
        self._hall = hall
        self._store = store
        self._quotas = quotas

    async def approach(self, table: str, guest: str | None, key: str | None) -> tuple[Hosted, Access]:
        """A table that is some of a guest's business, or of whoever has the secret of a link.

        Any other is not there: ``UnknownTable``. Nobody makes the server read one that is none of theirs.
        """
        if self._hall.present(table) is None and not (await self._access(table, guest, key)).may_see:
            raise UnknownTable
        hosted = await self._hall.table(table)
        warrant = hosted.warrant()
        access = await self._access(table, guest, key)
        access = access.at(hosted.table.state)
        if not access.may_see:
            raise UnknownTable
        return hosted, replace(access, warrant=warrant)

    async def create(
        self,
        guest: str,
        table_settings: TableSettings,
        chairs: tuple[Chair, ...],
        origin: Origin | None = None,
    ) -> Opened:
        """A new table: the guest owns it, and holds the chairs on which people sit."""
        return await self._hall.finish(self._create(guest, table_settings, chairs, origin))

    async def sit(self, hosted: Hosted, access: Access, newcomer: Newcomer) -> tuple[int, Token]:
        """A guest takes an open chair, and gets the secret of its seat link.

        One chair at another's table; whoever the owner sent away gets none until the join link is renewed.
        """
        if access.guest is None or not access.may_join:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        return await self._hall.finish(self._sit(hosted, access, access.guest, newcomer))

    async def claim(self, hosted: Hosted, access: Access, chair: int) -> Token:
        """Whoever has the secret of a seat link keeps the chair in this browser from now on.

        The link was sent by somebody, who knows its secret: so there is a new one, and who came by the old
        one has to go.
        """
        guest, token = access.guest, self._hall.means.token()
        if guest is None or chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)

        def moved() -> None:
            hosted.revoke((chair,), lambda one: chair in one.places and _is_others(one, guest))

        table = hosted.table.id
        changes = just(
            FreeSeat(table, chair), AssignSeat(table, chair, guest), *self._new_secret(table, chair, token)
        )
        amendment = Amendment(changes, lambda: hosted.upholds(access.warrant_for(chair)), moved)
        await self._hall.finish(self._claim(hosted, guest, amendment))
        return token

    async def new_seat_link(self, hosted: Hosted, access: Access, chair: int) -> Token:
        """A new secret for a seat; the old link opens nothing any more, and who came by it has to go."""
        if chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        token = self._hall.means.token()

        def changed() -> None:
            hosted.revoke((chair,), lambda one: chair in one.places and one.by_link)

        changes = just(*self._new_secret(hosted.table.id, chair, token))
        await self._hall.amend(
            hosted, Amendment(changes, lambda: hosted.upholds(access.warrant_for(chair)), changed)
        )
        return token

    async def new_link(self, hosted: Hosted, access: Access, kind: TokenKind) -> Token:
        """A new secret for the join link or the watch link; the old one opens nothing any more.

        Whoever watches by the old one has to go. A new join link is for all whom the owner gives it to: who
        was sent away before may join again.
        """
        if not access.owner:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        table, token, place = hosted.table.id, self._hall.means.token(), LINKS[kind]
        kept = _kept(token, table, kind, None, self._hall.means.now())
        changes = just(DropTokens(table, kind), kept, *((Unban(table),) if kind is TokenKind.JOIN else ()))

        def renewed() -> None:
            hosted.revoke((place,), lambda one: place in one.places)

        warrant = access.warrant_for(None)
        await self._hall.amend(hosted, Amendment(changes, lambda: hosted.upholds(warrant), renewed))
        return token

    async def forget(self, guest: str) -> None:
        """A guest goes, and all that the guest holds, with its links.

        Chairs in a lobby are open then; in a game the guest is away, so that a stand-in plays on. What the
        guest owned belongs to the next who sits there; a lobby where nobody does is closed.
        """
        await self._hall.finish(self._forget(guest))

    async def command(self, hosted: Hosted, order: Order) -> Done:
        """Carry an order out; whoever loses a chair by it loses its secrets, and stays away if sent away."""
        lost, table = _lost_chair(order), hosted.table.id
        if lost is None:
            return await self._hall.command(hosted, order)
        sent_away = isinstance(order.command, AssignChair)

        async def vacated() -> Iterable[Change]:
            barred = await asyncio.to_thread(self._to_be_barred, table, lost) if sent_away else ()
            return DropTokens(table, TokenKind.SEAT, lost), FreeSeat(table, lost), *barred

        def acknowledge(done: Done) -> None:
            order.acknowledge(done)
            if not done.repeated:
                hosted.revoke((lost,), lambda one: lost in one.places)

        return await self._hall.command(hosted, replace(order, beside=vacated, acknowledge=acknowledge))

    async def holder(self, hosted: Hosted, chair: int) -> str:
        """The guest who holds a chair; where only a link does, the chair itself."""
        table = hosted.table.id
        holdings = await asyncio.to_thread(self._store.holdings, table)
        return next((row.guest for row in holdings if row.chair == chair), f"{table}/{chair}")

    async def rematch(self, hosted: Hosted, order: Order) -> Done:
        """A new table for the same people; their links open it too."""
        return await self._hall.finish(self._rematch(hosted, order))

    async def _create(
        self, guest: str, table_settings: TableSettings, chairs: tuple[Chair, ...], origin: Origin | None
    ) -> Opened:
        means = self._hall.means
        table, at = means.table_id(), means.now()
        seed = means.seed() if table_settings.daily is None else daily_seed(table_settings.daily)
        move = new_table(
            table, table_settings, chairs, at, means.croupier(seed, table_settings.game_at(table)), origin
        )
        seats = {place: means.token() for place, chair in enumerate(chairs) if chair.is_person}
        join, watch = means.token(), means.token()
        changes = [AssignSeat(table, place, guest) for place in (OWNER, *seats)]
        tokens = [
            *(_kept(token, table, TokenKind.SEAT, place, at) for place, token in seats.items()),
            _kept(join, table, TokenKind.JOIN, None, at),
            _kept(watch, table, TokenKind.WATCH, None, at),
        ]
        async with self._quotas.opening(guest, sits=bool(seats)):
            hosted = await self._hall.create(guest, seed, move, *changes, *tokens)
        return Opened(hosted, seats, join, watch)

    async def _sit(self, hosted: Hosted, access: Access, guest: str, newcomer: Newcomer) -> tuple[int, Token]:
        async with self._quotas.sitting(guest, hosted.table.id):
            while True:
                place = _open_chair(hosted.table.state) if newcomer.chair is None else newcomer.chair
                sit = Sit(place, newcomer.name, newcomer.colour)
                try:
                    return place, await self._sit_on(hosted, access, guest, sit)
                except CommandRejected as declined:
                    if newcomer.chair is not None or declined.reason is not RejectReason.CHAIR_TAKEN:
                        raise  # else somebody was quicker, and there may be another

    async def _sit_on(self, hosted: Hosted, access: Access, guest: str, sit: Sit) -> Token:
        token, table = self._hall.means.token(), hosted.table.id

        async def taken() -> Iterable[Change]:
            await asyncio.to_thread(self._check_may_sit, table, guest)
            return AssignSeat(table, sit.chair, guest), *self._new_secret(table, sit.chair, token)

        order = Order(
            sit,
            Caller(may_join=True),
            secrets.token_hex(16),
            permitted=lambda: hosted.upholds(access.warrant_to_join()),
            beside=taken,
        )
        await self._hall.command(hosted, order)
        return token

    def _check_may_sit(self, table: str, guest: str) -> None:
        """Asked while nothing else happens at the table, so nobody slips through between two requests."""
        if any(row.guest == guest for row in self._store.barred(table)):
            raise UserError("server.sent_away")
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        if held and OWNER not in held:
            raise Full("server.one_chair")

    def _to_be_barred(self, table: str, chair: int) -> list[Change]:
        """Whoever holds a chair, unless it is the owner."""
        holders = {row.chair: row.guest for row in self._store.holdings(table)}
        known = {holders.get(OWNER), *(row.guest for row in self._store.barred(table))}
        return [Ban(table, guest) for guest in {holders.get(chair)} - known if guest is not None]

    async def _claim(self, hosted: Hosted, guest: str, amendment: Amendment) -> None:
        async with self._quotas.sitting(guest, hosted.table.id):
            await self._hall.amend(hosted, amendment)

    async def _forget(self, guest: str) -> None:
        async with self._quotas.leaving(guest):
            for game in await asyncio.to_thread(self._store.unfinished_games_of, guest):
                await self._leave(game.game.id, guest, set(game.chairs))
            held = await asyncio.to_thread(self._store.games_of, guest)
            await self._hall.write(ForgetGuest(guest))
        chairs = {game.game.id: frozenset(game.chairs) for game in held}
        for hosted in self._hall.hosted():
            lost = chairs.get(hosted.table.id, frozenset())
            hosted.revoke(lost, partial(_goes_with, guest, lost))

    async def _leave(self, table: str, guest: str, chairs: set[int]) -> None:
        """Rise, or, where the game has begun, step away; at a table that cannot be read neither is needed."""
        try:
            hosted = await self._hall.table(table)
            for chair in sorted(chairs - {OWNER}):
                await self._leave_chair(hosted, chair)
            if OWNER in chairs:
                await self._pass_on(hosted, guest)
        except Unavailable:
            raise
        except UserError:
            return

    async def _leave_chair(self, hosted: Hosted, chair: int) -> None:
        for command in (LeaveChair(), StepAway()):
            with suppress(CommandRejected):
                await self.command(hosted, Order(command, Caller(chair, system=True), secrets.token_hex(16)))
                return

    async def _pass_on(self, hosted: Hosted, guest: str) -> None:
        """Close a lobby in which nobody is left; any other table of a guest gets another owner."""
        table, close = (
            hosted.table.id,
            Order(
                Abandon(),
                Caller(owner=True),
                secrets.token_hex(16),
                permitted=lambda: not (hosted.table.state.persons or hosted.table.state.order),
            ),
        )
        heir: str | None = None

        async def passed() -> Iterable[Change]:
            nonlocal heir
            heir = owner_of(await asyncio.to_thread(self._store.holdings, table), without=guest)
            return FreeSeat(table, OWNER), *([AssignSeat(table, OWNER, heir)] if heir is not None else [])

        def told() -> None:
            hosted.revoke((OWNER,), lambda one: one.guest == guest)
            if heir is not None:
                hosted.pass_to(heir)

        with suppress(CommandRejected):
            await self.command(hosted, close)
        await self._hall.amend(hosted, Amendment(passed, lambda: True, told))

    async def _rematch(self, hosted: Hosted, order: Order) -> Done:
        means, old = self._hall.means, hosted.table.state
        table, seed = means.table_id(), means.seed()

        async def opened() -> Iterable[Change]:
            gone, doors = await asyncio.to_thread(kept_doors, self._store, old, table)
            move = new_table(table, *rematch_of(old, gone), means.now(), means.croupier(seed, table))
            return AddGame(game_row(move), seed), append(move), *doors

        order = replace(order, command=Rematch(table), beside=opened)
        owner = owner_of(await asyncio.to_thread(self._store.holdings, old.table))
        if owner is None or old.rematch is not None:
            return await self._hall.command(hosted, order)
        async with self._quotas.opening(owner, full="server.owner_has_too_many_tables"):
            return await self._hall.command(hosted, order)

    def _new_secret(self, table: str, chair: int, token: Token) -> tuple[Change, ...]:
        at = self._hall.means.now()
        return DropTokens(table, TokenKind.SEAT, chair), _kept(token, table, TokenKind.SEAT, chair, at)

    async def _access(self, table: str, guest: str | None, key: str | None) -> Access:
        return await asyncio.to_thread(self._read_access, table, guest, key)

    def _read_access(self, table: str, guest: str | None, key: str | None) -> Access:
        game = self._store.game(table)
        if game is None:
            return Access(guest)
        with self._hall.damages.noticed(table):
            return self._granted(game, guest, key)

    def _granted(self, game: GameRow, guest: str | None, key: str | None) -> Access:
        table = game.id
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        token = self._store.token(token_hash(key), table) if key and looks_like_token(key) else None
        kind = None if token is None else token.kind
        if token is not None and kind is TokenKind.SEAT:
            check_only_link(token, self._store.tokens(table))
        return Access(
            guest,
            frozenset(held - {OWNER}),
            token.chair if token is not None and kind is TokenKind.SEAT else None,
            OWNER in held,
            Visibility(game.visibility) is Visibility.OPEN,
            kind,
        )


def _goes_with(guest: str, lost: frozenset[int], listener: Listener) -> bool:
    """Whether somebody listens as a guest who is forgotten, or by the link of a chair of that one."""
    return listener.guest == guest or bool(listener.places & lost)


def _is_others(listener: Listener, guest: str) -> bool:
    """Whether somebody listens as another guest, or by the link that is worth nothing any more."""
    return listener.by_link or listener.guest != guest


def _kept(token: Token, table: str, kind: TokenKind, chair: int | None, at: float) -> Change:
    return AddToken(TokenRow(token_hash(token), table, kind, chair, None, at))


def _open_chair(table_state: TableState) -> int:
    for place, chair in enumerate(table_state.chairs):
        if chair.sitter is Sitter.OPEN and table_state.stage is Stage.LOBBY:
            return place
    raise CommandRejected(
        RejectReason.NOT_IN_LOBBY if table_state.stage is not Stage.LOBBY else RejectReason.CHAIR_TAKEN
    )


def _lost_chair(order: Order) -> int | None:
    match order.command:
        case AssignChair(chair):
            return chair
        case LeaveChair():
            return order.caller.chair
        case _:
            return None
