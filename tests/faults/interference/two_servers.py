"""The comparison at two servers on one database, which answer in turn: four servers on two databases."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from sqlalchemy import URL
from starlette.types import Receive, Scope, Send

from sanssouci.dealer import Seed
from sanssouci.locale import UserError
from sanssouci.server.tables.scheduler import Scheduler
from sanssouci.table import Croupier

from ...cluster.programs import Postgres
from ..report import Progress, Row
from . import GOAL, TEST
from .comparison import compare
from .paired_server import PairedServer

PAIRS = 200


class AlternatingPairedServer(PairedServer):
    """The first of two servers; every other request and socket goes to the second.

    The first one asks the computer players of both.
    """

    def __init__(self, folder: Path, url: URL) -> None:
        self._numbers = count()
        self._peer = PairedServer(folder, data=url)
        super().__init__(folder, data=url)
        self._peer.services.scheduler._running = False
        self._peer.clock, self._peer.secrets, self._peer.deal = self.clock, self.secrets, self._deal_here
        self._peer.start()

    def _deal_here(self, seed: Seed, table: str) -> Croupier:
        return self.deal(seed, table)

    def close_stores(self) -> None:
        self._peer.store.close()
        self.store.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._peer.app if next(self._numbers) % 2 else self.app)(scope, receive, send)

    async def clear(self) -> None:
        await super().clear()
        self._peer.services.registry.evict(float("inf"))

    async def settle(self) -> None:
        """Wait until both servers know what the other has done, and all messages have arrived."""
        await super().settle()
        here, there = self.services.registry, self._peer.services.registry
        for table in sorted(live.table.id for live in there.live_tables()):
            with suppress(UserError):  # it was deleted
                await here.table(table)
        await super().settle()
        await there.refresh(there.live_tables())
        await super().settle()

    def _is_busy(self) -> bool:
        return super()._is_busy() or any(
            len(one.send_queue)
            for live in self._peer.services.registry.live_tables()
            for one in live.subscribers
        )


async def _hold_without_renewing(scheduler: Scheduler, table: str) -> None:
    """Renewals depend on a real clock, and the metrics count their writes."""
    await asyncio.Event().wait()


def compare_at_two_servers(
    server: Postgres, pairs: Sequence[int], seed: int, progress: Progress = lambda text: None
) -> Row:
    """The row of the comparison; each side of a pair has a database and two servers."""

    @contextmanager
    def servers() -> Iterator[tuple[PairedServer, PairedServer]]:
        with TemporaryDirectory() as name, ExitStack() as stack:
            found = []
            for side in ("one", "other"):
                one = AlternatingPairedServer(Path(name, side), server.new_database("template"))
                stack.callback(one.close_stores)
                found.append(one)
            yield found[0], found[1]

    with patch.object(Scheduler, "_hold_lease", _hold_without_renewing):
        row = compare(pairs, seed, progress, servers).row()
    return replace(row, test=f"{TEST} at two servers", goal=GOAL.replace("2,000", f"{PAIRS}"))
