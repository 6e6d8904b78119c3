"""The parts of the server's responses about tables, guests and reviews that must stay the same.

Only fields that matter to people are compared, so that responses may gain fields later.
"""

from collections import Counter
from typing import Any

from ..harness.client import Client
from ..harness.server import InProcessServer
from ..workers.pools import until

Json = dict[str, Any]


def client_of(server: InProcessServer, secrets: Json, guest: str) -> Client:
    """A client with the stored cookie or bearer token of a guest."""
    return server.client(dict(secrets["guests"][guest]))


def viewer_of(server: InProcessServer, secrets: Json, table: Json) -> Client:
    """A client of a guest at a table."""
    return client_of(server, secrets, next(iter(table["people"].values())))


async def describe_table(person: Client, table: str) -> Json:
    """A table as a client sees it."""
    view = await person.view(table)
    events = (await person.get(f"/api/tables/{table}/events"))["events"]
    chair = ("sitter", "name", "player", "colour", "seat", "away", "conceded", "votes")
    return {
        "stage": view["stage"],
        "seq": view["seq"],
        "log": Counter(event["type"] for event in events),
        "terms": view["terms"],
        "origin": view["origin"],
        "chairs": [{name: each[name] for name in chair} for each in view["chairs"]],
        "waiting": view["waiting"],
        "agreed": view["agreed"],
        "taken_back": view["taken_back"],
        "ending": view["ending"],
        "rematch": view["rematch"],
        "game": _describe_game(view["game"]),
    }


def _describe_game(game: Json | None) -> Json | None:
    if game is None:
        return None
    garden = ("built", "gardeners", "nobles")
    return {
        "turn": game["turn"],
        "hand": " ".join(game["hand"]),
        "display": "".join(motif or "-" for motif in game["display"]),
        "totals": [score["total"] for score in game["scores"]],
        "gardens": [{name: " ".join(each[name]) for name in garden} for each in game["gardens"]],
        "boars": [each["boar"] for each in game["gardens"]],
    }


async def describe_guest(person: Client) -> Json:
    """The name, the tables and the statistics of a guest."""
    statistics = await person.get("/api/me/statistics")
    tables = (await person.get("/api/me/tables"))["tables"]
    game = ("table", "edition", "expansions", "manner", "seat", "winners", "conceded", "score", "ended_at")
    return {
        "name": (await person.get("/api/me"))["name"],
        "tables": {
            each["table"]: each["your_chairs"] for each in sorted(tables, key=lambda one: one["table"])
        },
        "games": [{name: each[name] for name in game} for each in statistics["games"]],
        "best": statistics["best"] and statistics["best"]["table"],
    }


async def describe_review(person: Client, review: str) -> Json:
    """A review without the sentences, which may be reworded."""
    found = await person.get(f"/api/reviews/{review}")
    document = found["document"] or {"turns": [], "positions": []}
    return {
        "state": found["state"],
        "of": found["of"],
        "played": [turn["played"] for turn in document["turns"]],
        "best": [turn["best"] for turn in document["turns"]],
        "missed": [place for place, turn in enumerate(document["turns"]) if turn["missed"]],
        "scores": [position["score"] for position in document["positions"]],
    }


async def describe_all(server: InProcessServer, secrets: Json) -> Json:
    """Describe everything that must stay the same; interrupted reviews are completed first."""
    for review in secrets["reviews"].values():
        await until(lambda review=review: server.services.reviews.running(review) is None)  # type: ignore[misc]
    return {
        "tables": {
            name: await describe_table(viewer_of(server, secrets, table), table["id"])
            for name, table in secrets["tables"].items()
        },
        "guests": {
            name: await describe_guest(client_of(server, secrets, name)) for name in secrets["guests"]
        },
        "reviews": {
            name: await describe_review(server.client(), review)
            for name, review in secrets["reviews"].items()
        },
    }
