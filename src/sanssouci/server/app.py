"""The application: routes, exception handlers, lifespan and the wiring of all services."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import cache, partial

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp

from sanssouci import __version__
from sanssouci.cluster import Bus, NoBus, NoSharedLimits, SharedLimits
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.store import DamagedRow, Store
from sanssouci.table import COMMANDS
from sanssouci.workers import WorkerPool

from .auth.principal import enforce_rate_limit, rate_limited
from .auth.tickets import StoredTickets, Tickets
from .drain import Drain
from .error_responses import error_response, malformed
from .middleware.errors import language_of
from .middleware.origin_check import AllowedOrigins
from .middleware.stack import HeadMiddleware, WebSocketDispatch, with_middleware
from .ops.clocks import DatabaseClock, ServerClock
from .ops.exposure import Exposure
from .ops.metrics import Metrics
from .ops.static_files import StaticFiles, built_files
from .quotas import Quotas, SocketLimits
from .rate_limits import Limit, RateLimiter, StorageQuota
from .reviews import Reviews
from .routes import game_data, guests, lessons, records, scores, spa, system, tables
from .services import Claims, Services
from .settings import Settings
from .socket import serve_socket
from .tables.membership import Membership
from .tables.peer_sync import PeerSync
from .tables.scheduler import LobbyExpiry, Scheduler
from .tables.table_registry import Dependencies, TableRegistry
from .wire.description import Description
from .wire.openapi import SOCKET, describe
from .wire.route_docs import BAD_JSON

OUTCOMES = frozenset({"done", "repeated", "refused"})
DESCRIPTION = "/api/openapi.json"
_HTTP = {404: "server.no_such_page", 405: "server.wrong_method"}

_log = structlog.get_logger("sanssouci.server")
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def make_services(
    settings: Settings,
    store: Store,
    worker_pool: WorkerPool,
    dependencies: Dependencies | None = None,
    pages: StaticFiles | None = None,
    exposure: Exposure | None = None,
    bus: Bus | None = None,
    database_clock: DatabaseClock | None = None,
    shared_limits: SharedLimits | None = None,
) -> Services:
    """Wire up everything a server needs, on an open store and a started worker pool."""
    dependencies = dependencies or Dependencies()
    if database_clock is not None:
        server_clock = ServerClock(database_clock.now)
        dependencies = replace(dependencies, now=server_clock.now, wall=database_clock.now)
    expiry = LobbyExpiry(settings.lobby_days * 86_400.0, settings.solo_lobby_hours * 3600.0)
    metrics, scheduler = Metrics(frozenset(COMMANDS), OUTCOMES), Scheduler(worker_pool, expiry)
    shared = shared_limits or NoSharedLimits()
    quotas = Quotas(store, settings.tables_per_guest, settings.seats_per_guest, shared)
    storage = StorageQuota(settings.megabytes_per_address * 1_000_000, dependencies.clock)
    registry = TableRegistry(
        store,
        dependencies,
        scheduler.schedule,
        settings.store_queue,
        metrics.store_writes.observe,
        storage.add,
    )
    return Services(
        settings,
        store,
        registry,
        Membership(registry, store, quotas),
        scheduler,
        Reviews(registry, worker_pool, settings.reviews_per_guest),
        worker_pool,
        Tickets[Claims](lambda claims: claims.client_key, token=dependencies.token),
        SocketLimits(
            settings.sockets,
            settings.sockets_per_address,
            settings.sockets_per_guest,
            metrics,
            dependencies.clock,
        ),
        RateLimiter(settings.rates, settings.address_factor, dependencies.clock, storage, shared=shared),
        metrics,
        built_files() if pages is None else pages,
        exposure or Exposure(settings, settings.port),
        PeerSync(registry, bus or NoBus(), database_clock),
        StoredTickets(store, dependencies.token, dependencies.now),
        Drain(registry, settings.drain_seconds),
    )


def make_app(services: Services, origins: AllowedOrigins) -> ASGIApp:
    app = bare_app(_lifespan(services))
    app.state.services = services
    dependencies = services.registry.dependencies
    inner = WebSocketDispatch(app, HeadMiddleware(app))

    async def check_address(limit: Limit, address: str) -> None:
        await enforce_rate_limit(services, limit, address, None)

    return with_middleware(
        inner,
        services.settings,
        origins,
        services.metrics,
        records.IMPORTS,
        check_address,
        dependencies.clock,
    )


def bare_app(lifespan: Lifespan | None = None) -> FastAPI:
    """The routes alone, without services; enough for the OpenAPI document."""
    app = FastAPI(
        title="Sanssouci",
        version=__version__,
        openapi_url=None,  # FastAPI would serialise it for every request
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        redirect_slashes=False,
        routes=_routes(),
        lifespan=lifespan,
    )
    app.add_api_route(
        DESCRIPTION, Description().get, dependencies=[rate_limited(Limit.READ)], include_in_schema=False
    )
    app.add_api_websocket_route(SOCKET, serve_socket)
    app.add_exception_handler(UserError, _handle_error)
    app.add_exception_handler(Refused, _handle_error)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(Exception, _handle_crash)
    app.openapi = cache(partial(describe, app))  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def _routes() -> list[BaseRoute]:
    """All routes, flattened: an included router would be built on the first request."""
    routers = (
        guests.router,
        tables.router,
        tables.daily_garden,
        records.router,
        records.reviews,
        lessons.router,
        game_data.router,
        scores.router,
        system.router,
        spa.router,
    )
    return [route for router in routers for route in router.routes]


def _lifespan(services: Services) -> Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.scheduler.start(services.registry)
        services.peer_sync.start()
        try:
            await services.reviews.start()
        except UserError as error:  # games work without reviews
            _log.error("reviews_not_resumed", error=error.key)
        yield
        await services.reviews.stop()
        await services.peer_sync.stop()
        await services.scheduler.stop()
        await services.registry.drain()
        await services.limits.shared.close()

    return lifespan


async def _handle_error(
    request: Request, error: Exception, headers: Mapping[str, str] | None = None
) -> Response:
    assert isinstance(error, UserError | Refused), "registered for this type only"
    if isinstance(error, DamagedRow):
        request.app.state.services.registry.damage_log.report(error)
    return error_response(error, language_of(request.headers.get("accept-language", "")), headers)


async def _handle_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "registered for this type only"
    where = "Content-Type" if isinstance(error.body, bytes) else request.scope.get(BAD_JSON)
    user_error = malformed(error.errors()) if where is None else UserError("server.malformed", where=where)
    return await _handle_error(request, user_error)


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for this type only"
    if error.status_code == 404 and spa.wants_page(request):
        try:
            return spa.not_found(request, request.app.state.services.pages)
        except UserError as no_pages:
            return await _handle_error(request, no_pages)
    if request.url.path == SOCKET:
        return await _handle_no_upgrade(request)
    headers = error.headers
    if error.status_code == 405:
        headers = {"allow": _allowed_methods(request)}
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
    user_error = UserError(_HTTP.get(error.status_code, "server.malformed"), where="request")
    return await _handle_error(request, user_error, headers)


async def _handle_no_upgrade(request: Request) -> Response:
    """A request to the socket's path, which has no HTTP route."""
    allowed = {"allow": "GET, OPTIONS"}
    if request.method == "OPTIONS":
        return Response(status_code=204, headers=allowed)
    if request.method != "GET":
        return await _handle_error(request, UserError(_HTTP[405]), allowed)
    upgrade = {"upgrade": "websocket", "connection": "upgrade"}
    return await _handle_error(request, UserError("server.upgrade_needed"), upgrade)


def _allowed_methods(request: Request) -> str:
    """All methods of a path; the exception names only those of the first route that matches."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    here = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    methods = {"OPTIONS"}.union(*(route.methods or () for route in here))
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


async def _handle_crash(request: Request, error: Exception) -> Response:
    """An unexpected exception; the access log logs it."""
    return await _handle_error(request, UserError("request.failed"))
