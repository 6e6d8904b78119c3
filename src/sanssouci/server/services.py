"""The services that routes depend on."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeVar

from fastapi import Depends
from pydantic import TypeAdapter
from starlette.requests import HTTPConnection

from sanssouci.store import Store
from sanssouci.table import CommandRejected, RejectReason
from sanssouci.workers import WorkerPool

from .auth.tickets import StoredTickets, Tickets
from .drain import Drain
from .ops.exposure import Exposure
from .ops.metrics import Metrics
from .ops.static_files import StaticFiles
from .quotas import SocketLimits
from .rate_limits import RateLimiter
from .reviews import Reviews
from .settings import Settings
from .tables.live_table import Grantees, GrantVersion, LiveTable
from .tables.membership import Membership
from .tables.peer_sync import PeerSync
from .tables.scheduler import Scheduler
from .tables.table_registry import TableRegistry

T = TypeVar("T")


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
    grantees: Grantees | None = None
    """The same for a ticket that another server may have issued."""

    @property
    def roles(self) -> frozenset[int]:
        return (
            frozenset(role for role, _ in self.grants) if self.grantees is None else frozenset(self.grantees)
        )

    def still_valid(self, live_table: LiveTable) -> bool:
        if self.grantees is None:
            return live_table.still_valid(self.grants)
        return self.grantees.items() <= live_table.grantees.items()


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
    peer_sync: PeerSync
    stored_tickets: StoredTickets
    drain: Drain
    _one_at_a_time: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    async def in_background(self, work: Callable[[], T]) -> T:
        """Run work of many milliseconds in a thread, after all other such work.

        Every thread that computes delays the event loop, which has to wait for Python's global lock.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(work)

    async def issue_ticket(self, live_table: LiveTable, claims: Claims) -> str:
        """A ticket for this server, or for all servers on the same store."""
        if not self.store.shared:
            return self.tickets.issue(claims, self.registry.dependencies.clock())
        if not live_table.still_valid(claims.grants):
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        grantees = {role: live_table.grantees[role] for role in claims.roles}
        portable = replace(claims, grants=frozenset(), grantees=grantees)
        return await self.stored_tickets.issue(_CLAIMS.dump_json(portable).decode("utf-8"))

    async def redeem_ticket(self, ticket: str) -> Claims | None:
        if not self.store.shared:
            return self.tickets.redeem(ticket, self.registry.dependencies.clock())
        found = await self.stored_tickets.redeem(ticket)
        return None if found is None else _CLAIMS.validate_json(found)


_CLAIMS = TypeAdapter(Claims)


def services_of(connection: HTTPConnection) -> Services:
    services: Services = connection.app.state.services
    return services


async def _served(connection: HTTPConnection) -> Services:
    """As a coroutine, because FastAPI would run a plain function in a thread."""
    return services_of(connection)


Served = Annotated[Services, Depends(_served)]
