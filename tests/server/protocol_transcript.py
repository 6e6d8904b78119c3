"""The transcript in docs/: two people meet at a table, make some mistakes, and play a little.

``python -m tests.server.protocol_transcript`` writes it again, after a change of the protocol that is meant;
then ``python -m tools.protocol_docs.protocol_page docs`` the page.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import httpx

from .described_house import House, open_house
from .wire import Wire

FILE = Path(__file__).parent.parent.parent / "docs" / "protocol-transcript.jsonl"
Json = dict[str, Any]


class Writer:
    """Writes down who says and hears what, step by step."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.lines: list[Json] = []
        self.step = ""

    def note(self, who: str, **said: Any) -> None:
        """One more line; a second passes whenever somebody has said something."""
        self.house.chances.at += "ask" in said or "say" in said
        self.lines.append({"step": self.step, "who": who, **said})


class Person:
    """Somebody with a name, who asks by HTTP and speaks on a socket."""

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._client = writer.house.client()
        self._wire: Wire | None = None
        self._commands = 0
        self.name = name
        self.headers: dict[str, str] = {}

    @property
    def wire(self) -> Wire:
        """The socket."""
        assert self._wire is not None, "it is open"
        return self._wire

    async def ask(self, method: str, path: str, body: Json | None = None, **more: str) -> Any:
        """A request and its answer."""
        headers = self.headers | {name.replace("_", "-").title(): value for name, value in more.items()}
        request: Json = {"method": method, "path": path, "headers": headers}
        self._writer.note(self.name, ask=request if body is None else {**request, "body": body})
        response: httpx.Response = await self._client.request(method, path, headers=headers, json=body)
        self._writer.note(self.name, answer={"status": response.status_code, "body": response.json()})
        return response.json()

    async def become_guest(self) -> None:
        """Choose a name."""
        made = await self.ask("POST", "/api/guests", {"name": self.name, "cookie": False})
        self.headers = {"Authorization": f"Bearer {made['token']}"}

    async def open_socket(self, table: str, seq: int = -1) -> None:
        """A ticket, a hello, and the first update."""
        ticket = (await self.ask("POST", f"/api/tables/{table}/tickets", {}))["ticket"]
        self._wire = await self._writer.house.wire().open()
        await self.say({"type": "hello", "ticket": ticket, "seq": seq})
        await self.hear()

    async def say(self, message: Json) -> None:
        """A message on the socket."""
        self._writer.note(self.name, say=message)
        await self.wire.say(message)

    async def hear(self) -> Json:
        """The next message from the server."""
        message = await self.wire.hear()
        self._writer.note(self.name, hear=message)
        return message

    def command(self, kind: str, **arguments: Any) -> Json:
        """A command that has not been given yet; a real client draws its id at random."""
        self._commands += 1
        return {
            "type": "command",
            "command_id": f"{self.name.lower()}-{self._commands}",
            "expected_seq": self.wire.view["seq"],
            "command": {"type": kind, **arguments},
        }

    async def do(self, kind: str, *others: "Person", **arguments: Any) -> Json:
        """A command is given and carried out; all hear of it."""
        command = self.command(kind, **arguments)
        await self.say(command)
        assert (await self.hear())["type"] == "done"
        for person in (self, *others):
            await person.hear()
        return command


async def story(writer: Writer) -> None:
    """Ada and Bob."""
    ada, bob = Person(writer, "Ada"), Person(writer, "Bob")
    table = await meet(writer, ada, bob)
    await get_ready(writer, table, ada, bob)
    await pick_sides(writer, ada, bob)
    await play(writer, table, ada, bob)


async def meet(writer: Writer, ada: Person, bob: Person) -> str:
    """A table is set up, and joined by its link."""
    writer.step = "guest"
    await ada.become_guest()
    writer.step = "table"
    chairs = [{"sitter": "person"}, {"sitter": "open"}]
    wish = {"chairs": chairs, "edition": "imperial", "expansions": ["rewards", "wild_boar"], "first": 0}
    made = await ada.ask("POST", "/api/tables", wish)
    table: str = made["table"]
    writer.step = "join"
    await bob.become_guest()
    await bob.ask("POST", f"/api/tables/{table}/seats", {}, x_sanssouci_key=made["join"])
    return table


async def get_ready(writer: Writer, table: str, ada: Person, bob: Person) -> None:
    """Both open a socket and add their nonces."""
    writer.step = "hello"
    await ada.open_socket(table)
    writer.step = "ready"
    await bob.open_socket(table)
    await ada.do("ready", bob, nonce="5ca1ab1e0ddba11ad00dfeedfacade01")
    await bob.do("ready", ada, nonce="0123456789abcdef0123456789abcdef")


async def pick_sides(writer: Writer, ada: Person, bob: Person) -> None:
    """Both want to pick at the same time: the second one's command is stale, and is given again."""
    writer.step = "stale"
    late = bob.command("pick", side=1)
    await ada.do("pick", bob, side=0)
    await bob.say(late)
    assert (await bob.hear())["error"]["code"] == "declined.stale"
    await bob.hear()
    writer.step = "pick"
    await bob.do("pick", ada, side=1)
    await ada.do("pick", bob, side=0)
    await bob.do("pick", ada, side=0)


async def play(writer: Writer, table: str, ada: Person, bob: Person) -> None:
    """A turn against the rules, a good one, the same again, and a lost connection; then Bob gives up."""
    writer.step = "illegal"
    options = ada.wire.view["options"]
    missing = next(card for card in ada.wire.view["game"]["variant"]["deck"] if card not in options["cards"])
    await ada.say(ada.command("play", turn=f"{missing}@0-a2"))
    assert (await ada.hear())["error"]["rule"] == "R14"
    writer.step = "play"
    played = await ada.do("play", bob, turn=best_turn(options))
    writer.step = "repeat"
    await ada.say(played)
    assert (await ada.hear())["repeated"]
    writer.step = "reconnect"
    last = bob.wire.view["seq"]
    await bob.wire.leave()
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
    """Everything that is said, one line each."""

    async def main() -> list[Json]:
        async with open_house(folder) as house:
            writer = Writer(house)
            await story(writer)
            return writer.lines

    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in asyncio.run(main()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        FILE.write_text(transcript(Path(made)), encoding="ascii")
