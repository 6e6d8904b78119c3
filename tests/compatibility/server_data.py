"""Fills the data file of a running server with every kind of event, link, review and statistic."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sanssouci.editions import shipped_boards, write_boards
from sanssouci.table import REVEAL_SECONDS

from ..harness.builders import NONCE, RECORD, ready_arguments
from ..harness.client import Client, CreatedTable, created_table
from ..harness.server import InProcessServer
from ..workers.pools import until

Json = dict[str, Any]
PLAYERS = ("random", "level:1", "level:3", "level:4")
NOW = 1_794_830_400.0
"""2026-11-16 12:00 UTC, when the tables are created."""
GUESTS = {"Ada": True, "Bob": False, "Cleo": False, "Dora": False, "Emil": False, "Nemo": False}
"""Guests, and whether they authenticate with a cookie, as browsers do, or with a bearer token."""
OWN_BOARDS = write_boards(shipped_boards("parterre")).replace('"parterre"', '"Ada\'s own box"')
FOUR_SEATS: Json = json.loads(
    (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()
)
BOTH = {"edition": "imperial", "expansions": ["rewards", "wild_boar"]}


@dataclass
class Guests:
    """The guests of a server and their tables, by the names in the fixtures."""

    server: InProcessServer
    people: dict[str, Client] = field(default_factory=dict)
    tables: dict[str, Json] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Client:
        return self.people[name]

    async def table(self, name: str, chairs: dict[int, str], *sitters: str, **terms: Any) -> CreatedTable:
        """Ada creates a table with a chair, and the other guests in ``chairs`` join."""
        created = await self["Ada"].create_table(*sitters, **terms)
        self.save_table(name, created, chairs)
        for chair, guest in chairs.items():
            if guest != "Ada":
                await self.join(name, guest, chair)
        return created

    def save_table(self, name: str, created: CreatedTable, chairs: dict[int, str]) -> None:
        """Store the secrets of a table."""
        links = {"join": created.join, "watch": created.watch}
        self.tables[name] = {"id": created.id, "links": links, "seats": dict(created.seats), "people": chairs}

    async def join(self, name: str, guest: str, chair: int, **wishes: Any) -> None:
        """Take a chair with the join link."""
        table = self.tables[name]
        person = self[guest].with_key(table["links"]["join"])
        taken = await person.request("POST", f"/api/tables/{table['id']}/seats", {"chair": chair, **wishes})
        assert taken.status_code == 201, taken.text
        table["seats"][chair] = taken.json()["token"]
        table["people"][chair] = guest

    def at(self, name: str) -> dict[int, Client]:
        """The guests by chair at a table."""
        return {chair: self[guest] for chair, guest in self.tables[name]["people"].items()}

    async def start(self, name: str) -> None:
        """All guests are ready, so that the game starts."""
        for chair, person in self.at(name).items():
            await person.do(self.tables[name]["id"], "ready", nonce=NONCE, at=chair)
        await self.server.settle()

    async def play(self, name: str, commands: int = 1000) -> Json:
        """Play on, to the end or for a number of commands."""
        return await self.server.play_out(self.tables[name]["id"], self.at(name), commands)

    async def play_turns(self, name: str, turns: int) -> None:
        """Start the game, pick boards, and play until a number of turns is over."""
        await self.start(name)
        while ((await self._view(name))["game"] or {"turn": 0})["turn"] < turns:
            await self.play(name, 1)

    async def vote(self, name: str, votes: int) -> None:
        """Some guests vote for a stand-in after the player to move has taken too long."""
        awaited = await self.waiting(name)
        self.server.clock.advance(121)
        others = [person for chair, person in self.at(name).items() if chair != awaited]
        for person in others[:votes]:
            await person.do(self.tables[name]["id"], "vote", chair=awaited)
        await self.server.settle()

    async def _view(self, name: str) -> Json:
        return await self["Ada"].view(self.tables[name]["id"])

    async def waiting(self, name: str) -> int:
        """The chair to move."""
        return int((await self._view(name))["waiting"][0])


async def fill(server: InProcessServer) -> Json:
    """Run all scenarios below; return the secrets that the guests received."""
    guests = Guests(server)
    for name, browser in GUESTS.items():
        guests.people[name] = await server.guest(name, browser=browser)
    for scenario in (
        lobbies,
        running,
        finished,
        endings,
        offers,
        absences,
        origins_and_boards,
        deleted_guests,
        shuffles,
    ):
        await scenario(guests)
    reviews = await review(guests)
    headers = {name: person.headers for name, person in guests.people.items() if name != "Nemo"}
    return {"guests": headers, "tables": guests.tables, "reviews": reviews, "now": server.clock.now}


async def lobbies(guests: Guests) -> None:
    """create, sit, rise, appoint, wear, ready, unready."""
    wishes = {"edition": "imperial", "expansions": ["rewards"], "visibility": "open", "hints": False}
    table = await guests.table("open-lobby", {0: "Ada"}, "person", "open", "random", **wishes)
    await guests.join("open-lobby", "Bob", 1, colour="teal")
    await guests["Bob"].do(table, "rise")
    await guests.join("open-lobby", "Bob", 1)
    await guests["Ada"].do(table, "appoint", chair=1, player=None)  # removes and bans Bob
    del guests.tables["open-lobby"]["people"][1], guests.tables["open-lobby"]["seats"][1]
    await guests["Ada"].do(table, "wear", chair=0, colour="violet")
    await guests["Ada"].do(table, "wear", chair=2, colour="grey")
    await guests["Ada"].do(table, "ready", nonce=NONCE)
    await guests["Ada"].do(table, "unready")
    table = await guests.table("link-lobby", {0: "Ada", 1: "Cleo"}, "person", "open", "open")
    await guests["Ada"].do(table, "appoint", chair=2, player="level:1", name="")
    await guests["Ada"].do(table, "appoint", chair=2, player=None)
    await guests.table("closed-lobby", {0: "Ada"}, "person", "open")
    await guests["Ada"].do(guests.tables["closed-lobby"]["id"], "abandon")


async def running(guests: Guests) -> None:
    """pick, play, take_back, abandon by one of two; running games in every stage."""
    people = {0: "Ada", 1: "Bob"}
    await guests.table("picking", people, "person", "open", **BOTH)
    await guests.start("picking")
    await guests.play("picking", 1)
    clock = {"pace": "days", "amount": 3}
    await guests.table("days", people, "person", "open", clock=clock, **BOTH)
    await guests.play_turns("days", 7)
    table = await guests.table("taken-back", {0: "Ada"}, "person", "level:1")
    await guests.play_turns("taken-back", 5)
    await guests["Ada"].do(table, "take_back")
    table = await guests.table("half-abandoned", people, "person", "open")
    await guests.play_turns("half-abandoned", 3)
    await guests["Bob"].do(table, "abandon")
    await guests.table("one-screen", {0: "Ada", 1: "Ada"}, "person", "person", first=1)
    await guests.play_turns("one-screen", 3)
    seat = guests.tables["one-screen"]["seats"]
    path = f"/api/tables/{guests.tables['one-screen']['id']}/seats/1/claim"
    claimed = await guests["Emil"].with_key(seat[1]).request("POST", path)
    assert claimed.status_code == 200, claimed.text
    seat[1] = claimed.json()["token"]
    guests.tables["one-screen"]["people"][1] = "Emil"


async def finished(guests: Guests) -> None:
    """Games played to the end, with and without stand-ins; a rematch; the daily garden."""
    table = await guests.table("played", {0: "Ada", 1: "Bob"}, "person", "open")
    await guests.start("played")
    await guests.play("played")
    await guests["Bob"].do(table, "rematch")
    again = (await guests["Bob"].view(table))["rematch"]
    guests.tables["rematch"] = {"id": again, "links": {}, "seats": {}, "people": {0: "Ada", 1: "Bob"}}
    chairs = {0: "Ada", 1: "Bob", 3: "Cleo"}
    table = await guests.table("played-by-four", chairs, "person", "open", "random", "open", first=2, **BOTH)
    await guests.start("played-by-four")
    await guests["Cleo"].do(table, "step_away")
    await guests.play("played-by-four", 6)
    await guests["Cleo"].do(table, "return")
    await guests.play("played-by-four")
    for name, guest, commands in (("daily", "Ada", 1000), ("daily-running", "Bob", 4)):
        answer = await guests[guest].request("POST", "/api/daily")
        assert answer.status_code == 201, answer.text
        guests.save_table(name, created_table(answer.json()), {0: guest})
        await guests.start(name)
        await guests.play(name, commands)


async def endings(guests: Guests) -> None:
    """concede, which ends a game of two but not of three; abandon by all."""
    people = {0: "Ada", 1: "Bob"}
    table = await guests.table("conceded", people, "person", "open", edition="imperial")
    await guests.play_turns("conceded", 6)
    await guests["Bob"].do(table, "concede")
    three = people | {2: "Cleo"}
    table = await guests.table("conceded-by-one-of-three", three, "person", "open", "open")
    await guests.play_turns("conceded-by-one-of-three", 4)
    await guests["Bob"].do(table, "concede")
    await guests.server.settle()
    table = await guests.table("abandoned", people, "person", "open", expansions=["rewards"])
    await guests.play_turns("abandoned", 4)
    await guests["Ada"].do(table, "abandon")
    await guests["Bob"].do(table, "abandon")


async def offers(guests: Guests) -> None:
    """offer, accept and decline: a turn taken back by agreement, a declined end, and an agreed pause."""
    people = {0: "Ada", 1: "Bob"}
    table = await guests.table("taken-back-by-two", people, "person", "open")
    await guests.play_turns("taken-back-by-two", 5)
    for guest, what, answer in (("Ada", "take_back", "accept"), ("Bob", "abandon", "decline")):
        other = guests["Bob" if guest == "Ada" else "Ada"]
        await guests[guest].do(table, "offer", what=what)
        await other.do(table, answer, offer=(await other.view(table))["offer"]["number"])
    await guests["Bob"].do(table, "offer", what="pause")
    table = await guests.table("paused", people, "person", "open")
    await guests.play_turns("paused", 4)
    await guests["Ada"].do(table, "offer", what="pause")
    await guests["Bob"].do(table, "accept", offer=1)


async def absences(guests: Guests) -> None:
    """vote, step_away, time_out, return; a game that pauses because everybody is away."""
    four = {0: "Ada", 1: "Bob", 2: "Cleo", 3: "Dora"}
    await guests.table("voted", four, "person", "open", "open", "open")
    await guests.play_turns("voted", 4)
    absent = await guests.waiting("voted")
    await guests.vote("voted", 2)  # two of three are a majority
    await guests.at("voted")[absent].do(guests.tables["voted"]["id"], "return")
    await guests.vote("voted", 1)  # one of three is not
    table = await guests.table("resting", {0: "Ada"}, "person", "random")
    await guests.play_turns("resting", 2)
    await guests["Ada"].do(table, "step_away")
    clock = {"pace": "turn", "amount": 60}
    table = await guests.table("timed-out", {0: "Ada", 1: "Bob"}, "person", "open", clock=clock)
    await guests.play_turns("timed-out", 2)
    late = await guests.waiting("timed-out")
    guests.server.clock.advance(61)
    await guests.server.sweep()
    await guests.at("timed-out")[late].do(table, "return")


async def origins_and_boards(guests: Guests) -> None:
    """Tables continued from a record, and tables with custom boards."""
    for name, turn, commands in (("from-a-record", 30, 2), ("from-a-record-over", 60, 1000)):
        origin: Json = {"from": {"record": FOUR_SEATS, "turn": turn}}
        await guests.table(name, {0: "Ada"}, "person", "random", "random", "random", **origin)
        await guests.play(name, commands)
    boards = {"boards_file": OWN_BOARDS, "expansions": ["rewards"]}
    await guests.table("own-boards", {0: "Ada", 1: "Bob"}, "person", "open", **boards)
    await guests.play_turns("own-boards", 4)
    await guests.table("own-boards-over", {0: "Ada"}, "person", "level:3", **boards)
    await guests.start("own-boards-over")
    await guests.play("own-boards-over")


async def deleted_guests(guests: Guests) -> None:
    """A deleted guest leaves a lobby and is away from a running game; another guest changes her name."""
    await guests.table("left-lobby", {0: "Ada", 1: "Nemo"}, "person", "open")
    await guests.table("left-game", {0: "Ada", 1: "Nemo"}, "person", "open")
    await guests.play_turns("left-game", 2)
    assert (await guests["Nemo"].request("DELETE", "/api/me")).status_code == 200
    for name in ("left-lobby", "left-game"):
        for part in ("people", "seats"):
            guests.tables[name][part].pop(1, None)
    await guests.server.settle()
    assert (await guests["Dora"].request("PATCH", "/api/me", {"name": "Dorothea"})).status_code == 200


async def shuffles(guests: Guests) -> None:
    """reveal, reshuffle; one table at which a nonce is missing, and one whose shuffle was given up."""
    people = {0: "Ada", 1: "Bob"}
    for name in ("given-up", "shuffling"):
        table = await guests.table(name, people, "person", "open")
        for chair, person in guests.at(name).items():
            arguments = ready_arguments(await person.view(table, chair), NONCE)
            await person.do(table, "ready", at=chair, **arguments)
        await guests["Ada"].do(table, "reveal", nonce=NONCE)
        if name == "given-up":
            guests.server.clock.advance(REVEAL_SECONDS)
            await guests.server.sweep()


async def review(guests: Guests) -> Json:
    """Two finished reviews, and one interrupted by stopping the server."""
    answer = await guests["Ada"].request("POST", f"/api/tables/{guests.tables['played']['id']}/review")
    of_table = str(answer.json()["review"])
    await until(lambda: guests.server.services.reviews.running(of_table) is None)
    of_record = await guests["Bob"].review(RECORD)
    guests.server.players.hold()
    interrupted = str((await guests["Cleo"].request("POST", "/api/reviews", content=RECORD)).json()["review"])
    return {"of-a-table": of_table, "of-a-record": of_record, "interrupted": interrupted}
