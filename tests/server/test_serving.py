"""``sanssouci serve`` itself: it starts, it stops when it is told to, and a second one finds the first."""

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
from sanssouci.server.tables.persistence import read_events
from sanssouci.store import Store, check_chain
from sanssouci.table import Table
from sanssouci.workers import PoolConfig

from ..workers.pools import LONG, alive, until
from .house import NONCE, House, housed

RESTARTED = 1012


@dataclass
class Serving:
    """A server in a process of its own."""

    process: "subprocess.Popen[str]"
    url: str

    def stop(self, number: int) -> str:
        """Send a signal; what it says until its end, which must be a good one."""
        self.process.send_signal(number)
        rest = self.process.communicate(timeout=LONG)[1]
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
def test_it_stops_when_it_is_told_to(tmp_path: Path, number: int) -> None:
    """Exit 0 and a last word; sockets are told to come again, no worker is left, nothing told is lost."""
    data = tmp_path / "tables.db"
    with _serving(data) as server, httpx.Client(base_url=server.url) as client:
        guest = client.post("/api/guests", json={"name": "Ada", "cookie": False}).json()
        client.headers["authorization"] = f"Bearer {guest['token']}"
        table = client.post("/api/tables", json={"chairs": [{"sitter": "person"}, {"sitter": "open"}]}).json()
        ticket = client.post(f"/api/tables/{table['table']}/tickets", json={}).json()["ticket"]
        with connect(server.url.replace("http", "ws") + "/api/socket", compression=None) as line:
            line.send(json.dumps({"type": "hello", "ticket": ticket}))
            assert json.loads(line.recv())["seq"] == 0
            command = {"type": "ready", "nonce": NONCE}
            line.send(
                json.dumps({"type": "command", "command_id": "r", "expected_seq": 0, "command": command})
            )
            assert json.loads(line.recv())["type"] == "done"
            workers = [child.pid for child in psutil.Process(server.process.pid).children(recursive=True)]
            assert workers
            said = server.stop(number)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    line.recv(timeout=LONG)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == RESTARTED
    assert "stopped; all games are saved" in said
    assert "Traceback" not in said
    assert not any(alive(pid) for pid in workers)
    assert not data.with_name("tables.db.server").exists()
    with Store.open(data) as store:
        rows = store.events(table["table"])
        assert check_chain(rows, last=1) is None
        assert Table(table["table"], read_events(rows)).state.chairs[0].is_ready


def test_a_second_start_opens_the_running_one(tmp_path: Path) -> None:
    """It says where that is, opens it in the browser, and leaves with 0; the first goes on."""
    data, opened = tmp_path / "tables.db", tmp_path / "opened"
    script = tmp_path / "browser.py"
    script.write_text(f"import sys\nopen({str(opened)!r}, 'w').write(sys.argv[1])\n")
    with _serving(data) as server:
        second = _command(data, BROWSER=f"{sys.executable} {script} %s")
        said = second.communicate(timeout=LONG)[1]
        assert second.returncode == 0
        assert f"a server at {server.url} already has this data file open" in said
        assert opened.read_text() == server.url
        assert httpx.get(f"{server.url}/health").json() == {"ok": True}
        server.stop(signal.SIGTERM)


@housed(outbox_messages=2)
async def test_who_never_reads_is_cut_off(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a real connection: what waits is not sent, the socket is gone, and the server is not held up."""
    monkeypatch.setattr(socket, "_CLOSE_TIMEOUT", 0.05)
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    with sockets.create_server(("127.0.0.1", 0)) as bound:
        bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
        config = run._config(house.app, house.settings)
        config.lifespan = "off"
        server = run._Server(config, lambda: None)
        running = asyncio.create_task(server.serve(sockets=[bound]))
        await until(lambda: server.started)
        writer = await _dial(bound.getsockname()[1], await bob.ticket(table))
        live_table = house.services.registry.find_loaded(table.id)
        assert live_table is not None
        await until(lambda: live_table.subscribers)
        for number in range(400):
            await ada.do(
                table, "unready" if number % 2 else "ready", **({} if number % 2 else {"nonce": NONCE})
            )
            if not live_table.subscribers:
                break
        await until(lambda: len(house.services.socket_limits) == 0)
        await until(lambda: not server.server_state.connections)
        writer.transport.abort()
        server.should_exit = True
        await running


async def _dial(port: int, ticket: str) -> asyncio.StreamWriter:
    """A socket by hand, with small buffers, that says hello."""
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
def test_a_setting_says_how_long_players_are_waited_for(seconds: int) -> None:
    """And nothing else: how long they think does not change with it."""
    terms = pool_config(Settings(player_seconds=seconds))
    assert terms == PoolConfig(job_timeout=seconds) and terms.budget == PoolConfig().budget


@pytest.mark.parametrize(
    ("host", "reason"),
    [("192.0.2.1", "os_error.no_address"), ("a..b", "os_error.no_host"), ("x" * 64, "os_error.no_host")],
)
def test_why_nobody_can_listen_is_told_in_every_language(host: str, reason: str) -> None:
    """An address of another machine, names that are none: our words, nothing of Python's."""
    with pytest.raises(UserError) as caught:
        run._listen_socket(host, 0)
    for language in LANGUAGES:
        assert caught.value.translate(language).endswith(translate(reason, language))


def test_a_port_that_needs_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to do is said too."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied (while attempting to bind on address ('127.0.0.1', 80))")

    monkeypatch.setattr(sockets, "create_server", refuse)
    with pytest.raises(UserError) as caught:
        run._listen_socket("127.0.0.1", 80)
    assert "bind" not in str(caught.value) and "--port" in caught.value.translate("es")
