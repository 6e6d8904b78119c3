"""An attacker in a separate process, which sends hostile messages at a given rate and counts the results.

Writes a line when it is ready. Then it reads one line of JSON, the ``AttackPlan``, and writes one line,
``{"kind: outcome": count}``, with the number of messages ``sent``.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from ..seeded_random import SeededRandom
from .hostile_frames import CLOSE, PING, PONG, TEXT, HostileFrames, frame
from .hostile_requests import HostileRequests
from .hostile_values import Target
from .raw_connection import DISCONNECTED, TIMEOUT, RawConnection, RawSocket

ADDRESS = "127.0.0.3"
WORKERS = 8
UNREAD_MESSAGES = 400
"""Messages on a socket that is not read. Each is answered with a complete view."""
TOO_SLOW = 4008
"""The server's close code for a slow reader; importing its module would take a second."""
SHORT_HOLD = 0.05
"""Seconds for which most unfinished requests are kept open."""


@dataclass
class AttackPlan:
    """The parameters of an attack."""

    target: Target
    messages: int
    rate: float
    seed: int
    held: float
    """Seconds for which one in twenty unfinished requests is kept open."""


@dataclass
class Attack:
    """All workers of one attack."""

    plan: AttackPlan
    tally: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    next: float = 0.0
    """The time of the next message."""
    held: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        await asyncio.gather(*(Worker(self, number).run() for number in range(WORKERS)))
        await asyncio.gather(*self.held)

    async def due(self) -> bool:
        """Wait for the time of the next message. False if there is none."""
        if self.sent >= self.plan.messages:
            return False
        self.sent += 1
        now = time.monotonic()
        self.next = max(self.next + 1 / self.plan.rate, now)  # delays are not made up for
        await asyncio.sleep(self.next - now)
        return True


class Worker:
    """Sends one message after the other: by HTTP, on a lasting socket, and on short-lived sockets."""

    def __init__(self, attack: Attack, number: int) -> None:
        plan = attack.plan
        rng = SeededRandom("attack", plan.seed, number)
        self._attack, self._target, self._rng = attack, plan.target, rng
        self._requests, self._frames = HostileRequests(plan.target, rng), HostileFrames(plan.target, rng)
        self._http = RawConnection(plan.target.host, ADDRESS)
        self._socket: RawSocket | None = None
        self._receiving: asyncio.Task[None] | None = None
        self._unanswered = 0
        """Commands on the socket without an answer so far."""

    async def run(self) -> None:
        """Send messages until the attack has sent all."""
        while await self._attack.due():
            choice = self._rng.below(100)
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
            except DISCONNECTED as error:
                self._note("connection", type(error).__name__)
                self._http.close()
        self._http.close()
        await self._close_socket()

    def _note(self, kind: str, outcome: object) -> None:
        self._attack.tally[f"{kind}: {outcome}"] += 1

    async def _ask(self) -> None:
        request = self._requests.request()
        if request.breaks_connection:
            self._hold(request.kind, request.data)
            return
        try:
            await self._http.send(request.data)
            status, _ = await self._http.answer(request.method)
        except TimeoutError:
            self._http.close()
            self._note(f"{request.kind} {request.data[:300]!r}", "no answer")
            return
        except DISCONNECTED:
            self._http.close()
            self._note(request.kind, "closed")
            return
        self._note(request.kind, status)
        if request.creates and status == 201:
            self._note("made", request.creates)

    def _hold(self, kind: str, data: bytes) -> None:
        seconds = self._attack.plan.held if self._rng.chance(5) else SHORT_HOLD
        task = asyncio.create_task(self._keep_open(kind, data, seconds))
        self._attack.held.add(task)
        task.add_done_callback(self._attack.held.discard)

    async def _keep_open(self, kind: str, data: bytes, seconds: float) -> None:
        connection = RawConnection(self._target.host, ADDRESS)
        try:
            await connection.send(data)
            async with asyncio.timeout(seconds):
                status, _ = await connection.answer()
            self._note(kind, status)
        except TimeoutError:
            self._note(kind, "left open")
        except DISCONNECTED:
            self._note(kind, "closed")
        finally:
            connection.close()

    async def _command(self) -> None:
        if self._socket is None:
            self._socket = await self._connect()
            self._receiving = asyncio.create_task(self._receive(self._socket))
        frames = self._frames.harmless() if self._rng.chance(5) else self._frames.refusable()
        self._note(frames.kind, "sent")
        self._unanswered += 1
        await self._socket.send(frames.data)

    async def _connect(self) -> RawSocket:
        """An authenticated socket."""
        body = {"chair": self._rng.below(2)}
        path = f"/api/tables/{self._target.own}/tickets"
        answer = await self._http.request("POST", path, body, self._target.token)
        socket = RawSocket(self._target.host, ADDRESS)
        await socket.upgrade()
        await socket.send_json(
            {"type": "hello", "ticket": answer.get("ticket", "x"), "seq": self._target.seq}
        )
        opcode, payload = await socket.receive()
        if opcode == CLOSE:  # a guest with many tickets loses the oldest
            socket.close()
            raise EOFError(payload)
        return socket

    async def _receive(self, socket: RawSocket) -> None:
        """Count the answers, and the commands that have none when the server closes the socket."""
        code = 1006
        with contextlib.suppress(*DISCONNECTED):
            while True:
                opcode, payload = await socket.receive()
                if opcode == PING:
                    await socket.send(frame(PONG, payload))
                elif opcode == CLOSE:
                    code = int.from_bytes(payload[:2], "big")
                    self._note("socket", code)
                elif opcode == TEXT and payload.startswith((b'{"type":"refused"', b'{"type":"done"')):
                    self._unanswered -= 1
        socket.close()
        self._socket = None
        self._note_unanswered(f"command, socket closed with {code}", code == TOO_SLOW)

    def _note_unanswered(self, kind: str, too_slow: bool = False) -> None:
        """Note commands without an answer; they are no failure if this process was too slow to read."""
        if self._unanswered:
            self._attack.tally[f"{kind}: {'too slow' if too_slow else 'no answer'}"] += self._unanswered
        self._unanswered = 0

    async def _close_socket(self) -> None:
        """Close the socket once everything is answered."""
        until = time.monotonic() + TIMEOUT
        while self._socket is not None and self._unanswered and time.monotonic() < until:
            await asyncio.sleep(0.02)
        self._note_unanswered("command")
        if self._socket is not None and self._receiving is not None:
            self._socket.close()
            await self._receiving

    async def _break(self) -> None:
        if self._rng.chance(2):
            await self._flood_unread()
            return
        if self._rng.chance(50):
            socket, frames = RawSocket(self._target.host, ADDRESS), self._frames.hello()
            await socket.upgrade()
        else:
            socket, frames = await self._connect(), self._frames.unreadable()
        with contextlib.suppress(*DISCONNECTED):
            await socket.send(frames.data)
            if frames.kind == "noise":  # it may be the beginning of a long frame
                await socket.end_sending()
        try:
            self._note(frames.kind, await socket.close_code())
        except TimeoutError:
            self._note(frames.kind, "no answer")

    async def _flood_unread(self) -> None:
        """Send many messages on a socket, and read nothing until the end."""
        socket = await self._connect()
        left = UNREAD_MESSAGES
        while left and await self._attack.due():
            left -= 1
            with contextlib.suppress(*DISCONNECTED):
                await socket.send(self._frames.stale())
        with contextlib.suppress(*DISCONNECTED):
            await socket.send(frame(CLOSE, b"\x03\xe8"))
        self._note("unread socket", await socket.close_code())


def main() -> None:
    """Run the attack."""
    print("ready", flush=True)
    document = json.loads(sys.stdin.readline())
    plan = AttackPlan(**{**document, "target": Target(**document["target"])})

    async def run() -> Counter[str]:
        attack = Attack(plan)
        await attack.run()
        return attack.tally + Counter(sent=attack.sent)

    print(json.dumps(asyncio.run(run())), flush=True)


if __name__ == "__main__":
    main()
