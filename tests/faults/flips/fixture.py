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
from sanssouci.store import AddTicket, ExpireGame, Lease

from ...harness.builders import legal_command
from ...harness.client import Client, CreatedTable
from ...harness.server import InProcessServer
from ...workers.pools import until
from ...workers.position_reviews import fake_position_review

Json = dict[str, Any]
TURNS = 10
"""Commands that are sent at each running table."""


@dataclass(frozen=True)
class Seating:
    """A table with the secrets of its links, and the next command of its player."""

    id: str
    seat: str
    watch: str
    player: str = ""
    command: Json | None = None


@dataclass(frozen=True)
class Fixture:
    """The data file, and the credentials of all viewers."""

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
"""Kinds of viewers: two people at each table, two with links, another guest, and no guest."""


async def play(folder: Path) -> Fixture:
    """Play games to every stage, and fill every table of the database."""
    server = InProcessServer(folder)
    server.players.review_position = review_position  # type: ignore[method-assign]
    await server.open()
    try:
        ada, bob, eve = await server.guest("Ada"), await server.guest("Bob"), await server.guest("Eve")
        people = {"owner": ada, "other": bob}
        tables = {
            "hidden": await _running(server, ada, bob, clock={"pace": "days", "amount": 3}),
            "watched": await _running(server, ada, bob, visibility="open"),
            "over": await _running(server, ada, bob),
            "lobby": await _lobby(ada, bob, eve),
        }
        await bob.do(tables["over"], "concede")
        unused = await ada.create_table("person", "open")
        now = server.clock.now
        await server.services.registry.write(ExpireGame(unused.id, now))
        # Only servers that share a database need them.
        await server.services.registry.write(
            Lease(tables["hidden"].id, "server", now, now + 6), AddTicket("00", "{}", now, now + 30)
        )
        review = (await ada.request("POST", f"/api/tables/{tables['over']}/review")).json()["review"]
        await until(lambda: server.services.reviews.running(review) is None)
        seatings = {name: await _seating(people, table) for name, table in tables.items()}
    finally:
        await server.close()
    guests = {"owner": ada.headers, "other": bob.headers, "stranger": eve.headers}
    return Fixture(_checkpointed(server.path), guests, seatings, review)


async def review_position(record: Record, state: State, turn: Turn | None, owner: str = "") -> PositionReview:
    """A short review of a position, for a conceded game."""
    seats = state.variant.seats
    if turn is None:
        return PositionReview(None, Forecast((1 / seats,) * seats, (60.0,) * seats), Errors.none(seats))
    return fake_position_review(state, turn)


async def _lobby(ada: Client, bob: Client, eve: Client) -> CreatedTable:
    """A table that anyone may join, except for one guest who was removed."""
    table = await ada.create_table("person", "open", "open", visibility="open")
    await eve.join(table, 1)
    await ada.do(table, "appoint", chair=1, player=None)
    await bob.join(table, 1)
    return table


async def _running(server: InProcessServer, ada: Client, bob: Client, **terms: Any) -> CreatedTable:
    """A running game with all expansions."""
    table = await ada.create_table(
        "person", "open", edition="imperial", expansions=["rewards", "wild_boar"], first=0, **terms
    )
    await bob.with_key(table.join).join(table, 1)
    await server.play_out(table, {0: ada, 1: bob}, TURNS)
    return table


async def _seating(people: dict[str, Client], table: CreatedTable) -> Seating:
    view = await people["owner"].view(table, 0)
    waiting = view["waiting"]
    if not waiting:
        return Seating(table.id, table.seats[0], table.watch)
    chair = waiting[0]
    player = "owner" if chair == 0 else "other"
    own = await people[player].view(table, chair)
    command = {
        "command_id": "next",
        "expected_seq": own["seq"],
        "chair": chair,
        "command": legal_command(own),
    }
    return Seating(table.id, table.seats[0], table.watch, player, command)


def _checkpointed(path: Path) -> bytes:
    """The data file after a checkpoint of its WAL file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()
