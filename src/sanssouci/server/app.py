"""The application: routes, the socket, and how every mistake is answered."""

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

from .attendant import Attendant
from .crowd import Crowd
from .description.openapi import SOCKET, describe
from .doors import Doors
from .edge.heads import Heads
from .edge.layers import edged
from .edge.limits import Bucket, Limits
from .edge.origins import Origins
from .edge.problems import language_of
from .edge.shortcut import Shortcut
from .hall import Hall, Means
from .json_bodies import BadJson
from .metrics import Metrics
from .pages import Pages, built_pages
from .quotas import Quotas
from .reach import Reach
from .replies import answer, malformed, no, problem
from .reviews import Reviews
from .routes import (
    browser,
    daily,
    guests,
    house,
    lessons,
    library,
    records,
    reviews,
    scores,
    statistics,
    tables,
)
from .services import Claims, Served, Services
from .settings import Settings
from .socket import serve_socket
from .tickets import Tickets
from .visitor import Visits, check_rate, count

OUTCOMES = frozenset({"done", "repeated", "refused"})
DESCRIPTION = "/api/openapi.json"
_HTTP = {404: "server.no_such_page", 405: "server.wrong_method"}

_log = structlog.get_logger("sanssouci.server")
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def make_services(
    settings: Settings,
    store: Store,
    worker_pool: WorkerPool,
    means: Means = Means(),  # noqa: B008 - it is frozen
    pages: Pages | None = None,
    reach: Reach | None = None,
) -> Services:
    """What a server works with, on an open store and with workers that were started."""
    metrics, attendant = Metrics(frozenset(COMMANDS), OUTCOMES), Attendant(worker_pool)
    hall = Hall(store, means, attendant.attend, settings.store_queue, metrics.store_writes.observe)
    return Services(
        settings,
        store,
        hall,
        Doors(hall, store, Quotas(store, settings.tables_per_guest, settings.seats_per_guest)),
        attendant,
        Reviews(hall, worker_pool, settings.reviews_per_guest),
        worker_pool,
        Tickets[Claims](lambda claims: claims.asker, token=means.token),
        Crowd(settings.sockets, settings.sockets_per_guest, settings.address_factor),
        Limits(settings.rates, settings.address_factor, means.clock),
        metrics,
        built_pages() if pages is None else pages,
        reach or Reach(settings, settings.port),
    )


def make_app(services: Services, origins: Origins) -> ASGIApp:
    """The whole application, with its edge."""
    app = bare_app(_attended(services))
    app.state.services = services
    means = services.hall.means
    shortened = Shortcut(app, Heads(app))

    def pay(bucket: Bucket, address: str) -> None:
        count(services, bucket, address, None)

    imports = (*records.IMPORTS, reviews.ASK)
    return edged(shortened, services.settings, origins, services.metrics, imports, pay, means.clock)


def bare_app(lifespan: Lifespan | None = None) -> FastAPI:
    """The routes alone; what describes them needs no services."""
    app = FastAPI(
        title="Sanssouci",
        version=__version__,
        openapi_url=None,  # it would be written anew for everyone who asks
        docs_url=None,  # those pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        routes=_routes(),
        lifespan=lifespan,
    )
    app.add_api_route(DESCRIPTION, _description(app), include_in_schema=False)
    app.add_api_websocket_route(SOCKET, serve_socket)
    app.add_exception_handler(UserError, _say_no)
    app.add_exception_handler(Refused, _say_no)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _failed)
    app.openapi = lambda: described(app)  # type: ignore[method-assign]  # FastAPI's own way to say it
    return app


def _routes() -> list[BaseRoute]:
    """All routes as they are; a router that is included would be built anew when the first request comes."""
    rooms = (guests, statistics, tables, daily, records, reviews, lessons, library, scores, house, browser)
    return [route for room in rooms for route in room.router.routes]


def described(app: FastAPI) -> dict[str, Any]:
    """The description of an app, written once."""
    if app.openapi_schema is None:
        app.openapi_schema = describe(app)
    return app.openapi_schema


def _description(app: FastAPI) -> Callable[..., Awaitable[Response]]:
    @cache
    def written() -> bytes:
        return orjson.dumps(described(app))

    async def description(services: Served, visitor: Visits) -> Response:
        """The description for other programs."""
        check_rate(services, visitor, Bucket.READ)
        return Response(written(), media_type="application/json")

    return description


def _attended(services: Services) -> Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.attendant.begin(services.hall)
        try:
            await services.reviews.begin()
        except UserError as error:  # the server is there for games, also where no review can be read
            _log.error("reviews_not_resumed", error=error.key)
        yield
        await services.reviews.end()
        await services.attendant.end()
        await services.hall.end()

    return lifespan


async def _say_no(request: Request, error: Exception) -> Response:
    assert isinstance(error, UserError | Refused), "nothing else is handled here"
    if isinstance(error, DamagedRow):
        request.app.state.services.hall.damages.tell(error)
    return no(error, language_of(request.headers.get("accept-language", "")))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "nothing else is handled here"
    unread = isinstance(error.body, bytes)  # it was not said to be JSON
    user_error = UserError("server.malformed", where="Content-Type") if unread else malformed(error.errors())
    return _user_error_response(request, user_error, 400)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "nothing else is handled here"
    if error.status_code == 404 and browser.is_looked_up(request):
        try:
            return browser.nowhere(request, request.app.state.services.pages)
        except UserError as no_pages:
            return await _say_no(request, no_pages)
    where = error.reason if isinstance(error, BadJson) else "request"
    user_error = UserError(_HTTP.get(error.status_code, "server.malformed"), where=where)
    return _user_error_response(request, user_error, error.status_code, dict(error.headers or {}))


async def _failed(request: Request, error: Exception) -> Response:
    """Something that nobody has thought of; the edge logs it."""
    return _user_error_response(request, UserError("request.failed"), 500)


def _user_error_response(
    request: Request, user_error: UserError, status: int, headers: dict[str, str] | None = None
) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    return answer({"error": problem(user_error, language)}, status, headers)
