"""A whole server in this process: the real application on a real store, with fakes for everything else."""

import asyncio
import functools
import inspect
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sanssouci.cluster import Bus, SharedLimits
from sanssouci.dealer import Seed
from sanssouci.server.app import make_app, make_services
from sanssouci.server.middleware.origin_check import AllowedOrigins
from sanssouci.server.ops.clocks import DatabaseClock
from sanssouci.server.ops.static_files import StaticFiles
from sanssouci.server.run import _config, _listen_socket, _Server
from sanssouci.server.services import Services
from sanssouci.server.settings import Settings
from sanssouci.store import Store
from sanssouci.table import Croupier
from sanssouci.workers import WorkerPool

from ..store.builders import all_rows, empty_data_file
from ..workers.pools import run_with_timeout, until
from .builders import legal_command
from .client import Client, CommittedNonce, CreatedTable
from .fakes import FailingStore, FakeClock, FakePlayers, FakeSecrets, fake_dependencies
from .settings import RATES
from .sockets import Json
from .transports import ORIGIN, AsgiTransport

if TYPE_CHECKING:
    from .description import DescriptionCheck


log_level = logging.DEBUG
"""The lowest level of lines that servers in this process print."""


def _log_plainly() -> None:
    """Avoid structlog's default traceback: drawing all local variables of a server takes a minute."""
    if not structlog.is_configured():
        renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        structlog.configure(
            processors=[structlog.processors.add_log_level, renderer],
            wrapper_class=structlog.make_filtering_bound_logger(log_level),
        )


class InProcessServer:
    def __init__(
        self,
        folder: Path,
        players: tuple[str, ...] = ("random",),
        name: str = "server",
        *,
        pool: WorkerPool | None = None,
        described: bool = False,
        **settings: Any,
    ) -> None:
        """Servers of different names issue different ids, seeds and tokens.

        A ``described`` server compares everything that it sends with its API description, and its computer
        players play at random.
        """
        self.path = folder / "tables.db"
        self.bus: Bus | None = None
        self.shared_limits: SharedLimits | None = None
        usual = {"data": self.path, "players": players, "rates": RATES, "address_factor": 1000}
        self.settings = Settings(**{**usual, **settings})
        self.clock = FakeClock()
        self.secrets = FakeSecrets(name)
        self.players = FakePlayers(*players, at_random=described)
        self.committed: dict[str, list[CommittedNonce]] = {}
        self.check = _description_check() if described else None
        self.store: FailingStore
        self.services: Services
        self.pages: StaticFiles | None = None
        self.app: ASGIApp
        self._pool = pool or self.players
        self._lifespan: _Lifespan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Clients call the server, so that they also reach the application that a restart has built."""
        await self.app(scope, receive, send)

    def start(self) -> None:
        """Build the application, without its background tasks."""
        if self.settings.data == self.path and not self.path.exists():
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_bytes(empty_data_file())
        store = FailingStore.open(self.settings.data)
        assert isinstance(store, FailingStore)
        self.store = store
        dependencies = fake_dependencies(self.clock, self.secrets, self.croupier)
        self.services = make_services(
            self.settings,
            store,
            self._pool,
            dependencies,
            self.pages,
            bus=self.bus,
            database_clock=self.database_clock(store),
            shared_limits=self.shared_limits,
        )
        self.app = make_app(self.services, AllowedOrigins.of("127.0.0.1", 8017, self.settings.public_url))

    def database_clock(self, store: Store) -> DatabaseClock | None:
        """The clock of a database, if it is not that of this server."""
        return None

    def croupier(self, seed: Seed, table: str) -> Croupier:
        return Croupier(seed, table)

    async def open(self) -> None:
        _log_plainly()
        self.start()
        self._lifespan = _Lifespan(self.app)
        await self._lifespan.start_up()

    async def close(self) -> None:
        await self._lifespan.shut_down()
        self.store.close()

    async def restart(self) -> None:
        """Close, and open again on the same data."""
        await self.close()
        await self.open()

    def client(self, headers: dict[str, str] | None = None, peer: str = "127.0.0.1") -> Client:
        """A client without a guest, unless the headers name one."""
        if self.check is None:
            return Client(
                AsgiTransport(self, peer), headers, find_seq=self._find_seq, committed=self.committed
            )
        transport = AsgiTransport(self, peer, check=self.check.response)
        return Client(transport, headers, self.check.message, self._find_seq, self.committed)

    def _find_seq(self, table: str) -> int | None:
        live_table = None if self.store.shared else self.services.registry.find_loaded(table)
        return None if live_table is None else live_table.table.seq

    async def guest(self, name: str = "Ada", browser: bool = False, **headers: str) -> Client:
        """A new guest, known by a token, or by a cookie as a browser is."""
        return await self.client().as_guest(name, browser, **headers)

    async def two_players(self, *others: str, **settings: Any) -> tuple[CreatedTable, Client, Client]:
        """A table of Ada, who has created it, and Bob, who has joined; ``others`` are further chairs."""
        ada, bob = await self.guest("Ada"), await self.guest("Bob")
        table = await ada.create_table("person", "open", *others, **settings)
        await (bob if settings.get("visibility") == "open" else bob.with_key(table.join)).join(table)
        return table, ada, bob

    async def sweep(self) -> None:
        """Run due tasks of the scheduler, and wait until they are done."""
        await self.services.scheduler.sweep()
        await self.settle()

    async def settle(self) -> None:
        """Wait until computer players have played as far as they can, and no deadline has passed."""
        registry = self.services.registry

        def is_settled() -> bool:
            tables = registry.live_tables()
            late = any(
                (live.table.state.deadline or inf) <= registry.time_at(live.table.id) for live in tables
            )
            return not late and not registry._running and not any(live.bot_task for live in tables)

        await until(is_settled)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything stored, by table."""
        return all_rows(self.path)

    async def play_out(
        self, table: CreatedTable | str, clients: Mapping[int, Client], commands: int = 1000
    ) -> Json:
        """Let clients play on their chairs, to the end or for so many commands; the last view.

        Nonces are revealed by the way, and not counted.
        """
        first = next(iter(clients.values()))
        while True:
            await self.settle()
            view = await first.view(table)
            awaited = [chair for chair in view["waiting"] if chair in clients]
            if not awaited or (commands == 0 and not view["shuffling"]):
                break
            client, chair = clients[awaited[0]], awaited[0]
            await client.do(table, at=chair, **legal_command(await client.view(table, chair)))
            commands -= 0 if view["shuffling"] else 1
        await self.settle()
        return await first.view(table)

    @asynccontextmanager
    async def listening(self, *origins: str, send_buffer: int | None = None) -> AsyncIterator["Listener"]:
        """Serve on a free TCP port too; pages of ``origins`` are allowed."""
        with _listen_socket("127.0.0.1", 0) as bound:
            if send_buffer is not None:
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
            port = bound.getsockname()[1]
            app = make_app(self.services, AllowedOrigins.of("127.0.0.1", port, more=(ORIGIN, *origins)))
            config = _config(app, self.settings)
            config.lifespan = "off"
            server = _Server(config, lambda: None)
            serving = asyncio.create_task(server.serve(sockets=[bound]))
            try:
                await until(lambda: server.started or serving.done())
                yield Listener(port, server)
            finally:
                server.should_exit = True
                await serving


@dataclass(frozen=True)
class Listener:
    """An in-process server on a TCP port."""

    port: int
    server: uvicorn.Server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)


def _description_check() -> "DescriptionCheck":
    from .description import DescriptionCheck  # building the description takes time

    return DescriptionCheck()


@asynccontextmanager
async def running_server(folder: Path, *args: Any, **settings: Any) -> AsyncIterator[InProcessServer]:
    server = InProcessServer(folder, *args, **settings)
    await server.open()
    try:
        yield server
    finally:
        await server.close()


def with_server(**settings: Any) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Run an async test with a server as its first argument; fixtures and parameters may follow."""

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        async def run_test(folder: Path, *args: Any, **kwargs: Any) -> None:
            async with running_server(folder, **settings) as server:
                await test(server, *args, **kwargs)

        def run(tmp_path: Path, *args: Any, **kwargs: Any) -> None:
            run_with_timeout(run_test(tmp_path, *args, **kwargs))

        functools.update_wrapper(run, test)
        del run.__wrapped__  # type: ignore[attr-defined]  # pytest would look for a fixture "server"
        first, *others = inspect.signature(test).parameters.values()
        own = first.replace(name="tmp_path", annotation=Path)
        run.__signature__ = inspect.Signature([own, *others])  # type: ignore[attr-defined]
        return run

    return decorate


class _Lifespan:
    """Start-up and shutdown of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._from_app: asyncio.Queue[Message] = asyncio.Queue()
        self._app = app

    async def start_up(self) -> None:
        self._task = asyncio.create_task(self._run())
        await self._pass("startup")

    async def shut_down(self) -> None:
        await self._pass("shutdown")
        await self._task

    async def _run(self) -> None:
        await self._app({"type": "lifespan", "state": {}}, self._to_app.get, self._from_app.put)

    async def _pass(self, stage: str) -> None:
        self._to_app.put_nowait({"type": f"lifespan.{stage}"})
        assert (await self._from_app.get())["type"] == f"lifespan.{stage}.complete"
