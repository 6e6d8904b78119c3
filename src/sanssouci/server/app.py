"""The application: routes, exception handlers, lifespan and the wiring of all services."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any

import orjson
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from sanssouci import __version__
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.store import DamagedRow, Store
from sanssouci.table import COMMANDS
from sanssouci.workers import WorkerPool

from .auth.principal import CurrentUser, check_rate, enforce_rate_limit
from .auth.tickets import Tickets
from .error_responses import error_json, error_response, json_response, malformed
from .features.reviews import Reviews
from .limits.quotas import Quotas
from .limits.rate_limits import Limit, RateLimiter
from .limits.socket_limits import SocketLimits
from .middleware.allowed_origins import AllowedOrigins
from .middleware.errors import language_of
from .middleware.head_requests import HeadRequests
from .middleware.stack import with_middleware
from .middleware.websocket_dispatch import WebSocketDispatch
from .ops.exposure import Exposure
from .ops.metrics import Metrics
from .ops.static_files import StaticFiles, built_files
from .routes import (
    daily,
    game_data,
    guests,
    lessons,
    records,
    reviews,
    scores,
    spa,
    statistics,
    system,
    tables,
)
from .routes.strict_json_route import BadJson
from .services import Claims, Served, Services
from .settings import Settings
from .socket import serve_socket
from .tables.membership import Membership
from .tables.scheduler import Scheduler
from .tables.table_registry import Dependencies, TableRegistry
from .wire.openapi import SOCKET, describe

OUTCOMES = frozenset({"done", "repeated", "refused"})
DESCRIPTION = "/api/openapi.json"
_HTTP = {404: "server.no_such_page", 405: "server.wrong_method"}

_log = structlog.get_logger("sanssouci.server")
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def make_services(
    settings: Settings,
    store: Store,
    worker_pool: WorkerPool,
    dependencies: Dependencies = Dependencies(),  # noqa: B008 - it is frozen
    pages: StaticFiles | None = None,
    exposure: Exposure | None = None,
) -> Services:
    """Wire up everything a server needs, on an open store and a started worker pool."""
    metrics, scheduler = Metrics(frozenset(COMMANDS), OUTCOMES), Scheduler(worker_pool)
    registry = TableRegistry(
        store, dependencies, scheduler.schedule, settings.store_queue, metrics.store_writes.observe
    )
    return Services(
        settings,
        store,
        registry,
        Membership(registry, store, Quotas(store, settings.tables_per_guest, settings.seats_per_guest)),
        scheduler,
        Reviews(registry, worker_pool, settings.reviews_per_guest),
        worker_pool,
        Tickets[Claims](lambda claims: claims.client_key, token=dependencies.token),
        SocketLimits(settings.sockets, settings.sockets_per_guest, settings.address_factor),
        RateLimiter(settings.rates, settings.address_factor, dependencies.clock),
        metrics,
        built_files() if pages is None else pages,
        exposure or Exposure(settings, settings.port),
    )


def make_app(services: Services, origins: AllowedOrigins) -> ASGIApp:
    """The whole application with its middleware."""
    app = bare_app(_lifespan(services))
    app.state.services = services
    dependencies = services.registry.dependencies
    inner = WebSocketDispatch(app, HeadRequests(app))

    def check_address(limit: Limit, address: str) -> None:
        enforce_rate_limit(services, limit, address, None)

    imports = (*records.IMPORTS, reviews.ASK)
    return with_middleware(
        inner, services.settings, origins, services.metrics, imports, check_address, dependencies.clock
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
    app.add_api_route(DESCRIPTION, _description(app), include_in_schema=False)
    app.add_api_websocket_route(SOCKET, serve_socket)
    app.add_exception_handler(UserError, _handle_error)
    app.add_exception_handler(Refused, _handle_error)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(Exception, _handle_crash)
    app.openapi = lambda: described(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def _routes() -> list[BaseRoute]:
    """All routes, flattened: an included router would be built on the first request."""
    modules = (guests, statistics, tables, daily, records, reviews, lessons, game_data, scores, system, spa)
    return [route for module in modules for route in module.router.routes]


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app, built once."""
    if app.openapi_schema is None:
        app.openapi_schema = describe(app)
    return app.openapi_schema


def _description(app: FastAPI) -> Callable[..., Awaitable[Response]]:
    @cache
    def written() -> bytes:
        return orjson.dumps(described(app))

    async def description(services: Served, principal: CurrentUser) -> Response:
        """The OpenAPI document."""
        check_rate(services, principal, Limit.READ)
        return Response(await asyncio.to_thread(written), media_type="application/json")

    return description


def _lifespan(services: Services) -> Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.scheduler.start(services.registry)
        try:
            await services.reviews.start()
        except UserError as error:  # games work without reviews
            _log.error("reviews_not_resumed", error=error.key)
        yield
        await services.reviews.stop()
        await services.scheduler.stop()
        await services.registry.drain()

    return lifespan


async def _handle_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, UserError | Refused), "registered for this type only"
    if isinstance(error, DamagedRow):
        request.app.state.services.registry.corrupt_tables.report(error)
    return error_response(error, language_of(request.headers.get("accept-language", "")))


async def _handle_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "registered for this type only"
    unread = isinstance(error.body, bytes)  # the Content-Type is not JSON
    user_error = UserError("server.malformed", where="Content-Type") if unread else malformed(error.errors())
    return _user_error_response(request, user_error, 400)


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for this type only"
    if error.status_code == 404 and spa.wants_page(request):
        try:
            return spa.not_found(request, request.app.state.services.pages)
        except UserError as no_pages:
            return await _handle_error(request, no_pages)
    where = error.reason if isinstance(error, BadJson) else "request"
    user_error = UserError(_HTTP.get(error.status_code, "server.malformed"), where=where)
    return _user_error_response(request, user_error, error.status_code, dict(error.headers or {}))


async def _handle_crash(request: Request, error: Exception) -> Response:
    """An unexpected exception; the access log logs it."""
    return _user_error_response(request, UserError("request.failed"), 500)


def _user_error_response(
    request: Request, user_error: UserError, status: int, headers: dict[str, str] | None = None
) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    return json_response({"error": error_json(user_error, language)}, status, headers)
