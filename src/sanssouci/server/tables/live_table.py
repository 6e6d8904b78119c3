"""A table in the server's memory: one command at a time, and those who listen to it."""

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
"""The place of whoever set a table up, among the chairs that a guest holds."""
LINKS = {TokenKind.JOIN: -2, TokenKind.WATCH: -3}
"""The places of those who come by a link that is for no chair."""
PLACES = range(min(LINKS.values()), 4)

MAX_EVENTS = 300
"""Events in an update: the view is whole anyway, and a whole game has fewer."""

GrantVersion = frozenset[tuple[int, int]]
"""Places, each with the number that it had when somebody was found to hold it."""
_numbers = count()
"""No number is given twice, so a warrant from before a table was put away is worth nothing after it."""


@dataclass(eq=False, slots=True)
class Subscriber:
    """A socket at a table: with whose eyes it looks, and what it still has to be sent."""

    viewer: Viewer
    send_queue: SendQueue
    guest: str | None = None
    by_link: bool = False
    """Whether the chair is held by its link, and not by the guest."""
    places: frozenset[int] = frozenset()
    """What the right to listen rests on; nothing where anyone may."""
    address: str = ""

    @property
    def watches(self) -> bool:
        """Whether it has no part in the game."""
        return self.viewer.chair is None and not self.viewer.owner


@dataclass(frozen=True, slots=True)
class BotRequest:
    """What a computer player is asked."""

    duty: PendingBotAction
    view: View | SetupView = field(repr=False)


@dataclass(frozen=True, slots=True)
class BotTask:
    """Somebody has gone to ask a computer player."""

    question: BotRequest
    task: "asyncio.Task[None]"


@dataclass(eq=False, slots=True, weakref_slot=True)
class LiveTable:
    """A table, with what the server needs beside it."""

    table: Table
    croupier: Croupier
    touched: float
    """When it was last needed; who is not needed is put away."""
    owner: str = ""
    """The guest for whose tables computer players work in turn; of those without an owner all share one."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from a decision until its event is kept, so that no other is decided in between."""
    subscribers: set[Subscriber] = field(default_factory=set)
    bot_task: BotTask | None = None
    alarm: "asyncio.Task[None] | None" = None
    """The clock that runs."""
    _places: dict[int, int] = field(default_factory=lambda: {place: next(_numbers) for place in PLACES})
    _record: bytes | None = field(default=None, repr=False)

    def update(self, viewer: Viewer, after: int, public: Json | None = None) -> bytes:
        """What is told to a viewer who knows the events up to a number: the last since, and the view."""
        after = max(after, self.table.seq - MAX_EVENTS)
        return orjson.dumps(
            {
                "type": "update",
                "seq": self.table.seq,
                "events": [telling.to(viewer.chair) for telling in self.table.public_events(after)],
                "view": self.view(viewer, public),
            }
        )

    def view(self, viewer: Viewer, public: Json | None = None) -> Json:
        """The table as a viewer may see it; ``public`` is what everyone sees, if it is written already."""
        return {"seq": self.table.seq, **write_table(self.table.state, viewer, public)}

    def past(self, viewer: Viewer, turn: int) -> Json:
        """The game after a turn, as a viewer could see it then."""
        return write_past(self.table.state, viewer, turn)

    def record(self) -> bytes:
        """The record of a game that is over; to prove it takes a while, so it is done once."""
        if self._record is None:
            self._record = write_record(table_record(self.table.state))
        return self._record

    def announce(self, after: int) -> None:
        """Tell everyone who listens what has happened since.

        What they all see is written once, and so is what is told to those who see the same.
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
        """All places as they are now; what is found out after this can be checked with it."""
        return frozenset(self._places.items())

    def still_valid(self, grants: GrantVersion) -> bool:
        """Whether nobody has lost any of these places since."""
        return grants <= self._places.items()

    def revoke(self, places: Iterable[int], loses: Callable[[Subscriber], bool]) -> None:
        """Somebody has lost places: tickets and orders from before are worth nothing, and some must go."""
        self._places |= {place: next(_numbers) for place in places}
        for subscriber in tuple(self.subscribers):
            if loses(subscriber):
                self.subscribers.discard(subscriber)
                subscriber.send_queue.close()

    def pass_to(self, guest: str) -> None:
        """A guest owns the table from now on, and hears of it at once."""
        self.owner = guest
        for subscriber in self.subscribers:
            if subscriber.guest == guest:
                subscriber.viewer = replace(subscriber.viewer, owner=True)
                subscriber.places |= {OWNER}
                subscriber.send_queue.put(self.update(subscriber.viewer, self.table.seq))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.state.stage is Stage.OVER

    @property
    def idle(self) -> bool:
        """Whether nobody needs it in memory."""
        busy = self.subscribers or self.bot_task is not None or self.alarm is not None
        return not busy and not self.lock.locked()


def bot_request(table_state: TableState) -> BotRequest | None:
    """What a computer player is to be asked now, if one is to act."""
    duty = table_state.pending_bot_action()
    if duty is None:
        return None
    seat = table_state.seat_of(duty.chair)
    if table_state.stage is Stage.PICKING and table_state.setup is not None:
        return BotRequest(duty, table_state.setup.view(seat))
    assert table_state.game is not None, "a duty is a pick or a turn"
    return BotRequest(duty, table_state.game.view(seat))
