"""Fills the data file of a running server with every kind of event, link, review and statistic."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sanssouci.editions import shipped_boards, write_boards

from ..server.house import NONCE, RECORD, House, Opened, Person
from ..workers.pools import until

Json = dict[str, Any]
PLAYERS = ("random", "level:1", "level:3", "level:4")
NOW = 1_794_830_400.0
"""2026-11-16 12:00 UTC, the moment at which the tables are set up."""
GUESTS = {"Ada": True, "Bob": False, "Cleo": False, "Dora": False, "Emil": False, "Nemo": False}
"""Names, and whether they use a browser with a cookie; the others are programs with a bearer token."""
OWN_BOARDS = write_boards(shipped_boards("parterre")).replace('"parterre"', '"Ada\'s own box"')
FOUR_SEATS: Json = json.loads(
    (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()
)
BOTH = {"edition": "imperial", "expansions": ["rewards", "wild_boar"]}


@dataclass
class Cast:
    """The guests of a server, and the tables they have set up, by the names the fixtures give them."""

    house: House
    people: dict[str, Person] = field(default_factory=dict)
    tables: dict[str, Json] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    async def table(self, name: str, chairs: dict[int, str], *sitters: str, **terms: Any) -> Opened:
        """Ada sets up a table; the guests in ``chairs`` sit down, the first of them without asking."""
        opened = await self["Ada"].open(*sitters, **terms)
        self.note(name, opened, chairs)
        for chair, guest in chairs.items():
            if guest != "Ada":
                await self.join(name, guest, chair)
        return opened

    def note(self, name: str, opened: Opened, chairs: dict[int, str]) -> None:
        """Keep the secrets of a table."""
        links = {"join": opened.join, "watch": opened.watch}
        self.tables[name] = {"id": opened.id, "links": links, "seats": dict(opened.seats), "people": chairs}

    async def join(self, name: str, guest: str, chair: int, **wishes: Any) -> None:
        """A guest takes a chair by the join link."""
        table = self.tables[name]
        person = self[guest].key(table["links"]["join"])
        taken = await person.ask("POST", f"/api/tables/{table['id']}/seats", {"chair": chair, **wishes})
        assert taken.status_code == 201, taken.text
        table["seats"][chair] = taken.json()["token"]
        table["people"][chair] = guest

    def at(self, name: str) -> dict[int, Person]:
        """Who sits where at a table."""
        return {chair: self[guest] for chair, guest in self.tables[name]["people"].items()}

    async def start(self, name: str) -> None:
        """Everybody is ready, so the game starts."""
        for chair, person in self.at(name).items():
            await person.do(self.tables[name]["id"], "ready", nonce=NONCE, at=chair)
        await self.house.quiet()

    async def play(self, name: str, commands: int = 1000) -> Json:
        """Play on, to the end or for so many commands of people."""
        return await self.house.play_out(self.tables[name]["id"], self.at(name), commands)

    async def play_in_turn(self, name: str, turns: int) -> None:
        """Start the game, pick the boards, and play until so many turns are over."""
        await self.start(name)
        while ((await self._view(name))["game"] or {"turn": 0})["turn"] < turns:
            await self.play(name, 1)

    async def vote(self, name: str, votes: int) -> None:
        """Let this many people vote for a stand-in, once the player to move has taken too long."""
        awaited = await self.waiting(name)
        self.house.world.advance(121)
        others = [person for chair, person in self.at(name).items() if chair != awaited]
        for person in others[:votes]:
            await person.do(self.tables[name]["id"], "vote", chair=awaited)
        await self.house.quiet()

    async def _view(self, name: str) -> Json:
        return await self["Ada"].view(self.tables[name]["id"])

    async def waiting(self, name: str) -> int:
        """The chair that is awaited."""
        return int((await self._view(name))["waiting"][0])


async def fill(house: House) -> Json:
    """Play all the stories below; the answer holds every secret that the guests have been given."""
    cast = Cast(house)
    for name, browser in GUESTS.items():
        cast.people[name] = await house.guest(name, browser=browser)
    for story in (lobbies, running, finished, endings, absences, origins_and_boards, farewells):
        await story(cast)
    reviews = await review(cast)
    guests = {name: person.headers for name, person in cast.people.items() if name != "Nemo"}
    return {"guests": guests, "tables": cast.tables, "reviews": reviews, "now": house.world.now}


async def lobbies(cast: Cast) -> None:
    """create, sit, rise, appoint, wear, ready, unready."""
    wishes = {"edition": "imperial", "expansions": ["rewards"], "visibility": "open", "hints": False}
    table = await cast.table("open-lobby", {0: "Ada"}, "person", "open", "random", **wishes)
    await cast.join("open-lobby", "Bob", 1, colour="teal")
    await cast["Bob"].do(table, "rise")
    await cast.join("open-lobby", "Bob", 1)
    await cast["Ada"].do(table, "appoint", chair=1, player=None)  # Bob has to go, and may not come back
    del cast.tables["open-lobby"]["people"][1], cast.tables["open-lobby"]["seats"][1]
    await cast["Ada"].do(table, "wear", chair=0, colour="violet")
    await cast["Ada"].do(table, "wear", chair=2, colour="grey")
    await cast["Ada"].do(table, "ready", nonce=NONCE)
    await cast["Ada"].do(table, "unready")
    table = await cast.table("link-lobby", {0: "Ada", 1: "Cleo"}, "person", "open", "open")
    await cast["Ada"].do(table, "appoint", chair=2, player="level:1", name="")
    await cast["Ada"].do(table, "appoint", chair=2, player=None)
    await cast.table("closed-lobby", {0: "Ada"}, "person", "open")
    await cast["Ada"].do(cast.tables["closed-lobby"]["id"], "abandon")


async def running(cast: Cast) -> None:
    """pick, play, take_back, abandon by one of two; games that go on in every stage."""
    people = {0: "Ada", 1: "Bob"}
    await cast.table("picking", people, "person", "open", **BOTH)
    await cast.start("picking")
    await cast.play("picking", 1)
    clock = {"pace": "days", "amount": 3}
    await cast.table("days", people, "person", "open", clock=clock, **BOTH)
    await cast.play_in_turn("days", 7)
    table = await cast.table("taken-back", {0: "Ada"}, "person", "level:1")
    await cast.play_in_turn("taken-back", 5)
    await cast["Ada"].do(table, "take_back")
    table = await cast.table("half-abandoned", people, "person", "open")
    await cast.play_in_turn("half-abandoned", 3)
    await cast["Bob"].do(table, "abandon")
    await cast.table("one-screen", {0: "Ada", 1: "Ada"}, "person", "person", first=1)
    await cast.play_in_turn("one-screen", 3)
    seat = cast.tables["one-screen"]["seats"]
    path = f"/api/tables/{cast.tables['one-screen']['id']}/seats/1/claim"
    claimed = await cast["Emil"].key(seat[1]).ask("POST", path)
    assert claimed.status_code == 200, claimed.text
    seat[1] = claimed.json()["token"]
    cast.tables["one-screen"]["people"][1] = "Emil"


async def finished(cast: Cast) -> None:
    """Games that were played to the end, with and without stand-ins; a rematch; the daily garden."""
    table = await cast.table("played", {0: "Ada", 1: "Bob"}, "person", "open")
    await cast.start("played")
    await cast.play("played")
    await cast["Bob"].do(table, "rematch")
    again = (await cast["Bob"].view(table))["rematch"]
    cast.tables["rematch"] = {"id": again, "links": {}, "seats": {}, "people": {0: "Ada", 1: "Bob"}}
    chairs = {0: "Ada", 1: "Bob", 3: "Cleo"}
    table = await cast.table("played-by-four", chairs, "person", "open", "random", "open", first=2, **BOTH)
    await cast.start("played-by-four")
    await cast["Cleo"].do(table, "step_away")
    await cast.play("played-by-four", 6)
    await cast["Cleo"].do(table, "return")
    await cast.play("played-by-four")
    for name, guest, commands in (("daily", "Ada", 1000), ("daily-running", "Bob", 4)):
        answer = await cast[guest].ask("POST", "/api/daily")
        assert answer.status_code == 201, answer.text
        made = answer.json()
        seats = {seat["chair"]: seat["token"] for seat in made["seats"]}
        opened = Opened(made["table"], seats, made["join"], made["watch"])
        cast.note(name, opened, {0: guest})
        await cast.start(name)
        await cast.play(name, commands)


async def endings(cast: Cast) -> None:
    """concede, which ends a game of two but not of three; abandon by all."""
    people = {0: "Ada", 1: "Bob"}
    table = await cast.table("conceded", people, "person", "open", edition="imperial")
    await cast.play_in_turn("conceded", 6)
    await cast["Bob"].do(table, "concede")
    three = people | {2: "Cleo"}
    table = await cast.table("conceded-by-one-of-three", three, "person", "open", "open")
    await cast.play_in_turn("conceded-by-one-of-three", 4)
    await cast["Bob"].do(table, "concede")
    await cast.house.quiet()
    table = await cast.table("abandoned", people, "person", "open", expansions=["rewards"])
    await cast.play_in_turn("abandoned", 4)
    await cast["Ada"].do(table, "abandon")
    await cast["Bob"].do(table, "abandon")


async def absences(cast: Cast) -> None:
    """vote, step_away, time_out, return; a game that rests because everybody is away."""
    four = {0: "Ada", 1: "Bob", 2: "Cleo", 3: "Dora"}
    await cast.table("voted", four, "person", "open", "open", "open")
    await cast.play_in_turn("voted", 4)
    absent = await cast.waiting("voted")
    await cast.vote("voted", 2)  # two of three are enough
    await cast.at("voted")[absent].do(cast.tables["voted"]["id"], "return")
    await cast.vote("voted", 1)  # one is not
    table = await cast.table("resting", {0: "Ada"}, "person", "random")
    await cast.play_in_turn("resting", 2)
    await cast["Ada"].do(table, "step_away")
    clock = {"pace": "turn", "amount": 60}
    table = await cast.table("timed-out", {0: "Ada", 1: "Bob"}, "person", "open", clock=clock)
    await cast.play_in_turn("timed-out", 2)
    late = await cast.waiting("timed-out")
    cast.house.world.advance(61)
    await cast.house.attend()
    await cast.at("timed-out")[late].do(table, "return")


async def origins_and_boards(cast: Cast) -> None:
    """Tables that play on from a record, and tables with the boards of somebody's own box."""
    for name, turn, commands in (("from-a-record", 30, 2), ("from-a-record-over", 60, 1000)):
        goes_on: Json = {"from": {"record": FOUR_SEATS, "turn": turn}}
        await cast.table(name, {0: "Ada"}, "person", "random", "random", "random", **goes_on)
        await cast.play(name, commands)
    boards = {"boards_file": OWN_BOARDS, "expansions": ["rewards"]}
    await cast.table("own-boards", {0: "Ada", 1: "Bob"}, "person", "open", **boards)
    await cast.play_in_turn("own-boards", 4)
    await cast.table("own-boards-over", {0: "Ada"}, "person", "level:3", **boards)
    await cast.start("own-boards-over")
    await cast.play("own-boards-over")


async def farewells(cast: Cast) -> None:
    """A deleted guest leaves a lobby and is away from a running game; another guest changes her name."""
    await cast.table("left-lobby", {0: "Ada", 1: "Nemo"}, "person", "open")
    await cast.table("left-game", {0: "Ada", 1: "Nemo"}, "person", "open")
    await cast.play_in_turn("left-game", 2)
    assert (await cast["Nemo"].ask("DELETE", "/api/me")).status_code == 200
    for name in ("left-lobby", "left-game"):
        for part in ("people", "seats"):
            cast.tables[name][part].pop(1, None)
    await cast.house.quiet()
    assert (await cast["Dora"].ask("PATCH", "/api/me", {"name": "Dorothea"})).status_code == 200


async def review(cast: Cast) -> Json:
    """Two reviews that are ready, and one that the server's stop has interrupted."""
    answer = await cast["Ada"].ask("POST", f"/api/tables/{cast.tables['played']['id']}/review")
    of_table = str(answer.json()["review"])
    await until(lambda: cast.house.services.reviews.work(of_table) is None)
    of_record = await cast["Bob"].review(RECORD)
    cast.house.players.let.clear()
    interrupted = str((await cast["Cleo"].send("/api/reviews", RECORD)).json()["review"])
    return {"of-a-table": of_table, "of-a-record": of_record, "interrupted": interrupted}
