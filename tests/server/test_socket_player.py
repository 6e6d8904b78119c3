"""examples/socket_player.py plays whole games on a real server, also when it is disconnected."""

import asyncio
import importlib.util
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sanssouci.notation import parse_record, verify

from ..harness.server import InProcessServer, with_server

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "socket_player.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("socket_player", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class FaultyProxy:
    """A TCP proxy that cuts connections after a message has arrived and before its answer is returned."""

    def __init__(self, bound: socket.socket, port: int, cut: Callable[[int], bool]) -> None:
        """``cut`` gets the number of a socket with each message there, and decides whether to cut it."""
        self._listen_socket = bound
        self._port = port
        self._cut = cut
        self._tasks: list[asyncio.Task[None]] = []
        self.sockets = 0
        self.cuts = 0

    async def __aenter__(self) -> "FaultyProxy":
        self._server = await asyncio.start_server(self._on_connect, sock=self._listen_socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.append(asyncio.create_task(self._relay(reader, writer)))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, upstream = await asyncio.open_connection("127.0.0.1", self._port)
        responses = asyncio.create_task(_forward(answers, writer))
        try:
            await self._forward_requests(reader, upstream, responses, answers)
        finally:
            responses.cancel()
            await asyncio.gather(responses, return_exceptions=True)
            for end in (writer, upstream):
                end.transport.abort()

    async def _forward_requests(
        self,
        reader: asyncio.StreamReader,
        upstream: asyncio.StreamWriter,
        responses: "asyncio.Task[None]",
        answers: asyncio.StreamReader,
    ) -> None:
        """Forward requests until the connection is cut; the answer is then awaited and dropped."""
        number = -1
        while data := await reader.read(65536):
            if data.startswith(b"GET /api/socket"):
                number, self.sockets = self.sockets, self.sockets + 1
            cut = number >= 0 and self._cut(number)
            if cut:
                responses.cancel()
                await asyncio.gather(responses, return_exceptions=True)
            upstream.write(data)
            await upstream.drain()
            if cut:
                await answers.read(1)
                self.cuts += 1
                return


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


def test_the_example_reveals_nothing_for_a_wrong_deal(example: ModuleType) -> None:
    """It computes the commitment to the deal itself, with its own commitment on its chair."""
    terms = {"edition": "imperial", "expansions": [], "boards": {"sha256": "b"}, "seats": 2, "first": None}
    view: dict[str, Any] = {"table": "t", "commitment": "c", "terms": terms}
    view["you"] = {"chair": 0, "may": ["reveal"]}
    own = example.commitment(view, "aa")
    bound = ["imperial", [], "b", 2, "drawn"]
    deal = example.fair_hash("sanssouci fair/3 deal", "t", "c", [own, ""], bound)
    view |= {"chairs": [{"commitment": own}, {"commitment": None}], "deal_commitment": deal}
    assert example.decide(view, "aa") == {"type": "reveal", "nonce": "aa"}
    chosen = view | {"terms": terms | {"first": 0}}
    for wrong, nonce in ((view | {"deal_commitment": "0" * 64}, "aa"), (view, "bb"), (chosen, "aa")):
        with pytest.raises(RuntimeError, match="commitments"):
            example.decide(wrong, nonce)


@with_server()
async def test_the_example_plays_a_game_to_the_end(server: InProcessServer, example: ModuleType) -> None:
    """Two example players meet by a join link, and the record of their game is valid."""
    async with server.listening() as listener:
        url = listener.url
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
        response = await first.client.get(f"/api/tables/{made['table']}/record")
        verify(parse_record(response.content))
        for player in (first, second):
            await player.client.aclose()


@with_server()
async def test_the_example_reconnects_and_repeats_commands(
    server: InProcessServer, example: ModuleType
) -> None:
    """If the connection is lost before the answer, the player repeats the turn, which is played once."""
    messages: list[int] = []

    def cut(number: int) -> bool:
        messages.append(number)
        return number in (0, 1) and messages.count(number) == 8

    class CountingPlayer(example.SocketPlayer):  # type: ignore[misc,name-defined]
        """Counts repeated commands."""

        repeated = 0

        def take(self, message: dict[str, Any]) -> None:
            self.repeated += message.get("repeated", False)
            super().take(message)

    with socket.create_server(("127.0.0.1", 0)) as bound:
        near = f"http://127.0.0.1:{bound.getsockname()[1]}"
        async with server.listening(near) as listener, FaultyProxy(bound, listener.port, cut) as proxy:
            player = CountingPlayer(near, first_wait=0.01)
            await player.become_guest()
            await player.set_up({"sitter": "computer", "player": "random"})
            view = await player.play()
            await player.client.aclose()
    assert view["ending"]["manner"] == "played" and view["game"]["turn"] == 36
    assert (proxy.cuts, proxy.sockets, player.repeated) == (2, 3, 2)


@with_server(players=("level:1",))
async def test_the_documented_command_line(server: InProcessServer) -> None:
    """The command on the page runs the example, which prints the scores and the winner."""
    page = (EXAMPLE.parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert "python examples/socket_player.py http://127.0.0.1:8017 --computer level:1" in page
    async with server.listening() as listener:
        command = (str(EXAMPLE), listener.url, "--computer", "level:1")
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=subprocess.PIPE)
        output, _ = await process.communicate()
    assert process.returncode == 0
    scores = re.findall(r"^(.+): \d+( has won)?$", output.decode(), re.MULTILINE)
    assert len(scores) == 2 and "Random" in dict(scores) and " has won" in dict(scores).values()
