"""A guest's own statistics: read and delete."""

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
    """The results of your games; a game counts once it has ended, if you held one chair."""
    check_rate(services, principal, Limit.READ)
    return json_response(
        await asyncio.to_thread(statistics, services.registry.store, principal.require_guest().id)
    )


@router.delete(
    "/api/me/statistics",
    **described("Delete your statistics", Audience.GUEST, Limit.GUEST, DeletedAnswer, 401),
)
async def delete_statistics(services: Served, principal: CurrentUser) -> Response:
    """Delete your statistics for good; the games stay, and new ones count again."""
    check_rate(services, principal, Limit.GUEST)
    await services.registry.write(DropPlayed(principal.require_guest().id))
    return json_response(DeletedAnswer(deleted=True))
