"""A table in memory: its lock, its WebSocket subscribers and their send queues, and the grants of roles.

A send queue is bounded, because a slow reader would otherwise fill the memory. On overflow the socket is
closed as too slow, and its client reconnects with the last ``seq`` that it has seen.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count

import orjson

from sanssouci.notation import write_record
from sanssouci.rules import SetupView, View
from sanssouci.store import HoldingRow, TokenKind, TokenRow
from sanssouci.table import (
    Croupier,
    PastAnswer,
    PendingBotAction,
    Stage,
    Table,
    TableFields,
    TableState,
    TableView,
    Viewer,
    table_record,
    write_past,
    write_public,
    write_table,
)

from ..wire.responses import Update

TOO_SLOW, SEAT_LOST, RESTARTING = 4008, 4403, 1012
"""Close codes for a slow reader, a lost role, and a server that is stopping."""


class SendQueue:
    """A first-in, first-out queue of messages; for the tasks of one event loop.

    While the client keeps up, messages are written at once and the queue stays empty.
    """

    def __init__(
        self, max_messages: int, max_bytes: int, write: Callable[[bytes], bool] | None = None
    ) -> None:
        """``write`` writes a message without waiting, or returns False if the client does not keep up."""
        self._max_messages = max_messages
        self._max_bytes = max_bytes
        self._write = write
        self._waiting: list[bytes] = []  # short; a deque reserves 0.6 KiB for each socket
        self._bytes = 0
        self._closed = False
        self.close_code = 0
        """Set by ``close``."""
        self._changed: asyncio.Event | None = None
        self._timeout: asyncio.Timeout | None = None
        self.start_drain: Callable[[], None] | None = None
        """Called once, when ``drain`` has something to do. Most sockets never need that task."""
        self.overflowed = False
        """Whether the reader was too slow."""

    def __len__(self) -> int:
        """Messages in the queue, including the one being sent."""
        return len(self._waiting)

    def put(self, message: bytes) -> bool:
        """Send or queue a message; False if the queue is full. A single message fits whatever its size."""
        if self.overflowed or self._closed:
            return False
        if not self._waiting and self._write is not None and self._write(message):
            return True
        full = len(self._waiting) >= self._max_messages
        if full or (self._waiting and self._bytes + len(message) > self._max_bytes):
            self._overflow()
            return False
        self._waiting.append(message)
        self._bytes += len(message)
        self._wake()
        return True

    def close(self, code: int = SEAT_LOST) -> None:
        """Accept no more messages; those in the queue are sent before the socket is closed with ``code``."""
        self._closed = True
        self.close_code = code
        self._wake()

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send messages until the queue is closed or overflows; exceptions of ``send`` propagate.

        An overflow also cancels a ``send`` that is waiting for the reader.
        """
        try:
            async with asyncio.timeout(None) as self._timeout:
                while await self._has_message():
                    await send(self._waiting[0])
                    self._remove_sent()
        except TimeoutError:
            if not self.overflowed:
                raise
        finally:
            self._timeout = None

    async def _has_message(self) -> bool:
        """Wait for a message; False when there will be none."""
        while not (self._waiting or self._closed or self.overflowed):
            self._changed = asyncio.Event()
            await self._changed.wait()
        return bool(self._waiting)

    def _wake(self) -> None:
        """Let ``drain`` look at the queue."""
        if self._changed is not None:
            self._changed.set()
        start, self.start_drain = self.start_drain, None
        if start is not None:
            start()

    def _remove_sent(self) -> None:
        """Remove the message that was sent; an overflow may have removed it already."""
        if self._waiting:
            self._bytes -= len(self._waiting.pop(0))

    def _overflow(self) -> None:
        self.overflowed = True
        self._waiting.clear()
        self._bytes = 0
        self._wake()
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())


OWNER = -1
"""The owner's role, in the same numbering as the chairs that a guest holds."""
LINKS = {TokenKind.JOIN: -2, TokenKind.WATCH: -3}
"""The roles granted by the join link and the watch link."""
ROLES = range(min(LINKS.values()), 4)

MAX_EVENTS = 300
"""Events in one update. The view is complete anyway, and a whole game has fewer."""

GrantVersion = frozenset[tuple[int, int]]
"""Roles, each with the version it had when access was checked."""
Grantees = dict[int, tuple[str | None, frozenset[str]]]
"""By role, the guest who holds it and the hashes of the links that grant it."""
_versions = count()
"""Versions are unique, so grants from before a table was evicted are invalid after it is reloaded."""


@dataclass(eq=False, slots=True)
class Subscriber:
    """A WebSocket connection to a table: its viewer and its send queue."""

    viewer: Viewer
    send_queue: SendQueue
    guest: str | None = None
    by_link: bool = False
    """Whether the chair is held by its seat link rather than by the guest."""
    roles: frozenset[int] = frozenset()
    """The roles this subscription depends on; empty where anyone may watch."""
    address: str = ""
    wants_presence: bool = False
    """Whether the client has asked for messages about presence and nudges."""

    @property
    def watches(self) -> bool:
        return self.viewer.chair is None and not self.viewer.owner


@dataclass(frozen=True, slots=True)
class BotRequest:
    action: PendingBotAction
    view: View | SetupView = field(repr=False)


@dataclass(frozen=True, slots=True)
class BotTask:
    request: BotRequest
    task: "asyncio.Task[None]"


@dataclass(eq=False, slots=True, weakref_slot=True)
class LiveTable:
    table: Table
    croupier: Croupier
    touched: float
    """When the table was last used; idle tables are evicted."""
    owner: str = ""
    """Computer players serve owners in turn; all tables without an owner share one turn."""
    access: int = 0
    """Counts changes of who may do what, as the store does."""
    grantees: "Grantees" = field(default_factory=dict)
    """Who has each role; known only if other servers may change it."""
    ahead: float = 0.0
    """By how many seconds the table's time is ahead of server time; see ``TableRegistry.time_at``."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from a decision until its event is written, so no other command is decided in between."""
    subscribers: set[Subscriber] = field(default_factory=set)
    bot_task: BotTask | None = None
    timeout_task: "asyncio.Task[None] | None" = None
    """Fires when the clock runs out."""
    _role_versions: dict[int, int] = field(default_factory=lambda: {role: next(_versions) for role in ROLES})
    _record: bytes | None = field(default=None, repr=False)

    def update(self, viewer: Viewer, after: int, public: TableFields | None = None) -> bytes:
        """The ``update`` message for a viewer who has the events up to ``after``."""
        after = max(after, self.table.seq - MAX_EVENTS)
        update: Update = {
            "type": "update",
            "seq": self.table.seq,
            "events": [event.to(viewer.chair) for event in self.table.public_events(after)],
            "view": self.view(viewer, public),
        }
        return orjson.dumps(update)

    def view(self, viewer: Viewer, public: TableFields | None = None) -> TableView:
        """The table as a viewer may see it; ``public`` is the part everyone sees, if already serialised."""
        public = self._public() if public is None else public
        return {"seq": self.table.seq, **write_table(self.table.state, viewer, public)}

    def _public(self) -> TableFields:
        """The part of a view that everyone sees, with all times in server time."""
        public = write_public(self.table.state)
        if self.ahead:
            public["since"] -= self.ahead
            public["deadline"] = None if public["deadline"] is None else public["deadline"] - self.ahead
            public["vote_from"] = None if public["vote_from"] is None else public["vote_from"] - self.ahead
        return public

    def past(self, viewer: Viewer, turn: int) -> PastAnswer:
        return write_past(self.table.state, viewer, turn)

    def record(self) -> bytes:
        """The record of a finished game. Proving it is slow, so the result is cached."""
        if self._record is None:
            self._record = write_record(table_record(self.table.state))
        return self._record

    def announce(self, after: int) -> None:
        """Send every subscriber the events after a sequence number.

        The public part is serialised once, and each distinct view once.
        """
        if not self.subscribers:
            return
        public = self._public()
        updates: dict[Viewer, bytes] = {}
        for subscriber in tuple(self.subscribers):
            viewer = subscriber.viewer
            if viewer not in updates:
                updates[viewer] = self.update(viewer, after, public)
            subscriber.send_queue.put(updates[viewer])

    def grants(self) -> GrantVersion:
        """The current version of every role; pass it to ``still_valid`` later."""
        return frozenset(self._role_versions.items())

    def still_valid(self, grants: GrantVersion) -> bool:
        """Whether none of these roles has been revoked since."""
        return grants <= self._role_versions.items()

    def revoke(self, roles: Iterable[int], disconnect: Callable[[Subscriber], bool]) -> None:
        """Invalidate all tickets and pending commands of these roles, and disconnect some subscribers."""
        self._role_versions |= {role: next(_versions) for role in roles}
        for subscriber in tuple(self.subscribers):
            if disconnect(subscriber):
                self.subscribers.discard(subscriber)
                subscriber.send_queue.close()

    async def release(self, timeout: float) -> None:
        """Ask all subscribers to reconnect elsewhere, as soon as a command in progress is acknowledged."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self.lock.acquire()
                self.lock.release()
        for subscriber in self.subscribers:
            subscriber.send_queue.close(RESTARTING)

    def take_grantees(self, new: Grantees) -> None:
        """Revoke what another server has revoked, and disconnect those who have lost a role."""
        old, self.grantees = self.grantees, new
        changed = {role for role in ROLES if old[role] != new[role]}

        def has_lost(role: int, one: Subscriber) -> bool:
            by_link = role in LINKS.values() or (one.by_link and role != OWNER)
            return old[role][1] != new[role][1] if by_link else one.guest != new[role][0]

        self.revoke(changed, lambda one: any(has_lost(role, one) for role in changed & one.roles))
        owner, _ = new[OWNER]
        if OWNER in changed and owner is not None:
            self.set_owner(owner)

    def set_owner(self, guest: str) -> None:
        """Make a guest the owner and send the guest's subscribers their new view."""
        self.owner = guest
        for subscriber in self.subscribers:
            if subscriber.guest == guest:
                subscriber.viewer = replace(subscriber.viewer, owner=True)
                subscriber.roles |= {OWNER}
                subscriber.send_queue.put(self.update(subscriber.viewer, self.table.seq))

    @property
    def over(self) -> bool:
        return self.table.state.stage is Stage.OVER

    @property
    def idle(self) -> bool:
        busy = self.subscribers or self.bot_task is not None or self.timeout_task is not None
        return not busy and not self.lock.locked()


def grantees_of(holdings: Iterable[HoldingRow], tokens: Iterable[TokenRow]) -> Grantees:
    links: dict[int, set[str]] = {role: set() for role in ROLES}
    for token in tokens:
        role = LINKS.get(token.kind, token.chair)
        if role in links:
            links[role].add(token.hash)
    holders = {row.chair: row.guest for row in holdings}
    return {role: (holders.get(role), frozenset(links[role])) for role in ROLES}


def bot_request(table_state: TableState) -> BotRequest | None:
    """The decision that a computer player must make now, if any."""
    action = table_state.pending_bot_action()
    if action is None:
        return None
    seat = table_state.seat_of(action.chair)
    if table_state.stage is Stage.PICKING and table_state.setup is not None:
        return BotRequest(action, table_state.setup.view(seat))
    assert table_state.game is not None, "an action is a pick or a turn"
    return BotRequest(action, table_state.game.view(seat))
