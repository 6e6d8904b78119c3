"""Limits on connections, in total and per address, and on open files."""

import asyncio
import resource
from ipaddress import ip_network
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.server.transport.connection_limit import (
    RESERVED_FILES,
    ConnectionLimit,
    max_connections,
    raise_file_limit,
)

from ..harness.server import InProcessServer, with_server
from ..workers.pools import until

ADDRESS, OTHER_ADDRESS, PROXY = "192.0.2.1", "192.0.2.2", "10.0.0.1"


def test_limit_per_address() -> None:
    """Connections are limited per address, where an IPv6 /64 counts as one; closed ones do not count."""
    limit = ConnectionLimit(100, 2)
    assert [limit.enter(ADDRESS) for _ in range(3)] == [True, True, False]
    assert limit.enter(OTHER_ADDRESS)
    limit.leave(ADDRESS)
    assert limit.enter(ADDRESS) and not limit.enter(ADDRESS)
    assert [limit.enter(f"2001:db8::{number}") for number in range(3)] == [True, True, False]


def test_a_trusted_proxy_has_only_the_total_limit() -> None:
    """A trusted proxy has no limit per address, only the total limit."""
    limit = ConnectionLimit(3, 1, (ip_network("10.0.0.0/8"),))
    assert [limit.enter(PROXY) for _ in range(4)] == [True, True, True, False]


def test_refusals_are_logged_once_a_minute() -> None:
    """Refused connections are logged once a minute, with their number."""
    now = 0.0
    limit = ConnectionLimit(100, 0, clock=lambda: now)
    with capture_logs() as lines:
        for _ in range(50):
            limit.enter(ADDRESS)
        now = 60.0
        limit.enter(ADDRESS)
    assert [line["refused"] for line in lines] == [1, 50]
    assert {(line["log_level"], line["address"]) for line in lines} == {("warning", ADDRESS)}


@pytest.mark.parametrize(
    ("sockets", "files", "most"), [(5000, None, 6000), (5000, 65536, 6000), (5000, 1024, 924), (5000, 10, 1)]
)
def test_max_connections(sockets: int, files: int | None, most: int) -> None:
    """The number of connections is limited by open files, minus a reserve."""
    assert max_connections(sockets, files) == most


@pytest.mark.parametrize(
    ("limits", "files", "set_to", "warned"),
    [
        ((256, 4096), 4096, (4096, 4096), False),
        ((256, 1024), 1024, (1024, 1024), True),
        ((4096, 4096), 4096, None, False),
        (
            (256, resource.RLIM_INFINITY),
            2000 + RESERVED_FILES,
            (2000 + RESERVED_FILES, resource.RLIM_INFINITY),
            False,
        ),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None, None, False),
    ],
)
def test_raise_file_limit(
    limits: tuple[int, int], files: int | None, set_to: Any, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file limit is raised as far as possible, with a warning if that is not enough."""
    changes: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: changes.append(new))
    with capture_logs() as lines:
        assert raise_file_limit(1000) == files
    assert changes == ([] if set_to is None else [set_to])
    assert bool(lines) is warned


@with_server(connections_per_address=3)
async def test_a_real_server_limits_connections(server: InProcessServer) -> None:
    """A server closes surplus connections; idle ones and sockets count once, until they close."""
    async with server.listening() as listener:
        port = listener.port
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        await until(lambda: listener.connections == 2)
        websocket = await _open_websocket(port)
        assert await _is_refused(port)
        websocket.transport.abort()
        await until(lambda: listener.connections == 2)
        again = await _open_websocket(port)
        assert await _is_refused(port)
        for writer in (again, *(writer for _, writer in idle)):
            writer.transport.abort()
        await until(lambda: listener.connections == 0)


async def _open_websocket(port: int) -> asyncio.StreamWriter:
    """A connection that was upgraded to a WebSocket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET /api/socket HTTP/1.1\r\nHost: localhost:8017\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert b" 101 " in await reader.readuntil(b"\r\n")
    return writer


async def _is_refused(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True
    finally:
        writer.transport.abort()
