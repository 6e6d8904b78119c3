"""A table in the server's memory: one command at a time, and those who listen to it."""

import asyncio
from dataclasses import dataclass, field

import orjson

from sanssouci.table import Croupier, Table, Viewer, write_table

from .outbox import Outbox


@dataclass(eq=False, slots=True)
class Listener:
    """A socket at a table: with whose eyes it looks, and what it still has to be sent."""

    viewer: Viewer
    outbox: Outbox


@dataclass(eq=False, slots=True)
class Hosted:
    """A table, with what the server needs beside it."""

    table: Table
    croupier: Croupier
    touched: float
    """When it was last needed; who is not needed is put away."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from a decision until its event is kept, so that no other is decided in between."""
    listeners: set[Listener] = field(default_factory=set)
    errand: "asyncio.Task[None] | None" = None
    """A computer player is being asked."""
    alarm: asyncio.TimerHandle | None = None
    """The clock that runs."""
    turnover: dict[int, int] = field(default_factory=dict)
    """How often each chair was taken from somebody: a ticket from before opens nothing."""

    def update(self, viewer: Viewer, after: int) -> bytes:
        """What is told to a viewer who knows the events up to a number: those since, and the view."""
        return orjson.dumps(
            {
                "type": "update",
                "seq": self.table.seq,
                "events": [telling.to(viewer.chair) for telling in self.table.tellings(after)],
                "view": self.view(viewer),
            }
        )

    def view(self, viewer: Viewer) -> dict[str, object]:
        """The table as a viewer may see it."""
        return {"seq": self.table.seq, **write_table(self.table.standing, viewer)}

    def announce(self, after: int) -> None:
        """Tell everyone who listens what has happened since; each view is written once."""
        updates: dict[Viewer, bytes] = {}
        for listener in tuple(self.listeners):
            viewer = listener.viewer
            if viewer not in updates:
                updates[viewer] = self.update(viewer, after)
            listener.outbox.put(updates[viewer])

    def dismiss(self, chair: int) -> None:
        """Whoever listens from a chair has lost it."""
        for listener in tuple(self.listeners):
            if listener.viewer.chair == chair:
                self.listeners.discard(listener)
                listener.outbox.close()
        self.turnover[chair] = self.turnover.get(chair, 0) + 1

    @property
    def idle(self) -> bool:
        """Whether nobody needs it in memory."""
        busy = self.listeners or self.errand is not None or self.alarm is not None
        return not busy and not self.lock.locked()
