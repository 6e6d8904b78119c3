"""Games of the load: sockets at a table, of which two play what the server's options allow."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from .tables import Desk, Prepared
from .wire import Socket, seq_of

WATCHERS = 2
SOCKETS = 2 + WATCHERS
"""Of one game."""


@dataclass
class Tally:
    """What has been seen of the turns that were due."""

    waits: list[float] = field(default_factory=list)
    """From when a turn was due to its event, at each socket but the one that played it."""
    lags: list[float] = field(default_factory=list)
    """How late the generator itself was with turns that nothing kept it from sending."""
    expected: int = 0
    """How many waits there should be."""
    trouble: str | None = None
    """The first thing that went wrong."""

    def clear(self) -> None:
        """Begin to count."""
        self.waits, self.lags, self.expected = [], [], 0

    def fail(self, why: str) -> None:
        """Something went wrong."""
        self.trouble = self.trouble or why

    def check(self) -> None:
        """Stop if something went wrong."""
        if self.trouble is not None:
            raise SystemExit(self.trouble)


@dataclass
class _Sent:
    """A turn on its way: when it was due, if it counts, and who has not heard of it."""

    due: float | None
    unaware: set[Socket]


class Game:
    """A game in which a turn is played whenever one is due."""

    def __init__(self, prepared: Prepared, tally: Tally, over: "Callable[[Game], None]") -> None:
        self.prepared = prepared
        self.due: deque[float] = deque()
        """Turns that are due and could not be sent yet."""
        self._tally = tally
        self._over = over
        self._rushed = 0
        self._sockets: list[Socket] = []
        self._sent: dict[int, _Sent] = {}
        """By the number of its event."""
        self._ready: tuple[Socket, int, dict[str, Any]] | None = None
        self._ended = False
        self._left = False
        """Whether everyone has been told to leave."""

    async def open(self, desk: Desk) -> None:
        """Open all sockets."""
        tickets: list[Awaitable[str]] = [desk.seat_ticket(self.prepared, chair) for chair in range(2)]
        tickets += [desk.watch_ticket(self.prepared) for _ in range(WATCHERS)]
        self._sockets = list(await asyncio.gather(*[self._connect(desk, ticket) for ticket in tickets]))
        self._play()

    def close(self) -> None:
        """Everyone leaves."""
        self._left = True
        for socket in self._sockets:
            socket.close()

    async def change_watcher(self, desk: Desk) -> None:
        """One who watches leaves, and another comes."""
        if len(self._sockets) == SOCKETS:
            gone = self._sockets.pop()
            gone.close()
            self._forget(gone)
            self._sockets.append(await self._connect(desk, desk.watch_ticket(self.prepared)))
            if self._left:
                self.close()

    def play_at(self, due: float) -> None:
        """A turn is due: it is played now, or as soon as the one before has reached its player."""
        if self._ready is not None and not self.due:
            self._tally.lags.append(time.perf_counter() - due)
        self.due.append(due)
        self._play()

    def rush(self, turns: int) -> None:
        """Play so many turns as fast as the server answers, without counting them."""
        self._rushed = turns
        self._play()

    @property
    def outstanding(self) -> int:
        """Turns that have not reached everyone yet."""
        return len(self.due) + self._rushed + len(self._sent)

    async def _connect(self, desk: Desk, ticket: Awaitable[str]) -> Socket:
        hello = orjson.dumps({"type": "hello", "ticket": await ticket})
        name, _, port = desk.host.partition(":")
        _, socket = await asyncio.get_running_loop().create_connection(
            lambda: Socket(desk.host, self._hear, self._tally.fail), name, int(port)
        )
        await socket.open
        socket.send(hello)
        await socket.greeted
        return socket

    def _hear(self, socket: Socket, data: bytes) -> None:
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
        if self._ended and not self._sent and not self._left:
            self._left = True
            self._over(self)

    def _count(self, socket: Socket, seq: int) -> None:
        """An event has come to one more socket."""
        sent = self._sent.get(seq)
        if sent is None or socket not in sent.unaware:
            return
        sent.unaware.discard(socket)
        if sent.due is not None:
            self._tally.waits.append(time.perf_counter() - sent.due)
        if not sent.unaware:
            del self._sent[seq]

    def _forget(self, gone: Socket) -> None:
        """Whoever has left is not awaited any more."""
        for seq, sent in tuple(self._sent.items()):
            if gone in sent.unaware:
                self._tally.expected -= sent.due is not None
                sent.unaware.discard(gone)
            if not sent.unaware:
                del self._sent[seq]

    def _play(self) -> None:
        """Play a turn if one is wanted, everyone is there, and it is known which there are."""
        if self._ready is None or not self._sockets or not (self._rushed or self.due):
            return
        socket, seq, options = self._ready
        self._ready = None
        self._sent[seq + 1] = _Sent(self._next_due(), {*self._sockets} - {socket})
        command = {"type": "play", "turn": choose(options, seq)}
        message = {"type": "command", "command_id": f"turn-{seq}", "expected_seq": seq, "command": command}
        socket.send(orjson.dumps(message))

    def _next_due(self) -> float | None:
        if self._rushed:
            self._rushed -= 1
            return None
        self._tally.expected += len(self._sockets) - 1
        return self.due.popleft()


def choose(options: dict[str, Any], number: int) -> str:
    """One of the legal turns, another one for every number."""
    card = _one_of(list(options["cards"]), number)
    space = _one_of(options["cards"][card], number)
    tile = _one_of(options["spaces"][str(space)], number)
    boar = f"~{_one_of(options['boar'][tile], number)}" if tile in options["boar"] else ""
    stop = _one_of(["", *(f"/{stop}" for stop in options["stops"].get(tile, ()))], number)
    return f"{card}@{space}-{tile}{boar}{stop}"


def _one_of(things: list[Any], number: int) -> Any:
    return things[number % len(things)]
