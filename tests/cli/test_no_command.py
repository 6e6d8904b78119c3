"""``sanssouci`` without a command opens the game in a browser."""

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

from ..workers.pools import TIMEOUT
from .command import COMMAND, run, wait_for


def browser(folder: Path) -> tuple[str, Path]:
    """A browser that appends the opened URLs to a file."""
    opened, script = folder / "opened", folder / "browser.py"
    script.write_text(f"import sys\nopen({str(opened)!r}, 'a').write(sys.argv[1] + chr(10))\n")
    return f"{sys.executable} {script} %s", opened


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Environment variables with the data file in a folder."""
    defaults = {"SANSSOUCI_PLAYERS": "random", "SANSSOUCI_WORKERS": "1", "SANSSOUCI_LOG_LEVEL": "warning"}
    return {**os.environ, **defaults, "SANSSOUCI_DATA": str(folder / "tables.db"), "LC_ALL": "C", **more}


@contextmanager
def started(folder: Path, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """The command, running until the end of the ``with`` block."""
    process = subprocess.Popen(COMMAND, stderr=subprocess.PIPE, text=True, env=environment(folder, **more))
    killer = Timer(TIMEOUT, process.kill)
    killer.start()
    try:
        yield process
    finally:
        killer.cancel()
        process.kill()
        process.communicate()


def read_until(process: "subprocess.Popen[str]", last: str) -> str:
    """The output up to the line that contains ``last``."""
    assert process.stderr is not None
    output = ""
    for line in process.stderr:
        output += line
        if last in line:
            return output
    raise AssertionError(output)


def test_the_browser_opens_when_players_are_ready(tmp_path: Path) -> None:
    """The browser opens once computer players are ready, on a free port; a second start opens the same."""
    command, opened = browser(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started(tmp_path, BROWSER=command, SANSSOUCI_PORT=port) as process:
            read_until(process, "http://")
            url = json.loads((tmp_path / "tables.db.server").read_bytes())["url"]
            assert not url.endswith(f":{port}")
            wait_for(lambda: opened.exists() and opened.read_text())
            with urllib.request.urlopen(f"{url}/ready", timeout=TIMEOUT) as answer:
                assert answer.status == 200, "computer players can play when the browser opens"
            second = run(cwd=tmp_path, input="", **environment(tmp_path, BROWSER=command, LC_ALL=""))
            assert second.returncode == 0 and f"at {url}" in second.stderr
            assert opened.read_text().splitlines() == [url, url]


def test_without_a_browser_the_url_is_printed(tmp_path: Path) -> None:
    """The URL is printed if only a text browser exists, which would occupy the server's terminal."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "www-browser").symlink_to("/bin/true")
    screens = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "TERM": "xterm"}
    with started(tmp_path, **screens, PATH=str(folder), SANSSOUCI_PORT="0") as process:
        output = read_until(process, "no browser can be opened")
        url = json.loads((tmp_path / "tables.db.server").read_bytes())["url"]
        assert url in output.splitlines()[-1]


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
    """A text browser opens only if BROWSER names it; otherwise the URL is printed."""
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
