"""Actions and observations: their order is a promise, and docs/environments.md repeats it."""

import re
from pathlib import Path

import pytest

from sanssouci.env import spec
from sanssouci.env.observation import observe, split
from sanssouci.env.stages import actions_of, legal_actions, stage_after, turn_of
from sanssouci.rules import (
    COLUMNS,
    Garden,
    State,
    Turn,
    Variant,
    View,
    marked_squares,
    members,
    pack_marks,
    set_of,
)
from sanssouci.rules.display import EMPTY, lay_out, tiles_on
from tests.helpers import VARIANTS, odd_deal, random_states, stream

DOCS = Path(__file__).parents[2] / "docs" / "environments.md"


def some_states(variant: Variant, number: int, every: int) -> list[State]:
    """Some states of a random game on unusual boards; the last one is over."""
    chance = stream(number)
    found = random_states(odd_deal(variant, chance), chance)
    return [*found[:-1:every], found[-1]]


def test_the_order_of_actions_is_pinned() -> None:
    """Version 1 has 194 stage actions, in this order for ever."""
    assert spec.VERSION == 1
    assert spec.FIRST_ACTION == (0, 20, 30, 84, 139)
    assert (spec.BOAR_LEAVES, spec.NO_NOBLE, spec.ACTIONS) == (138, 193, 194)


def test_the_order_of_fields_is_pinned() -> None:
    """Version 1 has these fields, in this order for ever."""
    assert [(field.name, field.shape, field.start) for field in spec.fields(2)] == [
        ("gardens", (2, 8, 6, 9), 0),
        ("display", (10, 9), 864),
        ("pouch", (9,), 954),
        ("hand", (20,), 963),
        ("unplayed", (2, 20), 983),
        ("missions", (2, 9), 1023),
        ("points", (2,), 1041),
        ("round", (1,), 1043),
        ("seat", (2,), 1044),
        ("to_move", (2,), 1046),
        ("expansions", (2,), 1048),
        ("stage", (5,), 1050),
        ("chosen", (139,), 1055),
    ]
    assert [spec.observation_size(seats) for seats in (2, 3, 4)] == [1194, 1658, 2122]


def test_the_docs_have_the_same_tables() -> None:
    """docs/environments.md lists the actions, fields and planes as the code has them."""
    rows = [
        [cell.strip(" `") for cell in row.split("|")[1:-1]] for row in DOCS.read_text("utf-8").splitlines()
    ]
    starts = (*spec.FIRST_ACTION, spec.ACTIONS)
    for stage in spec.Stage:
        found = next(row for row in rows if row and row[0] == stage.name.lower())
        assert found[1] == f"{starts[stage]}–{starts[stage + 1] - 1}"
    shapes = {seats: spec.fields(seats) for seats in (2, 4)}
    for two, four in zip(shapes[2], shapes[4], strict=True):
        found = next(row for row in rows if len(row) == 5 and row[0] == two.name)
        shape = ", ".join("S" if a != b else str(a) for a, b in zip(two.shape, four.shape, strict=True))
        assert found[1:4] == [f"({shape})", str(two.start), str(two.high)]
    planes = next(row for row in DOCS.read_text("utf-8").splitlines() if "`structures`" in row)
    assert tuple(re.findall(r"`(\w+)`", planes)) == spec.GARDEN_PLANES


@pytest.mark.parametrize("variant", VARIANTS[:6], ids=str)
def test_stage_actions_make_just_the_legal_turns(variant: Variant) -> None:
    """Every legal turn can be made by stages, and no other."""
    for state in some_states(variant, 1, every=9):
        options = state.options()
        found: set[Turn] = set()
        waiting: list[tuple[int, ...]] = [()] if options else []
        while waiting:
            chosen = waiting.pop()
            for action in legal_actions(options, chosen):
                turn = turn_of(options, (*chosen, action))
                if turn is None:
                    waiting.append((*chosen, action))
                else:
                    found.add(turn)
                    assert actions_of(turn) == (*chosen, action)
        assert found == set(options)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_observation_shows_the_view(variant: Variant) -> None:
    """Fields read back as what the view holds."""
    for state in some_states(variant, 2, every=11):
        view = state.view(state.turn % 2)
        fields = split(observe(view), variant.seats)
        own = view.seat or 0
        order = [(own + place) % variant.seats for place in range(variant.seats)]
        for place, seat in enumerate(order):
            garden = view.gardens[seat]
            planes = dict(zip(spec.GARDEN_PLANES, fields["gardens"][place].reshape(8, 54), strict=True))
            assert set_of(planes["structures"].nonzero()[0].tolist()) == garden.structures
            assert set_of(planes["gardeners"].nonzero()[0].tolist()) == garden.gardeners
            assert set_of(planes["nobles"].nonzero()[0].tolist()) == garden.nobles
            assert set_of(planes["boar"].nonzero()[0].tolist()) == garden.boar
            assert fields["points"][place] == view.scores[seat].total
            assert set_of(fields["unplayed"][place].nonzero()[0].tolist()) == view.unplayed[seat]
            assert sorted(view.missions[seat] or ()) == fields["missions"][place].nonzero()[0].tolist()
        assert set_of(fields["hand"].nonzero()[0].tolist()) == view.hand
        assert fields["pouch"].tolist() == [*view.pouch]
        assert [row.nonzero()[0].tolist() for row in fields["display"]] == [
            [] if motif is None else [motif] for motif in tiles_on(view.display)
        ]
        assert (fields["round"][0], fields["seat"][own]) == (view.round, 1)


@pytest.mark.parametrize("variant", VARIANTS[:6], ids=str)
def test_the_mirrored_game_is_the_same_game(variant: Variant) -> None:
    """Mirrored left to right, a position has the mirrored observation and the mirrored actions."""
    draws = stream(5)
    for state in some_states(variant, 3, every=7)[:-1]:
        view = state.view(state.to_move)
        mirrored = mirror(view)
        options, other = view.options(), mirrored.options()
        chosen: tuple[int, ...] = ()
        while not chosen or turn_of(options, chosen) is None:
            twin = tuple(map(spec.mirrored_action, chosen))
            legal = legal_actions(options, chosen)
            assert sorted(map(spec.mirrored_action, legal)) == [*legal_actions(other, twin)]
            stage = stage_after(options, chosen)
            seen, twin_seen = observe(view, stage, chosen), observe(mirrored, stage, twin)
            assert (seen[list(spec.mirrored_observation(variant.seats))] == twin_seen).all()
            chosen = (*chosen, legal[draws.below(len(legal))])


def mirror(view: View) -> View:
    """The view of the game mirrored left to right."""

    def squares(bits: int) -> int:
        return set_of([square + 8 - 2 * (square % 9) for square in members(bits)])

    def cards(bits: int) -> int:
        return set_of([8 - card if card < 9 else card for card in members(bits)])

    def garden(found: Garden) -> Garden:
        marks = {square + 8 - 2 * (square % 9): mark for square, mark in marked_squares(found.marks).items()}
        printed, built, gardeners, nobles, boar = map(
            squares, (found.printed, found.built, found.gardeners, found.nobles, found.boar)
        )
        return Garden(printed, built, gardeners, nobles, boar, pack_marks(marks))

    tiles = tuple(EMPTY if motif is None else 8 - motif for motif in tiles_on(view.display))
    return View(
        view.variant,
        view.seat,
        view.turn,
        tuple(map(garden, view.gardens)),
        view.scores,
        lay_out(tiles),
        tuple(view.pouch[8 - motif] for motif in COLUMNS),
        tuple(map(cards, view.unplayed)),
        cards(view.hand),
        tuple(None if known is None else (8 - known[0], 8 - known[1]) for known in view.missions),
    )


def test_a_spectator_has_no_observation() -> None:
    """Observations are those of a seat."""
    state: State = some_states(VARIANTS[0], 1, every=9)[0]
    with pytest.raises(ValueError, match="spectator"):
        observe(state.view(None))
