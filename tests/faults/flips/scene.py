"""A data file with games in every stage, and the viewers who send requests about it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanssouci.notation import Record
from sanssouci.review import Errors, Forecast, PositionReview
from sanssouci.rules import State, Turn

from ...server.house import House, Opened, Person, next_command
from ...workers.pools import until
from ...workers.position_reviews import made_up_look

Json = dict[str, Any]
TURNS = 10
"""Commands that are given at a table that is played at."""


@dataclass(frozen=True)
class Seating:
    """A table with the secrets of its links, and the next command that its player would give."""

    id: str
    seat: str
    watch: str
    player: str = ""
    command: Json | None = None


@dataclass(frozen=True)
class Scene:
    """What there is to ask about, and by whom."""

    data: bytes
    """The data file."""
    guests: Mapping[str, dict[str, str]]
    """The headers of each guest, by role."""
    tables: Mapping[str, Seating]
    review: str

    def headers(self, viewer: str, table: str) -> dict[str, str]:
        """The headers of a viewer's requests about a table."""
        seating = self.tables[table]
        links = {
            "watcher": {"x-sanssouci-key": seating.watch},
            "seat link": {"x-sanssouci-key": seating.seat},
        }
        return {**self.guests.get(viewer, {}), **links.get(viewer, {})}


VIEWERS = ("owner", "other", "seat link", "watcher", "stranger", "nobody")
"""Kinds of viewers: two at each table, two who come by links, a guest from elsewhere, and no guest."""


async def play(folder: Path) -> Scene:
    """Play games in every stage, with something in every table of the database."""
    house = House(folder)
    house.players.review_position = look  # type: ignore[method-assign]
    await house.open()
    try:
        ada, bob, eve = await house.guest("Ada"), await house.guest("Bob"), await house.guest("Eve")
        people = {"owner": ada, "other": bob}
        tables = {
            "hidden": await _begun(house, ada, bob, clock={"pace": "days", "amount": 3}),
            "watched": await _begun(house, ada, bob, visibility="open"),
            "over": await _begun(house, ada, bob),
            "lobby": await _lobby(ada, bob, eve),
        }
        await bob.do(tables["over"], "concede")
        review = (await ada.ask("POST", f"/api/tables/{tables['over']}/review")).json()["review"]
        await until(lambda: house.services.reviews.work(review) is None)
        seatings = {name: await _seating(people, table) for name, table in tables.items()}
    finally:
        await house.close()
    guests = {"owner": ada.headers, "other": bob.headers, "stranger": eve.headers}
    return Scene(_whole(house.path), guests, seatings, review)


async def look(record: Record, state: State, turn: Turn | None, owner: str = "") -> PositionReview:
    """A look at a position of a game that was given up, so that a review of it is short."""
    seats = state.variant.seats
    if turn is None:
        return PositionReview(None, Forecast((1 / seats,) * seats, (60.0,) * seats), Errors.none(seats))
    return made_up_look(state, turn)


async def _lobby(ada: Person, bob: Person, eve: Person) -> Opened:
    """A table that anyone may join, but for one who was sent away."""
    table = await ada.open("person", "open", "open", visibility="open")
    await eve.join(table, 1)
    await ada.do(table, "appoint", chair=1, player=None)
    await bob.join(table, 1)
    return table


async def _begun(house: House, ada: Person, bob: Person, **terms: Any) -> Opened:
    """A game that goes on, with all expansions."""
    table = await ada.open(
        "person", "open", edition="imperial", expansions=["rewards", "wild_boar"], first=0, **terms
    )
    await bob.key(table.join).join(table, 1)
    await house.play_out(table, {0: ada, 1: bob}, TURNS)
    return table


async def _seating(people: dict[str, Person], table: Opened) -> Seating:
    view = await people["owner"].view(table, 0)
    waiting = view["waiting"]
    if not waiting:
        return Seating(table.id, table.seats[0], table.watch)
    chair = waiting[0]
    player = "owner" if chair == 0 else "other"
    own = await people[player].view(table, chair)
    command = {"command_id": "next", "expected_seq": own["seq"], "chair": chair, "command": next_command(own)}
    return Seating(table.id, table.seats[0], table.watch, player, command)


def _whole(path: Path) -> bytes:
    """The data file with all that is still in SQLite's log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()
