"""The browser game (single-page app): its page, assets and icons.

The secret of a link is in the URL fragment, which browsers do not send, so it is in no request and no log.
"""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..ops.static_files import ASSETS, StaticFiles
from ..services import Served

SCREENS = [
    "/",
    "/rules",
    "/scores",
    "/boards",
    "/statistics",
    "/daily",
    "/learn",
    "/lessons",
    "/lessons/{lesson}",
    "/replay",
    "/review/{review}",
    "/table/{table}",
    "/join/{table}",
    "/seat/{table}",
    "/watch/{table}",
]
"""Paths that return the page; the browser's router picks the screen."""
ICONS = ("favicon.svg", "icon-192.png", "icon-maskable.png", "manifest.webmanifest")
"""Icons and manifest, for browser tabs and installation as an app."""
SERVICE_WORKER = "sw.js"
"""The service worker, which opens the app without a server. Its scope is the folder it is served from."""

router = APIRouter(include_in_schema=False)


async def screen(request: Request, services: Served) -> Response:
    return services.pages.index().response(request)


for path in SCREENS:
    router.add_api_route(path, screen, name="screen")


@router.get(f"/{ASSETS}/{{name}}")
async def asset(name: str, request: Request, services: Served) -> Response:
    return _file(f"{ASSETS}/{name}", request, services)


async def root_file(request: Request, services: Served) -> Response:
    return _file(request.url.path.removeprefix("/"), request, services)


for name in (*ICONS, SERVICE_WORKER):
    router.add_api_route(f"/{name}", root_file, name="root_file")


def wants_page(request: Request) -> bool:
    """Whether a browser navigates to this address, so that a person sees the response."""
    page = request.method == "GET" and not request.url.path.startswith(("/api/", f"/{ASSETS}/"))
    return page and "text/html" in request.headers.get("accept", "")


def not_found(request: Request, pages: StaticFiles) -> Response:
    """The page with status 404; ``UserError`` if it was not built."""
    response = pages.index().response(request)
    if response.status_code == 200:
        response.status_code = 404
    return response


def _file(name: str, request: Request, services: Served) -> Response:
    found = services.pages.file(name)
    if found is None:
        raise HTTPException(404)
    return found.response(request)
