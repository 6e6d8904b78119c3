"""Guests: somebody chooses a name, and keeps seats by a token; there is no sign-up."""

import asyncio
import secrets
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from sanssouci.store import AddGuest, AddToken, GuestRow, RenameGuest, TokenKind, TokenRow

from ..description.schemas.answers import ForgottenAnswer, GuestAnswer, MeAnswer, NameAnswer, OwnTablesAnswer
from ..description.schemas.routes import Who, described, router_of
from ..edge.callers import caller_of
from ..edge.gate import COOKIE
from ..edge.limits import Bucket
from ..edge.origins import site
from ..lists import OWN_PAGE, own_page
from ..messages import NewGuest, NewName
from ..names import clean_name
from ..replies import answer
from ..services import Served, Services
from ..tokens import token_hash
from ..visitor import Visits, check_rate

YEAR = 365 * 86_400
MOST_OWN = 200
"""Tables on a page of one's own."""

router = router_of("guests")
OwnPage = Annotated[str | None, Query(pattern=OWN_PAGE, description="The `next` of the page before.")]


@router.post(
    "/api/guests", **described("Become a guest", Who.ANYONE, Bucket.GUEST, GuestAnswer, 400, 422, status=201)
)
async def choose_name(message: NewGuest, request: Request, services: Served, visitor: Visits) -> Response:
    """Become a guest: a browser gets a cookie, a program the token as text (``cookie`` false)."""
    check_rate(services, visitor, Bucket.GUEST)
    now, token = services.hall.means.now(), services.hall.means.token()
    guest = GuestRow(secrets.token_hex(16), clean_name(message.name), now, now)
    kept = TokenRow(token_hash(token), "", TokenKind.GUEST, None, guest.id, now)
    await services.hall.write(AddGuest(guest), AddToken(kept))
    if not message.cookie:
        return answer({"name": guest.name, "token": token.reveal()}, 201)
    response = answer({"name": guest.name, "token": None}, 201)
    _set_cookie(response, request, services, token.reveal(), YEAR)
    return response


@router.get("/api/me", **described("Who you are", Who.ANYONE, Bucket.READ, MeAnswer))
async def me(services: Served, visitor: Visits) -> Response:
    """Who the server thinks that you are; to come for the first time is no error."""
    check_rate(services, visitor, Bucket.READ)
    return answer({"name": visitor.guest.name if visitor.guest is not None else None})


@router.patch(
    "/api/me", **described("Choose another name", Who.GUEST, Bucket.GUEST, NameAnswer, 400, 401, 422)
)
async def rename(message: NewName, services: Served, visitor: Visits) -> Response:
    """Choose another name; at tables where you sit already you keep the old one."""
    check_rate(services, visitor, Bucket.GUEST)
    guest, name = visitor.known(), clean_name(message.name)
    await services.hall.write(RenameGuest(guest.id, name))
    return answer({"name": name})


@router.delete("/api/me", **described("Be forgotten", Who.GUEST, Bucket.GUEST, ForgottenAnswer, 401))
async def forget(request: Request, services: Served, visitor: Visits) -> Response:
    """Be forgotten: the name and all that you hold; the seat links of your chairs open nothing any more.

    In a lobby your chairs are open then. In a game that goes on you are away, and a stand-in plays. Games
    that you have played stay as they are. Your tables belong to the next guest who sits there; a lobby in
    which nobody does is closed.
    """
    check_rate(services, visitor, Bucket.GUEST)
    guest = visitor.known().id
    await services.doors.forget(guest)
    services.reviews.forget(guest)
    response = answer({"forgotten": True})
    _set_cookie(response, request, services, "", 0)
    return response


@router.get("/api/me/tables", **described("Your tables", Who.GUEST, Bucket.READ, OwnTablesAnswer, 400, 401))
async def my_tables(services: Served, visitor: Visits, after: OwnPage = None) -> Response:
    """Your games: those that wait for you first, then the one that moved last; 200 on a page."""
    check_rate(services, visitor, Bucket.READ)
    guest = visitor.known().id
    return answer(await asyncio.to_thread(own_page, services.hall, guest, after, MOST_OWN))


def _set_cookie(response: Response, request: Request, services: Services, text: str, seconds: int) -> None:
    """The cookie by which a browser is known; with no seconds left it is taken away."""
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
    """Whether the browser speaks HTTPS: what we see, or to the public address that has it."""
    asked = site(f"https://{request.headers.get('host', '')}")
    return caller_of(request.scope).secure or asked == site(public_url)
