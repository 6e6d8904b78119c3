"""``sanssouci`` without a command: a game in the browser, from one word."""

import json
import os
import socket
import subprocess
import sys
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from sanssouci.cli.serve import open_browser
from sanssouci.server import Settings

from ..workers.pools import LONG
from .command import COMMAND, run, wait_for


def browser(folder: Path) -> tuple[str, Path]:
    """A browser that writes down what it is asked to open."""
    opened, script = folder / "opened", folder / "browser.py"
    script.write_text(f"import sys\nopen({str(opened)!r}, 'a').write(sys.argv[1] + chr(10))\n")
    return f"{sys.executable} {script} %s", opened


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A user of one's own, whose state is in a folder."""
    own = {"SANSSOUCI_PLAYERS": "random", "SANSSOUCI_WORKERS": "1", "SANSSOUCI_LOG_LEVEL": "warning"}
    return {**os.environ, **own, "SANSSOUCI_DATA": str(folder / "tables.db"), "LC_ALL": "C", **more}


@contextmanager
def home(folder: Path, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """The command, until the end of a test."""
    process = subprocess.Popen(COMMAND, stderr=subprocess.PIPE, text=True, env=environment(folder, **more))
    patience = Timer(LONG, process.kill)
    patience.start()
    try:
        yield process
    finally:
        patience.cancel()
        process.kill()
        process.communicate()


def said_until(process: "subprocess.Popen[str]", last: str) -> str:
    """What is said, to the line that has this in it."""
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if last in line:
            return said
    raise AssertionError(said)


def test_it_opens_the_game_and_a_second_one_the_same(tmp_path: Path) -> None:
    """Once computer players are ready; where the port is taken it takes another."""
    command, opened = browser(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with home(tmp_path, BROWSER=command, SANSSOUCI_PORT=port) as process:
            said_until(process, "http://")
            url = json.loads((tmp_path / "tables.db.server").read_bytes())["url"]
            assert not url.endswith(f":{port}")
            wait_for(lambda: opened.exists() and opened.read_text())
            with urllib.request.urlopen(f"{url}/ready", timeout=LONG) as answer:
                assert answer.status == 200, "computer players can play when the browser opens"
            second = run(cwd=tmp_path, input="", **environment(tmp_path, BROWSER=command, LC_ALL=""))
            assert second.returncode == 0 and f"at {url}" in second.stderr
            assert opened.read_text().splitlines() == [url, url]


def test_where_no_browser_can_be_opened_the_address_is_told(tmp_path: Path) -> None:
    """And none that would take the terminal from the server."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "www-browser").symlink_to("/bin/true")
    screens = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "TERM": "xterm"}
    with home(tmp_path, **screens, PATH=str(folder), SANSSOUCI_PORT="0") as process:
        said = said_until(process, "no browser can be opened")
        url = json.loads((tmp_path / "tables.db.server").read_bytes())["url"]
        assert url in said.splitlines()[-1]


@pytest.mark.parametrize(
    ("browser", "chosen", "opens"),
    [
        (webbrowser.BackgroundBrowser("firefox"), "", True),
        (webbrowser.GenericBrowser("lynx"), "", False),
        (webbrowser.GenericBrowser("lynx"), "lynx", True),
        (None, "", False),
    ],
    ids=["graphical", "takes the terminal", "chosen", "none"],
)
def test_which_browser_is_opened(
    browser: webbrowser.BaseBrowser | None,
    chosen: str,
    opens: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """None that would take the terminal, unless BROWSER names it; else the address is said."""
    opened: list[str] = []

    def get() -> webbrowser.BaseBrowser:
        if browser is None:
            raise webbrowser.Error("no browser")
        return browser

    def open_url(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setenv("BROWSER", chosen)
    monkeypatch.setattr(webbrowser, "get", get)
    monkeypatch.setattr(webbrowser, "open", open_url)
    open_browser(Settings(log_format="text"), "http://127.0.0.1:1")
    assert opened == (["http://127.0.0.1:1"] if opens else [])
    assert ("http://127.0.0.1:1" in capsys.readouterr().err) is not opens
