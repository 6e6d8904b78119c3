"""For owners of the box: counting up a real table, and checking the boards that one has entered.

Nothing of it is kept.
"""

from typing import Any

from starlette.responses import Response

from sanssouci.editions import SHIPPED, BoardSet, boar_can_start, parse_boards, shipped_boards
from sanssouci.locale import UserError

from ..description.schemas.routes import Who, described, router_of
from ..description.schemas.scores import BoardsAnswer, ScoresAnswer
from ..edge.limits import Bucket
from ..real_table import BoardsFile, RealTable, count_up
from ..replies import answer
from ..services import Served
from ..visitor import Visits, check_rate

router = router_of("scores")


@router.post(
    "/api/scores",
    **described("Count up a real table", Who.ANYONE, Bucket.READ, ScoresAnswer, 400, 422),
)
async def scores(table: RealTable, services: Served, visitor: Visits) -> Response:
    """Points by part, totals and winners of a game with the box, and what cannot be in it."""
    check_rate(services, visitor, Bucket.READ)
    return answer(count_up(table, visitor.language))


@router.post(
    "/api/boards",
    **described("Check a boards file", Who.ANYONE, Bucket.READ, BoardsAnswer, 400, 422),
)
async def check_boards_file(boards: BoardsFile, services: Served, visitor: Visits) -> Response:
    """What a boards file holds, or what is wrong in it and where."""
    check_rate(services, visitor, Bucket.READ)
    return answer(_held(parse_boards(boards.file.encode("utf-8"))))


@router.get(
    "/api/boards/{boards}",
    **described("A set of boards", Who.ANYONE, Bucket.READ, BoardsAnswer, 422),
)
async def named_boards(boards: str, services: Served, visitor: Visits) -> Response:
    """What a set holds that comes with the game."""
    check_rate(services, visitor, Bucket.READ)
    if boards not in SHIPPED:
        raise UserError("boards.missing", known=", ".join(SHIPPED))
    return answer(_held(shipped_boards(boards)))


def _held(boards: BoardSet) -> dict[str, Any]:
    return {
        "name": boards.name,
        "sha256": boards.sha256,
        "boar_can_start": boar_can_start(boards),
        **boards.layouts(),
    }
