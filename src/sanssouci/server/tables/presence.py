"""Presence: which people have a table open, and nudges to a person who keeps the others waiting.

Both are kept in memory and are no events of the table. Servers on the same store tell each other through the
bus; without one, each knows only its own sockets.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary, ref

import orjson

from sanssouci.cluster import News, Nudged, TablePresence

from ..rate_limits import Clock
from ..wire.responses import NudgeMessage, PresenceMessage
from .live_table import LiveTable, Subscriber

AWAY_DELAY = 4.0
"""Seconds until a person whose socket was closed is shown as away: a page that is reloaded is soon back."""
NUDGE_DELAY = 20.0
"""Seconds for which a person must be awaited before a nudge."""
NUDGE_INTERVAL = 30.0
"""Seconds between two nudges to the same person."""
PEER_INTERVAL = 3.0
"""Seconds after which a server repeats who is present, for servers that have missed it."""
PEER_TIMEOUT = 7.5
"""Seconds after which the people of a silent server count as away."""


@dataclass(slots=True)
class _Present:
    here: frozenset[int] = frozenset()
    """The chairs with a socket on this server."""
    elsewhere: dict[str, tuple[frozenset[int], float]] = field(default_factory=dict)
    """By server, the chairs with a socket there, and when that was heard."""
    shown: frozenset[int] = frozenset()
    """The chairs that were sent to subscribers."""
    nudged: dict[int, tuple[float, int]] = field(default_factory=dict)
    """When each chair was last nudged, and by which chair."""


class Presence:
    """For the tasks of one event loop."""

    def __init__(self, publish: Callable[[News], None], clock: Clock, away_delay: float = AWAY_DELAY) -> None:
        self.away_delay = away_delay
        self._publish, self._clock = publish, clock
        self._server = secrets.token_hex(4)
        self._tables: WeakKeyDictionary[LiveTable, _Present] = WeakKeyDictionary()

    def enter(self, live_table: LiveTable, subscriber: Subscriber) -> None:
        """Show a new subscriber who is here, and the others that the subscriber is."""
        known = self._of(live_table).shown
        self._refresh(live_table)
        shown = self._of(live_table).shown
        if subscriber.wants_presence and shown == known:  # otherwise everyone was sent it
            subscriber.send_queue.put(_message(shown))

    def leave(self, live_table: LiveTable) -> None:
        """Show who is here, once a subscriber has had the time to reconnect."""
        found = ref(live_table)  # the table may be evicted meanwhile

        def refresh() -> None:
            if (table := found()) is not None:
                self._refresh(table)

        asyncio.get_running_loop().call_later(self.away_delay, refresh)

    def nudge(self, live_table: LiveTable, sender: Subscriber, chair: int, at: float) -> None:
        """Remind a person that the others wait, if that is allowed now. ``at`` is table time.

        Within ``NUDGE_INTERVAL`` of another nudge nobody is reminded; the sender gets the earlier nudge.
        """
        state, present, by = live_table.table.state, self._of(live_table), sender.viewer.chair
        now = self._clock()
        allowed = (
            by in state.deciding
            and by != chair
            and chair in state.deciding & set(state.waiting)
            and at >= state.since + NUDGE_DELAY
        )
        if not allowed or by is None:
            return
        before, earlier = present.nudged.get(chair, (now - NUDGE_INTERVAL, by))
        if now < before + NUDGE_INTERVAL:
            sender.send_queue.put(_nudge_message(earlier, chair))
            return
        present.nudged[chair] = now, by
        self._deliver(live_table, by, chair)
        self._publish(Nudged(live_table.table.id, self._server, by, chair))

    def receive(self, live_table: LiveTable, news: TablePresence | Nudged) -> None:
        """Take a message of another server. The bus also returns the messages of this one."""
        if news.server == self._server:
            return
        present, now = self._of(live_table), self._clock()
        if isinstance(news, Nudged):
            present.nudged[news.chair] = now, news.by
            self._deliver(live_table, news.by, news.chair)
        else:
            present.elsewhere[news.server] = news.chairs, now
            self._refresh(live_table)

    def repeat(self) -> None:
        """Tell other servers again who is here, and forget servers that no longer do so."""
        for live_table, present in list(self._tables.items()):
            if present.here:
                self._publish(TablePresence(live_table.table.id, self._server, present.here))
            if present.elsewhere:
                self._refresh(live_table)

    def _refresh(self, live_table: LiveTable) -> None:
        present = self._of(live_table)
        here = frozenset(one.viewer.chair for one in live_table.subscribers if one.viewer.chair is not None)
        if here != present.here:
            present.here = here
            self._publish(TablePresence(live_table.table.id, self._server, here))
        oldest = self._clock() - PEER_TIMEOUT
        present.elsewhere = {
            server: heard for server, heard in present.elsewhere.items() if heard[1] >= oldest
        }
        shown = here.union(*(chairs for chairs, _ in present.elsewhere.values()))
        if shown != present.shown:
            present.shown = shown
            message = _message(shown)
            for subscriber in tuple(live_table.subscribers):
                if subscriber.wants_presence:
                    subscriber.send_queue.put(message)

    def _deliver(self, live_table: LiveTable, by: int, chair: int) -> None:
        """Send a nudge to all players, so that nobody else sends one too."""
        message = _nudge_message(by, chair)
        for subscriber in tuple(live_table.subscribers):
            if subscriber.wants_presence and subscriber.viewer.chair is not None:
                subscriber.send_queue.put(message)

    def _of(self, live_table: LiveTable) -> _Present:
        return self._tables.setdefault(live_table, _Present())


def _nudge_message(by: int, chair: int) -> bytes:
    return orjson.dumps(NudgeMessage(type="nudge", by=by, chair=chair))


def _message(chairs: frozenset[int]) -> bytes:
    return orjson.dumps(PresenceMessage(type="presence", here=sorted(chairs)))
