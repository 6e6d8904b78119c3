"""Tables: create, list, join, view, and send commands without a socket; hints; the daily garden."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal

from fastapi import Path, Query
from starlette.responses import Response

from sanssouci.editions import write_boards
from sanssouci.locale import UserError
from sanssouci.notation import write_square
from sanssouci.notation.json_types import DayText, EditionName, ExpansionName, JsonObject, Timestamp
from sanssouci.review import Reason, say_reason
from sanssouci.rules import View
from sanssouci.store import TokenKind
from sanssouci.table import (
    OPPONENT,
    CommandRejected,
    PastAnswer,
    RejectReason,
    Sitter,
    Stage,
    TableRecord,
    TableView,
    daily_settings,
    new_chair,
)
from sanssouci.workers import HintResult, squares_of

from ..auth.principal import CurrentUser, Principal, enforce_rate_limit
from ..auth.table_access import JoinRequest, TableAccess
from ..auth.tickets import TICKET_SECONDS
from ..error_responses import json_response
from ..quotas import check_watchers
from ..rate_limits import Limit
from ..services import Claims, Served, Services
from ..tables.display_names import clean_name
from ..tables.execute import computer_name, execute_command, is_rematch
from ..tables.listing import OPEN_PAGE, TablesAnswer, open_page
from ..tables.live_table import LiveTable
from ..tables.membership import CreatedTable
from ..tables.new_table import read_chairs, read_origin, read_table_settings, stand_in
from ..wire import responses
from ..wire.requests import CommandBody, HintBody, JoinBody, TableBody, TicketBody
from ..wire.responses import (
    CommandAnswer,
    CreatedAnswer,
    HintAnswer,
    LinkAnswer,
    SeatAnswer,
    TicketAnswer,
    Update,
)
from ..wire.route_docs import Audience, described, described_text, router_of


class DailyAnswer(JsonObject):
    """The daily garden."""

    day: DayText
    """The day, in UTC."""
    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""
    opponent: str
    """The computer player on the other chair."""
    until: Timestamp
    """When the next day begins."""


MAX_LISTED = 100
"""Tables on a page of open tables."""
BOARDS = "application/toml"
_BOARDS_FILE = "A boards file, as docs/boards.md has it."

router = router_of("tables")
TableId = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The table's id.")]
OneChair = Annotated[int, Path(ge=0, le=3, description="A chair, counted from 0.")]
OneTurn = Annotated[int, Path(ge=0, le=72, description="The number of turns played; 0 is the start.")]
JoinOrWatch = Annotated[Literal["join", "watch"], Path(description="Which link.")]
AnyChair = Annotated[int | None, Query(ge=0, le=3, description="One of your chairs, if you hold several.")]

Begun = Annotated[bool, Query(description="List running games to watch instead.")]
OpenPage = Annotated[str | None, Query(pattern=OPEN_PAGE, description="The `next` of the previous page.")]


async def authorised_table(
    services: Services, principal: Principal, table: str
) -> tuple[LiveTable, TableAccess]:
    """The table and the principal's access to it; ``UnknownTable`` if the principal may not see it."""
    guest = None if principal.guest is None else principal.guest.id
    return await services.membership.authorise(table, guest, principal.key)


def created_answer(opened: CreatedTable) -> CreatedAnswer:
    """A new table with the secrets of its links, which are shown only once."""
    return {
        "table": opened.live_table.table.id,
        "commitment": opened.live_table.table.state.commitment,
        "seats": [{"chair": place, "token": token.reveal()} for place, token in opened.seats.items()],
        "join": opened.join.reveal(),
        "watch": opened.watch.reveal(),
    }


@router.post(
    "/api/tables",
    **described(
        "Create a table", Audience.GUEST, CreatedAnswer, 400, 409, 422, rate=Limit.CREATE, status=201
    ),
)
async def set_up(message: TableBody, services: Served, principal: CurrentUser) -> Response:
    """Create a table. The response holds the secrets of its links, this once; only hashes are stored."""
    guest = principal.require_guest()
    # In a thread, because a record is replayed and a boards file parsed.
    origin = await asyncio.to_thread(read_origin, message)
    table_settings = await asyncio.to_thread(read_table_settings, services, message, origin)
    chairs = read_chairs(services, message, guest.name, principal.language)
    opened = await services.membership.create(guest.id, table_settings, chairs, origin)
    return json_response(created_answer(opened), 201)


@router.get("/api/tables", **described("List open tables", Audience.ANYONE, TablesAnswer, 400))
async def open_tables(services: Served, after: OpenPage = None, begun: Begun = False) -> Response:
    """Tables with an open chair that anyone may take, the newest first; a hundred on a page.

    With `begun`, running games instead, which anyone may watch.
    """
    return json_response(
        await asyncio.to_thread(open_page, services.registry, after, MAX_LISTED, begun=begun)
    )


@router.get("/api/tables/{table}", **described("Get a table", Audience.VIEWER, TableView))
async def get_table(
    table: TableId, services: Served, principal: CurrentUser, chair: AnyChair = None
) -> Response:
    """The table as you may see it."""
    live_table, access = await authorised_table(services, principal, table)
    return json_response(live_table.view(access.viewer(chair)))


@router.get("/api/tables/{table}/events", **described("List events", Audience.VIEWER, Update))
async def events(
    table: TableId,
    services: Served,
    principal: CurrentUser,
    chair: AnyChair = None,
    after: Annotated[int, Query(ge=-1, le=1_000_000, description="The last event you have.")] = -1,
) -> Response:
    """The events since `after`, and the current view: the same as a socket's update."""
    live_table, access = await authorised_table(services, principal, table)
    return Response(live_table.update(access.viewer(chair), after), media_type="application/json")


@router.get("/api/tables/{table}/past/{turn}", **described("Look back", Audience.VIEWER, PastAnswer, 422))
async def past(
    table: TableId, turn: OneTurn, services: Served, principal: CurrentUser, chair: AnyChair = None
) -> Response:
    """The game after a number of turns, as you could see it then; also while it is running."""
    live_table, access = await authorised_table(services, principal, table)
    return json_response(live_table.past(access.viewer(chair), turn))


@router.post(
    "/api/tables/{table}/seats",
    **described("Join a table", Audience.JOINER, SeatAnswer, 409, 422, rate=Limit.JOIN, status=201),
)
async def join(table: TableId, message: JoinBody, services: Served, principal: CurrentUser) -> Response:
    """Take an open chair, at an open table or with the secret of its join link.

    Only the owner may hold several chairs. Guests whom the owner has removed are refused.
    """
    live_table, access = await authorised_table(services, principal, table)
    guest = principal.require_guest()
    name = clean_name(message.name) if message.name is not None else guest.name
    join_request = JoinRequest(name, message.chair, message.colour)
    chair, token = await services.membership.sit(live_table, access, join_request)
    return json_response(SeatAnswer(chair=chair, token=token.reveal()), 201)


@router.post(
    "/api/tables/{table}/seats/{chair}/claim",
    **described("Claim a chair", Audience.CLAIMANT, SeatAnswer, 409, rate=Limit.JOIN),
)
async def claim(table: TableId, chair: OneChair, services: Served, principal: CurrentUser) -> Response:
    """Keep a chair in this browser, with the secret of its seat link, which is replaced by a new one.

    A guest who holds the chair already needs no secret, so a claim without a response can be repeated.
    """
    live_table, access = await authorised_table(services, principal, table)
    principal.require_guest()
    token = await services.membership.claim(live_table, access, chair)
    return json_response(SeatAnswer(chair=chair, token=token.reveal()))


@router.post(
    "/api/tables/{table}/seats/{chair}/link",
    **described("Renew a seat link", Audience.SEATED, SeatAnswer, rate=Limit.JOIN, status=201),
)
async def new_link(table: TableId, chair: OneChair, services: Served, principal: CurrentUser) -> Response:
    """A new secret for the seat link of one of your chairs; the old one stops working."""
    live_table, access = await authorised_table(services, principal, table)
    token = await services.membership.new_seat_link(live_table, access, chair)
    return json_response(SeatAnswer(chair=chair, token=token.reveal()), 201)


@router.post(
    "/api/tables/{table}/links/{link}",
    **described("Renew the join or watch link", Audience.OWNER, LinkAnswer, rate=Limit.JOIN, status=201),
)
async def renew_link(table: TableId, link: JoinOrWatch, services: Served, principal: CurrentUser) -> Response:
    """A new secret for the join link or the watch link; the old one stops working.

    Spectators who use the old link are disconnected (4403). A new join link lets removed guests join again.
    """
    live_table, access = await authorised_table(services, principal, table)
    token = await services.membership.new_link(live_table, access, TokenKind(link))
    return json_response(LinkAnswer(link=link, token=token.reveal()), 201)


@router.post(
    "/api/tables/{table}/commands",
    **described("Send a command", Audience.PLAYER, CommandAnswer, 409, 422, rate=Limit.COMMAND),
)
async def command(table: TableId, message: CommandBody, services: Served, principal: CurrentUser) -> Response:
    """Send a command without a socket. A repeated ``command_id`` is acknowledged, not executed again."""
    if is_rematch(message):
        await enforce_rate_limit(services, Limit.CREATE, principal.address, principal.client_key)
    live_table, access = await authorised_table(services, principal, table)
    caller = access.caller(message.chair)
    grants = access.grants_for(caller.chair)
    done = await execute_command(
        services, live_table, message, caller, lambda: live_table.still_valid(grants)
    )
    return json_response(
        CommandAnswer(command_id=message.command_id, seq=done.event.seq, repeated=done.repeated)
    )


@router.post(
    "/api/tables/{table}/tickets",
    **described(
        "Get a ticket for a socket", Audience.VIEWER, TicketAnswer, 409, rate=Limit.SOCKET, status=201
    ),
)
async def ticket(table: TableId, message: TicketBody, services: Served, principal: CurrentUser) -> Response:
    """A ticket for one socket."""
    live_table, access = await authorised_table(services, principal, table)
    viewer = access.viewer(message.chair, message.watch)
    client_key = principal.client_key or principal.address
    services.socket_limits.check(client_key)
    if viewer.chair is None and not viewer.owner:
        check_watchers(live_table, services.settings.watchers_per_table, principal.address)
    claims = Claims(
        table,
        viewer.chair,
        viewer.owner,
        client_key,
        access.guest,
        access.undecided(message.chair) and not message.watch,
        access.by_link(viewer.chair),
        access.grants_for(viewer.chair),
    )
    issued = await services.issue_ticket(live_table, claims)
    return json_response(TicketAnswer(ticket=issued, chair=viewer.chair, seconds=int(TICKET_SECONDS)), 201)


@router.post(
    "/api/tables/{table}/hint",
    **described("Ask for a hint", Audience.SEATED, HintAnswer, 422, rate=Limit.HINT),
)
async def hint(table: TableId, message: HintBody, services: Served, principal: CurrentUser) -> Response:
    """The best turn that a search finds for your chair, and why; only at tables that allow hints."""
    live_table, access = await authorised_table(services, principal, table)
    chair, table_state = access.chair(message.chair), live_table.table.state
    if chair is None:
        raise CommandRejected(
            RejectReason.NAME_CHAIR if access.undecided(message.chair) else RejectReason.NOT_ALLOWED
        )
    if not table_state.settings.hints:
        raise UserError("server.no_hints")
    awaited = table_state.stage is Stage.PLAYING and table_state.waiting == (chair,)
    if table_state.game is None or not awaited:
        raise CommandRejected(RejectReason.NOT_AWAITED)
    view = table_state.game.view(table_state.seat_of(chair))
    client_key = await services.membership.holder(live_table, chair)
    found = await services.worker_pool.hint(view, live_table.croupier.key(f"hint {view.turn}"), client_key)
    names = [table_state.chairs[place].name for place in table_state.order]
    return json_response(write_hint_answer(found, view, principal.language, names))


@router.get(
    "/api/tables/{table}/record", **described("Get the record of a game", Audience.VIEWER, TableRecord, 422)
)
async def record(table: TableId, services: Served, principal: CurrentUser) -> Response:
    """The game's record, once it is over or abandoned; it reveals everything that was hidden."""
    live_table, _ = await authorised_table(services, principal, table)
    document = await asyncio.to_thread(live_table.record)
    name = f'attachment; filename="sanssouci-{table}.json"'
    return Response(document, headers={"content-disposition": name}, media_type="application/json")


@router.get(
    "/api/tables/{table}/boards",
    **described_text("The boards of a table", Audience.VIEWER, Limit.READ, BOARDS, _BOARDS_FILE),
)
async def boards(table: TableId, services: Served, principal: CurrentUser) -> Response:
    """The boards of the table as a boards file; with it and the record the shuffle can be proved."""
    live_table, _ = await authorised_table(services, principal, table)
    name = f'attachment; filename="sanssouci-{table}.toml"'
    text = write_boards(live_table.table.state.boards)
    return Response(text, headers={"content-disposition": name}, media_type=BOARDS)


# Hints.


def write_hint_answer(
    hint: HintResult, view: View, language: str, names: Sequence[str]
) -> responses.HintAnswer:
    edition = view.variant.edition
    return {
        "turn": hint.turn,
        "reasons": [write_reason(reason, edition, language, names) for reason in hint.reasons],
        "expected": hint.expected,
        "others": list(hint.others),
    }


def write_reason(reason: Reason, edition: str, language: str, names: Sequence[str] = ()) -> responses.Reason:
    """A reason for a turn, in the reader's language; ``names`` are those of the seats."""
    seat = dict(reason.details).get("seat")
    return {
        "key": reason.key,
        "sentence": say_reason(reason, edition, language, names),
        "seat": seat if isinstance(seat, int) else None,
        "squares": [write_square(square) for square in squares_of(reason)],
    }


# The daily garden.

daily_garden = router_of("daily")


@daily_garden.get("/api/daily", **described("Get the daily garden", Audience.ANYONE, DailyAnswer))
async def daily(services: Served) -> Response:
    """Today's deal (by UTC), its opponent and when it ends."""
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


@daily_garden.post(
    "/api/daily",
    **described(
        "Play the daily garden", Audience.GUEST, CreatedAnswer, 409, 422, rate=Limit.CREATE, status=201
    ),
)
async def play_daily(services: Served, principal: CurrentUser) -> Response:
    """Create a table with today's deal: you on the first chair, the opponent on the second."""
    guest = principal.require_guest()
    name = computer_name(services, OPPONENT, "", principal.language)
    chairs = new_chair(Sitter.PERSON, guest.name), new_chair(Sitter.COMPUTER, name, OPPONENT)
    table_settings = daily_settings(_today(services), stand_in(services.settings.players))
    return json_response(
        created_answer(await services.membership.create(guest.id, table_settings, chairs)), 201
    )


def _today(services: Services) -> date:
    return datetime.fromtimestamp(services.registry.dependencies.wall(), UTC).date()
