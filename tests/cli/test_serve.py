"""``sanssouci serve``: messages at start-up, and start-up errors."""

import io
import json
import os
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pexpect
import pytest

from sanssouci.cli.serve import StartUp
from sanssouci.server import Settings, read_settings
from sanssouci.server.ops import exposure
from sanssouci.workers import StartProgress

from .command import COMMAND, run, usage_error, wait_for
from .data_files import computer_game, running_server

LOCAL = "http://127.0.0.1:8017"


def start_messages(capsys: pytest.CaptureFixture[str], **settings: str) -> list[str]:
    """The messages of a server with these settings when it is ready."""
    StartUp(read_settings(settings, {"SANSSOUCI_LOG_FORMAT": "text"})).ready(LOCAL)
    return capsys.readouterr().err.splitlines()


def test_a_local_server_prints_url_and_data_file(capsys: Any) -> None:
    """A local server prints its URL and its data file, without a warning."""
    address, data = start_messages(capsys, data="/srv/tables.db")
    assert LOCAL in address and "/srv/tables.db" in data


@pytest.mark.parametrize(
    ("host", "public_url", "warned"),
    [
        ("127.0.0.1", None, False),
        ("127.0.0.2", None, False),
        ("::1", None, False),
        ("localhost", None, False),
        ("127.0.0.1", "https://play.example.org", False),
        ("0.0.0.0", "https://play.example.org", False),
        ("0.0.0.0", None, True),
        ("::", None, True),
        ("192.168.1.5", None, True),
        ("garden.local", "http://garden.local", True),
    ],
)
def test_unencrypted_public_servers_give_a_warning(
    capsys: Any, host: str, public_url: str | None, warned: bool
) -> None:
    """Only a public server without HTTPS prints a warning; a public URL is always printed."""
    lines = start_messages(capsys, host=host, **({"public_url": public_url} if public_url else {}))
    assert any(line.startswith("warning: ") and "--public-url" in line for line in lines) is warned
    assert any(public_url in line for line in lines if public_url) is bool(public_url)


@pytest.mark.parametrize(
    ("host", "public_url", "printed"),
    [("0.0.0.0", None, True), ("127.0.0.1", None, False), ("0.0.0.0", "https://play.example.org", False)],
)
def test_the_lan_address_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, host: str, public_url: str | None, printed: bool
) -> None:
    """The LAN URL is printed if the server is reachable there and has no public URL."""
    monkeypatch.setattr(exposure, "_address_towards", lambda far: "192.168.1.5")
    lines = start_messages(capsys, host=host, **({"public_url": public_url} if public_url else {}))
    assert ("others on your network can join at http://192.168.1.5:8017" in lines) is printed


def test_restricted_players_are_listed(capsys: Any) -> None:
    """The allowed players are listed only if some are not allowed."""
    assert "greedy, random" in start_messages(capsys, players="greedy,random")[-1]
    assert len(start_messages(capsys, players=",".join(Settings().players))) == 2


def test_progress_is_shown_only_on_a_terminal(capsys: Any) -> None:
    """Without a terminal, start-up progress prints nothing."""
    start_up = StartUp(Settings())
    for progress in (StartProgress("greedy", 0, 2), StartProgress("", 1, 2), StartProgress(ready=1)):
        start_up.progress(progress)
    start_up.end()
    assert capsys.readouterr().err.strip() == ""


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    """A port in use gives one sentence with advice, and the data file stays valid."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        messages = usage_error("serve", "--port", port, "--data", tmp_path / "new" / "tables.db")
    assert f"port {port}" in messages and "--port" in messages and "another program" in messages
    assert run("admin", "check", "--data", tmp_path / "new" / "tables.db").returncode == 0


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    """An address of another machine gives one sentence."""
    assert "192.0.2.1" in usage_error("serve", "--host", "192.0.2.1", "--data", tmp_path / "tables.db")


def test_a_second_start_finds_the_running_server(tmp_path: Path) -> None:
    """The data folder is created, a second start names the first, and every log line is JSON."""
    data = tmp_path / "a" / "b" / "tables.db"
    data.parent.parent.mkdir()  # the server creates the other one
    log = tmp_path / "log"
    with running_server(data, log, SANSSOUCI_LOG_FORMAT="json", SANSSOUCI_PROT="1") as server:
        url = server.url
        assert url in usage_error("serve", "--data", data, "--port", 0)
        assert _status(f"{url}/health") == 200
    text = log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert "/health" in {line.get("route") for line in lines}
    own = [line for line in lines if line["logger"] == "sanssouci.cli"]
    events = ["serve.unknown_variable", "serve.ready", "serve.data", "serve.players", "serve.stopped"]
    assert [line["event"] for line in own] == events
    assert {line["level"] for line in own[1:]} == {"info"} and own[0]["level"] == "warning"
    messages = [line["sentence"] for line in own]
    assert (
        url in messages[1]
        and str(data) in messages[2]
        and "random" in messages[3]
        and "stopped" in messages[4]
    )


def test_the_text_log_has_plain_sentences(tmp_path: Path) -> None:
    """With the text log format, the command logs plain sentences."""
    data, log = tmp_path / "tables.db", tmp_path / "log"
    with running_server(data, log, SANSSOUCI_LOG_FORMAT="text") as server:
        pass
    first, *_, last = log.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"Sanssouci is running at {server.url} ") and last.startswith("stopped; ")


def test_a_terminal_shows_no_request_log(tmp_path: Path) -> None:
    """On a terminal, start-up messages and progress are shown, but no requests; Ctrl-C stops the server."""
    data, shown = tmp_path / "tables.db", io.StringIO()
    environment = os.environ | {
        "SANSSOUCI_PLAYERS": "random",
        "SANSSOUCI_WORKERS": "1",
        "LC_ALL": "en_GB.UTF-8",
    }
    serve = [*COMMAND[1:], "serve", "--port", "0", "--data", str(data)]
    terminal = pexpect.spawn(COMMAND[0], serve, env=environment, timeout=120, encoding="utf-8")
    terminal.logfile_read = shown
    terminal.expect("to choose from: random")
    url = json.loads((tmp_path / "tables.db.server").read_bytes())["url"]
    wait_for(lambda: _status(f"{url}/ready") == 200)
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    text = shown.getvalue()
    assert terminal.exitstatus == 0 and "stopped; all games are saved" in text
    assert f"running at {url}" in text and f"stored in {data}" in text.replace("\r\n", "")
    assert "preparing the computer players: step" in text and "/ready" not in text and "request" not in text


def test_computer_turns_are_in_the_metrics(tmp_path: Path) -> None:
    """Turns and sides chosen by computer players are counted in the metrics."""
    with running_server(tmp_path / "tables.db", tmp_path / "log") as server:
        computer_game(server)
        wait_for(lambda: _metric(server.url, 'sanssouci_worker_job_seconds_count{kind="turn"}'))
        assert _metric(server.url, 'sanssouci_worker_job_seconds_count{kind="side"}') >= 2


def _metric(url: str, name: str) -> float:
    with urllib.request.urlopen(f"{url}/metrics", timeout=60) as answer:
        metrics = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines())
    return float(metrics.get(name, 0))


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
