"""System routes: health, readiness, metrics, computer players, and where the server can be reached."""

import asyncio
from contextlib import suppress
from typing import Any, Literal

from fastapi import Request
from starlette.responses import Response

from sanssouci.cluster import LimitsUnavailable
from sanssouci.locale import UserError
from sanssouci.notation.json_types import JsonObject
from sanssouci.players import about, character, display_name
from sanssouci.store import Store, Unavailable

from ..auth.principal import CurrentUser
from ..error_responses import json_response
from ..middleware.client_info import client_info
from ..ops.exposure import ExposureLevel
from ..ops.metrics import CONTENT_TYPE, may_read_metrics
from ..rate_limits import Limit
from ..services import Served, Services
from ..wire.route_docs import Audience, answered, described, plainly_described, router_of


class HealthAnswer(JsonObject):
    """The server responds."""

    ok: bool
    """Always true."""


class ReadyAnswer(JsonObject):
    """Which parts work: 503 if turns cannot be stored, computer players cannot play, or the server is
    stopping; otherwise 200."""

    store: bool
    """Whether the data file can be written and read."""
    players: bool
    """Whether computer players can play."""
    bus: bool
    """Whether servers on the same database can tell each other about changed tables; true for a single
    server. Without, changes arrive a second later, and the server is ready all the same."""
    limits: bool
    """Whether rate limits count for all servers together; true for a single server. Without, each server
    counts alone, and is ready all the same."""
    stopping: bool
    """Whether the server is stopping: it answers requests and opens no more sockets."""


class PlayerEntry(JsonObject):
    """A computer player."""

    player: str
    """Its id, as in a chair's `player`."""
    name: str
    """Its display name."""
    about: str
    """Its description."""


class PlayersAnswer(JsonObject):
    """The computer players available on this server."""

    players: list[PlayerEntry]
    """All of them."""


class ReachAnswer(JsonObject):
    """Where the server can be reached."""

    extent: Literal["computer", "network", "public"]
    """On its own computer only, in the local network, or at a public site."""
    urls: list[str]
    """The beginning of links for others, the likeliest first. Empty unless you are on the server's computer;
    use the address by which you reached it."""
    may_open: bool
    """Whether you may open it to the local network, and it is not open yet."""


_PROBES = 8
"""Pages to write to a disk that was full: an event needs some, so a single one would prove too little."""
_PROBE_TIMEOUT = 5.0
"""Seconds until a disk that does not respond counts as failing."""
_HEALTH: dict[int | str, Any] = {200: answered(HealthAnswer, "The server responds.")}
_READY: dict[int | str, Any] = {
    200: answered(ReadyAnswer, "The server is ready."),
    503: answered(ReadyAnswer, "The server is not ready; the fields say why."),
}
_METRICS: dict[int | str, Any] = {
    200: {"description": "The metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}}
}

router = router_of("system")


@router.get("/health", **plainly_described("Health", Audience.ANYONE, _HEALTH))
async def health() -> Response:
    """Whether the server responds at all."""
    return json_response(HealthAnswer(ok=True))


@router.get("/ready", **plainly_described("Readiness", Audience.ANYONE, _READY))
async def ready(services: Served) -> Response:
    """Whether the store can be read and written and computer players can play; 503 if not."""
    store, players = await _works(services.store), services.worker_pool.can_play
    with suppress(LimitsUnavailable):
        await services.limits.shared.hit(())
    state = ReadyAnswer(
        store=store,
        players=players,
        bus=services.peer_sync.bus.connected,
        limits=services.limits.shared.connected,
        stopping=services.drain.begun,
    )
    return json_response(state, 200 if store and players and not services.drain.begun else 503)


@router.get(
    "/metrics",
    **plainly_described("Prometheus metrics", Audience.HOST, _METRICS),
)
async def metrics(request: Request, services: Served) -> Response:
    """Prometheus metrics; not public."""
    settings, said = services.settings, request.headers.get("authorization")
    public = settings.public_url is not None
    if not may_read_metrics(client_info(request.scope), said, settings.metrics_token, public=public):
        raise UserError("server.not_public")
    _measure(services)
    return Response(services.metrics.render(), media_type=CONTENT_TYPE)


@router.get("/api/players", **described("List computer players", Audience.ANYONE, PlayersAnswer))
async def players(services: Served, principal: CurrentUser) -> Response:
    """The computer players available on this server."""
    language = principal.language
    return json_response(
        PlayersAnswer(
            players=[
                {
                    "player": name,
                    "name": character(name, language) or display_name(name, language) or name,
                    "about": about(name, language),
                }
                for name in services.settings.players
            ]
        )
    )


@router.get("/api/reach", **described("Get the server's addresses", Audience.ANYONE, ReachAnswer))
async def exposure(request: Request, services: Served) -> Response:
    """Where the server can be reached, and at which URLs."""
    return _reached(request, services)


@router.post(
    "/api/reach",
    **described("Open the server to the local network", Audience.HERE, ReachAnswer, 422, rate=Limit.JOIN),
)
async def open_to_network(request: Request, services: Served) -> Response:
    """Also listen in the local network, until the server is stopped."""
    if not _is_here(request, services):
        raise UserError("server.not_public")
    await services.exposure.open()
    return _reached(request, services)


def _reached(request: Request, services: Services) -> Response:
    extent, here = services.exposure.extent, _is_here(request, services)
    return json_response(
        ReachAnswer(
            extent=extent.value,
            urls=list(services.exposure.urls()) if here else [],
            may_open=here and extent is ExposureLevel.COMPUTER,
        )
    )


def _is_here(request: Request, services: Services) -> bool:
    """Whether the client is on the server's computer. With a public site that may be its proxy, so no."""
    return client_info(request.scope).local and services.settings.public_url is None


async def _works(store: Store) -> bool:
    """Whether the store works; after a failure it is probed, so nobody has to play to find out."""
    try:
        async with asyncio.timeout(_PROBE_TIMEOUT):
            if store.failing:
                for _ in range(_PROBES):
                    await asyncio.wrap_future(store.probe())
            if store.unreadable:
                await asyncio.to_thread(store.read_again)
    except (Unavailable, TimeoutError):
        return False
    return store.alive


def _measure(services: Services) -> None:
    services.metrics.tables.set(len(services.registry))
    worker_pool = services.worker_pool
    statistics = worker_pool.statistics
    services.metrics.redis(bus=services.peer_sync.bus.connected, limits=services.limits.shared.connected)
    services.metrics.queue("turns", statistics.waiting)
    services.metrics.queue("hints", statistics.waiting_hints)
    services.metrics.queue("reviews", statistics.waiting_reviews)
    services.metrics.queue("writes", services.registry.waiting)
    services.metrics.workers(
        worker_pool.progress.ready, worker_pool.remote_processes, worker_pool.remote_jobs
    )
