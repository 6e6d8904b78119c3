"""The house: whether it is well, what it measures, which players and boards it has."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from sanssouci import __version__
from sanssouci.dealer import ProofError, prove
from sanssouci.editions import SHIPPED, load_edition, shipped_boards
from sanssouci.locale import Complaint
from sanssouci.notation import parse_record, verify
from sanssouci.players import about, character
from sanssouci.rules import EDITIONS

from ..callers import caller_of
from ..limits import Bucket
from ..metrics import CONTENT_TYPE, may_read_metrics
from ..replies import answer
from ..services import Served, Services
from ..visitor import Visits, check_rate

RECORDS = "/api/records"

router = APIRouter(tags=["house"])


@router.get("/health")
async def health() -> Response:
    """Whether the server answers at all."""
    return answer({"ok": True})


@router.get("/ready")
async def ready(services: Served) -> Response:
    """Whether it can keep turns and computer players can play; 503 if not."""
    state = {"store": services.store.alive, "players": services.workforce.progress.ready > 0}
    return answer(state, 200 if all(state.values()) else 503)


@router.get("/metrics")
async def metrics(request: Request, services: Served) -> Response:
    """Figures for Prometheus; not for the public."""
    token = services.settings.metrics_token
    if not may_read_metrics(caller_of(request.scope), request.headers.get("authorization"), token):
        raise Complaint("server.not_public")
    _measure(services)
    return Response(services.metrics.render(), media_type=CONTENT_TYPE)


@router.get("/api/players")
async def players(services: Served, visitor: Visits) -> Response:
    """The computer players that may sit at a table."""
    check_rate(services, visitor, Bucket.READ)
    language = visitor.language
    return answer(
        {
            "players": [
                {"player": name, "name": character(name, language) or name, "about": about(name, language)}
                for name in services.settings.players
            ]
        }
    )


@router.get("/api/editions")
async def editions(services: Served, visitor: Visits) -> Response:
    """The editions with their own boards, and all sets of boards."""
    check_rate(services, visitor, Bucket.READ)
    return answer(
        {
            "version": __version__,
            "editions": [{"edition": name, "boards": load_edition(name).boards.name} for name in EDITIONS],
            "boards": [{"name": name, "sha256": shipped_boards(name).sha256} for name in SHIPPED],
        }
    )


@router.post(RECORDS)
async def check_record(request: Request, services: Served, visitor: Visits) -> Response:
    """Check a record: it is replayed by the rules, and its shuffle proved if it tells its seed."""
    check_rate(services, visitor, Bucket.IMPORT)
    data = await request.body()
    return answer(await asyncio.to_thread(_checked, data))


def _checked(data: bytes) -> dict[str, object]:
    record = parse_record(data)
    state = verify(record)
    try:
        prove(record)
        proved = True
    except ProofError:
        proved = False
    return {"turns": state.turn, "over": state.over, "proved": proved}


def _measure(services: Services) -> None:
    services.metrics.tables.set(len(services.hall))
    statistics = services.workforce.statistics
    services.metrics.queue("turns", statistics.waiting)
    services.metrics.queue("hints", statistics.waiting_hints)
    services.metrics.queue("writes", services.hall.waiting)
