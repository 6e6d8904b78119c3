"""For owners of the physical game: the score sheet, and checking boards files. Nothing is stored."""

from starlette.responses import Response

from sanssouci.editions import SHIPPED, BoardSet, boar_can_start, parse_boards, shipped_boards
from sanssouci.locale import UserError

from ..auth.principal import CurrentUser, check_rate
from ..error_responses import json_response
from ..features.score_sheet import BoardsBody, ScoreSheetBody, score_sheet
from ..limits.rate_limits import Limit
from ..services import Served
from ..wire.route_docs import Audience, described, router_of
from ..wire.score_sheet import BoardsAnswer, ScoresAnswer

router = router_of("scores")


@router.post(
    "/api/scores",
    **described("Score a physical game", Audience.ANYONE, Limit.READ, ScoresAnswer, 400, 422),
)
async def scores(table: ScoreSheetBody, services: Served, principal: CurrentUser) -> Response:
    """Points by category, totals and winners of a game played with the box, and impossible entries."""
    check_rate(services, principal, Limit.READ)
    return json_response(score_sheet(table, principal.language))


@router.post(
    "/api/boards",
    **described("Check a boards file", Audience.ANYONE, Limit.READ, BoardsAnswer, 400, 422),
)
async def check_boards_file(boards: BoardsBody, services: Served, principal: CurrentUser) -> Response:
    """The contents of a boards file, or its first error and where it is."""
    check_rate(services, principal, Limit.READ)
    return json_response(_held(parse_boards(boards.file.encode("utf-8"))))


@router.get(
    "/api/boards/{boards}",
    **described("A set of boards", Audience.ANYONE, Limit.READ, BoardsAnswer, 422),
)
async def named_boards(boards: str, services: Served, principal: CurrentUser) -> Response:
    """The contents of a set of boards that comes with the game."""
    check_rate(services, principal, Limit.READ)
    if boards not in SHIPPED:
        raise UserError("boards.missing", known=", ".join(SHIPPED))
    return json_response(_held(shipped_boards(boards)))


def _held(boards: BoardSet) -> BoardsAnswer:
    return {
        "name": boards.name,
        "sha256": boards.sha256,
        "boar_can_start": boar_can_start(boards),
        **boards.layouts(),
    }
