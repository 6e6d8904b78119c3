"""Games of the load test: sockets at a table, two of which play legal turns."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from sanssouci.dealer import Stream
from tests.harness.builders import legal_turn
from tests.harness.sockets import command_message

from .light_socket import Socket, seq_of
from .tables import Prepared, TableFactory

PLAYERS = 2
SOCKETS = 4
"""Sockets of one game."""


@dataclass
class Tally:
    """Measurements of all turns."""

    waits: list[float] = field(default_factory=list)
    """Seconds from the due time of a turn to its event, at each socket except the player's."""
    lags: list[float] = field(default_factory=list)
    """Delays of the generator itself, for turns that it could have sent in time."""
    expected: int = 0
    """The expected number of waits."""
    error: str | None = None
    """The first error."""

    def clear(self) -> None:
        """Reset the measurements."""
        self.waits, self.lags, self.expected = [], [], 0

    def fail(self, reason: str) -> None:
        """Note an error."""
        self.error = self.error or reason

    def check(self) -> None:
        """Exit if there was an error."""
        if self.error is not None:
            raise SystemExit(self.error)


@dataclass
class _Sent:
    """A turn on its way: its due time, if it counts, and the sockets that have not received it."""

    due: float | None
    pending: set[Socket]


class Game:
    """A game in which a turn is played whenever one is due."""

    def __init__(
        self, prepared: Prepared, tally: Tally, over: "Callable[[Game], None]", sockets: int = SOCKETS
    ) -> None:
        self.prepared = prepared
        self._size = sockets
        self.due: deque[float] = deque()
        """Due times of turns that could not be sent yet."""
        self._tally = tally
        self._over = over
        self._rushed = 0
        self._sockets: list[Socket] = []
        self._sent: dict[int, _Sent] = {}
        """By the sequence number of the event."""
        self._ready: tuple[Socket, int, dict[str, Any]] | None = None
        self._ended = False
        self._closed = False
        """Whether all sockets were closed."""

    async def open(self, factory: TableFactory) -> None:
        """Open all sockets."""
        tickets: list[Awaitable[str]] = [factory.seat_ticket(self.prepared, chair) for chair in range(2)]
        tickets += [factory.watch_ticket(self.prepared) for _ in range(self._size - PLAYERS)]
        self._sockets = list(await asyncio.gather(*[self._connect(factory, ticket) for ticket in tickets]))
        self._play()

    def close(self) -> None:
        """Close all sockets."""
        self._closed = True
        for socket in self._sockets:
            socket.close()

    async def change_watcher(self, factory: TableFactory) -> None:
        """Replace a watcher's socket by a new one."""
        if len(self._sockets) == self._size > PLAYERS:
            closed_socket = self._sockets.pop()
            closed_socket.close()
            self._forget(closed_socket)
            self._sockets.append(await self._connect(factory, factory.watch_ticket(self.prepared)))
            if self._closed:
                self.close()

    def play_at(self, due: float) -> None:
        """Play a due turn now, or as soon as the previous one has reached its player."""
        if self._ready is not None and not self.due:
            self._tally.lags.append(time.perf_counter() - due)
        self.due.append(due)
        self._play()

    def rush(self, turns: int) -> None:
        """Play turns as fast as the server answers, without counting them."""
        self._rushed = turns
        self._play()

    @property
    def outstanding(self) -> int:
        """The number of turns that have not reached everyone."""
        return len(self.due) + self._rushed + len(self._sent)

    async def _connect(self, factory: TableFactory, ticket: Awaitable[str]) -> Socket:
        hello = orjson.dumps({"type": "hello", "ticket": await ticket})
        name, _, port = factory.host.partition(":")
        _, socket = await asyncio.get_running_loop().create_connection(
            lambda: Socket(factory.host, self._receive, self._tally.fail), name, int(port)
        )
        await socket.open
        socket.send(hello)
        await socket.first_message
        return socket

    def _receive(self, socket: Socket, data: bytes) -> None:
        seq = seq_of(data)
        if seq is None:
            if b'"done"' not in data:
                self._tally.fail(data.decode())
            return
        self._count(socket, seq)
        if b'"options":null' not in data:
            self._ready = (socket, seq, orjson.loads(data)["view"]["options"])
            self._play()
        elif b'"stage":"over"' in data:
            self._ended = True
        if self._ended and not self._sent and not self._closed:
            self._closed = True
            self._over(self)

    def _count(self, socket: Socket, seq: int) -> None:
        """Count an event that has reached one more socket."""
        sent = self._sent.get(seq)
        if sent is None or socket not in sent.pending:
            return
        sent.pending.discard(socket)
        if sent.due is not None:
            self._tally.waits.append(time.perf_counter() - sent.due)
        if not sent.pending:
            del self._sent[seq]

    def _forget(self, closed_socket: Socket) -> None:
        """Stop waiting for a closed socket."""
        for seq, sent in tuple(self._sent.items()):
            if closed_socket in sent.pending:
                self._tally.expected -= sent.due is not None
                sent.pending.discard(closed_socket)
            if not sent.pending:
                del self._sent[seq]

    def _play(self) -> None:
        """Play a turn if one is due, all sockets are open, and the options are known."""
        if self._ready is None or not self._sockets or not (self._rushed or self.due):
            return
        socket, seq, options = self._ready
        self._ready = None
        self._sent[seq + 1] = _Sent(self._next_due(), {*self._sockets} - {socket})
        command = {"type": "play", "turn": legal_turn(options, Rotation(seq))}
        message = command_message(command, seq, f"turn-{seq}")
        socket.send(orjson.dumps({"type": "command", **message}))

    def _next_due(self) -> float | None:
        if self._rushed:
            self._rushed -= 1
            return None
        self._tally.expected += len(self._sockets) - 1
        return self.due.popleft()


class Rotation(Stream):
    """Chooses by a number, so that each turn is different."""

    def __init__(self, number: int) -> None:
        self._number = number

    def below(self, bound: int) -> int:
        return self._number % bound
