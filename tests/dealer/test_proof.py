"""verify --seed: what a seed proves, and that tampering always fails."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.arena import Simulation, game_record, play_game
from sanssouci.dealer import BulkGame, FairDealer, ProofError, parse_seed, prove, write_fair
from sanssouci.editions import BoardSet, load_edition, shipped_boards
from sanssouci.notation import Record, parse_record, read_record, verify, write_record
from sanssouci.players import RandomPlayer
from sanssouci.rules import GardenBoard, Variant

from ..helpers import squares
from ..playthrough import RECORDS

GOLDEN = RECORDS / "imperial-rewards-boar-2.json"
Change = Callable[[dict[str, Any]], object]


def not_proved(record: Record) -> str:
    """Why a record's set-up is not proved."""
    with pytest.raises(ProofError) as caught:
        prove(record)
    return str(caught.value)


def tampered(change: Change) -> Record:
    """The golden record, changed, without its turns (they would be refused)."""
    document = json.loads(GOLDEN.read_bytes())
    document["turns"] = []
    del document["result"]
    change(document)
    return parse_record(json.dumps(document).encode())


def swap(items: list[Any]) -> None:
    """Exchange the first with the next that differs."""
    other = next(place for place, item in enumerate(items) if item != items[0])
    items[0], items[other] = items[other], items[0]


def swap_tiles(setup: dict[str, Any]) -> None:
    """Exchange two tiles of the pouch."""
    tiles = list(setup["tiles"])
    tiles[-1], tiles[10] = tiles[10], tiles[-1]
    setup["tiles"] = "".join(tiles)


def all_of_one_kind(marks: dict[str, str]) -> None:
    """Every mark a bonus of 3."""
    marks.update(dict.fromkeys(marks, "+3"))


def turn_over(sides: list[int]) -> None:
    """The other side of every board."""
    sides[:] = [1 - side for side in sides]


def other_pair(decks: list[list[str]]) -> None:
    """Another colour pair in every deck."""
    for deck in decks:
        deck[deck.index("24")] = "23"


def test_untouched_it_is_proved() -> None:
    """Also without its turns, with hex in capitals, or with the set under another name."""
    prove(tampered(lambda record: None))
    prove(tampered(lambda d: d["fair"].update(commitment=d["fair"]["commitment"].upper())))
    prove(tampered(lambda d: d["boards"].update(name="my copy", sha256=d["boards"]["sha256"].upper())))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["fair"].update(seed="0" * 64), "commitment"),
        (lambda d: d["fair"].update(commitment="0" * 64), "commitment"),
        (lambda d: d["fair"].update(game="another"), "commitment"),
        (lambda d: d["fair"].update(nonces=["00", "11"]), "does not match what the seed deals"),
        (lambda d: d["fair"].update(scheme="fair/9"), "fair/9"),
        (lambda d: swap(d["setup"]["decks"][0]), "setup.decks"),
        (lambda d: swap(d["setup"]["missions"]), "setup.missions"),
        (lambda d: swap_tiles(d["setup"]), "setup.tiles"),
        (lambda d: swap(d["setup"]["gardens"]), "setup.gardens"),
        (lambda d: d["setup"]["gardens"][0].__setitem__(0, "i6"), "setup.gardens"),
        (lambda d: swap(d["setup"]["rewards"]), "setup.rewards"),
        (lambda d: all_of_one_kind(d["setup"]["rewards"][0]), "setup.rewards"),
        (lambda d: swap(d["boards"]["dealt"]["gardens"]), "boards.dealt"),
        (lambda d: d["boards"]["dealt"].update(rewards=[0, 0]), "boards.dealt"),
        (lambda d: turn_over(d["boards"]["sides"]["gardens"]), "setup.gardens"),
        (lambda d: d["boards"]["sides"].update(gardens=[2, 0]), "boards.sides"),
        (lambda d: d["boards"].update(sha256="0" * 64), "--boards"),
        (lambda d: d["boards"].update(name="parterre", sha256=shipped_boards("parterre").sha256), "setup."),
        (lambda d: d["boards"].update(dealt=[1, 2]), "boards.dealt"),
        (lambda d: d["boards"].update(sides={"gardens": [0, 1]}), "boards.sides"),
        (lambda d: d["boards"]["sides"].update(gardens=[True, False]), "boards.sides"),
        (lambda d: d["boards"]["sides"].update(gardens="01"), "boards.sides"),
        (lambda d: d.pop("boards"), "which boards"),
        (lambda d: d.pop("fair"), "no seed"),
        (lambda d: other_pair(d["setup"]["decks"]), "setup.decks"),
    ],
)
def test_tampering_fails(change: Change, said: str) -> None:
    """Whatever is exchanged after the deal is found."""
    assert said in not_proved(tampered(change))


def test_a_simulated_record_is_proved_too() -> None:
    """bulk/1: seed and number of the game are in the record."""
    simulation = Simulation(Variant(3), load_edition("ravensburger").boards, ("random",) * 3, parse_seed("4"))
    record = simulation.record(9, simulation.play(9))
    prove(parse_record(write_record(record)))
    assert "does not match what the seed deals" in not_proved(
        replace(record, extra={"bulk": record.extra["bulk"] | {"game": 8}})
    )
    for bad in (
        {"scheme": "bulk/1"},
        {"scheme": "bulk/1", "seed": 1, "game": 1},
        {"scheme": "bulk/1", "seed": "lucky", "game": 1},
        {"scheme": "bulk/1", "seed": "1", "game": 2**64},
    ):
        assert "bulk" in not_proved(replace(record, extra={"bulk": bad}))
    assert "no seed" in not_proved(replace(record, extra={"bulk": "junk"}))


def test_own_boards_are_proved_with_their_file() -> None:
    """A set that does not come with the project must be given."""
    board = GardenBoard((squares("b2 c3 d4 e5 f6 i2"),))
    shipped = shipped_boards("parterre")
    own = BoardSet("mine", (board,) * 4, shipped.rewards, shipped.deck)
    dealer = FairDealer(bytes(32), "own", ("", ""))
    players = [RandomPlayer(BulkGame(bytes(32), 0).stream(seat)) for seat in (0, 1)]
    game = play_game(Variant(2), own, dealer, players)
    record = game_record(game, [{"name": "A"}, {"name": "B"}], write_fair(dealer))
    verify(record)
    prove(record, [own])
    assert "--boards" in not_proved(record)


def drawn(document: dict[str, Any]) -> None:
    """The golden game as if it had been played at a table, with the start drawn."""
    fair = document["fair"]
    first = FairDealer(bytes.fromhex(fair["seed"]), fair["game"], tuple(fair["nonces"])).first_seat(2)
    document["table"] = {"start": "drawn"}
    for place, seat in enumerate(document["seats"]):
        seat["chair"] = (first + place) % 2


def test_a_start_that_was_drawn_is_proved() -> None:
    """R8: the chair that comes up starts, and it goes round from there."""
    prove(tampered(drawn))


@pytest.mark.parametrize(
    "change",
    [
        lambda seats: seats.reverse(),
        lambda seats: [seat.pop("chair") for seat in seats],
        lambda seats: [seat.update(chair=str(seat["chair"])) for seat in seats],
        lambda seats: [seat.update(chair=bool(seat["chair"])) for seat in seats],
        lambda seats: [seat.update(chair=seats[0]["chair"]) for seat in seats],
        lambda seats: [seat.update(chair=seat["chair"] + 2) for seat in seats],
    ],
)
def test_a_start_that_was_not_drawn_is_found(change: Callable[[list[Any]], object]) -> None:
    """R8: another chair first, another order, or no chairs at all."""

    def otherwise(document: dict[str, Any]) -> None:
        drawn(document)
        change(document["seats"])

    assert "seats.chair" in not_proved(tampered(otherwise))


def test_a_start_that_was_agreed_needs_no_proof() -> None:
    """R8: then nothing was drawn; nor does a record that says nothing, or something else, about a table."""
    for table in ({"start": "chosen"}, {}, "drawn", None, ["drawn"]):
        prove(tampered(lambda document, table=table: document.update(table=table)))  # type: ignore[misc]


def test_the_golden_seed_is_in_the_record() -> None:
    """What is needed for the proof is all in the document."""
    assert set(read_record(GOLDEN).fair or {}) == {"scheme", "game", "commitment", "nonces", "seed"}
