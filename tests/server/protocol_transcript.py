"""The transcript in docs/: two people meet at a table, make some mistakes, and play a few turns.

``python -m tests.server.protocol_transcript`` rewrites it after an intended change of the protocol; then
``python -m tools.protocol_docs.protocol_page docs`` rewrites the page.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from ..harness.builders import ready_arguments
from ..harness.server import InProcessServer, running_server
from ..harness.sockets import Json, Socket, command_message

PLAYERS = ("random", "greedy", "level:1", "level:3")
FILE = Path(__file__).parent.parent.parent / "docs" / "protocol-transcript.jsonl"


class Writer:
    """Records what is sent and received, step by step."""

    def __init__(self, server: InProcessServer) -> None:
        self.server = server
        self.lines: list[Json] = []
        self.step = ""

    def note(self, who: str, **content: Any) -> None:
        """Add a line; the clock advances by a second with every request and message of a client."""
        self.server.clock.advance("ask" in content or "say" in content)
        self.lines.append({"step": self.step, "who": who, **content})


class Person:
    """A guest with an HTTP client and a socket."""

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._client = writer.server.client()
        self._commands = 0
        self.socket: Socket
        self.name = name

    async def ask(self, method: str, path: str, body: Json | None = None, key: str = "") -> Any:
        client = self._client.with_key(key) if key else self._client
        headers = {name.title(): value for name, value in client.headers.items()}
        request: Json = {"method": method, "path": path, "headers": headers}
        self._writer.note(self.name, ask=request if body is None else {**request, "body": body})
        response = await client.request(method, path, body)
        self._writer.note(self.name, answer={"status": response.status_code, "body": response.json()})
        return response.json()

    async def become_guest(self) -> None:
        made = await self.ask("POST", "/api/guests", {"name": self.name, "cookie": False})
        self._client = self._client.with_headers(authorization=f"Bearer {made['token']}")

    async def open_socket(self, table: str, seq: int = -1) -> None:
        """Get a ticket, send a hello, and receive the first update."""
        ticket = (await self.ask("POST", f"/api/tables/{table}/tickets", {}))["ticket"]
        self.socket = await self._client.open_socket()
        await self.say({"type": "hello", "ticket": ticket, "seq": seq})
        await self.hear()

    async def say(self, message: Json) -> None:
        self._writer.note(self.name, say=message)
        await self.socket.send(message)

    async def hear(self) -> Json:
        message = await self.socket.receive()
        self._writer.note(self.name, hear=message)
        return message

    def command(self, kind: str, **arguments: Any) -> Json:
        """A new command; a real client draws its id at random."""
        self._commands += 1
        command_id = f"{self.name.lower()}-{self._commands}"
        message = command_message({"type": kind, **arguments}, self.socket.view["seq"], command_id)
        return {"type": "command", **message}

    async def do(self, kind: str, *others: "Person", **arguments: Any) -> Json:
        """Give a command that is executed, and receive its update on all sockets."""
        command = self.command(kind, **arguments)
        await self.say(command)
        assert (await self.hear())["type"] == "done"
        for person in (self, *others):
            await person.hear()
        return command


async def play_scenario(writer: Writer) -> None:
    ada, bob = Person(writer, "Ada"), Person(writer, "Bob")
    table = await meet(writer, ada, bob)
    await get_ready(writer, table, ada, bob)
    await pick_sides(writer, ada, bob)
    await play(writer, table, ada, bob)


async def meet(writer: Writer, ada: Person, bob: Person) -> str:
    """Create a table, and join it by its link."""
    writer.step = "guest"
    await ada.become_guest()
    writer.step = "table"
    chairs = [{"sitter": "person"}, {"sitter": "open"}]
    wish = {"chairs": chairs, "edition": "imperial", "expansions": ["rewards", "wild_boar"], "first": 0}
    made = await ada.ask("POST", "/api/tables", wish)
    table: str = made["table"]
    writer.step = "join"
    await bob.become_guest()
    await bob.ask("POST", f"/api/tables/{table}/seats", {}, key=made["join"])
    return table


async def get_ready(writer: Writer, table: str, ada: Person, bob: Person) -> None:
    """Both open a socket, commit to their nonces, and reveal them."""
    writer.step = "hello"
    await ada.open_socket(table)
    writer.step = "ready"
    await bob.open_socket(table)
    nonces = {ada: "5ca1ab1e0ddba11ad00dfeedfacade01", bob: "0123456789abcdef0123456789abcdef"}
    await ada.do("ready", bob, **ready_arguments(ada.socket.view, nonces[ada]))
    await bob.do("ready", ada, **ready_arguments(bob.socket.view, nonces[bob]))
    writer.step = "reveal"
    await ada.do("reveal", bob, nonce=nonces[ada])
    await bob.do("reveal", ada, nonce=nonces[bob])


async def pick_sides(writer: Writer, ada: Person, bob: Person) -> None:
    """Both pick at the same time: Bob sends his command before he has received Ada's event."""
    writer.step = "together"
    own = bob.command("pick", side=1)
    await ada.do("pick", bob, side=0)
    await bob.say(own)
    assert (await bob.hear())["type"] == "done"
    for person in (bob, ada):
        await person.hear()
    writer.step = "pick"
    await ada.do("pick", bob, side=0)
    await bob.do("pick", ada, side=0)


async def play(writer: Writer, table: str, ada: Person, bob: Person) -> None:
    """An illegal turn, a legal one, a stale command, a repetition, a lost connection, and a concession."""
    writer.step = "illegal"
    options = ada.socket.view["options"]
    missing = next(
        card for card in ada.socket.view["game"]["variant"]["deck"] if card not in options["cards"]
    )
    await ada.say(ada.command("play", turn=f"{missing}@0-a2"))
    assert (await ada.hear())["error"]["rule"] == "R14"
    writer.step = "play"
    late = bob.command("concede")
    played = await ada.do("play", bob, turn=best_turn(options))
    writer.step = "stale"
    await bob.say(late)
    assert (await bob.hear())["error"]["code"] == "declined.stale"
    await bob.hear()
    writer.step = "repeat"
    await ada.say(played)
    assert (await ada.hear())["repeated"]
    writer.step = "reconnect"
    last = bob.socket.view["seq"]
    await bob.socket.close()
    await bob.open_socket(table, last - 1)
    writer.step = "over"
    await bob.do("concede", ada)
    writer.step = "record"
    await ada.ask("GET", f"/api/tables/{table}/record")


def best_turn(options: Json) -> str:
    """The turn whose noble scores most."""
    turns: dict[str, int] = {}
    for card, spaces in options["cards"].items():
        for space, tile in [(number, tile) for number in spaces for tile in options["spaces"][str(number)]]:
            boar = f"~{options['boar'][tile][0]}" if tile in options["boar"] else ""
            for stop, points in options["stops"][tile].items():
                turns[f"{card}@{space}-{tile}{boar}/{stop}"] = points
    return max(turns, key=lambda turn: turns[turn])


def transcript(folder: Path) -> str:
    """All messages, one JSON line each."""

    async def main() -> list[Json]:
        async with running_server(folder, PLAYERS, name="", described=True) as server:
            server.clock.now = 1_800_000_000.0
            writer = Writer(server)
            await play_scenario(writer)
            return writer.lines

    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in asyncio.run(main()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        FILE.write_text(transcript(Path(made)), encoding="ascii")
