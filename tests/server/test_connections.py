"""Connections: so many of all and of each address, and as many files as the system gives."""

import asyncio
import resource
import socket as sockets
from ipaddress import ip_network
from typing import Any

import pytest
from structlog.testing import capture_logs

from sanssouci.server import run
from sanssouci.server.transport.connection_limit import (
    RESERVED_FILES,
    ConnectionLimit,
    max_connections,
    raise_file_limit,
)

from ..workers.pools import until
from .house import House, housed

HERE, THERE, PROXY = "192.0.2.1", "192.0.2.2", "10.0.0.1"


def test_an_address_has_so_many() -> None:
    """Another has its own, and who leaves makes room; a household of IPv6 is one address."""
    open_ = ConnectionLimit(100, 2)
    assert [open_.enter(HERE) for _ in range(3)] == [True, True, False]
    assert open_.enter(THERE)
    open_.leave(HERE)
    assert open_.enter(HERE) and not open_.enter(HERE)
    assert [open_.enter(f"2001:db8::{number}") for number in range(3)] == [True, True, False]


def test_a_trusted_proxy_brings_others() -> None:
    """It may have any number, but not more than there are."""
    open_ = ConnectionLimit(3, 1, (ip_network("10.0.0.0/8"),))
    assert [open_.enter(PROXY) for _ in range(4)] == [True, True, True, False]


def test_the_log_is_not_flooded() -> None:
    """One line a minute, with the number of those that were refused."""
    now = 0.0
    open_ = ConnectionLimit(100, 0, clock=lambda: now)
    with capture_logs() as lines:
        for _ in range(50):
            open_.enter(HERE)
        now = 60.0
        open_.enter(HERE)
    assert [line["refused"] for line in lines] == [1, 50]
    assert {(line["log_level"], line["address"]) for line in lines} == {("warning", HERE)}


@pytest.mark.parametrize(
    ("sockets", "files", "most"), [(5000, None, 6000), (5000, 65536, 6000), (5000, 1024, 924), (5000, 10, 1)]
)
def test_there_are_never_more_than_files(sockets: int, files: int | None, most: int) -> None:
    """Some are kept for the data and the workers."""
    assert max_connections(sockets, files) == most


@pytest.mark.parametrize(
    ("limits", "files", "set_to", "told"),
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
def test_files_are_raised_as_far_as_it_goes(
    limits: tuple[int, int], files: int | None, set_to: Any, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where that is less than a thousand sockets need, the log says so."""
    changes: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: changes.append(new))
    with capture_logs() as lines:
        assert raise_file_limit(1000) == files
    assert changes == ([] if set_to is None else [set_to])
    assert bool(lines) is told


@housed(connections_per_address=3)
async def test_a_real_server_ends_what_is_too_much(house: House) -> None:
    """Idle ones count, a socket too, and each only once; who leaves makes room."""
    with sockets.create_server(("127.0.0.1", 0)) as bound:
        config = run._config(house.app, house.settings)
        config.lifespan = "off"
        server = run._Server(config, lambda: None)
        running = asyncio.create_task(server.serve(sockets=[bound]))
        await until(lambda: server.started)
        port = bound.getsockname()[1]
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        await until(lambda: len(server.server_state.connections) == 2)
        upgraded = await _upgraded(port)
        assert await _is_ended(port)
        upgraded.transport.abort()
        await until(lambda: len(server.server_state.connections) == 2)
        again = await _upgraded(port)
        assert await _is_ended(port)
        for writer in (again, *(writer for _, writer in idle)):
            writer.transport.abort()
        await until(lambda: not server.server_state.connections)
        server.should_exit = True
        await running


async def _upgraded(port: int) -> asyncio.StreamWriter:
    """A connection that has become a socket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET /api/socket HTTP/1.1\r\nHost: localhost:8017\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert b" 101 " in await reader.readuntil(b"\r\n")
    return writer


async def _is_ended(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True
    finally:
        writer.transport.abort()
