"""What the routes of a server work with."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from sanssouci.store import Store
from sanssouci.workers import WorkerPool

from .attendant import Attendant
from .crowd import Crowd
from .doors import Doors
from .edge.limits import Limits
from .hall import Hall
from .hosted import Warrant
from .metrics import Metrics
from .pages import Pages
from .reach import Reach
from .reviews import Reviews
from .settings import Settings
from .tickets import Tickets


@dataclass(frozen=True, slots=True)
class Claims:
    """What a ticket says: a table, from which chair, and who asked for it."""

    table: str
    chair: int | None
    owner: bool
    asker: str
    """Whose rates count: a guest, or the hash of a link's secret."""
    guest: str | None
    undecided: bool
    """Whether the guest holds several chairs and has named none: nothing can be said from this socket."""
    by_link: bool
    """Whether the chair is held by its link, and not by the guest."""
    warrant: Warrant
    """What the right to the chair rests on: who has lost it since cannot use the ticket."""

    @property
    def places(self) -> frozenset[int]:
        """The places that the warrant speaks of."""
        return frozenset(place for place, _ in self.warrant)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that is there as long as a server runs."""

    settings: Settings
    store: Store
    hall: Hall
    doors: Doors
    attendant: Attendant
    reviews: Reviews
    worker_pool: WorkerPool
    tickets: Tickets[Claims]
    crowd: Crowd
    limits: Limits
    metrics: Metrics
    pages: Pages
    reach: Reach


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that a request or a socket has come to."""
    services: Services = connection.app.state.services
    return services


async def _served(connection: HTTPConnection) -> Services:
    """The same for FastAPI, which would ask a plain function in another thread."""
    return services_of(connection)


Served = Annotated[Services, Depends(_served)]
