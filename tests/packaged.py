"""Smoke test of an installed package: a page, one of its assets, and the first turns of a game.

``python -m tests.packaged build/wheel-only/bin`` starts a server whose PATH has only that folder, so
without Node. A computer player and a browser player play a game; Chromium runs outside the package.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from tools.sbom import make_sbom

from .browser.conftest import CHROMIUM, FLAGS
from .browser.page_player import PagePlayer
from .browser.visitors import Visitors, last_game
from .harness.builders import legal_command

TIMEOUT = 300.0
"""Seconds; the rules may have to be compiled."""
_PASSED_VARIABLES = ("HOME", "XDG_CACHE_HOME")
"""They locate the compilation cache."""


class Server:
    """A server of the package with a temporary data file."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._data = folder / "tables.db"
        command = (str(programs / "sanssouci"), "serve", "--port", "0", "--data", str(self._data))
        passed = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
        environment = {**passed, "PATH": str(programs), "SANSSOUCI_PLAYERS": "random"}
        self.process = subprocess.Popen(command, cwd=folder, env=environment)
        self._deadline = time.monotonic() + TIMEOUT
        self._token = ""
        self.url = self._address()

    def _address(self) -> str:
        address_file = self._data.with_name(self._data.name + ".server")
        while not address_file.exists():
            self._wait()
        url: str = json.loads(address_file.read_bytes())["url"]
        return url

    def _wait(self) -> None:
        assert self.process.poll() is None and time.monotonic() < self._deadline, (
            "the server has stopped or is too slow"
        )
        time.sleep(0.25)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self._request(path), timeout=TIMEOUT) as answer:
            text: str = answer.read().decode()
            return text

    def post(self, path: str, document: dict[str, Any]) -> dict[str, Any]:
        request = self._request(path, json.dumps(document).encode())
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def _request(self, path: str, body: bytes | None = None) -> urllib.request.Request:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return urllib.request.Request(self.url + path, body, headers)

    def begin_game(self) -> None:
        """Create a guest and a table with a computer player, and wait for the computer's first turn."""
        self._token = self.post("/api/guests", {"name": "Ada", "cookie": False})["token"]
        chairs = [{"sitter": "person"}, {"sitter": "computer", "player": "random"}]
        table = self.post("/api/tables", {"chairs": chairs, "first": 1})["table"]
        while (view := json.loads(self.get(f"/api/tables/{table}")))["stage"] != "playing" or not view[
            "waiting"
        ]:
            if view["stage"] != "playing" and 0 in view["waiting"]:
                seq, command = view["seq"], legal_command(view)
                message = {"command_id": f"c{seq}", "expected_seq": seq, "command": command}
                self.post(f"/api/tables/{table}/commands", message)
            self._wait()


def play_in_browser(url: str) -> None:
    """Play from the start page to a turn and the computer player's answer."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=TIMEOUT * 1000)
        visitors = Visitors(url, browser)
        player = PagePlayer(visitors.new_page(preferences=last_game("person", "random")))
        player.begin()
        player.wait_for_turn()
        player.stage()
        player.confirm()
        assert player.wait_for_turn(), "the computer player has answered"
        visitors.close()
        browser.close()
    assert visitors.errors == [], "the page reports no errors"


def check_sbom(programs: Path) -> None:
    """The wheel has the SBOM that its sdist contained; tests/test_supply_chain.py checks the contents."""
    (found,) = programs.parent.glob("lib/python*/site-packages/sanssouci_game-*.dist-info/sboms/*.cdx.json")
    assert found.read_text(encoding="utf-8") == make_sbom(), "the SBOM is that of this source"


def main(programs: Path) -> None:
    """Run the smoke test; an assertion fails if anything is missing."""
    check_sbom(programs)
    with TemporaryDirectory() as folder:
        server = Server(programs.absolute(), Path(folder))
        try:
            page = server.get("/")
            scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
            assert "<title>Sanssouci</title>" in page and scripts, "the page is served"
            assert len(server.get(scripts[0])) > 1000, "its script is served"
            server.begin_game()
            if CHROMIUM is not None:
                play_in_browser(server.url)
        finally:
            server.process.terminate()
            status = server.process.wait(TIMEOUT)
        assert status == 0, "the server stops cleanly"
    played = "a turn was played in a browser" if CHROMIUM else "there is no Chromium to play in a browser"
    print(f"the package serves its pages, and a game has begun; {played}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
