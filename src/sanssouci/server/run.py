"""Runs a server: opens the data file, the worker pool and the listening socket, and closes them in order."""

import asyncio
import errno
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from functools import partial

import structlog
import uvicorn

from sanssouci.cluster import Bus, NoBus, NoSharedLimits, SharedLimits, check_redis, redis_bus, redis_limits
from sanssouci.locale import UserError, os_error_reason
from sanssouci.store import Store
from sanssouci.workers import DoneJob, PoolConfig, StartProgress, WorkerPool

from .app import make_app, make_services
from .drain import Drain
from .middleware.origin_check import AllowedOrigins
from .ops.clocks import DatabaseClock
from .ops.exposure import Exposure
from .ops.gc_schedule import scheduled_gc
from .ops.logs import configure_logs
from .rate_limits import Clock
from .settings import Settings
from .transport.connection_limit import ConnectionLimit, max_connections, raise_file_limit
from .transport.http_timeouts import TimeoutHttpProtocol
from .transport.websocket_guard import GuardedWebSocketProtocol

SHUTDOWN_GRACE = 5
"""Seconds for open requests and worker jobs to finish when the server is stopped."""
SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes gives way to the event loop; Python's default is 5 ms."""

_log = structlog.get_logger("sanssouci.server")


def serve_until_stopped(
    settings: Settings,
    ready: Callable[[str], None],
    progress: Callable[[StartProgress], None] = lambda _: None,
) -> None:
    """Serve until a signal arrives; ``Locked`` if another server has the data file.

    ``ready`` is called with the local URL once the server accepts requests; ``progress`` while workers start.
    """
    configure_logs(settings.log_level, settings.log_format)
    with Store.open(settings.data) as store, _listen_socket(settings.host, settings.port) as bound:
        url = local_url(settings.host, bound.getsockname()[1])
        store.publish(url)
        with asyncio.Runner(loop_factory=_event_loop()) as runner:
            runner.run(_serve(settings, store, bound, lambda: ready(url), progress))


def local_url(host: str, port: int) -> str:
    """The server's URL for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host)
    return f"http://{name or (f'[{host}]' if ':' in host else host)}:{port}"


async def _serve(
    settings: Settings,
    store: Store,
    bound: socket.socket,
    ready: Callable[[], None],
    progress: Callable[[StartProgress], None],
) -> None:
    def measure(done: DoneJob) -> None:
        services.metrics.job(done)

    bus, shared_limits = await _redis(settings, store.shared)
    database_clock = DatabaseClock(store) if store.shared else None
    worker_pool = _worker_pool(settings, progress, measure)
    worker_pool.start()
    try:
        port = bound.getsockname()[1]
        origins = AllowedOrigins.of(settings.host, port, settings.public_url, settings.origins)

        async def listen(address: str) -> None:
            await server.listen_at(address, port)
            origins.add_address(address, port)

        exposure = Exposure(settings, port, listen)
        services = make_services(
            settings,
            store,
            worker_pool,
            exposure=exposure,
            bus=bus,
            database_clock=database_clock,
            shared_limits=shared_limits,
        )
        files = raise_file_limit(settings.sockets)
        config = _config(make_app(services, origins), settings, files)
        server = _Server(config, ready, services.registry.dependencies.now, services.drain)
        sys.setswitchinterval(SWITCH_INTERVAL)
        async with scheduled_gc():
            try:
                await server.serve(sockets=[bound])
            finally:  # uvicorn does not close its sockets if it is cancelled
                for listening in server.servers:
                    listening.close()
    finally:
        await worker_pool.close(SHUTDOWN_GRACE)


async def _redis(settings: Settings, shared: bool) -> tuple[Bus, SharedLimits]:
    """``UserError`` if there should be a Redis, and there is none: probably its address is wrong."""
    if settings.redis is None:
        return NoBus(), NoSharedLimits()
    await check_redis(settings.redis)
    if not shared:  # Redis is then for workers only
        return NoBus(), NoSharedLimits()
    return redis_bus(settings.redis), redis_limits(settings.redis)


def _worker_pool(
    settings: Settings, progress: Callable[[StartProgress], None], measure: Callable[[DoneJob], None]
) -> WorkerPool:
    """With Redis, a pool that prefers the processes of ``sanssouci worker``."""
    arguments = (settings.workers, settings.players, pool_config(settings), progress, measure)
    if settings.redis is None:
        return WorkerPool(*arguments)
    try:
        from sanssouci.workers.cluster_pool import ClusterWorkerPool  # noqa: PLC0415 - it needs optional packages
    except ModuleNotFoundError:
        raise UserError("cluster.no_driver") from None
    return ClusterWorkerPool(settings.redis, *arguments)


def pool_config(settings: Settings) -> PoolConfig:
    """The settings of the worker pool. A player's thinking time is not among them; players decide it."""
    return PoolConfig(job_timeout=settings.player_seconds, review_rollouts=settings.review_rollouts)


def _config(app: "object", settings: Settings, files: int | None = None) -> uvicorn.Config:
    limit = max_connections(settings.sockets, files)
    connections = ConnectionLimit(limit, settings.connections_per_address, settings.trusted_proxies)
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # an ASGI app; uvicorn's own type for it is narrower
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # middleware/client_info.py knows which proxies to trust
        server_header=False,
        ws_max_size=settings.max_message,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=SHUTDOWN_GRACE,
        http=partial(TimeoutHttpProtocol, connections=connections),  # type: ignore[arg-type]  # it is only called
        ws=partial(GuardedWebSocketProtocol, connections=connections),  # type: ignore[arg-type]
        limit_concurrency=limit + 1,  # ConnectionLimit closes connections beyond it
    )


class _Server(uvicorn.Server):
    """A uvicorn server that reports when it is ready and does not re-raise signals."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        now: Clock = time.time,
        drain: Drain | None = None,
    ) -> None:
        super().__init__(config)
        self.servers: list[asyncio.Server] = []
        self._on_ready = ready
        self._now = now
        self._drain = drain

    async def on_tick(self, counter: int) -> bool:
        """Send server time as the date: browsers compare it with deadlines to show the time left."""
        ended = await super().on_tick(counter)
        if counter % 10 == 0:  # once a second, as uvicorn does
            date = formatdate(self._now(), usegmt=True).encode("ascii")
            self.server_state.default_headers = [(b"date", date), *self.config.encoded_headers]
        return ended

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do not raise the signal again after shutdown, because more has to be closed first."""
        with super().capture_signals():
            try:
                yield
            finally:
                self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let players go on elsewhere first; a second Ctrl-C ends the wait."""
        if self._drain is not None:
            await self._drain.run(lambda: self.force_exit)
        await super().shutdown(sockets)

    async def listen_at(self, address: str, port: int) -> None:
        """Accept connections on one more address, or ``UserError``."""
        loop, config = asyncio.get_running_loop(), self.config

        def protocol() -> asyncio.Protocol:
            return config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn itself does
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )

        self.servers.append(
            await loop.create_server(protocol, sock=_listen_socket(address, port), backlog=config.backlog)
        )


def _listen_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise UserError("server.port_taken", host=host, port=port) from None
        raise UserError(
            "server.cannot_listen", host=host, port=port, reason=_listen_error(host, error)
        ) from None


def _listen_error(host: str, error: OSError | UnicodeError) -> UserError | str:
    """Why an address cannot be bound, without the text that Python adds to the system's message."""
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        return UserError("os_error.no_host")
    code = getattr(error, "errno", None) or 0
    return (
        UserError("os_error.port_rights")
        if code == errno.EACCES
        else os_error_reason(OSError(code, os.strerror(code)))
    )


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    return uvloop.new_event_loop
