"""The levels: their priorities, reproducibility, and that each beats the one below."""

from dataclasses import replace

import pytest

from sanssouci.arena import Match
from sanssouci.dealer import BulkGame, Stream, parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.kernel import COMPILES
from sanssouci.locale import LANGUAGES
from sanssouci.players import LEVELS, Budget, about, character, display_name, make_player
from sanssouci.rules import State, Variant, turn_score

from ..kernel.tables import SEED, some_states

NAMES = tuple(LEVELS)
OWN = ("random", "greedy", "steward", "planner", "master")


def stream(number: int = 1) -> Stream:
    return BulkGame(SEED, number).stream(0)


@pytest.mark.parametrize("name", NAMES)
def test_a_level_plays_legally_and_repeatably(name: str) -> None:
    """A level is legal and reproducible in every variant; it ignores the rollouts of the budget."""
    for state in some_states(211, 1):
        view = state.view(state.to_move)
        one, two = (make_player(name, stream(), budget) for budget in (Budget(), Budget(rollouts=3)))
        if name in NAMES[-2:] and not COMPILES:
            pytest.skip("takes minutes if interpreted")
        turn = one.decide(view)
        assert turn in view.options()
        assert turn == two.decide(view)


def points_now(state: State) -> dict[object, int]:
    """The immediate points of every legal turn, by the rules."""
    garden, score = state.gardens[state.to_move], state.scores[state.to_move]
    return {turn: turn_score(garden, score, turn).total - score.total for turn in state.options()}


def test_the_first_level_sees_the_points_of_this_turn_only() -> None:
    """R20, R31: level 1 plays a turn with the most immediate points."""
    for state in some_states(53, 1):
        if state.round == 18 and state.variant.wild_boar:
            continue
        points = points_now(state)
        chosen = {
            make_player("level:1", stream(number)).decide(state.view(state.to_move)) for number in range(8)
        }
        assert {points[turn] for turn in chosen} == {max(points.values())}


def test_the_first_level_does_not_look_further() -> None:
    """Level 1 chooses at random between turns with equal points."""
    several = 0
    for state in some_states(53, 1):
        points = points_now(state)
        best = [turn for turn, gained in points.items() if gained == max(points.values())]
        chosen = {
            make_player("level:1", stream(number)).decide(state.view(state.to_move)) for number in range(12)
        }
        several += len(best) > 3 and len(chosen) > 1
    assert several


def test_the_first_two_levels_ignore_missions() -> None:
    """R27: other missions do not change the turns of levels 1 and 2, but some of level 3."""
    changed = dict.fromkeys(NAMES[:3], 0)
    for state in some_states(23, 1):
        seat = state.to_move
        view = state.view(seat)
        mine = view.missions[seat] or ()
        free = [motif for motif in range(9) if motif not in mine][:2]
        other = tuple(
            (free[0], free[1]) if place == seat else kept for place, kept in enumerate(view.missions)
        )
        for name in changed:
            turns = [
                make_player(name, stream()).decide(seen) for seen in (view, replace(view, missions=other))
            ]
            changed[name] += turns[0] != turns[1]
    assert changed["level:1"] == changed["level:2"] == 0
    assert changed["level:3"] > 0


@pytest.mark.skipif(not COMPILES, reason="takes hours if interpreted")
@pytest.mark.parametrize(("lower", "upper", "deals"), [(0, 1, 60), (1, 2, 60), (2, 3, 20)])
def test_a_level_beats_the_one_below(lower: int, upper: int, deals: int) -> None:
    """A level scores more than the one below; ``sanssouci strength`` measures by how much."""
    match = Match(Variant(2), shipped_boards("reference"), (NAMES[upper], NAMES[lower]), parse_seed("1"))
    ahead = 0
    for deal in range(1, deals + 1):
        for place, seating in enumerate(match.seatings):
            outcome, _ = match.play((deal, place))
            own = seating.index(0)
            ahead += outcome.scores[own] - outcome.scores[1 - own]
    assert ahead > 0


@pytest.mark.parametrize("name", NAMES[-2:])
def test_a_time_limit_shortens_even_the_strongest(name: str) -> None:
    """They answer with the best turn so far when their time is over."""
    view = some_states(211, 1)[0].view(some_states(211, 1)[0].to_move)
    turn = make_player(name, stream(), Budget(seconds=0.0)).decide(view)
    assert turn in view.options()


def test_names_and_descriptions_of_players() -> None:
    """Levels have names and descriptions in every language; other players have display names."""
    for language in LANGUAGES:
        assert len({character(name, language) for name in NAMES}) == 6
        assert len({about(name, language) for name in (*NAMES, *OWN)}) == 11
        assert all(len(character(name, language)) <= 11 for name in NAMES), (
            "the name fits above a small garden"
        )
        assert character("greedy", language) == "" and display_name("level:1", language) == ""
        assert len({display_name(name, language) for name in OWN}) == len(OWN) == 5
        assert all(
            2 < len(display_name(name, language)) <= 14 and display_name(name, language) != name
            for name in OWN
        )
