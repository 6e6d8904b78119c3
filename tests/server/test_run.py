"""``sanssouci serve``: starting, stopping on signals, and finding a running server."""

import asyncio
import json
import os
import re
import signal
import socket as sockets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.uri import parse_uri

from sanssouci.locale import LANGUAGES, UserError, translate
from sanssouci.server import run, socket
from sanssouci.server.run import pool_config
from sanssouci.server.settings import Settings
from sanssouci.server.tables.table_registry import read_events
from sanssouci.store import Store, check_chain
from sanssouci.table import Table
from sanssouci.workers import PoolConfig

from ..harness.builders import NONCE, ready_arguments
from ..harness.server import InProcessServer, with_server
from ..workers.pools import TIMEOUT, process_exists, until

RESTARTED = 1012


@dataclass
class Serving:
    """A server in a separate process."""

    process: "subprocess.Popen[str]"
    url: str

    def stop(self, number: int) -> str:
        """Send a signal; the output until the process ends, which must be with status 0."""
        self.process.send_signal(number)
        rest = self.process.communicate(timeout=TIMEOUT)[1]
        assert self.process.returncode == 0, rest
        return rest


def _command(data: Path, **environment: str) -> "subprocess.Popen[str]":
    environ = {**os.environ, "SANSSOUCI_PLAYERS": "random", "SANSSOUCI_WORKERS": "1", "LC_ALL": "C"}
    return subprocess.Popen(
        [sys.executable, "-m", "sanssouci", "serve", "--port", "0", "--data", str(data)],
        stderr=subprocess.PIPE,
        text=True,
        env={**environ, "BROWSER": "true", **environment},
    )


@contextmanager
def _serving(data: Path) -> Iterator[Serving]:
    """A server that is ready."""
    process = _command(data)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                yield Serving(process, found[0])
                return
        raise AssertionError("it has ended before it was ready")
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_server(tmp_path: Path, number: int) -> None:
    """The server exits with 0, closes sockets with 1012, ends its workers and loses no acknowledged event."""
    data = tmp_path / "tables.db"
    with _serving(data) as server, httpx.Client(base_url=server.url) as client:
        guest = client.post("/api/guests", json={"name": "Ada", "cookie": False}).json()
        client.headers["authorization"] = f"Bearer {guest['token']}"
        table = client.post("/api/tables", json={"chairs": [{"sitter": "person"}, {"sitter": "open"}]}).json()
        ticket = client.post(f"/api/tables/{table['table']}/tickets", json={}).json()["ticket"]
        with connect(server.url.replace("http", "ws") + "/api/socket", compression=None) as ws:
            ws.send(json.dumps({"type": "hello", "ticket": ticket}))
            view = json.loads(ws.recv())["view"]
            assert view["seq"] == 0
            command = {"type": "ready", **ready_arguments(view, NONCE)}
            ws.send(json.dumps({"type": "command", "command_id": "r", "expected_seq": 0, "command": command}))
            assert json.loads(ws.recv())["type"] == "done"
            workers = [child.pid for child in psutil.Process(server.process.pid).children(recursive=True)]
            assert workers
            output = server.stop(number)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    ws.recv(timeout=TIMEOUT)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == RESTARTED
    assert "stopped; all games are saved" in output
    assert "Traceback" not in output
    assert not any(process_exists(pid) for pid in workers)
    assert not data.with_name("tables.db.server").exists()
    with Store.open(data) as store:
        rows = store.events(table["table"])
        assert check_chain(rows, last=1) is None
        assert Table(table["table"], read_events(rows)).state.chairs[0].is_ready


def test_a_second_start_names_the_running_server(tmp_path: Path) -> None:
    """A second start prints the URL of the running server, opens no browser, and exits with 2."""
    data, opened = tmp_path / "tables.db", tmp_path / "opened"
    script = tmp_path / "browser.py"
    script.write_text(f"import sys\nopen({str(opened)!r}, 'w').write(sys.argv[1])\n")
    with _serving(data) as server:
        second = _command(data, BROWSER=f"{sys.executable} {script} %s")
        output = second.communicate(timeout=TIMEOUT)[1]
        assert second.returncode == 2 and not opened.exists()
        assert output == f"sanssouci: a server at {server.url} already has this data file open\n"
        assert httpx.get(f"{server.url}/health").json() == {"ok": True}
        server.stop(signal.SIGTERM)


@with_server(outbox_messages=2)
async def test_a_client_that_never_reads_is_disconnected(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that never reads a real connection is disconnected, without delaying the server."""
    monkeypatch.setattr(socket, "_CLOSE_TIMEOUT", 0.05)
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    async with server.listening(send_buffer=4096) as listener:
        writer = await _connect(listener.port, await bob.ticket(table))
        live_table = server.services.registry.find_loaded(table.id)
        assert live_table is not None
        await until(lambda: live_table.subscribers)
        for number in range(400):
            await ada.do(
                table, "unready" if number % 2 else "ready", **({} if number % 2 else {"nonce": NONCE})
            )
            if not live_table.subscribers:
                break
        await until(lambda: len(server.services.socket_limits) == 0)
        await until(lambda: listener.connections == 0)
        writer.transport.abort()


async def _connect(port: int, ticket: str) -> asyncio.StreamWriter:
    """Open a WebSocket with small buffers, send a hello, and stop reading."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=raw)
    protocol = ClientProtocol(parse_uri("ws://localhost:8017/api/socket"))
    protocol.send_request(protocol.connect())
    writer.writelines(protocol.data_to_send())
    protocol.receive_data(await reader.readuntil(b"\r\n\r\n"))
    protocol.send_text(json.dumps({"type": "hello", "ticket": ticket}).encode())
    writer.writelines(protocol.data_to_send())
    reading: Any = writer.transport
    reading.pause_reading()
    return writer


@pytest.mark.parametrize("seconds", [1, 10, 3600])
def test_player_seconds_sets_the_job_timeout(seconds: int) -> None:
    """``player_seconds`` changes the job timeout only, not the thinking time."""
    config = pool_config(Settings(player_seconds=seconds))
    assert config == PoolConfig(job_timeout=seconds) and config.budget == PoolConfig().budget


@pytest.mark.parametrize(
    ("host", "reason"),
    [("192.0.2.1", "os_error.no_address"), ("a..b", "os_error.no_host"), ("x" * 64, "os_error.no_host")],
)
def test_listen_errors_are_translated(host: str, reason: str) -> None:
    """Foreign addresses and invalid host names are reported in every language."""
    with pytest.raises(UserError) as caught:
        run._listen_socket(host, 0)
    for language in LANGUAGES:
        assert caught.value.translate(language).endswith(translate(reason, language))


def test_a_privileged_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the right to use a port, the error suggests ``--port``."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied (while attempting to bind on address ('127.0.0.1', 80))")

    monkeypatch.setattr(sockets, "create_server", refuse)
    with pytest.raises(UserError) as caught:
        run._listen_socket("127.0.0.1", 80)
    assert "bind" not in str(caught.value) and "--port" in caught.value.translate("es")


def test_the_date_header_is_server_time() -> None:
    """Browsers compare it with deadlines, which are in server time, even if the wall clock was set."""
    config = run._config(object(), Settings())
    config.load()
    server = run._Server(config, lambda: None, now=lambda: 0.0)
    asyncio.run(server.on_tick(0))
    assert dict(server.server_state.default_headers)[b"date"] == b"Thu, 01 Jan 1970 00:00:00 GMT"
