"""Guests: there is no sign-up. A guest chooses a name and is authenticated by a token."""

import asyncio
import secrets
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from sanssouci.store import Add, DropPlayed, GuestRow, RenameGuest, TokenKind, TokenRow

from ..auth.principal import CurrentUser
from ..auth.tokens import token_hash
from ..error_responses import json_response
from ..middleware.client_info import client_info
from ..middleware.origin_check import COOKIE, site
from ..rate_limits import Limit
from ..services import Served, Services
from ..tables.display_names import clean_name
from ..tables.listing import OWN_PAGE, OwnTablesAnswer, own_page
from ..tables.statistics import StatisticsAnswer, statistics
from ..wire.requests import GuestBody, NameBody
from ..wire.responses import DeletedAnswer, ForgottenAnswer, GuestAnswer, MeAnswer, NameAnswer
from ..wire.route_docs import Audience, described, router_of

YEAR = 365 * 86_400
MAX_OWN_TABLES = 200
"""Tables on a page of the guest's own list."""

router = router_of("guests")
OwnPage = Annotated[str | None, Query(pattern=OWN_PAGE, description="The `next` of the previous page.")]


@router.post(
    "/api/guests",
    **described("Become a guest", Audience.ANYONE, GuestAnswer, 400, 422, rate=Limit.GUEST, status=201),
)
async def choose_name(message: GuestBody, request: Request, services: Served) -> Response:
    """Become a guest: a browser gets a cookie, a program the token as text (``cookie`` false)."""
    now, token = services.registry.dependencies.now(), services.registry.dependencies.token()
    guest = GuestRow(secrets.token_hex(16), clean_name(message.name), now, now)
    kept = TokenRow(token_hash(token), "", TokenKind.GUEST, None, guest.id, now)
    await services.registry.write(Add(guest), Add(kept))
    if not message.cookie:
        return json_response(GuestAnswer(name=guest.name, token=token.reveal()), 201)
    response = json_response(GuestAnswer(name=guest.name, token=None), 201)
    _set_cookie(response, request, services, token.reveal(), YEAR)
    return response


@router.get("/api/me", **described("Get the current guest", Audience.ANYONE, MeAnswer))
async def me(principal: CurrentUser) -> Response:
    """The name the server knows you by; null if you are not a guest yet."""
    return json_response(MeAnswer(name=principal.guest.name if principal.guest is not None else None))


@router.patch(
    "/api/me", **described("Change your name", Audience.GUEST, NameAnswer, 400, 422, rate=Limit.GUEST)
)
async def rename(message: NameBody, services: Served, principal: CurrentUser) -> Response:
    """Choose another name; at tables where you already sit you keep the old one."""
    guest, name = principal.require_guest(), clean_name(message.name)
    await services.registry.write(RenameGuest(guest.id, name))
    return json_response(NameAnswer(name=name))


@router.delete(
    "/api/me", **described("Delete the current guest", Audience.GUEST, ForgottenAnswer, rate=Limit.GUEST)
)
async def delete_guest(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Delete your name, your chairs and their seat links; your token no longer works.

    In a lobby your chairs become open. In a running game you are away and a stand-in plays. Games that you
    have played stay. Your tables pass to the next guest seated there; a lobby without people is closed.
    """
    guest = principal.require_guest().id
    await services.membership.forget(guest)
    services.reviews.forget(guest)
    response = json_response(ForgottenAnswer(forgotten=True))
    _set_cookie(response, request, services, "", 0)
    return response


@router.get("/api/me/tables", **described("List your tables", Audience.GUEST, OwnTablesAnswer, 400))
async def my_tables(services: Served, principal: CurrentUser, after: OwnPage = None) -> Response:
    """Your games: those awaiting you first, then the most recently changed; 200 on a page."""
    guest = principal.require_guest().id
    return json_response(await asyncio.to_thread(own_page, services.registry, guest, after, MAX_OWN_TABLES))


def _set_cookie(response: Response, request: Request, services: Services, text: str, seconds: int) -> None:
    """Set the guest cookie; with no seconds left it is deleted."""
    response.set_cookie(
        COOKIE,
        text,
        max_age=seconds,
        path="/",
        secure=_is_secure(request, services.settings.public_url or ""),
        httponly=True,
        samesite="lax",
    )


def _is_secure(request: Request, public_url: str) -> bool:
    """Whether the browser uses HTTPS, as seen here or because it asks for the public HTTPS site."""
    asked = site(f"https://{request.headers.get('host', '')}")
    return client_info(request.scope).secure or asked == site(public_url)


@router.get("/api/me/statistics", **described("Get your statistics", Audience.GUEST, StatisticsAnswer))
async def my_statistics(services: Served, principal: CurrentUser) -> Response:
    """The results of your games; a game counts once it has ended, if you held one chair."""
    return json_response(
        await asyncio.to_thread(statistics, services.registry.store, principal.require_guest().id)
    )


@router.delete(
    "/api/me/statistics",
    **described("Delete your statistics", Audience.GUEST, DeletedAnswer, rate=Limit.GUEST),
)
async def delete_statistics(services: Served, principal: CurrentUser) -> Response:
    """Delete your statistics for good; the games stay, and new ones count again."""
    await services.registry.write(DropPlayed(principal.require_guest().id))
    return json_response(DeletedAnswer(deleted=True))
