"""What the routes of a server work with."""

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
    """What a ticket says: a table, from which chair, and who asked for it."""

    table: str
    chair: int | None
    owner: bool
    client_key: str
    """Whose rates count: a guest, or the hash of a link's secret."""
    guest: str | None
    undecided: bool
    """Whether the guest holds several chairs and has named none: nothing can be said from this socket."""
    by_link: bool
    """Whether the chair is held by its link, and not by the guest."""
    grants: GrantVersion
    """What the right to the chair rests on: who has lost it since cannot use the ticket."""

    @property
    def roles(self) -> frozenset[int]:
        """The roles that the warrant speaks of."""
        return frozenset(role for role, _ in self.grants)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that is there as long as a server runs."""

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
    """The services of the server that a request or a socket has come to."""
    services: Services = connection.app.state.services
    return services


async def _served(connection: HTTPConnection) -> Services:
    """The same for FastAPI, which would ask a plain function in another thread."""
    return services_of(connection)


Served = Annotated[Services, Depends(_served)]
