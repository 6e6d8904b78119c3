"""The services that routes depend on."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from sanssouci.store import Store
from sanssouci.workers import WorkerPool

from .auth.tickets import Tickets
from .features.reviews import Reviews
from .limits.rate_limits import RateLimiter
from .limits.socket_limits import SocketLimits
from .ops.exposure import Exposure
from .ops.metrics import Metrics
from .ops.static_files import StaticFiles
from .settings import Settings
from .tables.live_table import GrantVersion
from .tables.membership import Membership
from .tables.scheduler import Scheduler
from .tables.table_registry import TableRegistry


@dataclass(frozen=True, slots=True)
class Claims:
    """What a ticket grants: a table, a chair, and who asked for it."""

    table: str
    chair: int | None
    owner: bool
    client_key: str
    """For rate limits per client: a guest, or the hash of a link's secret."""
    guest: str | None
    undecided: bool
    """Whether the guest holds several chairs and named none; such a socket cannot send commands."""
    by_link: bool
    """Whether the chair is held by its seat link rather than by the guest."""
    grants: GrantVersion
    """The grants that the right to the chair depends on; once revoked, the ticket is invalid."""

    @property
    def roles(self) -> frozenset[int]:
        return frozenset(role for role, _ in self.grants)


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    store: Store
    registry: TableRegistry
    membership: Membership
    scheduler: Scheduler
    reviews: Reviews
    worker_pool: WorkerPool
    tickets: Tickets[Claims]
    socket_limits: SocketLimits
    limits: RateLimiter
    metrics: Metrics
    pages: StaticFiles
    exposure: Exposure


def services_of(connection: HTTPConnection) -> Services:
    services: Services = connection.app.state.services
    return services


async def _served(connection: HTTPConnection) -> Services:
    """As a coroutine, because FastAPI would run a plain function in a thread."""
    return services_of(connection)


Served = Annotated[Services, Depends(_served)]
