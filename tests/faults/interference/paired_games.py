"""Two games played in step, compared as every viewer sees them."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sanssouci.locale import LANGUAGES
from sanssouci.rules import Phase
from sanssouci.table import Stage, TableState

from ...harness.logs import CapturedLog
from ...harness.sockets import Json
from ..seeded_random import SeededRandom
from .difference import Difference, Hidden
from .paired_server import PairedServer
from .viewers import Side, Viewer

Pair = tuple[Any, Any]


class Leak(AssertionError):
    """A viewer can tell the two games apart."""


class PairedGames:
    """Two servers with one game each, and all its viewers."""

    def __init__(
        self,
        servers: tuple[PairedServer, PairedServer],
        log: CapturedLog,
        rng: SeededRandom,
        difference: Difference,
    ) -> None:
        self.servers = servers
        self.rng = rng
        self.difference = difference
        self.viewers: list[Viewer] = []
        self.table = ""
        self.compared = 0
        """Bytes that were identical."""
        self.differed = False
        """Whether a permitted viewer has seen the difference."""
        self.states: tuple[TableState, TableState] | None = None
        self._log = log
        self._ids = 0

    @property
    def state(self) -> TableState:
        """The state of the first game. The public part of the second is the same."""
        assert self.states is not None, "there is a table"
        return self.states[0]

    @property
    def seq(self) -> int:
        return next(
            live_table.table.seq
            for live_table in self.servers[0].services.registry.live_tables()
            if live_table.table.id == self.table
        )

    def next_id(self) -> str:
        self._ids += 1
        return f"c{self._ids}"

    async def request(
        self, viewer: Viewer, method: str, path: str, body: object = None, query: str = ""
    ) -> tuple[Json, Json]:
        """Send the same request to both servers, or a pair of bodies. The answers are compared."""
        bodies: Pair = body if isinstance(body, tuple) else (body, body)
        language, answers = self.rng.choice(LANGUAGES), []
        async with self._step(viewer) as sides:
            for server, side, document in zip(self.servers, sides, bodies, strict=True):
                data = document if isinstance(document, bytes) else _json(document)
                self._set_salt(viewer, server)
                headers = viewer.headers(side, language)
                answers.append(
                    side.take_response(await server.request(method, f"{path}?{query}", headers, data))
                )
                self._collect(server)
        return answers[0], answers[1]

    async def send(self, viewer: Viewer, message: object) -> None:
        """Send the same message on both sockets, or a pair of messages."""
        messages: Pair = message if isinstance(message, tuple) else (message, message)
        async with self._step(viewer) as sides:
            for server, side, document in zip(self.servers, sides, messages, strict=True):
                assert side.connection is not None, "it was opened"
                PairedServer.current = server
                await side.connection.send(
                    document if isinstance(document, str) else _json(document).decode()
                )
                await server.settle()
                self._collect(server)

    async def connect(self, viewer: Viewer, hello: Callable[[Side], object]) -> None:
        """Open a socket at both servers and send the first message. An earlier socket is closed."""
        async with self._step(viewer) as sides:
            for server, side in zip(self.servers, sides, strict=True):
                await server.disconnect(side.connection)
                side.receive()
                side.connection = server.connect()
                first = hello(side)
                await side.connection.send(first if isinstance(first, str) else _json(first).decode())
                await server.settle()
                self._collect(server)

    async def disconnect(self, viewer: Viewer) -> None:
        async with self._step(viewer) as sides:
            for server, side in zip(self.servers, sides, strict=True):
                await server.disconnect(side.connection)
                self._collect(server)
                side.connection = None

    async def finish(self, documents: Pair) -> None:
        """Finish the jobs of the computer players with these answers."""
        async with self._step(None):
            for server, document in zip(self.servers, documents, strict=True):
                PairedServer.current = server
                server.pool.finish(document)
                await server.settle()
                self._collect(server)

    async def evict(self) -> None:
        """Evict both tables if they are idle, so that they are reloaded from the store."""
        async with self._step(None):
            for server in self.servers:
                if server.pool.thinking is None:
                    server.services.registry.evict(float("inf"))
                self._collect(server)

    async def leave(self) -> None:
        """Disconnect everyone."""
        async with self._step(None):
            for server in self.servers:
                await server.clear()
                self._collect(server)
            self.table = ""

    def wait(self, seconds: float) -> None:
        for server in self.servers:
            server.clock.advance(seconds)

    def seat(self, chair: int) -> int | None:
        return self.state.seat_of(chair)

    def phase(self) -> Phase | None:
        """The phase of picking."""
        setup = self.state.setup
        return None if setup is None or self.state.stage is not Stage.PICKING else setup.phase

    @asynccontextmanager
    async def _step(self, viewer: Viewer | None) -> AsyncIterator[tuple[Side, Side]]:
        """Do something at both servers, then compare everything."""
        self._logged: list[bytes] = []
        yield (Side(), Side()) if viewer is None else viewer.sides
        if self.table:
            one, other = [await server.table_state(self.table) for server in self.servers]
            self.states = one, other
        self._compare()

    def _set_salt(self, viewer: Viewer, server: PairedServer) -> None:
        own = Hidden.TOKENS in self.difference.hidden and viewer.knows and viewer.name != "owner"
        server.secrets.salt = "other" if own and server is self.servers[1] else ""

    def _collect(self, server: PairedServer) -> None:
        """Collect everything that a server has sent in this step, before the other server is used."""
        self._logged.append(self._log.read().encode())
        for viewer in self.viewers:
            viewer.sides[self.servers.index(server)].receive()

    def _compare(self) -> None:
        self._check_same("the log", *self._logged)
        for viewer in self.viewers:
            one, other = (side.received for side in viewer.sides)
            if viewer.knows:
                self.differed |= one != other
            else:
                self._check_same(viewer.name, one, other)
            one.clear()
            other.clear()
        self._compare_jobs()

    def _compare_jobs(self) -> None:
        """Compare the jobs of computer players, except those of seats that may know the difference."""
        jobs = [
            [job for seat, job in server.pool.jobs if seat not in self.difference.seats]
            for server in self.servers
        ]
        self._check_same("a computer player", jobs[0], jobs[1])
        for server in self.servers:
            server.pool.jobs.clear()

    def _check_same(self, name: str, one: list[bytes] | bytes, other: list[bytes] | bytes) -> None:
        if one != other:
            kinds = ", ".join(sorted(kind.name for kind in self.difference.hidden))
            raise Leak(
                f"{name} can tell {kinds} of {sorted(self.difference.seats)}:{_first_difference(one, other)}"
            )
        self.compared += len(one) if isinstance(one, bytes) else sum(map(len, one))


def _json(document: object) -> bytes:
    return b"" if document is None else json.dumps(document).encode()


def _first_difference(one: list[bytes] | bytes, other: list[bytes] | bytes) -> str:
    """The first difference of two outputs, with some context."""
    texts = [each if isinstance(each, bytes) else b"\n".join(each) for each in (one, other)]
    same = next((at for at, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
    return "".join(f"\n  {text[max(0, same - 120) : same + 80]!r}" for text in texts)
