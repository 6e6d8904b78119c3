"""Somebody who plays at a server that may vanish at any moment, and keeps a journal of it.

Every command that is sent is noted with what came back. When the server is gone, the guest comes back with
the last event that was seen, sends again what was not answered, under the same id, and goes on.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
import websockets
from websockets.asyncio.client import ClientConnection, connect

from sanssouci.dealer import Stream

from .turns import some_command
from .wire import GONE, Line, Reply

Json = dict[str, Any]
BY_HTTP = 5
"""One command in so many is not sent on the socket."""
PAUSE = 500
"""Milliseconds, at most, after which somebody comes back; who comes back at once comes with all others."""
_STALE = "declined.stale"


@dataclass(slots=True)
class Sent:
    """A command that was sent, once or more often, and what came back."""

    table: str
    chair: int
    command_id: str
    expected: int
    command: Json
    acknowledged: int | None = None
    """The event that has carried it out, as the server said."""
    repeated: bool = False
    """Whether the server said that it had been carried out before."""
    refused: str = ""

    @property
    def order(self) -> Json:
        """As it is sent."""
        return {"command_id": self.command_id, "expected_seq": self.expected, "command": self.command}

    @property
    def answered(self) -> bool:
        """Whether the server has said anything."""
        return self.acknowledged is not None or bool(self.refused)


@dataclass
class World:
    """What all guests have in common."""

    chance: Stream
    place: str = ""
    open: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while a server is there."""
    era: int = 0
    """How many servers there were: a late word of one before is not of the one that is there now."""
    journal: list[Sent] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    """What somebody was told out of order, or told differently the second time."""
    user_errors: list[str] = field(default_factory=list)
    """Answers that nobody should have got."""
    answered: Callable[[int], None] = lambda era: None
    """Told of every acknowledgement, and in which era it was asked for."""

    async def pause(self) -> None:
        """Wait a little, and until a server is there."""
        await asyncio.sleep(self.chance.below(PAUSE) / 1000)
        await self.open.wait()


class Guest:
    """One who has chosen a name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.era = 0
        """In which the last request was made."""
        self._line = Line()
        self._headers: dict[str, str] = {}

    @classmethod
    async def arrive(cls, world: World, name: str) -> "Guest":
        """Somebody new."""
        guest = cls(world)
        reply = await guest.ask("POST", "/api/guests", {"name": name, "cookie": False})
        guest._headers["authorization"] = f"Bearer {reply.json()['token']}"
        return guest

    async def ask(self, method: str, path: str, body: Json | None = None, key: str = "") -> Reply:
        """A request, again and again until it is answered; with the secret of a link, if need be."""
        headers = {**self._headers, **({"x-sanssouci-key": key} if key else {})}
        while True:
            await self.world.open.wait()
            self.era = self.world.era
            try:
                return await self._line.ask(self.world.place, method, path, body, headers)
            except GONE:
                await self.world.pause()

    @asynccontextmanager
    async def talk(self, table: str, chair: int, seq: int = -1) -> "AsyncIterator[Talk]":
        """A socket at a chair, for one who has seen the events up to a number; one of ``GONE`` without it."""
        reply = await self.ask("POST", f"/api/tables/{table}/tickets", {"chair": chair})
        if reply.status != 201:
            self.world.user_errors.append(f"no ticket: {reply.body!r}")
            raise EOFError
        address = f"ws://{self.world.place}/api/socket"
        async with connect(address, compression=None, proxy=None, open_timeout=30) as socket:
            talk = Talk(socket)
            await talk.say({"type": "hello", "ticket": reply.json()["ticket"], "seq": seq})
            yield talk

    def leave(self) -> None:
        """Say nothing more."""
        self._line.hang_up()


class Talk:
    """Messages on a socket, to and fro."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def say(self, message: Json) -> None:
        """Send a message."""
        await self._socket.send(orjson.dumps(message), text=True)

    async def hear(self) -> Json:
        """The next message that comes."""
        message: Json = orjson.loads(await self._socket.recv())
        return message


class Sitter:
    """A guest on a chair, from the first event to the end of the game."""

    def __init__(self, guest: Guest, table: str, chair: int) -> None:
        self.guest = guest
        self.world = guest.world
        self.table = table
        self.chair = chair
        self.told: list[Json] = []
        """What was told of every event, by its number."""
        self._view: Json = {"stage": "lobby", "waiting": []}
        self._pending: Sent | None = None
        self._era = 0
        """In which the socket was opened."""
        self._least = -1
        """The event that has to be seen before anything else is done."""

    @property
    def seq(self) -> int:
        """The last event that was seen."""
        return len(self.told) - 1

    @property
    def over(self) -> bool:
        """Whether the game has ended, and everything was answered."""
        return self._view["stage"] == "over" and self._pending is None

    async def play(self) -> None:
        """Play to the end, however often the server vanishes."""
        while not self.over:
            try:
                await self._visit()
            except (*GONE, websockets.WebSocketException):
                await self.world.pause()

    async def _visit(self) -> None:
        async with self.guest.talk(self.table, self.chair, self.seq) as talk:
            self._era = self.guest.era
            if self._pending is not None:
                await self._send(self._pending, talk)
            while not self.over:
                self.hear(await talk.hear())
                await self._act(talk)

    async def _act(self, talk: Talk) -> None:
        if self._pending is None and self.seq >= self._least and self.chair in self._view["waiting"]:
            command = some_command(self._view, self.world.chance)
            self._pending = Sent(self.table, self.chair, secrets.token_hex(12), self.seq, command)
            self.world.journal.append(self._pending)
            await self._send(self._pending, talk)

    async def _send(self, sent: Sent, talk: Talk) -> None:
        if self.world.chance.below(BY_HTTP):
            await talk.say({"type": "command", **sent.order})
            return
        order = {**sent.order, "chair": self.chair}
        reply = await self.guest.ask("POST", f"/api/tables/{self.table}/commands", order)
        self._take({**reply.json(), "command_id": sent.command_id}, self.guest.era)

    def hear(self, message: Json) -> None:
        """Take a message of the server."""
        if message["type"] == "update":
            self._learn(message)
        else:
            self._take(message, self._era)

    def _learn(self, update: Json) -> None:
        if update["seq"] < self.seq:
            self._note(f"event {self.seq} was seen, and then it was {update['seq']}")
            del self.told[update["seq"] + 1 :]
            self._least = self.seq
        for event in update["events"]:
            if event["seq"] > self.seq + 1:
                self._note(f"event {event['seq']} came after {self.seq}")
            elif event["seq"] == self.seq + 1:
                self.told.append(event)
            elif event != self.told[event["seq"]]:
                self._note(f"event {event['seq']} was told twice, differently")
        if self.seq != update["seq"]:
            self._note(f"an update to {update['seq']} ends with {self.seq}")
        self._view = update["view"]

    def _take(self, answer: Json, era: int) -> None:
        """What was asked first may be answered last, after a second sending: only the id counts."""
        sent = self._pending
        if sent is None or answer["command_id"] != sent.command_id:
            return
        self._pending = None
        if "error" in answer:
            sent.refused = answer["error"]["code"]
            self._least = sent.expected + 1
            if sent.refused != _STALE:
                self.world.user_errors.append(f"{sent.command} was refused: {answer['error']}")
        else:
            sent.acknowledged = self._least = answer["seq"]
            sent.repeated = answer["repeated"]
            self.world.answered(era)

    def _note(self, gap: str) -> None:
        self.world.gaps.append(f"{self.table}, chair {self.chair}: {gap}")
