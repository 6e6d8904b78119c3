"""Views and options as JSON: views round-trip, and the tables are exactly the legal turns."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.dealer import BulkGame, Preparation, Stream, shuffled
from sanssouci.editions import load_edition
from sanssouci.notation import (
    NotationError,
    parse_json,
    parse_setup_view,
    parse_view,
    write_options,
    write_own_view,
    write_setup_view,
    write_turn,
    write_view,
)
from sanssouci.rules import SetupView, State, Variant, members, set_of

from ..helpers import VARIANTS, odd_deal, random_states, stream

variants = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def sent(document: Mapping[str, Any]) -> Any:
    """A document after a JSON round trip."""
    return parse_json(json.dumps(document).encode("ascii"))


def some_states(variant: Variant, number: int, every: int) -> list[State]:
    """States of a random game on odd boards, including the last."""
    states = random_states(odd_deal(variant, stream(number)), stream(number + 1))
    return [*states[::every], states[-1]]


@variants
def test_views_round_trip(variant: Variant) -> None:
    """R11, R12: views of every seat and a spectator round-trip in every variant and turn."""
    for state in some_states(variant, 10, 3):
        for seat in (None, *range(variant.seats)):
            view = state.view(seat)
            assert parse_view(sent(write_view(view))) == view


@variants
def test_a_view_is_the_public_view_with_private_fields(variant: Variant) -> None:
    """R11, R12: a spectator's view with a seat's private fields is the seat's view, byte by byte."""
    for state in some_states(variant, 15, 3):
        public = write_view(state.view(None))
        for seat in (None, *range(variant.seats)):
            view = state.view(seat)
            assert json.dumps(public | write_own_view(view)) == json.dumps(write_view(view))


@variants
def test_a_view_has_no_hidden_information(variant: Variant) -> None:
    """R11, R12: states that differ in others' hands and missions are written the same."""
    state = some_states(variant, 20, 5)[1]
    hand = set_of(members(state.piles[1])[:2])
    pile = (state.hands[1] | state.piles[1]) & ~hand
    other = replace(
        state,
        hands=(state.hands[0], hand, *state.hands[2:]),
        piles=(state.piles[0], pile, *state.piles[2:]),
        missions=(state.missions[0], *(missions[::-1] for missions in state.missions[1:])),
    )
    assert other != state
    assert write_view(other.view(0)) == write_view(state.view(0))
    assert write_view(other.view(1)) != write_view(state.view(1)), "visible differences are written"


def written_turns(options: Any) -> list[str]:
    """Every turn of the tables, combined as docs/engine-protocol.md says."""
    found = []
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                for boar in options["boar"].get(tile, [None]):
                    laid = f"{card}@{space}-{tile}" + (f"~{boar}" if boar else "")
                    found += [laid, *(f"{laid}/{stop}" for stop in options["stops"][tile])]
    return found


@variants
def test_the_tables_are_the_legal_turns(variant: Variant) -> None:
    """R14 to R20, R35: the tables combine to the legal turns; every stop has the points of its row."""
    for state in some_states(variant, 30, 4):
        for seat in range(variant.seats):
            options = state.view(seat).options()
            tables = sent(write_options(options))
            turns = written_turns(tables)
            assert len(turns) == len(set(turns))
            assert set(turns) == {write_turn(turn) for turn in options}
            for stops in tables["stops"].values():
                assert all(points == int(stop[1]) for stop, points in stops.items())


def setup_views(variant: Variant) -> list[SetupView]:
    """The views of every seat and a spectator before and after each pick."""
    preparation = Preparation(variant, load_edition(variant.edition).boards, BulkGame(bytes(32), 3).dealer())
    views = []
    while preparation.deal is None:
        seat = preparation.seats_to_pick()[0]
        views += [preparation.setup.view(place) for place in (None, *range(variant.seats))]
        preparation.pick(seat, 1)
    return [*views, preparation.setup.view(0)]


@variants
def test_set_up_views_round_trip(variant: Variant) -> None:
    """R9, R12, R29: views with boards, sealed picks and own missions round-trip."""
    views = setup_views(variant)
    assert len(views) > 1
    for view in views:
        assert parse_setup_view(sent(write_setup_view(view))) == view


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a document."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        found += places(item, (*path, name))
    return found


def damaged(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with one value changed or removed."""
    copy = json.loads(json.dumps(document))
    parent = copy
    for name in path[:-1]:
        parent = parent[name]
    if value is ...:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return copy


NOT_A_VIEW: tuple[Any, ...] = (None, [], 5, "view", {})
BAD: tuple[Any, ...] = (
    ...,
    None,
    True,
    -1,
    10**9,
    1.5,
    "",
    "z9",
    "a",
    [],
    ["a", "a", "a"],
    {},
    {"a1": 1},
    "j7",
    "e3",
)


def test_damaged_views_are_refused_in_one_sentence() -> None:
    """Any damage gives a valid view or one printable sentence, never another exception."""
    variant = VARIANTS[-1]
    view = write_view(some_states(variant, 40, 9)[2].view(1))
    setup = write_setup_view(setup_views(variant)[-3])
    refused = 0
    for document, parse in ((view, parse_view), (setup, parse_setup_view)):
        for path in _some(places(document), stream(5)):
            for value in BAD:
                try:
                    parse(damaged(document, path, value))
                except NotationError as error:
                    refused += 1
                    assert str(error).isprintable()
        for document_of_wrong_type in NOT_A_VIEW:
            with pytest.raises(NotationError):
                parse(document_of_wrong_type)
    assert refused > 1000


def _some(paths: list[tuple[Any, ...]], chance: Stream) -> list[tuple[Any, ...]]:
    """All shallow paths, and a random choice of the deep ones."""
    deep = [path for path in paths if len(path) > 3]
    return [path for path in paths if len(path) <= 3] + list(shuffled(deep, chance)[:60])
