"""Conflicting commands, and their targets: a table registry with a store, or a complete server."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from sanssouci.dealer import Stream
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.server.error_responses import error_json
from sanssouci.server.tables.live_table import LiveTable
from sanssouci.server.tables.table_registry import CommandRequest, CommandResult, Dependencies, TableRegistry
from sanssouci.store import Conflict, Store
from sanssouci.table import (
    Caller,
    Croupier,
    Sitter,
    Viewer,
    make_settings,
    new_chair,
    new_table,
    parse_command,
)

from ..harness.builders import legal_command
from ..harness.client import Client
from ..harness.sockets import Json, Socket
from ..harness.transports import Closed
from .journal_clients import SentCommand
from .planted import planted_server

STALE = "declined.stale"
NOT_YOUR_TURN = "refusal.not_your_turn"
PlantFault = Callable[[LiveTable], None]
"""Plants a fault in a table that was just loaded."""
_EVICT_EVERY = 20
"""The table is evicted and reloaded once in so many rounds."""


def no_fault(live_table: LiveTable) -> None:
    """Plant no fault."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one command."""

    seq: int | None = None
    """The sequence number of the event."""
    repeated: bool = False
    refused: str = ""

    @property
    def kind(self) -> str:
        return "refused" if self.seq is None else "repeated" if self.repeated else "done"


def make_conflicting_commands(table: str, views: list[Json], count: int, chance: Stream) -> list[SentCommand]:
    """Commands of one chair that all expect the same sequence number. The first is legal.

    Some of the others come from a chair that is not to move, with a command of the chair that is. Commands of
    several chairs do not conflict where all may act: nobody's pick makes another's stale.
    """
    awaited = views[0]["waiting"]
    actor = awaited[chance.below(len(awaited))]
    idle = [chair for chair in range(len(views)) if chair not in awaited]
    commands = []
    for number in range(count):
        intrudes = number > 0 and views[0]["stage"] == "playing" and chance.below(4) == 0
        chair = idle[chance.below(len(idle))] if intrudes else actor
        command = legal_command(views[actor], chance)
        commands.append(SentCommand(table, chair, secrets.token_hex(12), views[0]["seq"], command))
    return commands


class RegistryTarget:
    """The table registry and the store of a server, without a network."""

    name = "in the registry"

    def __init__(self, data: Path, plant_fault: PlantFault) -> None:
        self.data = data
        self.table = ""
        self._seats = 0
        self._rounds = 0
        self._plant_fault = plant_fault
        self._store = Store.open(data)
        self._registry = TableRegistry(self._store, Dependencies(), lambda live_table: None)

    def __enter__(self) -> "RegistryTarget":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    async def new_table(self, chance: Stream) -> None:
        """Create a table of two, three or four people."""
        dependencies, self._seats = self._registry.dependencies, 2 + chance.below(3)
        self.table, seed = dependencies.table_id(), dependencies.seed()
        settings = make_settings(self._seats, "imperial", ["rewards"] if chance.below(2) else [])
        people = tuple(new_chair(Sitter.PERSON, f"P{place}") for place in range(self._seats))
        transition = new_table(self.table, settings, people, dependencies.now(), Croupier(seed, self.table))
        self._plant_fault(await self._registry.create(self.table, seed, transition))

    async def views(self) -> list[Json]:
        live_table = await self._hosted()
        return [{**live_table.view(Viewer(chair))} for chair in range(self._seats)]

    async def send(self, commands: list[SentCommand]) -> list[list[Answer]]:
        """Send all commands in one iteration of the event loop."""
        self._rounds += 1
        if self._rounds % _EVICT_EVERY == 0:
            self._registry.evict(self._registry.dependencies.now() + 1)
        live_table = await self._hosted()
        return await asyncio.gather(*(self._send(live_table, sent) for sent in commands))

    async def _hosted(self) -> LiveTable:
        known = self._registry.live_tables()
        live_table = await self._registry.table(self.table)
        if live_table not in known:
            self._plant_fault(live_table)
        return live_table

    async def _send(self, live_table: LiveTable, sent: SentCommand) -> list[Answer]:
        results: list[CommandResult] = []
        request = CommandRequest(
            parse_command(sent.command),
            Caller(sent.chair),
            sent.command_id,
            sent.expected,
            acknowledge=results.append,
        )
        try:
            await self._registry.command(live_table, request)
        except (UserError, Refused) as error:
            return [Answer(refused=error_json(error, "en")["code"]), *map(_answer, results)]
        except Conflict:
            return [Answer(refused="a conflict in the store"), *map(_answer, results)]
        return list(map(_answer, results))


def _answer(done: CommandResult) -> Answer:
    return Answer(done.event.seq, done.repeated)


class ServerTarget:
    """A complete server. Each chair of its table is open in many tabs of the same browser."""

    def __init__(self, data: Path, client: Client, tabs: int, name: str = "over TCP") -> None:
        self.data = data
        self.name = name
        self.table = ""
        self._client = client
        self._tabs = tabs
        self._open: list[list[Tab]] = [[], []]

    @classmethod
    @asynccontextmanager
    async def opened(cls, folder: Path, tabs: int) -> "AsyncIterator[ServerTarget]":
        """A new server with a new data file."""
        (folder / "data").mkdir()
        with planted_server(folder / "data" / "tables.db", folder / "log") as server:
            server.start()
            await server.listening()
            target = cls(server.data, await server.client().as_guest("Ada"), tabs)
            try:
                yield target
            finally:
                await target.close()

    async def close(self) -> None:
        await self._close_windows()
        await self._client.close()

    async def _close_windows(self) -> None:
        await asyncio.gather(*(tab.close() for side in self._open for tab in side))

    async def new_table(self, chance: Stream) -> None:
        """Create a table of two people who share a screen."""
        await self._close_windows()
        expansions = ["rewards"] if chance.below(2) else []
        table = await self._client.create_table("person", "person", edition="imperial", expansions=expansions)
        self.table = table.id
        self._open = [
            [Tab(await self._client.connect(table, chair)) for _ in range(self._tabs)] for chair in (0, 1)
        ]

    async def views(self) -> list[Json]:
        return [await self._client.view(self.table, chair) for chair in (0, 1)]

    async def send(self, commands: list[SentCommand]) -> list[list[Answer]]:
        """Send each command from a separate tab."""
        free = [iter(side) for side in self._open]
        tabs = [next(free[sent.chair]) for sent in commands]
        await asyncio.gather(*(tab.send(sent) for tab, sent in zip(tabs, commands, strict=True)))
        return [await tab.answers() for tab in tabs]


class Tab:
    """A socket that collects the answers to its commands and skips updates."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._answers: asyncio.Queue[Answer] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def send(self, sent: SentCommand) -> None:
        await self._socket.send({"type": "command", **sent.message})

    async def answers(self) -> list[Answer]:
        """The answers since the last call, at least one."""
        found = [await self._answers.get()]
        while not self._answers.empty():
            found.append(self._answers.get_nowait())
        return found

    async def close(self) -> None:
        await self._socket.close()
        await self._reading

    async def _read(self) -> None:
        with suppress(Closed):
            while True:
                message = await self._socket.receive()
                if message["type"] == "done":
                    self._answers.put_nowait(Answer(message["seq"], message["repeated"]))
                elif message["type"] == "refused":
                    self._answers.put_nowait(Answer(refused=message["error"]["code"]))
