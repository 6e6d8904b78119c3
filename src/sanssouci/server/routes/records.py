"""Uploaded game records: verified, or shown step by step. Nothing is stored."""

import asyncio
from collections.abc import Callable

from fastapi import Request
from starlette.responses import Response

from sanssouci.dealer import ProofError, prove
from sanssouci.notation import Record, parse_record, verify
from sanssouci.table import write_replay

from ..auth.principal import CurrentUser, Principal, enforce_rate_limit
from ..error_responses import json_response
from ..limits.rate_limits import Limit
from ..services import Served, Services
from ..wire.replay import StepsAnswer
from ..wire.responses import CheckedAnswer
from ..wire.route_docs import Audience, Keywords, described, router_of

CHECK = "/api/records"
STEPS = "/api/records/steps"
IMPORTS = (CHECK, STEPS)
"""Paths where a body may be as large as a record."""
_NOT_PROVABLE = ("proof.no_seed", "proof.no_boards", "proof.unknown_boards", "proof.unknown_scheme")

router = router_of("records")


def _importing(summary: str, answered: type) -> Keywords:
    """The description of a route that reads a large body itself."""
    keywords = described(summary, Audience.ANYONE, Limit.IMPORT, answered, 422)
    record = {"schema": {"type": "object", "description": "A record, as docs/notation.md has it."}}
    keywords["openapi_extra"]["requestBody"] = {"required": True, "content": {"application/json": record}}
    return keywords


@router.post(CHECK, **_importing("Check a record", CheckedAnswer))
async def check_record(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Check a record: it is replayed by the rules, and its shuffle is proved if it contains the seed."""
    return await _answered(request, services, principal, _checked)


@router.post(STEPS, **_importing("A record step by step", StepsAnswer))
async def record_steps(request: Request, services: Served, principal: CurrentUser) -> Response:
    """Every position of a record with all hands open, and its turns as a table announces them."""
    return await _answered(request, services, principal, write_replay)


async def _answered(
    request: Request, services: Services, principal: Principal, work: Callable[[Record], object]
) -> Response:
    enforce_rate_limit(services, Limit.IMPORT, None, principal.client_key)  # address: in the middleware
    data = await request.body()
    return await asyncio.to_thread(lambda: json_response(work(parse_record(data))))


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
