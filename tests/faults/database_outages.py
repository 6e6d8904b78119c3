"""Failures of PostgreSQL, and of the network to it, while a game is played.

::

    server --> TCP proxy --> PostgreSQL
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGSTOP
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL

from sanssouci.store import check_chain

from ..cluster.programs import Postgres
from ..cluster.tcp_proxy import TcpProxy, tcp_proxy
from ..harness.builders import NONCE, legal_command
from ..harness.client import Client, CreatedTable
from .report import Progress, Row

if TYPE_CHECKING:
    from ..harness.server import InProcessServer

MAX_RECOVERY = 5.0
DELAY = 0.15
"""Seconds that a slow network takes in each direction; a turn takes several messages."""


@dataclass
class Target:
    """A database, and the network between it and a server."""

    server: Postgres
    url: URL
    proxy: TcpProxy
    held: list[Any] = field(default_factory=list)
    """Connections that leave none for the server."""


Break = Callable[[Target], object]


def _make_read_only(target: Target) -> None:
    target.server.run(f"ALTER DATABASE {target.url.database} SET default_transaction_read_only = on")
    target.server.cut_connections(target.url)


def _make_writable(target: Target) -> None:
    target.server.run(f"ALTER DATABASE {target.url.database} SET default_transaction_read_only = off")
    target.server.cut_connections(target.url)


def _refuse_connections(target: Target) -> None:
    target.server.run(f"UPDATE pg_database SET datallowconn = false WHERE datname = '{target.url.database}'")
    target.server.cut_connections(target.url)


def _accept_connections(target: Target) -> None:
    target.server.run(f"UPDATE pg_database SET datallowconn = true WHERE datname = '{target.url.database}'")


def _use_up_connections(target: Target) -> None:
    """Take all connections, those of the server too."""
    admin = target.server.connect()
    target.held.append(admin)
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{target.url.database}'"
    idle = 0
    while idle < 3:  # an ended connection leaves its place a moment later
        idle = 0 if admin.execute(ended.encode()).fetchall() else idle + 1
        while (one := target.server.try_connect()) is not None:
            target.held.append(one)
        time.sleep(0.02)


def _give_back_connections(target: Target) -> None:
    for connection in target.held:
        connection.close()
    target.held.clear()


OUTAGE: dict[str, tuple[Break, Break]] = {
    "crashed": (lambda target: target.server.stop(), lambda target: target.server.start()),
    "shut down": (lambda target: target.server.stop(SIGINT), lambda target: target.server.start()),
    "frozen": (lambda target: target.server.send(SIGSTOP), lambda target: target.server.send(SIGCONT)),
    "read-only": (_make_read_only, _make_writable),
    "closed to connections": (_refuse_connections, _accept_connections),
    "out of connections": (_use_up_connections, _give_back_connections),
    "network cut": (lambda target: target.proxy.cut(), lambda target: target.proxy.repair()),
    "network silent": (lambda target: target.proxy.silence(), lambda target: target.proxy.repair()),
    "network slow": (lambda target: target.proxy.slow_down(DELAY), lambda target: target.proxy.repair()),
}
SLOW = frozenset({"network slow"})
"""A turn may be stored, late, and the server may be ready."""
LONG = frozenset({"frozen", "network silent"})
"""Each takes some 15 seconds of waiting."""


async def outage(server: Postgres, name: str) -> tuple[list[str], float]:
    """What was wrong while and after the database was away, and the seconds until a turn was stored."""
    url = server.new_database("template")
    with tcp_proxy(server.port) as proxy, TemporaryDirectory() as folder:
        return await _outage(Target(server, url, proxy), name, Path(folder))


async def _outage(target: Target, name: str, folder: Path) -> tuple[list[str], float]:
    from ..harness.server import InProcessServer  # it imports pytest

    begin, end = OUTAGE[name]
    wrong: list[str] = []
    app = InProcessServer(folder, data=target.url.set(port=target.proxy.port))
    await app.open()
    try:
        table, ada = await _game(app)
        seq = (await ada.view(table))["seq"]
        command = legal_command(await ada.view(table, 0))
        details = {"at": 0, "command_id": "during", "seq": seq, **command}
        await asyncio.to_thread(begin, target)
        answer = await ada.command(table, **details)
        refused = answer.status_code == 503 and answer.json()["error"]["sentence"]
        late = name in SLOW and answer.status_code == 200 and answer.json()["seq"] == seq + 1
        if not refused and not late:
            wrong.append(f"{name}: {answer.status_code} {answer.text}")
        ready = await app.client().request("GET", "/ready")
        if ready.status_code != 503 and name not in SLOW:
            wrong.append(f"{name}: /ready is {ready.status_code}")
        await asyncio.to_thread(end, target)
        back = time.monotonic()
        while (answer := await ada.command(table, **details)).status_code == 503:
            await asyncio.sleep(0.05)
        took = time.monotonic() - back
        if answer.status_code != 200 or answer.json()["seq"] != seq + 1:
            wrong.append(f"{name}: then {answer.status_code} {answer.text}")
        if check_chain(app.store.events(table.id), last=seq + 1) is not None:
            wrong.append(f"{name}: the log is damaged")
    finally:
        await app.close()
    return wrong, took


async def _game(app: "InProcessServer") -> tuple[CreatedTable, Client]:
    """A game of two people by one guest, who is to move."""
    ada = await app.guest("Ada")
    table = await ada.create_table("person", "person", first=0)
    for chair in (0, 1):
        await ada.do(table, "ready", at=chair, nonce=NONCE)
    return table, ada


def outages(server: Postgres, repeats: int, progress: Progress, timed: bool = True) -> Row:
    """Break the database in every way, and repair it."""
    wrong: list[str] = []
    times: list[float] = []
    for number in range(repeats):
        for name in OUTAGE:
            found, took = asyncio.run(outage(server, name))
            wrong += found
            times.append(took)
            progress(f"{name}, {number + 1} of {repeats}: back after {took:.2f} s")
    examples = f" ({', '.join(wrong[:3])})" if wrong else ""
    measured = (
        f"{', '.join(OUTAGE)}: {len(wrong)} wrong answers{examples}; back after at most {max(times):.2f} s"
    )
    goal = "503 with a sentence, no wrong acknowledgement, recovery ≤ 5 s"
    sound = not wrong and (not timed or max(times) <= MAX_RECOVERY)
    return Row("database away", len(times), measured, goal, sound)
