"""``sanssouci serve`` as a host sees it: what is said when it starts, and what if it cannot."""

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
from sanssouci.server.ops import lan_addresses
from sanssouci.workers import StartProgress

from .command import COMMAND, mistake, run, wait_for
from .hosting import post, running_server

LOCAL = "http://127.0.0.1:8017"


def told(capsys: pytest.CaptureFixture[str], **settings: str) -> list[str]:
    """What a server with some settings says once it is ready."""
    StartUp(read_settings(settings, {"SANSSOUCI_LOG_FORMAT": "text"})).ready(LOCAL)
    return capsys.readouterr().err.splitlines()


def test_a_server_for_this_machine_says_where_it_is_and_what_it_keeps(capsys: Any) -> None:
    """Two lines, and nothing to beware of."""
    address, data = told(capsys, data="/srv/tables.db")
    assert LOCAL in address and "/srv/tables.db" in data


@pytest.mark.parametrize(
    ("host", "public_url", "beware"),
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
def test_a_host_is_warned_where_others_come_and_nothing_is_encrypted(
    capsys: Any, host: str, public_url: str | None, beware: bool
) -> None:
    """Only there; and the public address is told where there is one."""
    lines = told(capsys, host=host, **({"public_url": public_url} if public_url else {}))
    assert any(line.startswith("warning: ") and "--public-url" in line for line in lines) is beware
    assert any(public_url in line for line in lines if public_url) is bool(public_url)


@pytest.mark.parametrize(
    ("host", "public_url", "told_so"),
    [("0.0.0.0", None, True), ("127.0.0.1", None, False), ("0.0.0.0", "https://play.example.org", False)],
)
def test_the_host_reads_what_to_tell_friends_at_home(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, host: str, public_url: str | None, told_so: bool
) -> None:
    """The address in the network, with the port; not where there is a public one, or nobody else comes."""
    monkeypatch.setattr(lan_addresses, "_address_towards", lambda far: "192.168.1.5")
    lines = told(capsys, host=host, **({"public_url": public_url} if public_url else {}))
    assert ("others on your network can join at http://192.168.1.5:8017" in lines) is told_so


def test_players_are_named_where_some_are_not_allowed(capsys: Any) -> None:
    """Where all are, nobody needs the list."""
    assert "greedy, random" in told(capsys, players="greedy,random")[-1]
    assert len(told(capsys, players=",".join(Settings().players))) == 2


def test_a_progress_line_is_not_for_files(capsys: Any) -> None:
    """It moves on a terminal, and elsewhere nothing is said: there the log tells."""
    start_up = StartUp(Settings())
    for progress in (StartProgress("greedy", 0, 2), StartProgress("", 1, 2), StartProgress(ready=1)):
        start_up.progress(progress)
    start_up.end()
    assert capsys.readouterr().err.strip() == ""


def test_a_taken_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    """One sentence; the data file can be opened again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = mistake("serve", "--port", port, "--data", tmp_path / "new" / "tables.db")
    assert f"port {port}" in said and "--port" in said and "another program" in said
    assert run("admin", "check", "--data", tmp_path / "new" / "tables.db").returncode == 0


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    """One sentence too."""
    assert "192.0.2.1" in mistake("serve", "--host", "192.0.2.1", "--data", tmp_path / "tables.db")


def test_the_folder_of_the_data_is_made_and_a_second_start_finds_the_first(tmp_path: Path) -> None:
    """Where nobody sits at a terminal every line of the log is JSON, what the command itself says too."""
    data = tmp_path / "a" / "b" / "tables.db"
    data.parent.parent.mkdir()  # the server makes the other
    log = tmp_path / "log"
    with running_server(data, log, SANSSOUCI_LOG_FORMAT="json", SANSSOUCI_PROT="1") as (_, url):
        again = run("serve", "--data", data, "--port", 0, BROWSER="true")
        assert again.returncode == 0 and url in again.stderr
        assert _status(f"{url}/health") == 200
    text = log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert "/health" in {line.get("route") for line in lines}
    own = [line for line in lines if line["logger"] == "sanssouci.cli"]
    events = ["serve.unknown_variable", "serve.ready", "serve.data", "serve.players", "serve.stopped"]
    assert [line["event"] for line in own] == events
    assert {line["level"] for line in own[1:]} == {"info"} and own[0]["level"] == "warning"
    said = [line["sentence"] for line in own]
    assert url in said[1] and str(data) in said[2] and "random" in said[3] and "stopped" in said[4]


def test_in_a_log_for_people_the_command_speaks_plainly(tmp_path: Path) -> None:
    """As on a terminal, whoever reads it."""
    data, log = tmp_path / "tables.db", tmp_path / "log"
    with running_server(data, log, SANSSOUCI_LOG_FORMAT="text") as (_, url):
        pass
    first, *_, last = log.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"Sanssouci is running at {url} ") and last.startswith("stopped; ")


def test_on_a_terminal_the_first_lines_are_not_buried(tmp_path: Path) -> None:
    """Computer players get ready meanwhile, requests leave no line, Ctrl-C ends it."""
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


def test_what_computer_players_do_is_measured(tmp_path: Path) -> None:
    """Their turns and the time they took are among the figures."""
    with running_server(tmp_path / "tables.db", tmp_path / "log") as (_, url):
        guest = post(f"{url}/api/guests", {"name": "Ada", "cookie": False})
        computer = {"sitter": "computer", "player": "random"}
        table = {"chairs": [computer, computer], "edition": "imperial", "expansions": []}
        post(f"{url}/api/tables", table, guest["token"])
        wait_for(lambda: _figure(url, 'sanssouci_worker_job_seconds_count{kind="turn"}'))
        assert _figure(url, 'sanssouci_worker_job_seconds_count{kind="side"}') >= 2


def _figure(url: str, name: str) -> float:
    with urllib.request.urlopen(f"{url}/metrics", timeout=60) as answer:
        figures = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines())
    return float(figures.get(name, 0))


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
