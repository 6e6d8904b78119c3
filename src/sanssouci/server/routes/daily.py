"""The daily garden: today's deal, the same for everyone."""

from datetime import UTC, date, datetime, timedelta

from starlette.responses import Response

from sanssouci.table import OPPONENT, Sitter, daily_settings, new_chair

from ..auth.principal import CurrentUser, check_rate
from ..error_responses import json_response
from ..limits.rate_limits import Limit
from ..services import Served, Services
from ..tables.execute import computer_name
from ..tables.new_table import stand_in
from ..wire.daily import DailyAnswer
from ..wire.responses import CreatedAnswer
from ..wire.route_docs import Audience, described, router_of
from .tables import write_opened

router = router_of("daily")


@router.get("/api/daily", **described("The daily garden", Audience.ANYONE, Limit.READ, DailyAnswer))
async def daily(services: Served, principal: CurrentUser) -> Response:
    """Today's deal (by UTC), its opponent and when it ends."""
    check_rate(services, principal, Limit.READ)
    day = _today(services)
    table_settings = daily_settings(day)
    midnight = datetime.combine(day + timedelta(days=1), datetime.min.time(), UTC)
    return json_response(
        DailyAnswer(
            day=day.isoformat(),
            edition=table_settings.variant.edition,
            expansions=list(table_settings.variant.expansions),
            opponent=OPPONENT,
            until=midnight.timestamp(),
        )
    )


@router.post(
    "/api/daily",
    **described(
        "Play the daily garden", Audience.GUEST, Limit.CREATE, CreatedAnswer, 401, 409, 422, status=201
    ),
)
async def play_daily(services: Served, principal: CurrentUser) -> Response:
    """Create a table with today's deal: you on the first chair, the opponent on the second."""
    check_rate(services, principal, Limit.CREATE)
    guest = principal.require_guest()
    name = computer_name(services, OPPONENT, "", principal.language)
    chairs = new_chair(Sitter.PERSON, guest.name), new_chair(Sitter.COMPUTER, name, OPPONENT)
    table_settings = daily_settings(_today(services), stand_in(services.settings.players))
    return json_response(
        write_opened(await services.membership.create(guest.id, table_settings, chairs)), 201
    )


def _today(services: Services) -> date:
    return datetime.fromtimestamp(services.registry.dependencies.now(), UTC).date()
