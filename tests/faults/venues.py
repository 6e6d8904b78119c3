"""Where conflicts are fought out: in the hall of a server with its own store, or at a whole server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType

import orjson
from websockets.asyncio.client import ClientConnection, connect

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

from .guest import Guest, Json, Sent, World
from .rivals import Answer
from .served import Served

Spoil = Callable[[LiveTable], None]
"""Plants something at a table that was just brought into memory."""
_PUT_AWAY = 20
"""One table in so many rounds is forgotten, and read again from the store."""


def unspoilt(live_table: LiveTable) -> None:
    """Nothing is planted."""


class InHall:
    """The hall and the store of a server, without a network."""

    name = "in the hall"

    def __init__(self, data: Path, spoil: Spoil) -> None:
        self.data = data
        self.table = ""
        self._seats = 0
        self._rounds = 0
        self._spoil = spoil
        self._store = Store.open(data)
        self._registry = TableRegistry(self._store, Dependencies(), lambda live_table: None)

    def __enter__(self) -> "InHall":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    async def new_table(self, chance: Stream) -> None:
        """A table of two, three or four people."""
        dependencies, self._seats = self._registry.dependencies, 2 + chance.below(3)
        self.table, seed = dependencies.table_id(), dependencies.seed()
        terms = make_settings(self._seats, "imperial", ["rewards"] if chance.below(2) else [])
        people = tuple(new_chair(Sitter.PERSON, f"P{place}") for place in range(self._seats))
        move = new_table(self.table, terms, people, dependencies.now(), Croupier(seed, self.table))
        self._spoil(await self._registry.create(self.table, seed, move))

    async def views(self) -> list[Json]:
        """From every chair."""
        live_table = await self._hosted()
        return [live_table.view(Viewer(chair)) for chair in range(self._seats)]

    async def give(self, tries: list[Sent]) -> list[list[Answer]]:
        """All in one breath of the event loop."""
        self._rounds += 1
        if self._rounds % _PUT_AWAY == 0:
            self._registry.evict(self._registry.dependencies.now() + 1)
        live_table = await self._hosted()
        return await asyncio.gather(*(self._give(live_table, sent) for sent in tries))

    async def _hosted(self) -> LiveTable:
        known = self._registry.live_tables()
        live_table = await self._registry.table(self.table)
        if live_table not in known:
            self._spoil(live_table)
        return live_table

    async def _give(self, live_table: LiveTable, sent: Sent) -> list[Answer]:
        told: list[CommandResult] = []
        order = CommandRequest(
            parse_command(sent.command),
            Caller(sent.chair),
            sent.command_id,
            sent.expected,
            acknowledge=told.append,
        )
        try:
            await self._registry.command(live_table, order)
        except (UserError, Refused) as error:
            return [Answer(refused=error_json(error, "en")["code"]), *map(_answer, told)]
        except Conflict:
            return [Answer(refused="a conflict in the store"), *map(_answer, told)]
        return list(map(_answer, told))


def _answer(done: CommandResult) -> Answer:
    return Answer(done.event.seq, done.repeated)


class OnWire:
    """A whole server; each chair of its table is open in many windows of the same browser."""

    name = "over the wire"

    def __init__(self, data: Path, guest: Guest, windows: int) -> None:
        self.data = data
        self.table = ""
        self._guest = guest
        self._windows = windows
        self._open: list[list[Window]] = [[], []]

    @classmethod
    @asynccontextmanager
    async def opened(cls, folder: Path, windows: int, chance: Stream) -> "AsyncIterator[OnWire]":
        """A new server on a new file, as long as it is needed."""
        (folder / "data").mkdir()
        with Served(folder / "data" / "tables.db", folder / "log") as served:
            served.start()
            await served.opened()
            world = World(chance, served.place)
            world.open.set()
            venue = cls(served.data, await Guest.arrive(world, "Ada"), windows)
            try:
                yield venue
            finally:
                await venue.close()

    async def close(self) -> None:
        """All windows."""
        await asyncio.gather(*(window.close() for side in self._open for window in side))
        self._guest.leave()

    async def new_table(self, chance: Stream) -> None:
        """A table of two people at one screen."""
        await asyncio.gather(*(window.close() for side in self._open for window in side))
        wanted = {
            "chairs": [{"sitter": "person"}, {"sitter": "person", "name": "Ben"}],
            "edition": "imperial",
            "expansions": ["rewards"] if chance.below(2) else [],
        }
        self.table = (await self._guest.ask("POST", "/api/tables", wanted)).json()["table"]
        self._open = [
            [await Window.opened(self._guest, self.table, chair) for _ in range(self._windows)]
            for chair in (0, 1)
        ]

    async def views(self) -> list[Json]:
        """From both chairs."""
        path = f"/api/tables/{self.table}?chair="
        return [(await self._guest.ask("GET", f"{path}{chair}")).json() for chair in (0, 1)]

    async def give(self, tries: list[Sent]) -> list[list[Answer]]:
        """Each from a window of its own."""
        free = [iter(side) for side in self._open]
        windows = [next(free[sent.chair]) for sent in tries]
        await asyncio.gather(*(window.say(sent) for window, sent in zip(windows, tries, strict=True)))
        return [await window.answers() for window in windows]


class Window:
    """One socket, with all that it was answered; what it is told of the game it lets pass."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._heard: asyncio.Queue[Answer] = asyncio.Queue()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def opened(cls, guest: Guest, table: str, chair: int) -> "Window":
        """A socket at a chair of the guest."""
        reply = await guest.ask("POST", f"/api/tables/{table}/tickets", {"chair": chair})
        socket = await connect(f"ws://{guest.world.place}/api/socket", compression=None, proxy=None)
        await socket.send(orjson.dumps({"type": "hello", "ticket": reply.json()["ticket"]}), text=True)
        return cls(socket)

    async def say(self, sent: Sent) -> None:
        """Give a command."""
        await self._socket.send(orjson.dumps({"type": "command", **sent.order}), text=True)

    async def answers(self) -> list[Answer]:
        """What came since the last time: one at least is waited for."""
        heard = [await self._heard.get()]
        while not self._heard.empty():
            heard.append(self._heard.get_nowait())
        return heard

    async def close(self) -> None:
        """Close the socket."""
        await self._socket.close()
        await self._listening

    async def _listen(self) -> None:
        async for data in self._socket:
            message = orjson.loads(data)
            if message["type"] == "done":
                self._heard.put_nowait(Answer(message["seq"], message["repeated"]))
            elif message["type"] == "refused":
                self._heard.put_nowait(Answer(refused=message["error"]["code"]))
