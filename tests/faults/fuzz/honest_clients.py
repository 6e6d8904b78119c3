"""Honest clients that play during an attack: their commands, the answers, and the times."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ...harness.builders import legal_command
from ...harness.client import Client, CreatedTable
from ...harness.sockets import Json, Socket, command_message
from ...harness.transports import TcpTransport
from ..seeded_random import SeededRandom

ADDRESS = "127.0.0.2"
MAX_THINKING = 0.4
"""The longest delay before a turn, in seconds."""


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged command."""

    table: str
    seq: int
    chair: int
    command_id: str
    command: Json


@dataclass
class HonestClients:
    """All honest clients of a server."""

    host: str
    rng: SeededRandom
    on_answer: Callable[[float], None] = lambda seconds: None
    """Called with the time that the server took for a command."""
    journal: list[Acknowledged] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    requested: int = 0
    """Tables that were requested. The last may have been cut off."""
    guests: int = 0
    wrong_answers: list[str] = field(default_factory=list)
    ids: int = 0

    async def play_on(self) -> None:
        """Two guests play one game after the other."""
        ada, ben = [await self._guest(name) for name in ("Ada", "Ben")]
        try:
            while True:
                self.requested += 1
                table = await ada.create_table("person", "open", edition="imperial")
                await ben.with_key(table.join).join(table, 1)
                self.tables.append(table.id)
                await asyncio.gather(*(self._play(client, table, at) for at, client in enumerate((ada, ben))))
        finally:
            await ada.close()
            await ben.close()

    async def _guest(self, name: str) -> Client:
        self.guests += 1
        return await Client(TcpTransport(self.host, ADDRESS)).as_guest(name)

    async def _play(self, client: Client, table: CreatedTable, chair: int) -> None:
        socket = await client.connect(table, chair)
        await client.close()  # else the server closes the idle connection during the game
        try:
            await self._play_on(socket, table.id, chair)
        finally:
            await socket.close()

    async def _play_on(self, socket: Socket, table: str, chair: int) -> None:
        known = -1
        while socket.view.get("stage") != "over":
            await socket.receive()
            if chair in socket.view.get("waiting", ()) and socket.view["seq"] > known:
                known = socket.view["seq"]
                await asyncio.sleep(MAX_THINKING * self.rng.below(1000) / 1000)
                await self._act(socket, table, chair)

    async def _act(self, socket: Socket, table: str, chair: int) -> None:
        """Send a command, and receive until it is answered."""
        self.ids += 1
        command, command_id = legal_command(socket.view, self.rng), f"honest-{self.ids}"
        message = command_message(command, socket.view["seq"], command_id)
        start = time.perf_counter()
        await socket.send({"type": "command", **message})
        while (answer := await socket.receive()).get("command_id") != command_id:
            pass
        self.on_answer(time.perf_counter() - start)
        if answer["type"] == "done":
            self.journal.append(Acknowledged(table, answer["seq"], chair, command_id, command))
        elif answer["error"]["code"] != "declined.stale":
            self.wrong_answers.append(f"{command} was refused: {answer['error']}")
