"""Honest people, who play while others attack: what they do, what they are told, and how long that takes."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from ..lot import Lot
from ..turns import some_command
from .frames import PING, PONG, frame
from .wires import Socket, Wire

Json = dict[str, Any]
ADDRESS = "127.0.0.2"
THOUGHT = 0.4
"""Seconds that somebody thinks about a turn, at most."""


@dataclass(frozen=True)
class Said:
    """A command that was acknowledged."""

    table: str
    seq: int
    chair: int
    command_id: str
    command: Json


@dataclass
class Company:
    """All honest people at a server."""

    place: str
    lot: Lot
    timed: Callable[[float], None] = lambda seconds: None
    """Told how long the server took for a command."""
    journal: list[Said] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    asked: int = 0
    """Tables that were asked for; the last may have been cut off."""
    guests: int = 0
    user_errors: list[str] = field(default_factory=list)
    ids: int = 0

    async def play_on(self) -> None:
        """Two people play one game after the other."""
        with closing(Wire(self.place, ADDRESS)) as wire:
            tokens = [await self._arrive(wire, name) for name in ("Ada", "Ben")]
            while True:
                table = await self._sit_down(wire, *tokens)
                await asyncio.gather(*(self._play(table, chair, tokens[chair]) for chair in range(2)))

    async def _arrive(self, wire: Wire, name: str) -> str:
        self.guests += 1
        return str((await wire.ask("POST", "/api/guests", {"name": name, "cookie": False}))["token"])

    async def _sit_down(self, wire: Wire, ada: str, ben: str) -> str:
        wanted = {"chairs": [{"sitter": "person"}, {"sitter": "open"}], "edition": "imperial"}
        self.asked += 1
        made = await wire.ask("POST", "/api/tables", wanted, ada)
        table = str(made["table"])
        await wire.ask("POST", f"/api/tables/{table}/seats", {"chair": 1}, ben, made["join"])
        self.tables.append(table)
        wire.close()  # else the server does, while they play
        return table

    async def _play(self, table: str, chair: int, token: str) -> None:
        with closing(Wire(self.place, ADDRESS)) as wire:
            ticket = await wire.ask("POST", f"/api/tables/{table}/tickets", {"chair": chair}, token)
        with closing(Socket(self.place, ADDRESS)) as socket:
            await socket.upgrade()
            await socket.say({"type": "hello", "ticket": ticket["ticket"], "seq": -1})
            await _Person(self, table, chair, socket).play()


class _Person:
    """One on a chair, until the game is over."""

    def __init__(self, company: Company, table: str, chair: int, socket: Socket) -> None:
        self._company, self._table, self._chair, self._socket = company, table, chair, socket
        self._known = -1
        self._view: Json = {}

    async def play(self) -> None:
        while self._view.get("stage") != "over":
            await self._hear()
            if self._chair in self._view.get("waiting", ()) and self._view["seq"] > self._known:
                await asyncio.sleep(THOUGHT * self._company.lot.below(1000) / 1000)
                await self._act()

    async def _act(self) -> None:
        """A command, and what comes until it is answered."""
        company = self._company
        company.ids += 1
        command, own = some_command(self._view, company.lot), f"honest-{company.ids}"
        order = {"command_id": own, "expected_seq": self._view["seq"], "command": command}
        self._known, begun = self._view["seq"], time.perf_counter()
        await self._socket.say({"type": "command", **order})
        while (answer := await self._hear()).get("command_id") != own:
            pass
        company.timed(time.perf_counter() - begun)
        if answer["type"] == "done":
            company.journal.append(Said(self._table, answer["seq"], self._chair, own, command))
        elif answer["error"]["code"] != "declined.stale":
            company.user_errors.append(f"{command} was refused: {answer['error']}")

    async def _hear(self) -> Json:
        opcode, payload = await self._socket.hear()
        if opcode == PING:
            await self._socket.send(frame(PONG, payload))
            return {}
        message: Json = json.loads(payload)
        if message["type"] == "update":
            self._view = message["view"]
        return message
