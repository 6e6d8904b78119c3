"""A guest's own statistics: to look at, to take along, to delete."""

import asyncio

from starlette.responses import Response

from sanssouci.store import DropPlayed

from ..auth.principal import CurrentUser, check_rate
from ..error_responses import json_response
from ..features.statistics import statistics
from ..limits.rate_limits import Limit
from ..services import Served
from ..wire.route_docs import Audience, described, router_of
from ..wire.statistics import DeletedAnswer, StatisticsAnswer

router = router_of("guests")


@router.get(
    "/api/me/statistics", **described("Your statistics", Audience.GUEST, Limit.READ, StatisticsAnswer, 401)
)
async def my_statistics(services: Served, principal: CurrentUser) -> Response:
    """What came of your games; a game counts when it has ended and you held one chair at it."""
    check_rate(services, principal, Limit.READ)
    return json_response(
        await asyncio.to_thread(statistics, services.registry.store, principal.require_guest().id)
    )


@router.delete(
    "/api/me/statistics",
    **described("Delete your statistics", Audience.GUEST, Limit.GUEST, DeletedAnswer, 401),
)
async def delete_statistics(services: Served, principal: CurrentUser) -> Response:
    """Delete them for good; the games themselves stay, and what you play from now on counts again."""
    check_rate(services, principal, Limit.GUEST)
    await services.registry.write(DropPlayed(principal.require_guest().id))
    return json_response({"deleted": True})
