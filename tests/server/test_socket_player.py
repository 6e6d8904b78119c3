"""examples/socket_player.py plays whole games on a real server, and loses nothing when the line is cut."""

import asyncio
import importlib.util
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import uvicorn

from sanssouci.notation import parse_record, verify
from sanssouci.server import make_app, make_services
from sanssouci.server.limits.rate_limits import Limit, read_rates
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.run import _config, _listen_socket
from sanssouci.server.settings import Settings
from sanssouci.server.tables.table_registry import Dependencies
from sanssouci.store import Store

from ..workers.pools import within
from .described_house import PLAYERS, InlinePool

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "socket_player.py"
RATES = read_rates(",".join(f"{bucket}=100000/minute" for bucket in Limit))


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("socket_player", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def serving(folder: Path, also: tuple[str, ...] = ()) -> Iterator[str]:
    """A real server in a thread, with computer players at hand; where it is."""
    settings = Settings(data=folder / "tables.db", players=PLAYERS, rates=RATES, origins=also)
    with Store.open(settings.data) as store, _listen_socket("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        begun = threading.Event()
        server: list[uvicorn.Server] = []

        async def run() -> None:
            services = make_services(settings, store, InlinePool(), Dependencies())
            app = make_app(services, AllowedOrigins.of("127.0.0.1", port, more=also))
            server.append(Announcing(_config(app, settings), begun))
            await server[0].serve(sockets=[bound])

        thread = threading.Thread(target=lambda: asyncio.run(run()))
        thread.start()
        assert begun.wait(60)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server[0].should_exit = True
            thread.join(60)


class Announcing(uvicorn.Server):
    """A server that says when it has begun."""

    def __init__(self, config: uvicorn.Config, begun: threading.Event) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: Any = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._begun.set()


class BadLine:
    """A line between a client and a server that is cut: something arrives, and its answer does not."""

    def __init__(self, bound: socket.socket, server: str, cut: Callable[[int], bool]) -> None:
        """``cut`` is told the number of a socket whenever something is said there: whether to cut it."""
        self._listen_socket = bound
        self._port = int(server.rpartition(":")[2])
        self._cut = cut
        self._carried: list[asyncio.Task[None]] = []
        self.sockets = 0
        self.cuts = 0

    async def __aenter__(self) -> "BadLine":
        self._server = await asyncio.start_server(self._connected, sock=self._listen_socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._carried:
            task.cancel()
        await asyncio.gather(*self._carried, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._carried.append(asyncio.create_task(self._carry(reader, writer)))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, there = await asyncio.open_connection("127.0.0.1", self._port)
        back = asyncio.create_task(_pass_on(answers, writer))
        try:
            await self._forth(reader, there, back, answers)
        finally:
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            for end in (writer, there):
                end.transport.abort()

    async def _forth(
        self,
        reader: asyncio.StreamReader,
        there: asyncio.StreamWriter,
        back: "asyncio.Task[None]",
        answers: asyncio.StreamReader,
    ) -> None:
        """Pass on what a client says, until the line is cut: then the answer is awaited and kept."""
        number = -1
        while data := await reader.read(65536):
            if data.startswith(b"GET /api/socket"):
                number, self.sockets = self.sockets, self.sockets + 1
            cut = number >= 0 and self._cut(number)
            if cut:
                back.cancel()
                await asyncio.gather(back, return_exceptions=True)
            there.write(data)
            await there.drain()
            if cut:
                await answers.read(1)
                self.cuts += 1
                return


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


def test_the_example_plays_a_game_to_the_end(tmp_path: Path, example: ModuleType) -> None:
    """Two of them meet by a join link; the record of their game is right."""

    async def story(url: str) -> None:
        first, second = example.SocketPlayer(url, "Ada"), example.SocketPlayer(url, "Bob")
        await first.become_guest()
        made = await first.set_up(
            {"sitter": "open"},
            {"sitter": "computer", "player": "random"},
            edition="imperial",
            expansions=["rewards", "wild_boar"],
        )
        await second.become_guest()
        await second.join(made["table"], made["join"])
        views = await asyncio.gather(first.play(), second.play())
        assert [view["ending"] for view in views] == [views[0]["ending"]] * 2
        assert views[0]["ending"]["manner"] == "played"
        answer = await first.client.get(f"/api/tables/{made['table']}/record")
        verify(parse_record(answer.content))
        for player in (first, second):
            await player.client.aclose()

    with serving(tmp_path) as url:
        within(story(url))


def test_the_example_comes_back_and_repeats_what_may_be_lost(tmp_path: Path, example: ModuleType) -> None:
    """The line is cut in the middle, after a turn has arrived and before its answer: it is played once."""
    said: list[int] = []

    def cut(number: int) -> bool:
        said.append(number)
        return number in (0, 1) and said.count(number) == 8

    class Counting(example.SocketPlayer):  # type: ignore[misc,name-defined]
        """Counts what had been done before."""

        repeated = 0

        def take(self, message: dict[str, Any]) -> None:
            self.repeated += message.get("repeated", False)
            super().take(message)

    async def story(bound: socket.socket, near: str, far: str) -> None:
        async with BadLine(bound, far, cut) as line:
            player = Counting(near, first_wait=0.01)
            await player.become_guest()
            await player.set_up({"sitter": "computer", "player": "random"})
            view = await player.play()
            await player.client.aclose()
        assert view["ending"]["manner"] == "played" and view["game"]["turn"] == 36
        assert (line.cuts, line.sockets, player.repeated) == (2, 3, 2)

    with socket.create_server(("127.0.0.1", 0)) as bound:
        near = f"http://127.0.0.1:{bound.getsockname()[1]}"
        with serving(tmp_path, also=(near,)) as far:
            within(story(bound, near, far))


def test_the_example_is_run_as_the_page_says(tmp_path: Path) -> None:
    """Its command line stands on the page; it tells the scores and who has won."""
    page = (EXAMPLE.parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert "python examples/socket_player.py http://127.0.0.1:8017 --computer level:1" in page
    with serving(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), url, "--computer", "level:1"],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    scores = re.findall(r"^(.+): \d+( has won)?$", done.stdout, re.MULTILINE)
    assert len(scores) == 2 and "Random" in dict(scores) and " has won" in dict(scores).values()
