"""Two servers on one database whose wall clocks are five seconds apart, and both wrong.

The clock of the database starts with that of PostgreSQL. All clocks move only when the test moves them.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from sqlalchemy import URL

from sanssouci.server.ops import clocks
from sanssouci.server.ops.clocks import DatabaseClock
from sanssouci.store import Store

from ..harness.builders import NONCE, legal_command
from ..harness.client import Client, CreatedTable
from ..harness.fakes import FakeClock
from ..harness.server import InProcessServer

ERRORS = (-2.0, 3.0)
"""By how many seconds the wall clock of each server is ahead of the database's."""
LIMIT = 30.0
"""Seconds for a turn."""
EARLY, LATE = 29.0, 1.5
"""Seconds until shortly before the end of a turn, and from there until shortly after it."""
_EXACT = 0.01


class WrongServer(InProcessServer):
    """A server with a wrong clock."""

    def __init__(self, folder: Path, url: URL, number: int, now: float, error: float) -> None:
        super().__init__(folder, name=f"server {number}", data=url)
        self.clock = FakeClock(now, set_by=error)

    def start(self) -> None:
        with patch.object(clocks, "_elapsed", lambda: self.clock.now):
            super().start()

    def database_clock(self, store: Store) -> DatabaseClock:
        store.database_time = lambda: self.clock.now  # type: ignore[method-assign]
        return DatabaseClock(store, lambda: self.clock.wall, lambda: self.clock.now)


class Game:
    """A game of two with a clock for each turn; each person has a server."""

    def __init__(self, servers: list[WrongServer]) -> None:
        self.servers = servers
        self.wrong: list[str] = []
        self._people: list[Client] = []
        self._table: CreatedTable

    async def start(self) -> None:
        names = zip(("Ada", "Bob"), self.servers, strict=True)
        ada, bob = self._people = [await server.guest(name) for name, server in names]
        clock = {"pace": "turn", "amount": int(LIMIT)}
        self._table = await ada.create_table("person", "open", first=0, clock=clock)
        await bob.with_key(self._table.join).join(self._table)
        for person in self._people:
            await person.do(self._table, "ready", nonce=NONCE)
        while (view := await self._people[0].view(self._table))["stage"] != "playing":
            await self._command(view["waiting"][0])

    @property
    def _now(self) -> float:
        return self.servers[0].clock.now

    async def _advance(self, seconds: float) -> None:
        for server in self.servers:
            server.clock.advance(seconds)
        for server in self.servers:
            await server.sweep()

    async def _time_outs(self) -> int:
        events = (await self._people[0].get(f"/api/tables/{self._table}/events?after=-1"))["events"]
        return [event["type"] for event in events].count("time_out")

    async def play(self, wait: float) -> bool:
        """Play a turn after so many seconds; False if the game is over."""
        views = [await person.view(self._table) for person in self._people]
        waiting = views[0]["waiting"]
        if not waiting:
            return False
        deadlines = [view["deadline"] for view in views]
        if any(abs(deadline - self._now - LIMIT) > _EXACT for deadline in deadlines):
            self.wrong.append(f"{self._now:.2f}: the deadlines are {deadlines}")
        await self._advance(wait)
        if await self._time_outs():
            self.wrong.append(f"timed out after {wait} of {LIMIT} s")
            return False
        await self._command(waiting[0])
        return True

    async def _command(self, chair: int) -> None:
        person = self._people[chair]
        await person.do(self._table, at=chair, **legal_command(await person.view(self._table, chair)))

    async def run_out(self) -> None:
        """Let the clock of the next turn run out."""
        await self._advance(EARLY)
        early = await self._time_outs()
        await self._advance(LATE)
        late = await self._time_outs()
        if early or late != 1:
            self.wrong.append(f"{early} timed out before the end of a turn, {late} after it")


async def _play(folder: Path, url: URL, turns: int, errors: tuple[float, ...]) -> list[str]:
    with Store.open(url) as store:
        now = store.database_time()
    servers = [WrongServer(folder, url, number, now, error) for number, error in enumerate(errors)]
    servers[1].committed = servers[0].committed
    wrong: list[str] = []
    for server in servers:
        await server.open()
    try:
        while turns > 0 and not wrong:
            game = Game(servers)
            await game.start()
            # No clock runs out in the first seconds after the start of a server.
            played = await game.play(wait=LIMIT / 2) and await game.play(wait=LIMIT / 2)
            turns -= 2
            while played and turns > 1:
                played = await game.play(wait=EARLY)
                turns -= 1
            if played:
                await game.run_out()
                turns -= 1
            wrong += game.wrong
    finally:
        for server in servers:
            await server.close()
    return wrong


def play_with_different_clocks(url: URL, turns: int, errors: tuple[float, ...] = ERRORS) -> list[str]:
    """What was wrong in games of so many turns altogether, the last of which times out."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_play(Path(folder), url, turns, errors))
