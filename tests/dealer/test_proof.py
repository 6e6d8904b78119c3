"""``verify --seed``: a seed proves the deal, and tampering is always found."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.arena import Simulation, game_record, play_game
from sanssouci.dealer import (
    FAIR_2,
    FAIR_3,
    BulkGame,
    FairDealer,
    ProofError,
    Scheme,
    check_commitment,
    deal_terms,
    parse_seed,
    prove,
    start_is_unproved,
    write_fair,
)
from sanssouci.editions import BoardSet, load_edition, shipped_boards
from sanssouci.notation import Record, RecordBoardsJson, parse_record, read_record, verify, write_record
from sanssouci.players import RandomPlayer
from sanssouci.rules import GardenBoard, Variant

from ..helpers import squares
from ..playthrough import RECORDS

GOLDEN = RECORDS / "imperial-rewards-boar-2.json"
Change = Callable[[dict[str, Any]], object]


def not_proved(record: Record) -> str:
    """The reason why the set-up of a record is not proved."""
    with pytest.raises(ProofError) as caught:
        prove(record)
    return str(caught.value)


def tampered(change: Change) -> Record:
    """The golden record with a change, without its turns, which would be refused."""
    document = json.loads(GOLDEN.read_bytes())
    document["turns"] = []
    del document["result"]
    change(document)
    return parse_record(json.dumps(document).encode())


def swap(items: list[Any]) -> None:
    """Exchange the first item with the next that differs."""
    other = next(place for place, item in enumerate(items) if item != items[0])
    items[0], items[other] = items[other], items[0]


def swap_tiles(setup: dict[str, Any]) -> None:
    tiles = list(setup["tiles"])
    tiles[-1], tiles[10] = tiles[10], tiles[-1]
    setup["tiles"] = "".join(tiles)


def all_of_one_kind(marks: dict[str, str]) -> None:
    """Make every mark a bonus of 3."""
    marks.update(dict.fromkeys(marks, "+3"))


def turn_over(sides: list[int]) -> None:
    """Use the other side of every board."""
    sides[:] = [1 - side for side in sides]


def other_pair(decks: list[list[str]]) -> None:
    """Put another colour pair in every deck."""
    for deck in decks:
        deck[deck.index("24")] = "23"


def test_an_untouched_record_is_proved() -> None:
    """A record is proved also without turns, with hex in capitals, or with a renamed set."""
    prove(tampered(lambda record: None))
    prove(tampered(lambda d: d["fair"].update(commitment=d["fair"]["commitment"].upper())))
    prove(tampered(lambda d: d["boards"].update(name="my copy", sha256=d["boards"]["sha256"].upper())))


@pytest.mark.parametrize(
    ("change", "message"),
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
def test_tampering_fails(change: Change, message: str) -> None:
    """Any change after the deal is found."""
    assert message in not_proved(tampered(change))


def test_a_simulated_record_is_proved_too() -> None:
    """bulk/1: a simulated record has seed and game number, and is proved."""
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


def test_custom_boards_are_proved_with_their_file() -> None:
    """A custom set must be given for the proof."""
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


def dealt_by(scheme: Scheme, first: int | None = 1) -> Record:
    """A game of two people whose deal follows from a seed and two nonces."""
    boards = shipped_boards("parterre")
    terms = deal_terms(Variant(2), boards.sha256, first)
    dealer = FairDealer(bytes(32), "g2", ("aa" * 16, "bb" * 16), scheme, terms)
    players = [RandomPlayer(BulkGame(bytes(32), 0).stream(seat)) for seat in (0, 1)]
    game = play_game(Variant(2), boards, dealer, players)
    begins = dealer.first_seat(2) if first is None else first
    seats = [{"name": "A", "chair": begins}, {"name": "B", "chair": 1 - begins}]
    record = game_record(game, seats, write_fair(dealer))
    start = "drawn" if first is None else "chosen"
    return replace(record, extra={**record.extra, "table": {"start": start}})


@pytest.mark.parametrize("scheme", [FAIR_2, FAIR_3])
@pytest.mark.parametrize("first", [None, 0, 1])
def test_a_record_of_nonces_is_proved(scheme: Scheme, first: int | None) -> None:
    """Also after it was written and read."""
    prove(parse_record(write_record(dealt_by(scheme, first))))


@pytest.mark.parametrize("scheme", [FAIR_2, FAIR_3])
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": "0" * 63 + "1"}, "the seed does not match the commitment"),
        ({"commitment": "0" * 64}, "the seed does not match the commitment"),
        ({"deal_commitment": "0" * 64}, "commitment to the deal"),
        ({"deal_commitment": ""}, "commitment to the deal"),
        ({"nonces": ["aa" * 16, "bc" * 16]}, "commitment to the deal"),
        ({"nonces": ["bb" * 16, "aa" * 16]}, "commitment to the deal"),
        ({"scheme": "fair/1"}, "the seed does not match the commitment"),
    ],
)
def test_tampering_with_a_proof_of_nonces_fails(scheme: Scheme, changed: dict[str, Any], said: str) -> None:
    """The nonces are bound by the commitment to the deal, the seed by its own."""
    record = dealt_by(scheme)
    fair: Any = {**(record.fair or {}), **changed}
    assert said in not_proved(replace(record, fair=fair))


def test_the_commitment_that_was_shown_is_compared() -> None:
    """A host who deals another game afterwards can prove that one, but not by the commitment shown before."""
    golden, record = read_record(GOLDEN), dealt_by(FAIR_3)
    assert golden.fair is not None and record.fair is not None
    check_commitment(golden, golden.fair["commitment"].upper())
    check_commitment(record, record.fair["commitment"])
    check_commitment(record, record.fair["deal_commitment"])
    simulation = Simulation(Variant(2), shipped_boards("parterre"), ("random",) * 2, parse_seed("4"))
    for other in (golden, simulation.record(1, simulation.play(1))):
        with pytest.raises(ProofError):
            check_commitment(other, record.fair["commitment"])
    claimed = record.fair["deal_commitment"]
    forged = tampered(lambda document: document["fair"].update(deal_commitment=claimed))
    with pytest.raises(ProofError):
        check_commitment(forged, claimed)


def drawn(document: dict[str, Any]) -> None:
    """Add a table with a drawn first seat to the golden game."""
    fair = document["fair"]
    first = FairDealer(bytes.fromhex(fair["seed"]), fair["game"], tuple(fair["nonces"])).first_seat(2)
    document["table"] = {"start": "drawn"}
    for place, seat in enumerate(document["seats"]):
        seat["chair"] = (first + place) % 2


def test_a_drawn_start_is_proved() -> None:
    """R8: the drawn chair starts, and turns go round from there."""
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
def test_a_wrong_start_is_found(change: Callable[[list[Any]], object]) -> None:
    """R8: another first chair, another order or missing chairs are found."""

    def change_start(document: dict[str, Any]) -> None:
        drawn(document)
        change(document["seats"])

    assert "seats.chair" in not_proved(tampered(change_start))


def test_an_agreed_start_needs_no_proof() -> None:
    """R8: a start that was chosen or not recorded is not checked."""
    for table in ({"start": "chosen"}, {}, "drawn", None, ["drawn"]):
        prove(tampered(lambda document, table=table: document.update(table=table)))  # type: ignore[misc]


@pytest.mark.parametrize("scheme", [FAIR_2, FAIR_3])
@pytest.mark.parametrize("table", [{}, "drawn", None, {"start": "agreed"}])
def test_the_start_must_be_known(table: object, scheme: Scheme) -> None:
    """R8: a record that hides whether the start was drawn could belong to seats in any order."""
    record = dealt_by(scheme, None)
    assert "start" in not_proved(replace(record, extra={**record.extra, "table": table}))


def test_only_the_commitment_to_the_deal_of_fair_3_covers_a_chosen_start() -> None:
    """A drawn one needs no cover: it follows from the seed."""
    for record, covered in ((dealt_by(FAIR_2), False), (dealt_by(FAIR_3), True)):
        assert record.fair is not None
        assert start_is_unproved(record, record.fair["deal_commitment"].upper()) is not covered
        assert start_is_unproved(record, record.fair["commitment"].upper())
    assert not start_is_unproved(dealt_by(FAIR_2, None), "0" * 64)


def with_start(record: Record, start: str, first: int) -> Record:
    """A host's claim about who begins, with everything else as it was dealt."""
    seats = tuple({**seat, "chair": (first + place) % 2} for place, seat in enumerate(record.seats))
    return replace(record, seats=seats, extra={**record.extra, "table": {"start": start}})


def test_fair_3_binds_who_begins() -> None:
    """R8: a host who knows all nonces cannot pick who gets which hand. Under fair/2, that was possible."""
    record = dealt_by(FAIR_2, None)
    drawn = record.seats[0]["chair"]
    prove(with_start(record, "chosen", 1 - drawn))
    record = dealt_by(FAIR_3, None)
    drawn = record.seats[0]["chair"]
    for first in (0, 1):
        assert "commitment to the deal" in not_proved(with_start(record, "chosen", first))
    assert "seats.chair" in not_proved(with_start(record, "drawn", 1 - drawn))
    chosen = dealt_by(FAIR_3, 1)
    for start, first in (("chosen", 0), ("drawn", 0), ("drawn", 1)):
        assert "commitment to the deal" in not_proved(with_start(chosen, start, first))
    turned = tuple({**seat, "chair": 1} for seat in chosen.seats)
    assert "seats.chair" in not_proved(replace(chosen, seats=turned))
    for chair in ("1", True, None):
        untyped = tuple({**seat, "chair": chair} for seat in chosen.seats)
        assert "seats.chair" in not_proved(replace(chosen, seats=untyped))


def test_fair_3_binds_edition_expansions_and_boards() -> None:
    """The piles do not depend on the edition or the boar, but the commitment does."""
    record = dealt_by(FAIR_3)
    assert record.boards is not None
    for variant in (
        replace(record.deal.variant, edition="imperial"),
        replace(record.deal.variant, edition="imperial", wild_boar=True),
    ):
        changed = replace(record, deal=replace(record.deal, variant=variant))
        assert "commitment to the deal" in not_proved(changed)
    others = RecordBoardsJson(**{**record.boards, "sha256": shipped_boards("bosquet").sha256})
    assert "commitment to the deal" in not_proved(replace(record, boards=others))
    capitals = RecordBoardsJson(**{**record.boards, "sha256": record.boards["sha256"].upper()})
    prove(replace(record, boards=capitals))
    assert "which boards" in not_proved(replace(record, boards=None))


def test_a_record_has_everything_for_the_proof() -> None:
    """The ``fair`` part of a record has everything that the proof needs."""
    assert set(read_record(GOLDEN).fair or {}) == {"scheme", "game", "commitment", "nonces", "seed"}
