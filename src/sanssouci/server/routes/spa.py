"""The game in a browser: its pages, at the addresses that links have.

The secret of a link stands behind ``#``, which a browser keeps to itself; so it is in no request and no log.
"""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..ops.static_files import ASSETS, StaticFiles
from ..services import Served

SCREENS = (
    "/",
    "/scores",
    "/statistics",
    "/daily",
    "/learn",
    "/lessons",
    "/lessons/{lesson}",
    "/table/{table}",
    "/join/{table}",
    "/seat/{table}",
    "/watch/{table}",
    "/replay",
    "/review/{review}",
)
"""Addresses that show the game; which screen, the page finds out by itself."""
ICONS = ("favicon.svg", "icon-192.png", "icon-maskable.png", "manifest.webmanifest")
"""With them a browser shows the game in its tab, and installs it as an application."""

router = APIRouter(include_in_schema=False)


async def screen(request: Request, services: Served) -> Response:
    """The page of the game."""
    return services.pages.index().response(request)


for path in SCREENS:
    router.add_api_route(path, screen, name="screen")


@router.get(f"/{ASSETS}/{{name}}")
async def asset(name: str, request: Request, services: Served) -> Response:
    """A script, a style or a picture of the page."""
    return _file(f"{ASSETS}/{name}", request, services)


async def icon(request: Request, services: Served) -> Response:
    """What a browser or a telephone shows the game by."""
    return _file(request.url.path.removeprefix("/"), request, services)


for name in ICONS:
    router.add_api_route(f"/{name}", icon, name="icon")


def wants_page(request: Request) -> bool:
    """Whether a person looks at what is answered: a browser that goes to an address asks for a page."""
    page = request.method == "GET" and not request.url.path.startswith(("/api/", f"/{ASSETS}/"))
    return page and "text/html" in request.headers.get("accept", "")


def not_found(request: Request, pages: StaticFiles) -> Response:
    """The page of the game, which says that there is nothing here; ``UserError`` if there are no pages."""
    response = pages.index().response(request)
    if response.status_code == 200:
        response.status_code = 404
    return response


def _file(name: str, request: Request, services: Served) -> Response:
    found = services.pages.file(name)
    if found is None:
        raise HTTPException(404)
    return found.response(request)
