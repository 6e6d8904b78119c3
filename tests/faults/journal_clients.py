"""Clients that play on a server which may die at any moment, and keep a journal of its answers.

Every command is recorded with its answer. When the server is gone, a client reconnects with the last event
that it has received, resends unanswered commands under the same id, and plays on.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from sanssouci.dealer import Stream

from ..harness.builders import legal_command
from ..harness.client import Client
from ..harness.sockets import Json, Socket, command_message
from ..harness.transports import TcpTransport

DISCONNECTED = (OSError, EOFError)
"""Raised when the server is gone."""
HTTP_EVERY = 5
"""One command in so many is sent by HTTP."""
MAX_PAUSE_MS = 500
"""The longest random delay before a client reconnects."""
_STALE = "declined.stale"


@dataclass(frozen=True)
class Wait:
    """A time for which a player has waited for others, on the monotonic clock."""

    since: float
    until: float

    @property
    def seconds(self) -> float:
        return self.until - self.since


@dataclass(slots=True)
class SentCommand:
    """A command that was sent, once or more often, and its answer."""

    table: str
    chair: int
    command_id: str
    expected: int
    command: Json
    acknowledged: int | None = None
    """The sequence number of its event, as acknowledged."""
    waited: float = 0.0
    """Seconds from the first attempt to the answer."""
    repeated: bool = False
    """Whether the server answered that it had been executed before."""
    refused: str = ""

    @property
    def message(self) -> Json:
        return command_message(self.command, self.expected, self.command_id)

    @property
    def answered(self) -> bool:
        return self.acknowledged is not None or bool(self.refused)


@dataclass
class Journal:
    """State shared by all clients of a server."""

    stream: Stream
    host: str = ""
    is_up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while a server is running."""
    think_ms: int = 0
    """The longest random delay before a command."""
    starts: int = 0
    """The number of server starts: late answers of an earlier process do not count."""
    commands: list[SentCommand] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    """Events that a client received out of order, or differently the second time."""
    wrong_answers: list[str] = field(default_factory=list)
    other_turns: list[Wait] = field(default_factory=list)
    """When players have waited for others to act."""
    on_acknowledged: Callable[[int], None] = lambda start: None
    """Called for every acknowledgement, with the start in which the command was sent."""

    async def pause(self) -> None:
        """Wait a random delay, then until a server is running."""
        await asyncio.sleep(self.stream.below(MAX_PAUSE_MS) / 1000)
        await self.is_up.wait()


class PersistentClient(Client):
    """Repeats requests until they are answered."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(TcpTransport(journal.host))
        self.journal = journal
        self.start = 0
        """The start of the server to which the last request was sent."""

    @classmethod
    async def guest(cls, journal: Journal, name: str) -> "PersistentClient":
        await journal.is_up.wait()
        client = await cls(journal).as_guest(name)
        assert isinstance(client, PersistentClient)
        return client

    async def request(self, method: str, path: str, json: Any = None, **more: Any) -> httpx.Response:
        while True:
            await self.journal.is_up.wait()
            self.start = self.journal.starts
            try:
                return await super().request(method, path, json, **more)
            except DISCONNECTED:
                await self.journal.pause()

    async def connect_at(self, table: str, chair: int, seq: int = -1) -> Socket:
        """A socket at a chair, starting after ``seq``. Raises one of ``DISCONNECTED`` without a ticket."""
        response = await self.request("POST", f"/api/tables/{table}/tickets", {"chair": chair})
        if response.status_code != 201:
            self.journal.wrong_answers.append(f"no ticket: {response.text}")
            raise EOFError
        return await self.connect_with(response.json()["ticket"], seq)


class JournalledPlayer:
    """A client on a chair, from the first event to the end of the game."""

    def __init__(self, client: PersistentClient, table: str, chair: int) -> None:
        self.client = client
        self.journal = client.journal
        self.table = table
        self.chair = chair
        self.received: list[Json] = []
        """All events received, by sequence number."""
        self._view: Json = {"stage": "lobby", "waiting": []}
        self._pending: SentCommand | None = None
        self._start = 0
        """The start of the server at which the socket was opened."""
        self._wait_for = -1
        """The event to wait for before the next command."""
        self._sent_at = 0.0
        self._waits_since: float | None = None
        """When others began to act."""

    @property
    def seq(self) -> int:
        """The sequence number of the last event received."""
        return len(self.received) - 1

    @property
    def waits(self) -> Wait | None:
        """Since when others have been acting."""
        return None if self._waits_since is None else Wait(self._waits_since, time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the game has ended and every command was answered."""
        return self._view["stage"] == "over" and self._pending is None

    async def play(self) -> None:
        """Play to the end, however often the server dies."""
        while not self.over:
            try:
                await self._play_on_socket()
            except DISCONNECTED:
                await self.journal.pause()

    async def _play_on_socket(self) -> None:
        socket = await self.client.connect_at(self.table, self.chair, self.seq)
        self._start = self.client.start
        acknowledged = self._wait_for
        try:
            if self._pending is not None:
                await self._send(self._pending, socket)
            self.receive(await socket.receive())
            if self.seq < acknowledged:
                # Only a planted fault loses an event. Waiting for it could block all games.
                self._note(f"event {acknowledged} was acknowledged, and the server is at {self.seq}")
                self._wait_for = self.seq if self._wait_for == acknowledged else self._wait_for
            await self._act(socket)
            while not self.over:
                self.receive(await socket.receive())
                await self._act(socket)
        finally:
            await socket.close()

    async def _act(self, socket: Socket) -> None:
        if self._pending is None and self.seq >= self._wait_for and self.chair in self._view["waiting"]:
            if self.journal.think_ms:
                await asyncio.sleep(self.journal.stream.below(self.journal.think_ms) / 1000)
            command = legal_command(self._view, self.journal.stream)
            self._pending = SentCommand(self.table, self.chair, secrets.token_hex(12), self.seq, command)
            self.journal.commands.append(self._pending)
            self._sent_at = time.monotonic()
            await self._send(self._pending, socket)

    async def _send(self, sent: SentCommand, socket: Socket) -> None:
        if self.journal.stream.below(HTTP_EVERY):
            await socket.send({"type": "command", **sent.message})
            return
        path, message = f"/api/tables/{self.table}/commands", {**sent.message, "chair": self.chair}
        response = await self.client.request("POST", path, message)
        self._answered({**response.json(), "command_id": sent.command_id}, self.client.start)

    def receive(self, message: Json) -> None:
        """Process a message of the server."""
        if message["type"] == "update":
            self._update(message)
        else:
            self._answered(message, self._start)

    def _update(self, update: Json) -> None:
        if update["seq"] < self.seq:
            self._note(f"event {self.seq} was received, then the server was at {update['seq']}")
            del self.received[update["seq"] + 1 :]
            self._wait_for = self.seq
        for event in update["events"]:
            if event["seq"] > self.seq + 1:
                self._note(f"event {event['seq']} came after {self.seq}")
            elif event["seq"] == self.seq + 1:
                self.received.append(event)
            elif event != self.received[event["seq"]]:
                self._note(f"event {event['seq']} was received twice, differently")
        if self.seq != update["seq"]:
            self._note(f"an update to {update['seq']} ends with {self.seq}")
        self._view = update["view"]
        waits = self._view["stage"] == "playing" and self.chair not in self._view["waiting"]
        if waits and self._waits_since is None:
            self._waits_since = time.monotonic()
        elif not waits and self._waits_since is not None:
            self.journal.other_turns.append(Wait(self._waits_since, time.monotonic()))
            self._waits_since = None

    def _answered(self, answer: Json, start: int) -> None:
        """Process an answer. After a resend the first answer may come last, so only the id counts."""
        sent = self._pending
        if sent is None or answer["command_id"] != sent.command_id:
            return
        self._pending = None
        sent.waited = time.monotonic() - self._sent_at
        if "error" in answer:
            sent.refused = answer["error"]["code"]
            self._wait_for = sent.expected + 1
            if sent.refused != _STALE:
                self.journal.wrong_answers.append(f"{sent.command} was refused: {answer['error']}")
        else:
            sent.acknowledged = self._wait_for = answer["seq"]
            sent.repeated = answer["repeated"]
            self.journal.on_acknowledged(start)

    def _note(self, gap: str) -> None:
        self.journal.gaps.append(f"{self.table}, chair {self.chair}: {gap}")
