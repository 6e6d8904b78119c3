"""A guest's own statistics: to look at, to take along, to delete."""

import asyncio

from starlette.responses import Response

from sanssouci.store import DropPlayed

from ..description.schemas.routes import Who, described, router_of
from ..description.schemas.statistics import DeletedAnswer, StatisticsAnswer
from ..edge.limits import Bucket
from ..replies import answer
from ..services import Served
from ..statistics import statistics
from ..visitor import Visits, check_rate

router = router_of("guests")


@router.get(
    "/api/me/statistics", **described("Your statistics", Who.GUEST, Bucket.READ, StatisticsAnswer, 401)
)
async def my_statistics(services: Served, visitor: Visits) -> Response:
    """What came of your games; a game counts when it has ended and you held one chair at it."""
    check_rate(services, visitor, Bucket.READ)
    return answer(await asyncio.to_thread(statistics, services.hall.store, visitor.known().id))


@router.delete(
    "/api/me/statistics", **described("Delete your statistics", Who.GUEST, Bucket.GUEST, DeletedAnswer, 401)
)
async def delete_statistics(services: Served, visitor: Visits) -> Response:
    """Delete them for good; the games themselves stay, and what you play from now on counts again."""
    check_rate(services, visitor, Bucket.GUEST)
    await services.hall.write(DropPlayed(visitor.known().id))
    return answer({"deleted": True})
