"""Guests: accounts without sign-up. A guest chooses a name and is authenticated by a token."""

import asyncio
import secrets
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from sanssouci.store import AddGuest, AddToken, GuestRow, RenameGuest, TokenKind, TokenRow

from ..auth.principal import CurrentUser, check_rate
from ..auth.tokens import token_hash
from ..error_responses import json_response
from ..limits.rate_limits import Limit
from ..middleware.allowed_origins import site
from ..middleware.client_info import client_info
from ..middleware.origin_check import COOKIE
from ..services import Served, Services
from ..tables.display_names import clean_name
from ..tables.listing import OWN_PAGE, own_page
from ..wire.requests import GuestBody, NameBody
from ..wire.responses import ForgottenAnswer, GuestAnswer, MeAnswer, NameAnswer, OwnTablesAnswer
from ..wire.route_docs import Audience, described, router_of

YEAR = 365 * 86_400
MAX_OWN_TABLES = 200
"""Tables on a page of the guest's own list."""

router = router_of("guests")
OwnPage = Annotated[str | None, Query(pattern=OWN_PAGE, description="The `next` of the previous page.")]


@router.post(
    "/api/guests",
    **described("Become a guest", Audience.ANYONE, Limit.GUEST, GuestAnswer, 400, 422, status=201),
)
async def choose_name(
    message: GuestBody, request: Request, services: Served, principal: CurrentUser
) -> Response:
    """Become a guest: a browser gets a cookie, a program the token as text (``cookie`` false)."""
    check_rate(services, principal, Limit.GUEST)
    now, token = services.registry.dependencies.now(), services.registry.dependencies.token()
    guest = GuestRow(secrets.token_hex(16), clean_name(message.name), now, now)
    kept = TokenRow(token_hash(token), "", TokenKind.GUEST, None, guest.id, now)
    await services.registry.write(AddGuest(guest), AddToken(kept))
    if not message.cookie:
        return json_response(GuestAnswer(name=guest.name, token=token.reveal()), 201)
    response = json_response(GuestAnswer(name=guest.name, token=None), 201)
    _set_cookie(response, request, services, token.reveal(), YEAR)
    return response


@router.get("/api/me", **described("Who you are", Audience.ANYONE, Limit.READ, MeAnswer))
async def me(services: Served, principal: CurrentUser) -> Response:
    """The name the server knows you by; null if you are not a guest yet."""
    check_rate(services, principal, Limit.READ)
    return json_response(MeAnswer(name=principal.guest.name if principal.guest is not None else None))


@router.patch(
    "/api/me", **described("Choose another name", Audience.GUEST, Limit.GUEST, NameAnswer, 400, 401, 422)
)
async def rename(message: NameBody, services: Served, principal: CurrentUser) -> Response:
    """Choose another name; at tables where you already sit you keep the old one."""
    check_rate(services, principal, Limit.GUEST)
    guest, name = principal.require_guest(), clean_name(message.name)
    await services.registry.write(RenameGuest(guest.id, name))
    return json_response(NameAnswer(name=name))


@router.delete(
    "/api/me", **described("Delete your account", Audience.GUEST, Limit.GUEST, ForgottenAnswer, 401)
)
async def forget(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Delete your guest account with its name, chairs and seat links.

    In a lobby your chairs become open. In a running game you are away and a stand-in plays. Games that you
    have played stay. Your tables pass to the next guest seated there; a lobby without people is closed.
    """
    check_rate(services, principal, Limit.GUEST)
    guest = principal.require_guest().id
    await services.membership.forget(guest)
    services.reviews.forget(guest)
    response = json_response(ForgottenAnswer(forgotten=True))
    _set_cookie(response, request, services, "", 0)
    return response


@router.get(
    "/api/me/tables", **described("Your tables", Audience.GUEST, Limit.READ, OwnTablesAnswer, 400, 401)
)
async def my_tables(services: Served, principal: CurrentUser, after: OwnPage = None) -> Response:
    """Your games: those awaiting you first, then the most recently changed; 200 on a page."""
    check_rate(services, principal, Limit.READ)
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
