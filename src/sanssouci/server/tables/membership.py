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

from ..auth.table_access import JoinRequest, TableAccess, check_only_link
from ..auth.tokens import Token, looks_like_token, token_hash
from ..limits.quotas import Full, Quotas
from .live_table import LINKS, OWNER, LiveTable, Subscriber
from .ownership import inherited_access, next_owner
from .persistence import append, game_row
from .table_registry import (
    AccessUpdate,
    CommandRequest,
    CommandResult,
    TableRegistry,
    UnknownTable,
    fixed_changes,
)


@dataclass(frozen=True, slots=True)
class CreatedTable:
    """A new table, and the secrets of its links."""

    live_table: LiveTable
    seats: dict[int, Token]
    join: Token
    watch: Token


class Membership:
    """Lets guests in and out of the tables of a hall."""

    def __init__(self, registry: TableRegistry, store: Store, quotas: Quotas) -> None:
        self._registry = registry
        self._store = store
        self._quotas = quotas

    async def approach(self, table: str, guest: str | None, key: str | None) -> tuple[LiveTable, TableAccess]:
        """A table that is some of a guest's business, or of whoever has the secret of a link.

        Any other is not there: ``UnknownTable``. Nobody makes the server read one that is none of theirs.
        """
        if self._registry.present(table) is None and not (await self._access(table, guest, key)).may_see:
            raise UnknownTable
        live_table = await self._registry.table(table)
        grants = live_table.grants()
        access = await self._access(table, guest, key)
        access = access.at(live_table.table.state)
        if not access.may_see:
            raise UnknownTable
        return live_table, replace(access, grants=grants)

    async def create(
        self,
        guest: str,
        table_settings: TableSettings,
        chairs: tuple[Chair, ...],
        origin: Origin | None = None,
    ) -> CreatedTable:
        """A new table: the guest owns it, and holds the chairs on which people sit."""
        return await self._registry.finish(self._create(guest, table_settings, chairs, origin))

    async def sit(
        self, live_table: LiveTable, access: TableAccess, join_request: JoinRequest
    ) -> tuple[int, Token]:
        """A guest takes an open chair, and gets the secret of its seat link.

        One chair at another's table; whoever the owner sent away gets none until the join link is renewed.
        """
        if access.guest is None or not access.may_join:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        return await self._registry.finish(self._sit(live_table, access, access.guest, join_request))

    async def claim(self, live_table: LiveTable, access: TableAccess, chair: int) -> Token:
        """Whoever has the secret of a seat link keeps the chair in this browser from now on.

        The link was sent by somebody, who knows its secret: so there is a new one, and who came by the old
        one has to go.
        """
        guest, token = access.guest, self._registry.dependencies.token()
        if guest is None or chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)

        def moved() -> None:
            live_table.revoke((chair,), lambda one: chair in one.places and _is_others(one, guest))

        table = live_table.table.id
        changes = fixed_changes(
            FreeSeat(table, chair), AssignSeat(table, chair, guest), *self._new_secret(table, chair, token)
        )
        amendment = AccessUpdate(changes, lambda: live_table.still_valid(access.grants_for(chair)), moved)
        await self._registry.finish(self._claim(live_table, guest, amendment))
        return token

    async def new_seat_link(self, live_table: LiveTable, access: TableAccess, chair: int) -> Token:
        """A new secret for a seat; the old link opens nothing any more, and who came by it has to go."""
        if chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        token = self._registry.dependencies.token()

        def changed() -> None:
            live_table.revoke((chair,), lambda one: chair in one.places and one.by_link)

        changes = fixed_changes(*self._new_secret(live_table.table.id, chair, token))
        await self._registry.amend(
            live_table,
            AccessUpdate(changes, lambda: live_table.still_valid(access.grants_for(chair)), changed),
        )
        return token

    async def new_link(self, live_table: LiveTable, access: TableAccess, kind: TokenKind) -> Token:
        """A new secret for the join link or the watch link; the old one opens nothing any more.

        Whoever watches by the old one has to go. A new join link is for all whom the owner gives it to: who
        was sent away before may join again.
        """
        if not access.owner:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        table, token, place = live_table.table.id, self._registry.dependencies.token(), LINKS[kind]
        kept = _kept(token, table, kind, None, self._registry.dependencies.now())
        changes = fixed_changes(
            DropTokens(table, kind), kept, *((Unban(table),) if kind is TokenKind.JOIN else ())
        )

        def renewed() -> None:
            live_table.revoke((place,), lambda one: place in one.places)

        grants = access.grants_for(None)
        await self._registry.amend(
            live_table, AccessUpdate(changes, lambda: live_table.still_valid(grants), renewed)
        )
        return token

    async def forget(self, guest: str) -> None:
        """A guest goes, and all that the guest holds, with its links.

        Chairs in a lobby are open then; in a game the guest is away, so that a stand-in plays on. What the
        guest owned belongs to the next who sits there; a lobby where nobody does is closed.
        """
        await self._registry.finish(self._forget(guest))

    async def command(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        """Carry an order out; whoever loses a chair by it loses its secrets, and stays away if sent away."""
        lost, table = _lost_chair(order), live_table.table.id
        if lost is None:
            return await self._registry.command(live_table, order)
        sent_away = isinstance(order.command, AssignChair)

        async def vacated() -> Iterable[Change]:
            barred = await asyncio.to_thread(self._to_be_barred, table, lost) if sent_away else ()
            return DropTokens(table, TokenKind.SEAT, lost), FreeSeat(table, lost), *barred

        def acknowledge(done: CommandResult) -> None:
            order.acknowledge(done)
            if not done.repeated:
                live_table.revoke((lost,), lambda one: lost in one.places)

        return await self._registry.command(
            live_table, replace(order, beside=vacated, acknowledge=acknowledge)
        )

    async def holder(self, live_table: LiveTable, chair: int) -> str:
        """The guest who holds a chair; where only a link does, the chair itself."""
        table = live_table.table.id
        holdings = await asyncio.to_thread(self._store.holdings, table)
        return next((row.guest for row in holdings if row.chair == chair), f"{table}/{chair}")

    async def rematch(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        """A new table for the same people; their links open it too."""
        return await self._registry.finish(self._rematch(live_table, order))

    async def _create(
        self, guest: str, table_settings: TableSettings, chairs: tuple[Chair, ...], origin: Origin | None
    ) -> CreatedTable:
        dependencies = self._registry.dependencies
        table, at = dependencies.table_id(), dependencies.now()
        seed = dependencies.seed() if table_settings.daily is None else daily_seed(table_settings.daily)
        move = new_table(
            table,
            table_settings,
            chairs,
            at,
            dependencies.croupier(seed, table_settings.game_at(table)),
            origin,
        )
        seats = {place: dependencies.token() for place, chair in enumerate(chairs) if chair.is_person}
        join, watch = dependencies.token(), dependencies.token()
        changes = [AssignSeat(table, place, guest) for place in (OWNER, *seats)]
        tokens = [
            *(_kept(token, table, TokenKind.SEAT, place, at) for place, token in seats.items()),
            _kept(join, table, TokenKind.JOIN, None, at),
            _kept(watch, table, TokenKind.WATCH, None, at),
        ]
        async with self._quotas.opening(guest, sits=bool(seats)):
            live_table = await self._registry.create(guest, seed, move, *changes, *tokens)
        return CreatedTable(live_table, seats, join, watch)

    async def _sit(
        self, live_table: LiveTable, access: TableAccess, guest: str, join_request: JoinRequest
    ) -> tuple[int, Token]:
        async with self._quotas.sitting(guest, live_table.table.id):
            while True:
                place = (
                    _open_chair(live_table.table.state) if join_request.chair is None else join_request.chair
                )
                sit = Sit(place, join_request.name, join_request.colour)
                try:
                    return place, await self._sit_on(live_table, access, guest, sit)
                except CommandRejected as declined:
                    if join_request.chair is not None or declined.reason is not RejectReason.CHAIR_TAKEN:
                        raise  # else somebody was quicker, and there may be another

    async def _sit_on(self, live_table: LiveTable, access: TableAccess, guest: str, sit: Sit) -> Token:
        token, table = self._registry.dependencies.token(), live_table.table.id

        async def taken() -> Iterable[Change]:
            await asyncio.to_thread(self._check_may_sit, table, guest)
            return AssignSeat(table, sit.chair, guest), *self._new_secret(table, sit.chair, token)

        order = CommandRequest(
            sit,
            Caller(may_join=True),
            secrets.token_hex(16),
            permitted=lambda: live_table.still_valid(access.grants_to_join()),
            beside=taken,
        )
        await self._registry.command(live_table, order)
        return token

    def _check_may_sit(self, table: str, guest: str) -> None:
        """Asked while nothing else happens at the table, so nobody slips through between two requests."""
        if any(row.guest == guest for row in self._store.bans(table)):
            raise UserError("server.sent_away")
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        if held and OWNER not in held:
            raise Full("server.one_chair")

    def _to_be_barred(self, table: str, chair: int) -> list[Change]:
        """Whoever holds a chair, unless it is the owner."""
        holders = {row.chair: row.guest for row in self._store.holdings(table)}
        known = {holders.get(OWNER), *(row.guest for row in self._store.bans(table))}
        return [Ban(table, guest) for guest in {holders.get(chair)} - known if guest is not None]

    async def _claim(self, live_table: LiveTable, guest: str, amendment: AccessUpdate) -> None:
        async with self._quotas.sitting(guest, live_table.table.id):
            await self._registry.amend(live_table, amendment)

    async def _forget(self, guest: str) -> None:
        async with self._quotas.leaving(guest):
            for game in await asyncio.to_thread(self._store.unfinished_games_of, guest):
                await self._leave(game.game.id, guest, set(game.chairs))
            held = await asyncio.to_thread(self._store.games_of, guest)
            await self._registry.write(ForgetGuest(guest))
        chairs = {game.game.id: frozenset(game.chairs) for game in held}
        for live_table in self._registry.live_table():
            lost = chairs.get(live_table.table.id, frozenset())
            live_table.revoke(lost, partial(_goes_with, guest, lost))

    async def _leave(self, table: str, guest: str, chairs: set[int]) -> None:
        """Rise, or, where the game has begun, step away; at a table that cannot be read neither is needed."""
        try:
            live_table = await self._registry.table(table)
            for chair in sorted(chairs - {OWNER}):
                await self._leave_chair(live_table, chair)
            if OWNER in chairs:
                await self._pass_on(live_table, guest)
        except Unavailable:
            raise
        except UserError:
            return

    async def _leave_chair(self, live_table: LiveTable, chair: int) -> None:
        for command in (LeaveChair(), StepAway()):
            with suppress(CommandRejected):
                await self.command(
                    live_table, CommandRequest(command, Caller(chair, system=True), secrets.token_hex(16))
                )
                return

    async def _pass_on(self, live_table: LiveTable, guest: str) -> None:
        """Close a lobby in which nobody is left; any other table of a guest gets another owner."""
        table, close = (
            live_table.table.id,
            CommandRequest(
                Abandon(),
                Caller(owner=True),
                secrets.token_hex(16),
                permitted=lambda: not (live_table.table.state.persons or live_table.table.state.order),
            ),
        )
        heir: str | None = None

        async def passed() -> Iterable[Change]:
            nonlocal heir
            heir = next_owner(await asyncio.to_thread(self._store.holdings, table), without=guest)
            return FreeSeat(table, OWNER), *([AssignSeat(table, OWNER, heir)] if heir is not None else [])

        def told() -> None:
            live_table.revoke((OWNER,), lambda one: one.guest == guest)
            if heir is not None:
                live_table.pass_to(heir)

        with suppress(CommandRejected):
            await self.command(live_table, close)
        await self._registry.amend(live_table, AccessUpdate(passed, lambda: True, told))

    async def _rematch(self, live_table: LiveTable, order: CommandRequest) -> CommandResult:
        dependencies, old = self._registry.dependencies, live_table.table.state
        table, seed = dependencies.table_id(), dependencies.seed()

        async def opened() -> Iterable[Change]:
            gone, membership = await asyncio.to_thread(inherited_access, self._store, old, table)
            move = new_table(
                table, *rematch_of(old, gone), dependencies.now(), dependencies.croupier(seed, table)
            )
            return AddGame(game_row(move), seed), append(move), *membership

        order = replace(order, command=Rematch(table), beside=opened)
        owner = next_owner(await asyncio.to_thread(self._store.holdings, old.table))
        if owner is None or old.rematch is not None:
            return await self._registry.command(live_table, order)
        async with self._quotas.opening(owner, full="server.owner_has_too_many_tables"):
            return await self._registry.command(live_table, order)

    def _new_secret(self, table: str, chair: int, token: Token) -> tuple[Change, ...]:
        at = self._registry.dependencies.now()
        return DropTokens(table, TokenKind.SEAT, chair), _kept(token, table, TokenKind.SEAT, chair, at)

    async def _access(self, table: str, guest: str | None, key: str | None) -> TableAccess:
        return await asyncio.to_thread(self._read_access, table, guest, key)

    def _read_access(self, table: str, guest: str | None, key: str | None) -> TableAccess:
        game = self._store.game(table)
        if game is None:
            return TableAccess(guest)
        with self._registry.corrupt_tables.noticed(table):
            return self._granted(game, guest, key)

    def _granted(self, game: GameRow, guest: str | None, key: str | None) -> TableAccess:
        table = game.id
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        token = self._store.token(token_hash(key), table) if key and looks_like_token(key) else None
        kind = None if token is None else token.kind
        if token is not None and kind is TokenKind.SEAT:
            check_only_link(token, self._store.tokens(table))
        return TableAccess(
            guest,
            frozenset(held - {OWNER}),
            token.chair if token is not None and kind is TokenKind.SEAT else None,
            OWNER in held,
            Visibility(game.visibility) is Visibility.OPEN,
            kind,
        )


def _goes_with(guest: str, lost: frozenset[int], subscriber: Subscriber) -> bool:
    """Whether somebody listens as a guest who is forgotten, or by the link of a chair of that one."""
    return subscriber.guest == guest or bool(subscriber.places & lost)


def _is_others(subscriber: Subscriber, guest: str) -> bool:
    """Whether somebody listens as another guest, or by the link that is worth nothing any more."""
    return subscriber.by_link or subscriber.guest != guest


def _kept(token: Token, table: str, kind: TokenKind, chair: int | None, at: float) -> Change:
    return AddToken(TokenRow(token_hash(token), table, kind, chair, None, at))


def _open_chair(table_state: TableState) -> int:
    for place, chair in enumerate(table_state.chairs):
        if chair.sitter is Sitter.OPEN and table_state.stage is Stage.LOBBY:
            return place
    raise CommandRejected(
        RejectReason.NOT_IN_LOBBY if table_state.stage is not Stage.LOBBY else RejectReason.CHAIR_TAKEN
    )


def _lost_chair(order: CommandRequest) -> int | None:
    match order.command:
        case AssignChair(chair):
            return chair
        case LeaveChair():
            return order.caller.chair
        case _:
            return None
