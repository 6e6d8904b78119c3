"""Tables: set up, listed, joined, seen, and commanded by those who have no socket."""

import asyncio
from typing import Annotated, Literal

from fastapi import Path, Query
from starlette.responses import Response

from sanssouci.editions import write_boards
from sanssouci.locale import UserError
from sanssouci.store import TokenKind
from sanssouci.table import CommandRejected, RejectReason, Stage

from ..access import Access, Newcomer
from ..crowd import check_watchers
from ..description.schemas.answers import (
    CommandAnswer,
    CreatedAnswer,
    HintAnswer,
    LinkAnswer,
    PastAnswer,
    SeatAnswer,
    TablesAnswer,
    TicketAnswer,
)
from ..description.schemas.frames import Update
from ..description.schemas.record import RecordAnswer
from ..description.schemas.routes import Who, described, described_text, router_of
from ..description.schemas.table import TableView
from ..doors import Opened
from ..edge.limits import Bucket
from ..hints import write_hint_answer
from ..hosted import Hosted
from ..lists import OPEN_PAGE, open_page
from ..messages import AskHint, AskTicket, GiveCommand, Join, NewTable
from ..names import clean_name
from ..new_table import read_chairs, read_origin, read_table_settings
from ..orders import bucket_of, give
from ..replies import answer
from ..services import Claims, Served, Services
from ..tickets import SECONDS
from ..visitor import Visitor, Visits, check_rate

MOST_LISTED = 100
"""Tables on a page of the open ones."""
BOARDS = "application/toml"
_BOARDS_FILE = "A boards file, as docs/boards.md has it."

router = router_of("tables")
TableId = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The table's id.")]
OneChair = Annotated[int, Path(ge=0, le=3, description="A chair, counted from 0.")]
OneTurn = Annotated[int, Path(ge=0, le=72, description="So many turns were played; 0 is the beginning.")]
JoinOrWatch = Annotated[Literal["join", "watch"], Path(description="Which link.")]
AnyChair = Annotated[int | None, Query(ge=0, le=3, description="One of your chairs, if you hold several.")]

Begun = Annotated[bool, Query(description="Those whose game has begun, to watch.")]
OpenPage = Annotated[str | None, Query(pattern=OPEN_PAGE, description="The `next` of the page before.")]


async def approached(services: Services, visitor: Visitor, table: str) -> tuple[Hosted, Access]:
    """A table that is some of the visitor's business; any other is not there."""
    guest = None if visitor.guest is None else visitor.guest.id
    return await services.doors.approach(table, guest, visitor.key)


def write_opened(opened: Opened) -> dict[str, object]:
    """A new table with the secrets of its links, told this once."""
    return {
        "table": opened.hosted.table.id,
        "commitment": opened.hosted.table.state.commitment,
        "seats": [{"chair": place, "token": token.reveal()} for place, token in opened.seats.items()],
        "join": opened.join.reveal(),
        "watch": opened.watch.reveal(),
    }


@router.post(
    "/api/tables",
    **described("Set up a table", Who.GUEST, Bucket.CREATE, CreatedAnswer, 400, 401, 409, 422, status=201),
)
async def set_up(message: NewTable, services: Served, visitor: Visits) -> Response:
    """Set up a table. The answer holds the secrets of its links, this once; the server keeps their hashes."""
    check_rate(services, visitor, Bucket.CREATE)
    guest = visitor.known()
    # In a thread: a record is replayed, a boards file is parsed.
    origin = await asyncio.to_thread(read_origin, message)
    table_settings = await asyncio.to_thread(read_table_settings, services, message, origin)
    chairs = read_chairs(services, message, guest.name, visitor.language)
    opened = await services.doors.create(guest.id, table_settings, chairs, origin)
    return answer(write_opened(opened), 201)


@router.get("/api/tables", **described("Open tables", Who.ANYONE, Bucket.READ, TablesAnswer, 400))
async def open_tables(
    services: Served, visitor: Visits, after: OpenPage = None, begun: Begun = False
) -> Response:
    """Tables with an open chair that anyone may take, the newest first; a hundred on a page.

    With `begun` those whose game goes on instead, which anyone may watch.
    """
    check_rate(services, visitor, Bucket.READ)
    return answer(await asyncio.to_thread(open_page, services.hall, after, MOST_LISTED, begun=begun))


@router.get("/api/tables/{table}", **described("See a table", Who.VIEWER, Bucket.READ, TableView, 400, 404))
async def see(table: TableId, services: Served, visitor: Visits, chair: AnyChair = None) -> Response:
    """The table as you may see it."""
    check_rate(services, visitor, Bucket.READ)
    hosted, access = await approached(services, visitor, table)
    return answer(hosted.view(access.viewer(chair)))


@router.get(
    "/api/tables/{table}/events",
    **described("What has happened since", Who.VIEWER, Bucket.READ, Update, 400, 404),
)
async def events(
    table: TableId,
    services: Served,
    visitor: Visits,
    chair: AnyChair = None,
    after: Annotated[int, Query(ge=-1, le=1_000_000, description="The last event that you have.")] = -1,
) -> Response:
    """What has happened since an event, and the table as it is now: the same as a socket's update."""
    check_rate(services, visitor, Bucket.READ)
    hosted, access = await approached(services, visitor, table)
    return Response(hosted.update(access.viewer(chair), after), media_type="application/json")


@router.get(
    "/api/tables/{table}/past/{turn}",
    **described("Look back", Who.VIEWER, Bucket.READ, PastAnswer, 400, 404, 422),
)
async def past(
    table: TableId, turn: OneTurn, services: Served, visitor: Visits, chair: AnyChair = None
) -> Response:
    """The game after so many of its turns, as you could see it then; also while it is played."""
    check_rate(services, visitor, Bucket.READ)
    hosted, access = await approached(services, visitor, table)
    return answer(hosted.past(access.viewer(chair), turn))


@router.post(
    "/api/tables/{table}/seats",
    **described("Join a table", Who.JOINER, Bucket.JOIN, SeatAnswer, 400, 401, 404, 409, 422, status=201),
)
async def join(table: TableId, message: Join, services: Served, visitor: Visits) -> Response:
    """Take an open chair, at a table that is open or with the secret of its join link.

    Only the owner may have several. Whom the owner has sent away is refused.
    """
    check_rate(services, visitor, Bucket.JOIN)
    hosted, access = await approached(services, visitor, table)
    guest = visitor.known()
    name = clean_name(message.name) if message.name is not None else guest.name
    newcomer = Newcomer(name, message.chair, message.colour)
    chair, token = await services.doors.sit(hosted, access, newcomer)
    return answer({"chair": chair, "token": token.reveal()}, 201)


@router.post(
    "/api/tables/{table}/seats/{chair}/claim",
    **described("Keep a chair", Who.CLAIMANT, Bucket.JOIN, SeatAnswer, 400, 401, 404, 409),
)
async def claim(table: TableId, chair: OneChair, services: Served, visitor: Visits) -> Response:
    """Keep a chair in this browser, with the secret of its seat link; that one gives way to a new one."""
    check_rate(services, visitor, Bucket.JOIN)
    hosted, access = await approached(services, visitor, table)
    visitor.known()
    token = await services.doors.claim(hosted, access, chair)
    return answer({"chair": chair, "token": token.reveal()})


@router.post(
    "/api/tables/{table}/seats/{chair}/link",
    **described("A new seat link", Who.SEATED, Bucket.JOIN, SeatAnswer, 400, 404, status=201),
)
async def new_link(table: TableId, chair: OneChair, services: Served, visitor: Visits) -> Response:
    """A new secret for the seat link of one of your chairs; the old one is worth nothing any more."""
    check_rate(services, visitor, Bucket.JOIN)
    hosted, access = await approached(services, visitor, table)
    token = await services.doors.new_seat_link(hosted, access, chair)
    return answer({"chair": chair, "token": token.reveal()}, 201)


@router.post(
    "/api/tables/{table}/links/{link}",
    **described("A new join or watch link", Who.OWNER, Bucket.JOIN, LinkAnswer, 400, 404, status=201),
)
async def renew_link(table: TableId, link: JoinOrWatch, services: Served, visitor: Visits) -> Response:
    """A new secret for the join link or the watch link; the old one is worth nothing any more.

    Who watches by the old one is sent away (4403). With a new join link those may join again whom the owner
    has sent away.
    """
    check_rate(services, visitor, Bucket.JOIN)
    hosted, access = await approached(services, visitor, table)
    token = await services.doors.new_link(hosted, access, TokenKind(link))
    return answer({"link": link, "token": token.reveal()}, 201)


@router.post(
    "/api/tables/{table}/commands",
    **described("Give a command", Who.PLAYER, Bucket.COMMAND, CommandAnswer, 400, 404, 409, 422),
)
async def command(table: TableId, message: GiveCommand, services: Served, visitor: Visits) -> Response:
    """Give a command without a socket. The same ``command_id`` again is answered, not carried out again."""
    check_rate(services, visitor, bucket_of(message))
    hosted, access = await approached(services, visitor, table)
    caller = access.caller(message.chair)
    warrant = access.warrant_for(caller.chair)
    done = await give(services, hosted, message, caller, lambda: hosted.upholds(warrant))
    return answer({"command_id": message.command_id, "seq": done.event.seq, "repeated": done.repeated})


@router.post(
    "/api/tables/{table}/tickets",
    **described("A ticket for a socket", Who.VIEWER, Bucket.SOCKET, TicketAnswer, 400, 404, 409, status=201),
)
async def ticket(table: TableId, message: AskTicket, services: Served, visitor: Visits) -> Response:
    """A ticket for one socket."""
    check_rate(services, visitor, Bucket.SOCKET)
    hosted, access = await approached(services, visitor, table)
    viewer, asker = access.viewer(message.chair, message.watch), visitor.asker or visitor.address
    services.crowd.check(asker)
    if viewer.chair is None and not viewer.owner:
        check_watchers(hosted, services.settings.watchers_per_table, visitor.address)
    claims = Claims(
        table,
        viewer.chair,
        viewer.owner,
        asker,
        access.guest,
        access.undecided(message.chair) and not message.watch,
        access.by_link(viewer.chair),
        access.warrant_for(viewer.chair),
    )
    issued = services.tickets.issue(claims, services.hall.means.clock())
    return answer({"ticket": issued, "chair": viewer.chair, "seconds": int(SECONDS)}, 201)


@router.post(
    "/api/tables/{table}/hint",
    **described("Ask for a hint", Who.SEATED, Bucket.HINT, HintAnswer, 400, 404, 422),
)
async def hint(table: TableId, message: AskHint, services: Served, visitor: Visits) -> Response:
    """The best turn that a search finds for your chair, and why; only at tables that allow hints."""
    check_rate(services, visitor, Bucket.HINT)
    hosted, access = await approached(services, visitor, table)
    chair, table_state = access.chair(message.chair), hosted.table.state
    if chair is None:
        raise CommandRejected(
            RejectReason.NAME_CHAIR if access.undecided(message.chair) else RejectReason.NOT_ALLOWED
        )
    if not table_state.settings.hints:
        raise UserError("server.no_hints")
    if (
        table_state.stage is not Stage.PLAYING
        or table_state.waiting() != (chair,)
        or table_state.game is None
    ):
        raise CommandRejected(RejectReason.NOT_AWAITED)
    view = table_state.game.view(table_state.seat_of(chair))
    asker = await services.doors.holder(hosted, chair)
    found = await services.worker_pool.hint(view, hosted.croupier.key(f"hint {view.turn}"), asker)
    return answer(write_hint_answer(found, view, visitor.language))


@router.get(
    "/api/tables/{table}/record",
    **described("The record of a game", Who.VIEWER, Bucket.READ, RecordAnswer, 400, 404, 422),
)
async def record(table: TableId, services: Served, visitor: Visits) -> Response:
    """The game's record, once it is over or abandoned: it shows everything that was hidden."""
    check_rate(services, visitor, Bucket.READ)
    hosted, _ = await approached(services, visitor, table)
    document = await asyncio.to_thread(hosted.record)
    name = f'attachment; filename="sanssouci-{table}.json"'
    return Response(document, headers={"content-disposition": name}, media_type="application/json")


@router.get(
    "/api/tables/{table}/boards",
    **described_text("The boards of a table", Who.VIEWER, Bucket.READ, BOARDS, _BOARDS_FILE, 400, 404),
)
async def boards(table: TableId, services: Served, visitor: Visits) -> Response:
    """The boards that are played on, as a boards file: with it and the record the shuffle is proved."""
    check_rate(services, visitor, Bucket.READ)
    hosted, _ = await approached(services, visitor, table)
    name = f'attachment; filename="sanssouci-{table}.toml"'
    text = write_boards(hosted.table.state.boards)
    return Response(text, headers={"content-disposition": name}, media_type=BOARDS)
