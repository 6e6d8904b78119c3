"""Post-game reviews: request, progress, result and deletion."""

import asyncio
from typing import Annotated

from fastapi import Path, Request
from starlette.responses import Response

from sanssouci.notation import Record, parse_record
from sanssouci.store import ReviewRow
from sanssouci.table import CommandRejected, RejectReason

from ..auth.principal import CurrentUser, Principal, check_rate, enforce_rate_limit
from ..error_responses import json_response
from ..features.reviews import check_over, positions_of, write_review, write_review_steps
from ..limits.rate_limits import Limit
from ..services import Served, Services
from ..wire.replay import StepsAnswer
from ..wire.reviews import ReviewAnswer, ReviewDroppedAnswer, ReviewStartedAnswer
from ..wire.route_docs import Audience, Keywords, described, router_of
from .tables import TableId, authorised_table

ASK = "/api/reviews"

router = router_of("reviews")
ReviewId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{43}$", description="The review's id.")]


def _importing() -> Keywords:
    """The description of the route that reads a record from a large body."""
    keywords = described(
        "Review a record", Audience.GUEST, Limit.IMPORT, ReviewStartedAnswer, 401, 422, status=201
    )
    record = {"schema": {"type": "object", "description": "A record, as docs/notation.md has it."}}
    keywords["openapi_extra"]["requestBody"] = {"required": True, "content": {"application/json": record}}
    return keywords


@router.post(ASK, **_importing())
async def review_record(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Start a review of a complete game's record, which is replayed by the rules first."""
    enforce_rate_limit(services, Limit.IMPORT, None, principal.client_key)  # address: in the middleware
    guest = principal.require_guest().id
    record = await asyncio.to_thread(_whole, await request.body())
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(guest, record)), 201)


@router.post(
    "/api/tables/{table}/review",
    **described(
        "Review a table's game",
        Audience.VIEWER,
        Limit.IMPORT,
        ReviewStartedAnswer,
        400,
        401,
        404,
        422,
        status=201,
    ),
)
async def review_table(table: TableId, services: Served, principal: CurrentUser) -> Response:
    """Start a review of a table's game, once it is over; you must be a guest."""
    check_rate(services, principal, Limit.IMPORT)
    live_table, _ = await authorised_table(services, principal, table)
    guest = principal.require_guest().id
    record = await asyncio.to_thread(lambda: parse_record(live_table.record()))
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(guest, record)), 201)


@router.get(
    "/api/reviews/{review}", **described("See a review", Audience.ANYONE, Limit.READ, ReviewAnswer, 400, 404)
)
async def see_review(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """The progress of a review, and its findings in your language once it is ready."""
    check_rate(services, principal, Limit.READ)
    row = await services.reviews.find(review)
    work = services.reviews.work(review)
    with services.reviews.reading(row):
        document = await asyncio.to_thread(write_review, row, principal.language)
        of = await asyncio.to_thread(positions_of, row)
    if document is not None:
        state, done = "ready", of
    else:
        state, done = ("stopped", 0) if work is None else ("working", work.done)
    own = principal.guest is not None and principal.guest.id == row.guest
    return json_response({"state": state, "done": done, "of": of, "own": own, "document": document})


@router.get(
    "/api/reviews/{review}/steps",
    **described("The positions of a review", Audience.ANYONE, Limit.IMPORT, StepsAnswer, 400, 404),
)
async def review_steps(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """Every position of the reviewed game with all hands open, as for a record."""
    check_rate(services, principal, Limit.IMPORT)
    row = await services.reviews.find(review)
    with services.reviews.reading(row):
        steps = await asyncio.to_thread(write_review_steps, row)
    return json_response(steps)


@router.post(
    "/api/reviews/{review}/again",
    **described(
        "Restart a review", Audience.GUEST, Limit.IMPORT, ReviewStartedAnswer, 400, 401, 404, status=201
    ),
)
async def begin_again(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """Restart a review of yours that was not finished; one that is ready or running stays as it is."""
    check_rate(services, principal, Limit.IMPORT)
    row = await _own(services, principal, review)
    with services.reviews.reading(row):
        record = await asyncio.to_thread(parse_record, row.record.encode("utf-8"))
    return json_response(ReviewStartedAnswer(review=await services.reviews.ask(row.guest, record)), 201)


@router.delete(
    "/api/reviews/{review}",
    **described("Delete a review", Audience.GUEST, Limit.GUEST, ReviewDroppedAnswer, 400, 401, 404),
)
async def drop_review(review: ReviewId, services: Served, principal: CurrentUser) -> Response:
    """Delete a review of yours for good; its link stops working."""
    check_rate(services, principal, Limit.GUEST)
    await services.reviews.drop(await _own(services, principal, review))
    return json_response(ReviewDroppedAnswer(deleted=True))


async def _own(services: Services, principal: Principal, review: str) -> ReviewRow:
    guest, row = principal.require_guest().id, await services.reviews.find(review)
    if row.guest != guest:
        raise CommandRejected(RejectReason.NOT_ALLOWED)
    return row


def _whole(data: bytes) -> Record:
    record = parse_record(data)
    check_over(record)
    return record
