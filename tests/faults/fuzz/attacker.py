"""An attacker in a process of its own: so many hostile messages, so many a second, and what came of them.

Reads one line of JSON, the ``Orders``; writes one: ``{"kind: outcome": count}``, and how many were ``sent``.
"""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from ..lot import Lot
from .frames import CLOSE, PING, PONG, TEXT, Words, frame
from .prey import Prey
from .shots import Requests
from .wires import GONE, PATIENCE, Socket, Wire

ADDRESS = "127.0.0.3"
LANES = 8
DEAF = 400
"""Messages of somebody who does not listen; each would be answered with a whole view."""
HELD = 0.05
"""Seconds for which a request that never ends is left open."""


@dataclass
class Orders:
    """What to do."""

    prey: Prey
    messages: int
    rate: float
    seed: int
    held: float
    """Seconds for which one in twenty of the requests that never end is left open."""


@dataclass
class Attack:
    """All lanes of one attacker."""

    orders: Orders
    tally: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    next: float = 0.0
    """When the next message is due."""
    held: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        """Send everything."""
        await asyncio.gather(*(Lane(self, number).run() for number in range(LANES)))
        await asyncio.gather(*self.held)

    async def due(self) -> bool:
        """Wait for the time of the next message; False if there is none."""
        if self.sent >= self.orders.messages:
            return False
        self.sent += 1
        now = time.monotonic()
        self.next = max(self.next + 1 / self.orders.rate, now)  # who was held up does not make up for it
        await asyncio.sleep(self.next - now)
        return True


class Lane:
    """One after the other: by HTTP, on a socket that stays open, on sockets that do not."""

    def __init__(self, attack: Attack, number: int) -> None:
        orders = attack.orders
        lot = Lot("attack", orders.seed, number)
        self._attack, self._prey, self._lot = attack, orders.prey, lot
        self._requests, self._words = Requests(orders.prey, lot), Words(orders.prey, lot)
        self._http = Wire(orders.prey.place, ADDRESS)
        self._socket: Socket | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._owed = 0
        """Commands on the socket that are not answered yet."""

    async def run(self) -> None:
        """Until everything is sent."""
        while await self._attack.due():
            choice = self._lot.below(100)
            try:
                if choice < 55:
                    await self._ask()
                elif choice < 92:
                    await self._command()
                else:
                    await self._break()
            except TimeoutError:
                self._note("connection", "no answer")
                self._http.close()
            except GONE as error:
                self._note("connection", type(error).__name__)
                self._http.close()
        self._http.close()
        await self._hang_up()

    def _note(self, kind: str, outcome: object) -> None:
        self._attack.tally[f"{kind}: {outcome}"] += 1

    async def _ask(self) -> None:
        shot = self._requests.shot()
        if shot.spoils:
            self._hold(shot.kind, shot.data)
            return
        try:
            await self._http.send(shot.data)
            status, _ = await self._http.answer(shot.method)
        except TimeoutError:
            self._http.close()
            self._note(f"{shot.kind} {shot.data[:300]!r}", "no answer")
            return
        except GONE:
            self._http.close()
            self._note(shot.kind, "closed")
            return
        self._note(shot.kind, status)
        if shot.makes and status == 201:
            self._note("made", shot.makes)

    def _hold(self, kind: str, data: bytes) -> None:
        seconds = self._attack.orders.held if self._lot.often(5) else HELD
        task = asyncio.create_task(self._left_open(kind, data, seconds))
        self._attack.held.add(task)
        task.add_done_callback(self._attack.held.discard)

    async def _left_open(self, kind: str, data: bytes, seconds: float) -> None:
        wire = Wire(self._prey.place, ADDRESS)
        try:
            await wire.send(data)
            async with asyncio.timeout(seconds):
                status, _ = await wire.answer()
            self._note(kind, status)
        except TimeoutError:
            self._note(kind, "left open")
        except GONE:
            self._note(kind, "closed")
        finally:
            wire.close()

    async def _command(self) -> None:
        if self._socket is None:
            self._socket = await self._welcomed()
            self._hearing = asyncio.create_task(self._hear(self._socket))
        words = self._words.harmless() if self._lot.often(5) else self._words.refusable()
        self._note(words.kind, "sent")
        self._owed += 1
        await self._socket.send(words.data)

    async def _welcomed(self) -> Socket:
        """A socket that the server takes for a good one."""
        ask = {"chair": self._lot.below(2)}
        said = await self._http.ask("POST", f"/api/tables/{self._prey.own}/tickets", ask, self._prey.token)
        socket = Socket(self._prey.place, ADDRESS)
        await socket.upgrade()
        await socket.say({"type": "hello", "ticket": said.get("ticket", "x"), "seq": self._prey.seq})
        opcode, payload = await socket.hear()
        if opcode == CLOSE:  # one who asks for many tickets loses the oldest
            socket.close()
            raise EOFError(payload)
        return socket

    async def _hear(self, socket: Socket) -> None:
        """What comes back is counted by its kind."""
        with contextlib.suppress(*GONE):
            while True:
                opcode, payload = await socket.hear()
                if opcode == PING:
                    await socket.send(frame(PONG, payload))
                elif opcode == CLOSE:
                    self._note("socket", int.from_bytes(payload[:2], "big"))
                elif opcode == TEXT and payload.startswith((b'{"type":"refused"', b'{"type":"done"')):
                    self._owed -= 1
        socket.close()
        self._socket = None

    async def _hang_up(self) -> None:
        """When everything is answered."""
        until = time.monotonic() + PATIENCE
        while self._socket is not None and self._owed and time.monotonic() < until:
            await asyncio.sleep(0.02)
        if self._owed:
            self._attack.tally["command: no answer"] += self._owed
        if self._socket is not None and self._hearing is not None:
            self._socket.close()
            await self._hearing

    async def _break(self) -> None:
        if self._lot.often(2):
            await self._deafen()
            return
        if self._lot.often(50):
            socket, words = Socket(self._prey.place, ADDRESS), self._words.hello()
            await socket.upgrade()
        else:
            socket, words = await self._welcomed(), self._words.unreadable()
        with contextlib.suppress(*GONE):
            await socket.send(words.data)
            if words.kind == "noise":  # it may be the beginning of something long
                await socket.say_no_more()
        try:
            self._note(words.kind, await socket.closing())
        except TimeoutError:
            self._note(words.kind, "no answer")

    async def _deafen(self) -> None:
        """A socket on which much is said, and nothing read until the end."""
        socket = await self._welcomed()
        left = DEAF
        while left and await self._attack.due():
            left -= 1
            with contextlib.suppress(*GONE):
                await socket.send(self._words.stale())
        with contextlib.suppress(*GONE):
            await socket.send(frame(CLOSE, b"\x03\xe8"))
        self._note("deaf", await socket.closing())


def main() -> None:
    """Do as told; the attacker's computer is another, so the others' processes come first on this one."""
    os.nice(10)
    said = json.loads(sys.stdin.readline())
    orders = Orders(**{**said, "prey": Prey(**said["prey"])})

    async def run() -> Counter[str]:
        attack = Attack(orders)
        await attack.run()
        return attack.tally + Counter(sent=attack.sent)

    print(json.dumps(asyncio.run(run())), flush=True)


if __name__ == "__main__":
    main()
