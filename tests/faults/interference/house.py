"""One of two servers: the whole application on a store of its own, without a network and without chance.

What it takes from the world is counted, not drawn: ids, tokens, the time. Two houses that are asked the same
in the same order say the same, byte for byte, unless they differ in what they deal.
"""

import asyncio
import math
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from limits import parse
from starlette.types import ASGIApp, Message

from sanssouci.dealer import Seed
from sanssouci.server.app import make_app, make_services
from sanssouci.server.auth.tokens import Token
from sanssouci.server.limits.rate_limits import Limit
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.settings import Settings
from sanssouci.server.tables.table_registry import Dependencies
from sanssouci.store import Store
from sanssouci.table import Croupier, TableState

from ...store.builders import empty_data_file
from .standins import PLAYERS, StandIns

HOST = "127.0.0.1:8017"
_SETTINGS = Settings(
    players=PLAYERS,
    rates={bucket: parse("1000000/second") for bucket in Limit},
    tables_per_guest=1_000_000,
)
Headers = list[tuple[bytes, bytes]]


@dataclass
class Drawn:
    """What stands for chance in a house; the salt is what differs."""

    seed: Seed = bytes(32)
    salt: str = ""
    """Mixed into the tokens of the one who asks."""
    deal: Callable[[Seed, str], Croupier] = Croupier
    now: float = 1_000_000.0
    count: int = 0
    last: str = ""
    """The last token."""

    def digest(self, *words: object) -> bytes:
        """Bytes that nobody has had before."""
        self.count += 1
        return sha256(repr((self.count, *words)).encode()).digest()

    def token(self) -> str:
        """A token."""
        self.last = urlsafe_b64encode(self.digest(self.salt)).rstrip(b"=").decode()
        return self.last


class House:
    """A server, with its clocks and its chance in the test's hands."""

    at_work: "House"
    """The one that is asked just now."""

    def __init__(self, folder: Path) -> None:
        (folder / "tables.db").write_bytes(empty_data_file())
        self.store = Store.open(folder / "tables.db")
        self.drawn = Drawn()
        self.worker_pool = StandIns()
        self.lines: list[Line] = []
        dependencies = Dependencies(
            now=lambda: self.drawn.now,
            table_id=lambda: self.drawn.digest().hex()[:16],
            seed=lambda: self.drawn.seed,
            token=lambda: Token(self.drawn.token()),
            croupier=self.croupier,
            clock=lambda: self.drawn.now,
        )
        self.services = make_services(_SETTINGS, self.store, self.worker_pool, dependencies)
        self.app: ASGIApp = make_app(self.services, AllowedOrigins.of("127.0.0.1", 8017))
        self._attend()

    def croupier(self, seed: Seed, table: str) -> Croupier:
        """The one who deals at a table."""
        return self.drawn.deal(seed, table)

    async def clear(self) -> None:
        """Everyone leaves, and no table is in memory any more; the store has them."""
        House.at_work = self
        for line in self.lines:
            line.hang_up()
        await asyncio.gather(*(line.ended() for line in self.lines))
        self.lines.clear()
        await self.services.scheduler.stop()
        self.services.registry.evict(math.inf)
        self._attend()

    async def table_state(self, table: str) -> TableState:
        """How a table stands, as only the house knows it."""
        return (await self.services.registry.table(table)).table.state

    async def ask(
        self, method: str, path: str, headers: Headers, body: bytes, query: str = ""
    ) -> tuple[int, Headers, bytes]:
        """The answer to a request: status, headers and body."""
        House.at_work = self
        sent: list[Message] = []
        scope = _scope("http", path, headers, query) | {"method": method}
        await self.app(scope, _Once(body), _keeper(sent))
        await self.settle()
        start, *parts = sent
        return start["status"], start["headers"], b"".join(part.get("body", b"") for part in parts)

    def dial(self, headers: Headers) -> "Line":
        """Open a socket."""
        House.at_work = self
        self.lines.append(Line(self.app, headers))
        return self.lines[-1]

    async def drop(self, line: "Line | None") -> None:
        """Close a socket from outside."""
        if line in self.lines:
            House.at_work = self
            line.hang_up()
            await line.ended()
            self.lines.remove(line)

    def _attend(self) -> None:
        """The attendant begins, but without sweeps, which come by a real clock."""
        scheduler = self.services.scheduler
        scheduler._registry, scheduler._running = self.services.registry, True

    async def settle(self) -> None:
        """Wait until everything that was begun is done, and all that was said is heard."""
        looks = 0
        while self._busy():
            looks += 1
            await asyncio.sleep(0 if looks < 8 else 0.0005)  # a write goes through a thread

    def _busy(self) -> bool:
        live_table = self.services.registry.live_tables()
        return (
            not all(line.idle for line in self.lines)
            or any(len(subscriber.send_queue) for table in live_table for subscriber in table.subscribers)
            or any(table.bot_task is not None for table in live_table if self.worker_pool.thinking is None)
        )


class Line:
    """An open socket, seen from outside."""

    def __init__(self, app: ASGIApp, headers: Headers) -> None:
        self.heard: list[Message] = []
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self._listening = False
        scope = _scope("websocket", "/api/socket", headers) | {"subprotocols": []}
        self._said.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(app(scope, self._receive, _keeper(self.heard)))

    @property
    def idle(self) -> bool:
        """Whether the server waits for the next word, or has closed."""
        return self._task.done() or (self._listening and self._said.empty())

    @property
    def open(self) -> bool:
        """Whether something can be said."""
        return not self._task.done()

    def say(self, text: str) -> None:
        """Send a message."""
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        """Leave."""
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def ended(self) -> None:
        """Wait until the server has noticed."""
        await self._task

    async def _receive(self) -> Message:
        self._listening = True
        message = await self._said.get()
        self._listening = False
        return message


@contextmanager
def nothing_drawn() -> Iterator[None]:
    """Ids and tickets, too, are counted by the house that is at work."""

    def token_hex(size: int = 32) -> str:
        return House.at_work.drawn.digest().hex()[: 2 * size]

    def token_urlsafe(size: int = 32) -> str:
        return House.at_work.drawn.token()

    with (
        patch.object(secrets, "token_hex", token_hex),
        patch.object(secrets, "token_urlsafe", token_urlsafe),
        patch("sanssouci.server.ops.metrics.ProcessCollector"),  # it measures this very process
        patch("prometheus_client.metrics._use_created", False),  # a real clock says when
    ):
        yield


class _Once:
    """A body in one piece; then nothing more comes."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __call__(self) -> Message:
        return {"type": "http.request", "body": self._body, "more_body": False}


def _keeper(sent: list[Message]) -> Any:
    async def send(message: Message) -> None:
        sent.append(message)

    return send


def _scope(kind: str, path: str, headers: Headers, query: str = "") -> dict[str, Any]:
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8017),
        "headers": [(b"host", HOST.encode()), *headers],
    }
