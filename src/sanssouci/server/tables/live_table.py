"""A table in memory: its lock, its WebSocket subscribers, and who may still use which role."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import orjson

from sanssouci.notation import write_record
from sanssouci.rules import SetupView, View
from sanssouci.store import TokenKind
from sanssouci.table import (
    Croupier,
    PendingBotAction,
    Stage,
    Table,
    TableState,
    Viewer,
    table_record,
    write_past,
    write_public,
    write_table,
)

from ..send_queue import SendQueue

Json = dict[str, Any]

OWNER = -1
"""The owner's role, in the same numbering as the chairs that a guest holds."""
LINKS = {TokenKind.JOIN: -2, TokenKind.WATCH: -3}
"""The roles granted by the join link and the watch link."""
ROLES = range(min(LINKS.values()), 4)

MAX_EVENTS = 300
"""Events in one update. The view is complete anyway, and a whole game has fewer."""

GrantVersion = frozenset[tuple[int, int]]
"""Roles, each with the version it had when access was checked."""
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

    @property
    def watches(self) -> bool:
        """Whether this is a spectator."""
        return self.viewer.chair is None and not self.viewer.owner


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A pending decision of a computer player."""

    action: PendingBotAction
    view: View | SetupView = field(repr=False)


@dataclass(frozen=True, slots=True)
class BotTask:
    """The task that is computing a computer player's decision."""

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
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from a decision until its event is written, so no other command is decided in between."""
    subscribers: set[Subscriber] = field(default_factory=set)
    bot_task: BotTask | None = None
    timeout_task: "asyncio.Task[None] | None" = None
    """Fires when the clock runs out."""
    _role_versions: dict[int, int] = field(default_factory=lambda: {role: next(_versions) for role in ROLES})
    _record: bytes | None = field(default=None, repr=False)

    def update(self, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        """The ``update`` message for a viewer who has the events up to ``after``."""
        after = max(after, self.table.seq - MAX_EVENTS)
        return orjson.dumps(
            {
                "type": "update",
                "seq": self.table.seq,
                "events": [event.to(viewer.chair) for event in self.table.public_events(after)],
                "view": self.view(viewer, public),
            }
        )

    def view(self, viewer: Viewer, public: Json | None = None) -> Json:
        """The table as a viewer may see it; ``public`` is the part everyone sees, if already serialised."""
        return {"seq": self.table.seq, **write_table(self.table.state, viewer, public)}

    def past(self, viewer: Viewer, turn: int) -> Json:
        """The game after a turn, as the viewer could see it then."""
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
        public = write_public(self.table.state)
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
        """Whether the table can be evicted."""
        busy = self.subscribers or self.bot_task is not None or self.timeout_task is not None
        return not busy and not self.lock.locked()


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
