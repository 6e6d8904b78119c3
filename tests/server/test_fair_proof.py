"""A record of a server, checked by a second implementation of ``fair/3``, written from docs/chance.md."""

import hmac
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest

from ..harness.client import Client
from ..harness.server import InProcessServer, with_server

Json = dict[str, Any]
CARDS = [*"abcdefghi", *(f"{one}{other}" for one in "123456" for other in "123456" if one < other), "*"]
"""The natural order of cards."""


def written(*parts: object) -> bytes:
    return json.dumps(parts, separators=(",", ":")).encode("ascii")


def hashed(*parts: object) -> str:
    return sha256(written(*parts)).hexdigest()


def commitments(record: Json) -> tuple[str, str]:
    """The commitment to the seed, and the one to the deal with its terms."""
    fair, game = record["fair"], record["fair"]["game"]
    start = "drawn" if record["table"]["start"] == "drawn" else record["seats"][0]["chair"]
    terms = [
        record["edition"],
        record["expansions"],
        record["boards"]["sha256"],
        len(record["seats"]),
        start,
    ]
    seed = hashed("sanssouci fair/3 commitment", game, fair["seed"])
    nonces = [
        hashed("sanssouci fair/3 nonce", game, seed, chair, nonce) if nonce else ""
        for chair, nonce in enumerate(fair["nonces"])
    ]
    return seed, hashed("sanssouci fair/3 deal", game, seed, nonces, terms)


def shuffled(record: Json, pile: str, items: Sequence[Any]) -> list[Any]:
    fair, order, words, block = record["fair"], list(items), b"", 0
    for place in range(len(order) - 1):
        left = len(order) - place
        while True:
            if not words:
                message = written("sanssouci fair/3", fair["game"], fair["nonces"], pile, block)
                words, block = hmac.digest(bytes.fromhex(fair["seed"]), message, "sha256"), block + 1
            word, words = int.from_bytes(words[:4], "big"), words[4:]
            if word < 2**32 // left * left:
                break
        chosen = place + word % left
        order[place], order[chosen] = order[chosen], order[place]
    return order


def check_deal(record: Json) -> None:
    """Boards, missions, decks and tiles come from the seed and the nonces, and so does a drawn start."""
    seats, setup, dealt = len(record["seats"]), record["setup"], record["boards"]["dealt"]
    assert dealt["gardens"] == shuffled(record, "gardens", range(4))[:seats]
    if "rewards" in record["expansions"]:
        assert dealt["rewards"] == shuffled(record, "rewards", range(4))[:seats]
    missions = shuffled(record, "missions", "abcdefghi")
    assert setup["missions"] == [missions[2 * seat : 2 * seat + 2] for seat in range(seats)]
    for seat, deck in enumerate(setup["decks"]):
        assert deck == shuffled(record, f"deck/{seat}", sorted(deck, key=CARDS.index))
    copies = {2: 5, 3: 7, 4: 9}[seats]
    assert setup["tiles"] == "".join(
        shuffled(record, "tiles", "".join(letter * copies for letter in "abcdefghi"))
    )
    first = record["seats"][0]["chair"]
    if record["table"]["start"] == "drawn":
        assert first == shuffled(record, "start", range(seats))[0]
    assert [seat["chair"] for seat in record["seats"]] == [(first + seat) % seats for seat in range(seats)]


async def played(server: InProcessServer, **terms: Any) -> tuple[Json, Json, Json]:
    """The view before anyone has revealed a nonce, the one when the cards are dealt, and the record."""
    people: dict[int, Client] = {0: await server.guest("Ada"), 2: await server.guest("Bob")}
    table = await people[0].create_table("person", "random", "open", visibility="open", **terms)
    await people[2].join(table)
    nonces = {0: "0a" * 16, 2: "fe" * 32}
    for chair, person in people.items():
        seed = (await person.view(table))["commitment"]
        own = hashed("sanssouci fair/3 nonce", table.id, seed, chair, nonces[chair])
        await person.do(table, "ready", commitment=own)
    committed = await people[0].view(table)
    assert committed["shuffling"]
    for chair, person in people.items():
        await person.do(table, "reveal", nonce=nonces[chair])
    dealt = await people[0].view(table)
    assert dealt["stage"] == "picking"
    await server.play_out(table, people)
    return committed, dealt, await people[0].get(f"/api/tables/{table}/record")


@pytest.mark.parametrize(
    "terms",
    [
        {"edition": "imperial", "expansions": ["rewards", "wild_boar"]},
        {"edition": "ravensburger", "first": 2},
    ],
    ids=["drawn", "chosen"],
)
@with_server()
async def test_the_record_keeps_what_was_committed_to(server: InProcessServer, terms: Json) -> None:
    """What the server showed before any nonce was known follows from the record, terms included."""
    committed, dealt, record = await played(server, **terms)
    seed, deal = commitments(record)
    for shown in (committed, dealt, record["fair"]):
        assert (shown["commitment"], shown["deal_commitment"]) == (seed, deal)
    assert record["fair"]["scheme"] == committed["scheme"] == "fair/3"
    check_deal(record)


@with_server()
async def test_a_host_cannot_change_the_terms_after_the_deal(server: InProcessServer) -> None:
    """Every claim that would give the hands to others, or make another game of them, has another hash."""
    _, _, record = await played(server, edition="imperial", expansions=["rewards"])
    _, deal = commitments(record)
    claims = [
        *({"table": {"start": "chosen"}, "seats": [{"chair": chair}] * 3} for chair in range(3)),
        {"seats": record["seats"][:2]},
        {"edition": "ravensburger"},
        {"expansions": []},
        {"expansions": ["rewards", "wild_boar"]},
        {"boards": {"sha256": "0" * 64}},
    ]
    assert deal not in [commitments(record | claim)[1] for claim in claims]
