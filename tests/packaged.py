"""An installed package, tried from outside: a page, one of its files, and the first turns of a game.

``python -m tests.packaged build/wheel-only/bin``: the server that it starts finds no program but those of
that folder, and so no Node. A program and a person play there; the person's Chromium is driven from outside.
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

from .browser.conftest import CHROMIUM, FLAGS
from .browser.guests import Guests, last_game
from .browser.hands import Hand

PATIENCE = 300.0
"""Seconds; the rules may have to be compiled."""
_KEPT = ("HOME", "XDG_CACHE_HOME")
"""Where what was compiled is found again."""


class Server:
    """A server of the package, on a data file of its own."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._data = folder / "tables.db"
        command = (str(programs / "sanssouci"), "serve", "--port", "0", "--data", str(self._data))
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment = {**kept, "PATH": str(programs), "SANSSOUCI_PLAYERS": "random"}
        self.process = subprocess.Popen(command, cwd=folder, env=environment)
        self._deadline = time.monotonic() + PATIENCE
        self._token = ""
        self.url = self._address()

    def _address(self) -> str:
        told = self._data.with_name(self._data.name + ".server")
        while not told.exists():
            self._wait()
        url: str = json.loads(told.read_bytes())["url"]
        return url

    def _wait(self) -> None:
        assert self.process.poll() is None and time.monotonic() < self._deadline, "it does not come so far"
        time.sleep(0.25)

    def get(self, path: str) -> str:
        """What is at an address."""
        with urllib.request.urlopen(self._request(path), timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
            return text

    def post(self, path: str, document: dict[str, Any]) -> dict[str, Any]:
        """The answer to a document."""
        request = self._request(path, json.dumps(document).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def _request(self, path: str, body: bytes | None = None) -> urllib.request.Request:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return urllib.request.Request(self.url + path, body, headers)

    def begin_game(self) -> None:
        """A guest sits down with a computer player, who plays the first turn."""
        self._token = self.post("/api/guests", {"name": "Ada", "cookie": False})["token"]
        chairs = [{"sitter": "person"}, {"sitter": "computer", "player": "random"}]
        table = self.post("/api/tables", {"chairs": chairs, "first": 1})["table"]
        ready = {"type": "ready", "nonce": "00" * 8}
        while (view := json.loads(self.get(f"/api/tables/{table}")))["stage"] != "playing" or not view[
            "waiting"
        ]:
            command = {"lobby": ready, "picking": {"type": "pick", "side": 0}}.get(view["stage"])
            if command is not None and 0 in view["waiting"]:
                message = {"command_id": view["stage"], "expected_seq": view["seq"], "command": command}
                self.post(f"/api/tables/{table}/commands", message)
            self._wait()


def play_in_browser(url: str) -> None:
    """From the start page to a turn of one's own and the answer of a computer player."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE * 1000)
        guests = Guests(url, browser)
        hand = Hand(guests.comes(preferences=last_game("person", "random")))
        hand.begin()
        hand.wait_for_turn()
        hand.stage()
        hand.confirm()
        assert hand.wait_for_turn(), "the computer player has answered"
        guests.leave()
        browser.close()
    assert guests.troubles == [], "and nothing went wrong on the page"


def main(programs: Path) -> None:
    """Try it; an assertion fails if something is missing."""
    with TemporaryDirectory() as folder:
        server = Server(programs.absolute(), Path(folder))
        try:
            page = server.get("/")
            scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
            assert "<title>Sanssouci</title>" in page and scripts, "the page of the game is there"
            assert len(server.get(scripts[0])) > 1000, "and what it runs"
            server.begin_game()
            if CHROMIUM is not None:
                play_in_browser(server.url)
        finally:
            server.process.terminate()
            status = server.process.wait(PATIENCE)
        assert status == 0, "it stops when it is told to"
    played = "a turn was played in a browser" if CHROMIUM else "there is no Chromium to play in a browser"
    print(f"the package serves its pages, and a game has begun; {played}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
