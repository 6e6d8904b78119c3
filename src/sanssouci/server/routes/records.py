"""Records of games: verified, shown step by step, or reviewed; and reviews of games."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Path, Request
from starlette.responses import Response

from sanssouci.dealer import ProofError, prove
from sanssouci.locale import UserError
from sanssouci.notation import Record, RecordError, is_complete, parse_record, verify
from sanssouci.notation.json_types import Count, JsonObject
from sanssouci.store import ReviewRow
from sanssouci.table import CommandRejected, RejectReason, StepsAnswer, coloured_record, write_replay

from ..auth.principal import CurrentUser, Principal
from ..error_responses import json_response
from ..rate_limits import Limit
from ..reviews import (
    ReviewAnswer,
    ReviewStartedAnswer,
    positions_of,
    write_review,
    write_review_steps,
)
from ..services import Served, Services
from ..wire.responses import DeletedAnswer
from ..wire.route_docs import Audience, described, described_upload, router_of
from .tables import TableId, authorised_table

CHECK = "/api/records"
STEPS = "/api/records/steps"
ASK = "/api/reviews"
IMPORTS = (CHECK, STEPS, ASK)
"""Paths where a body may be as large as a record."""
MAX_TOKENS = 10_000
"""Quotes, commas and opening brackets of an upload; a game of four with everything has 1,100."""
_TOKENS = (b'"', b",", b"[", b"{")
_NOT_PROVABLE = ("proof.no_seed", "proof.no_boards", "proof.unknown_boards", "proof.unknown_scheme")


class CheckedAnswer(JsonObject):
    """The record is valid: every turn is legal, and the result follows from the turns."""

    turns: Count
    """The number of turns."""
    over: bool
    """Whether the game was played to its last turn."""
    proved: bool | None
    """Whether the seed produces the recorded deal; null without a seed, or with boards that the server does
    not know."""


router = router_of("records")
reviews = router_of("reviews")


@router.post(CHECK, **described_upload("Check a record", Audience.ANYONE, CheckedAnswer, 422))
async def check_record(request: Request, services: Served) -> Response:
    """Check a record: it is replayed by the rules, and its shuffle is proved if it contains the seed."""
    return await _answered(request, services, _checked)


@router.post(STEPS, **described_upload("A record step by step", Audience.ANYONE, StepsAnswer, 422))
async def record_steps(request: Request, services: Served) -> Response:
    """Every position of a record with all hands open, and its turns as a table announces them."""
    return await _answered(request, services, write_replay)


async def _answered(request: Request, services: Services, work: Callable[[Record], object]) -> Response:
    data = await request.body()
    return await services.in_background(lambda: json_response(work(_parse_upload(data))))


def _parse_upload(data: bytes) -> Record:
    """A record without more values than any game has: many small ones are expensive to parse."""
    if sum(map(data.count, _TOKENS)) > MAX_TOKENS:
        raise RecordError("", "record.too_many_values", limit=MAX_TOKENS)
    return parse_record(data)


def _checked(record: Record) -> CheckedAnswer:
    state = verify(record)
    return {"turns": state.turn, "over": state.over, "proved": _proved(record)}


def _proved(record: Record) -> bool | None:
    """Whether the seed produces the recorded deal; None without a seed, or with unknown boards."""
    try:
        prove(record)
    except ProofError as error:
        return None if error.key in _NOT_PROVABLE else False
    return True


# Reviews.

ReviewId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{43}$", description="The review's id.")]


@reviews.post(
    ASK, **described_upload("Review a record", Audience.GUEST, ReviewStartedAnswer, 422, status=201)
)
async def review_record(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Start a review of a complete game's record, which is replayed by the rules first."""
    guest = principal.require_guest().id
    data = await request.body()
    record = await services.in_background(lambda: _whole(data))
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(guest, record)), 201)


@reviews.post(
    "/api/tables/{table}/review",
    **described(
        "Review a table's game", Audience.VIEWER, ReviewStartedAnswer, 401, 422, rate=Limit.IMPORT, status=201
    ),
)
async def review_table(table: TableId, services: Served, principal: CurrentUser) -> Response:
    """Start a review of a table's game, once it is over; you must be a guest."""
    live_table, _ = await authorised_table(services, principal, table)
    guest = principal.require_guest().id
    chairs = live_table.table.state.chairs
    record = await services.in_background(lambda: coloured_record(parse_record(live_table.record()), chairs))
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(guest, record)), 201)


@reviews.get("/api/reviews/{review}", **described("Get a review", Audience.ANYONE, ReviewAnswer, 400, 404))
async def see_review(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """The progress of a review, and its findings in your language once it is ready."""
    progress = await services.reviews.progress(review)  # first, because the review may end meanwhile
    row = await services.reviews.find(review)
    with services.reviews.reporting_damage(row):
        document, of = await services.in_background(
            lambda: (write_review(row, principal.language), positions_of(row))
        )
    if document is not None:
        state, done = "ready", of
    else:
        state, done = ("stopped", 0) if progress is None else ("working", progress)
    own = principal.guest is not None and principal.guest.id == row.guest
    return json_response({"state": state, "done": done, "of": of, "own": own, "document": document})


@reviews.get(
    "/api/reviews/{review}/steps",
    **described("Get the positions of a review", Audience.ANYONE, StepsAnswer, 400, 404, rate=Limit.IMPORT),
)
async def review_steps(review: ReviewId, services: Served) -> Response:
    """Every position of the reviewed game with all hands open, as for a record."""
    row = await services.reviews.find(review)
    with services.reviews.reporting_damage(row):
        steps = await services.in_background(lambda: write_review_steps(row))
    return json_response(steps)


@reviews.post(
    "/api/reviews/{review}/again",
    **described(
        "Restart a review", Audience.GUEST, ReviewStartedAnswer, 400, 404, rate=Limit.IMPORT, status=201
    ),
)
async def begin_again(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """Restart a review of yours that was not finished; one that is ready or running stays as it is."""
    row = await _own(services, principal, review)
    with services.reviews.reporting_damage(row):
        record = await services.in_background(lambda: parse_record(row.record.encode("utf-8")))
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(row.guest, record)), 201)


@reviews.delete(
    "/api/reviews/{review}",
    **described("Delete a review", Audience.GUEST, DeletedAnswer, 400, 404, rate=Limit.GUEST),
)
async def drop_review(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """Delete a review of yours for good; its link stops working."""
    await services.reviews.drop(await _own(services, principal, review))
    return json_response(DeletedAnswer(deleted=True))


async def _own(services: Services, principal: Principal, review: str) -> ReviewRow:
    guest, row = principal.require_guest().id, await services.reviews.find(review)
    if row.guest != guest:
        raise CommandRejected(RejectReason.NOT_ALLOWED)
    return row


def _whole(data: bytes) -> Record:
    record = _parse_upload(data)
    if not is_complete(record):
        raise UserError("review.not_over")
    return record
