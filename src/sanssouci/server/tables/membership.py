"""Membership of tables: who holds which chair, and which seat, join and watch links are valid.

A table knows chairs, not people. Guests' chairs and the hashes of link tokens are stored next to the table's
event log, always in the same transaction as the event they belong to.
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
    Add,
    AddGame,
    BanRow,
    Change,
    DropTokens,
    ForgetGuest,
    FreeChair,
    HoldingRow,
    LiftBans,
    SetBan,
    Store,
    TokenKind,
    TokenRow,
    Unavailable,
)
from sanssouci.table import (
    MAX_MISSED,
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
from ..quotas import QuotaExceeded, Quotas
from .live_table import LINKS, OWNER, LiveTable, Subscriber
from .table_registry import (
    AccessUpdate,
    CommandRequest,
    CommandResult,
    TableExpired,
    TableRegistry,
    UnknownTable,
    always,
    append,
    game_row,
    uninterrupted,
)


@dataclass(frozen=True, slots=True)
class CreatedTable:
    live_table: LiveTable
    seats: dict[int, Token]
    join: Token
    watch: Token


class Membership:
    """Creates tables and lets guests join, claim and leave chairs."""

    def __init__(self, registry: TableRegistry, store: Store, quotas: Quotas) -> None:
        self._registry = registry
        self.finish = registry.finish
        self._store = store
        self._quotas = quotas

    async def authorise(
        self, table: str, guest: str | None, key: str | None
    ) -> tuple[LiveTable, TableAccess]:
        """Load a table and the caller's access to it, by guest or by the secret of a link.

        ``UnknownTable`` if the caller may not see it. Access is checked before loading, so strangers cannot
        make the server load tables.
        """
        if self._registry.find_loaded(table) is None and not (await self._access(table, guest, key)).may_see:
            raise UnknownTable
        live_table = await self._registry.table(table)
        grants = live_table.grants()
        access = await self._access(table, guest, key)
        access = access.at(live_table.table.state)
        if not access.may_see:
            raise UnknownTable
        return live_table, replace(access, grants=grants)

    @uninterrupted
    async def sit(
        self, live_table: LiveTable, access: TableAccess, join_request: JoinRequest
    ) -> tuple[int, Token]:
        """Take an open chair and return it with the token of its seat link.

        A guest may hold one chair at someone else's table. Banned guests, and guests because of whom shuffles
        were given up too often, are refused until the join link is renewed.
        """
        guest, wanted = access.guest, join_request.chair
        if guest is None or not access.may_join:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        async with self._quotas.sitting(guest, live_table.table.id):
            while True:
                place = _open_chair(live_table.table.state) if wanted is None else wanted
                missed = await asyncio.to_thread(self._missed, live_table.table.id, guest)
                sit = Sit(place, join_request.name, join_request.colour, missed)
                try:
                    return place, await self._sit_on(live_table, access, guest, sit)
                except CommandRejected as declined:
                    if wanted is not None or declined.reason is not RejectReason.CHAIR_TAKEN:
                        raise  # otherwise the chair was just taken; try the next one

    @uninterrupted
    async def claim(self, live_table: LiveTable, access: TableAccess, chair: int) -> Token:
        """Move a chair that was reached by its seat link to the caller, who is a guest.

        Others may know the link's secret, so it is replaced and everyone using the old one is disconnected.
        The guest who holds the chair may repeat the claim, because the response with the new secret may be
        lost, and the old one is invalid by then.
        """
        guest, token = access.guest, self._registry.dependencies.token()
        if guest is None or chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)

        def disconnect() -> None:
            live_table.revoke((chair,), lambda one: chair in one.roles and _is_others(one, guest))

        table = live_table.table.id
        changes = always(
            FreeChair(table, chair),
            Add(HoldingRow(table, chair, guest)),
            *self._new_secret(table, chair, token),
        )
        update = AccessUpdate(changes, lambda: live_table.still_valid(access.grants_for(chair)), disconnect)
        async with self._quotas.sitting(guest, table):
            await self._registry.update_access(live_table, update)
        return token

    async def new_seat_link(self, live_table: LiveTable, access: TableAccess, chair: int) -> Token:
        """Replace the secret of a seat link and disconnect everyone using the old one."""
        if chair not in access.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        token = self._registry.dependencies.token()

        def disconnect() -> None:
            live_table.revoke((chair,), lambda one: chair in one.roles and one.by_link)

        changes = always(*self._new_secret(live_table.table.id, chair, token))
        await self._registry.update_access(
            live_table,
            AccessUpdate(changes, lambda: live_table.still_valid(access.grants_for(chair)), disconnect),
        )
        return token

    async def new_link(self, live_table: LiveTable, access: TableAccess, kind: TokenKind) -> Token:
        """Replace the secret of the join or watch link.

        Spectators using the old watch link are disconnected. A new join link lifts all bans.
        """
        if not access.owner:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        table, token, place = live_table.table.id, self._registry.dependencies.token(), LINKS[kind]
        kept = _add_token(token, table, kind, None, self._registry.dependencies.now())
        changes = always(
            DropTokens(table, kind), kept, *((LiftBans(table),) if kind is TokenKind.JOIN else ())
        )

        def disconnect() -> None:
            live_table.revoke((place,), lambda one: place in one.roles)

        grants = access.grants_for(None)
        await self._registry.update_access(
            live_table, AccessUpdate(changes, lambda: live_table.still_valid(grants), disconnect)
        )
        return token

    @uninterrupted
    async def forget(self, guest: str) -> None:
        """Delete a guest with all held chairs and links.

        Chairs in a lobby become open; in a running game the guest is away and a stand-in plays. Owned tables
        pass to the next guest seated there; a lobby without people is closed.
        """
        async with self._quotas.leaving(guest):
            for game in await asyncio.to_thread(self._store.unfinished_games_of, guest):
                await self._leave(game.game.id, guest, set(game.chairs))
            held = await asyncio.to_thread(self._store.games_of, guest)
            await self._registry.write(ForgetGuest(guest))
        chairs = {game.game.id: frozenset(game.chairs) for game in held}
        for live_table in self._registry.live_tables():
            lost = chairs.get(live_table.table.id, frozenset())
            live_table.revoke(lost, partial(_is_revoked, guest, lost))

    async def vacate(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        """Execute a command by which a guest loses a chair: revoke its links, and ban a removed guest.

        Leaving during a shuffle counts like not revealing the nonce.
        """
        table, removed = live_table.table.id, isinstance(request.command, AssignChair)
        chair = request.command.chair if isinstance(request.command, AssignChair) else request.caller.chair
        assert chair is not None, "only a chair's own person may leave it"

        async def vacated() -> Iterable[Change]:
            bans: list[Change] = []
            if removed:
                bans = await asyncio.to_thread(self._ban_holder, table, chair)
            elif live_table.table.state.shuffling:
                bans = await asyncio.to_thread(count_missed, self._store, table, (chair,))
            return DropTokens(table, TokenKind.SEAT, chair), FreeChair(table, chair), *bans

        def acknowledge(done: CommandResult) -> None:
            request.acknowledge(done)
            if not done.repeated:
                live_table.revoke((chair,), lambda one: chair in one.roles)

        return await self._registry.command(
            live_table,
            replace(request, extra_changes=vacated, acknowledge=acknowledge, changes_access=True),
        )

    async def holder(self, live_table: LiveTable, chair: int) -> str:
        """The guest who holds a chair, or an id of the chair if only a link does."""
        table = live_table.table.id
        holdings = await asyncio.to_thread(self._store.holdings, table)
        return next((row.guest for row in holdings if row.chair == chair), f"{table}/{chair}")

    @uninterrupted
    async def create(
        self,
        guest: str,
        table_settings: TableSettings,
        chairs: tuple[Chair, ...],
        origin: Origin | None = None,
    ) -> CreatedTable:
        """Create a table owned by the guest, who also holds every chair for a person."""
        dependencies = self._registry.dependencies
        table, at = dependencies.table_id(), dependencies.now()
        seed = dependencies.seed() if table_settings.daily is None else daily_seed(table_settings.daily)
        transition = new_table(
            table,
            table_settings,
            chairs,
            at,
            dependencies.croupier(seed, table_settings.game_at(table)),
            origin,
        )
        seats = {place: dependencies.token() for place, chair in enumerate(chairs) if chair.is_person}
        join, watch = dependencies.token(), dependencies.token()
        changes = [Add(HoldingRow(table, place, guest)) for place in (OWNER, *seats)]
        tokens = [
            *(_add_token(token, table, TokenKind.SEAT, place, at) for place, token in seats.items()),
            _add_token(join, table, TokenKind.JOIN, None, at),
            _add_token(watch, table, TokenKind.WATCH, None, at),
        ]
        async with self._quotas.opening(guest, sits=bool(seats)):
            live_table = await self._registry.create(guest, seed, transition, *changes, *tokens)
        return CreatedTable(live_table, seats, join, watch)

    async def _sit_on(self, live_table: LiveTable, access: TableAccess, guest: str, sit: Sit) -> Token:
        token, table = self._registry.dependencies.token(), live_table.table.id

        async def taken() -> Iterable[Change]:
            await asyncio.to_thread(self._check_may_sit, table, guest)
            return Add(HoldingRow(table, sit.chair, guest)), *self._new_secret(table, sit.chair, token)

        request = CommandRequest(
            sit,
            Caller(may_join=True),
            secrets.token_hex(16),
            permitted=lambda: live_table.still_valid(access.grants_to_join()),
            extra_changes=taken,
            changes_access=True,
        )
        await self._registry.command(live_table, request)
        return token

    def _check_may_sit(self, table: str, guest: str) -> None:
        """Called under the table's lock, so two concurrent requests cannot both pass."""
        for row in self._store.bans(table):
            if row.guest == guest and row.missed is None:
                raise UserError("server.sent_away")
            if row.guest == guest and row.missed is not None and row.missed >= MAX_MISSED:
                raise UserError("server.missed_shuffles", most=MAX_MISSED)
        held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
        if held and OWNER not in held:
            raise QuotaExceeded("server.one_chair")

    def _missed(self, table: str, guest: str) -> int | None:
        return next((row.missed for row in self._store.bans(table) if row.guest == guest), None)

    def _ban_holder(self, table: str, chair: int) -> list[Change]:
        """Ban whoever holds a chair, except the owner."""
        holders = {row.chair: row.guest for row in self._store.holdings(table)}
        guest = holders.get(chair)
        return [] if guest is None or guest == holders.get(OWNER) else [SetBan(table, guest)]

    async def _leave(self, table: str, guest: str, chairs: set[int]) -> None:
        """Leave the chairs, or step away where the game has begun; tables that cannot be read are skipped."""
        try:
            live_table = await self._registry.table(table)
            for chair in sorted(chairs - {OWNER}):
                await self._leave_chair(live_table, chair)
            if OWNER in chairs:
                await self._transfer_ownership(live_table, guest)
        except Unavailable:
            raise
        except UserError:
            return

    async def _leave_chair(self, live_table: LiveTable, chair: int) -> None:
        system = Caller(chair, system=True)
        try:
            await self.vacate(live_table, CommandRequest(LeaveChair(), system, secrets.token_hex(16)))
        except CommandRejected:
            with suppress(CommandRejected):
                request = CommandRequest(StepAway(), system, secrets.token_hex(16))
                await self._registry.command(live_table, request)

    async def _transfer_ownership(self, live_table: LiveTable, guest: str) -> None:
        """Close a lobby without people; give any other table to the next owner."""
        table = live_table.table.id
        close = CommandRequest(
            Abandon(),
            Caller(owner=True),
            secrets.token_hex(16),
            permitted=lambda: not (live_table.table.state.persons or live_table.table.state.order),
        )
        new_owner: str | None = None

        async def transfer() -> Iterable[Change]:
            nonlocal new_owner
            new_owner = next_owner(await asyncio.to_thread(self._store.holdings, table), without=guest)
            return FreeChair(table, OWNER), *(
                [Add(HoldingRow(table, OWNER, new_owner))] if new_owner is not None else []
            )

        def notify() -> None:
            live_table.revoke((OWNER,), lambda one: one.guest == guest)
            if new_owner is not None:
                live_table.set_owner(new_owner)

        with suppress(CommandRejected):
            await self._registry.command(live_table, close)
        await self._registry.update_access(live_table, AccessUpdate(transfer, lambda: True, notify))

    @uninterrupted
    async def rematch(self, live_table: LiveTable, request: CommandRequest) -> CommandResult:
        """Create a table for the same people; their links open it too."""
        dependencies, old = self._registry.dependencies, live_table.table.state
        table, seed = dependencies.table_id(), dependencies.seed()

        async def opened() -> Iterable[Change]:
            gone, membership = await asyncio.to_thread(inherited_access, self._store, old, table)
            transition = new_table(
                table, *rematch_of(old, gone), dependencies.now(), dependencies.croupier(seed, table)
            )
            return AddGame(game_row(transition), seed), append(transition), *membership

        request = replace(request, command=Rematch(table), extra_changes=opened)
        owner = next_owner(await asyncio.to_thread(self._store.holdings, old.table))
        if owner is None or old.rematch is not None:
            return await self._registry.command(live_table, request)
        async with self._quotas.opening(owner, error_key="server.owner_has_too_many_tables"):
            return await self._registry.command(live_table, request)

    def _new_secret(self, table: str, chair: int, token: Token) -> tuple[Change, ...]:
        at = self._registry.dependencies.now()
        return DropTokens(table, TokenKind.SEAT, chair), _add_token(token, table, TokenKind.SEAT, chair, at)

    async def _access(self, table: str, guest: str | None, key: str | None) -> TableAccess:
        return await asyncio.to_thread(self._read_access, table, guest, key)

    def _read_access(self, table: str, guest: str | None, key: str | None) -> TableAccess:
        reporting_damage = self._registry.damage_log.reporting_damage
        with reporting_damage(table):
            held = {row.chair for row in self._store.holdings(table) if row.guest == guest}
            token = self._store.token(token_hash(key), table) if key and looks_like_token(key) else None
            kind = None if token is None else token.kind
            seat_token = token if kind is TokenKind.SEAT else None
            if seat_token is not None:
                check_only_link(seat_token, self._store.tokens(table))
        # The game is read last: if it expires meanwhile, a deleted chair must not look like a missing right.
        game = self._store.game(table)
        if game is None:
            if self._store.has_expired(table):
                raise TableExpired
            return TableAccess(guest)
        with reporting_damage(table):
            is_open = Visibility(game.visibility) is Visibility.OPEN
        linked = None if seat_token is None else seat_token.chair
        return TableAccess(guest, frozenset(held - {OWNER}), linked, OWNER in held, is_open, kind)


def _is_revoked(guest: str, lost: frozenset[int], subscriber: Subscriber) -> bool:
    """Whether a subscriber belongs to a forgotten guest, or uses the seat link of a lost chair."""
    return subscriber.guest == guest or bool(subscriber.roles & lost)


def _is_others(subscriber: Subscriber, guest: str) -> bool:
    """Whether a subscriber is another guest, or uses the old link."""
    return subscriber.by_link or subscriber.guest != guest


def _add_token(token: Token, table: str, kind: TokenKind, chair: int | None, at: float) -> Change:
    return Add(TokenRow(token_hash(token), table, kind, chair, None, at))


def _open_chair(table_state: TableState) -> int:
    for place, chair in enumerate(table_state.chairs):
        if chair.sitter is Sitter.OPEN and table_state.stage is Stage.LOBBY:
            return place
    raise CommandRejected(
        RejectReason.NOT_IN_LOBBY if table_state.stage is not Stage.LOBBY else RejectReason.CHAIR_TAKEN
    )


def next_owner(holdings: Iterable[HoldingRow], without: str | None = None) -> str | None:
    """The guest who owns a table: its creator, otherwise the holder of the first chair.

    ``without`` is skipped. None if people sit there by links alone.
    """
    left = {row.chair: row.guest for row in holdings if row.guest != without}
    return left[min(left)] if left else None  # OWNER is lower than every chair


def count_missed(store: Store, table: str, chairs: Iterable[int]) -> list[Change]:
    """The changes that count a shuffle that is given up because of these chairs, once for each guest there.

    A guest who was removed from another chair stays banned.
    """
    missed = {row.guest: row.missed for row in store.bans(table)}
    guests = {row.guest for row in store.holdings(table) if row.chair in chairs}
    counts = {guest: missed.get(guest, 0) for guest in sorted(guests)}
    return [SetBan(table, guest, count + 1) for guest, count in counts.items() if count is not None]


def inherited_access(store: Store, old: TableState, new: str) -> tuple[frozenset[int], list[Change]]:
    """The chairs that nobody holds any more, and the changes that copy access to a rematch.

    A chair counts as held while a guest holds it or a seat link opens it.
    """
    holdings, links = store.holdings(old.table), store.tokens(old.table)
    held = {row.chair: row.guest for row in holdings}
    linked = {token.chair for token in links if token.kind is TokenKind.SEAT}
    owner = next_owner(holdings)
    if owner is not None:
        held[OWNER] = owner
    changes: list[Change] = [
        *(Add(HoldingRow(new, chair, guest)) for chair, guest in held.items()),
        *(Add(replace(token, game=new)) for token in links),
        *(
            Add(BanRow(new, row.guest))
            for row in store.bans(old.table)
            if row.guest != owner and row.missed is None
        ),
    ]
    return frozenset(old.persons) - held.keys() - linked, changes
