"""The search for a turn: legal, reproducible, within its budget, and better than greedy."""

import sys
from math import inf, isnan

import numpy as np
import pytest

from sanssouci.arena import Match
from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.kernel import COMPILES, STEWARD, best_turn, best_turns, decode, flatten_view, search
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.kernel.layout import Ints, seat_at
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.rng import Words
from sanssouci.kernel.search import halve
from sanssouci.kernel.static_eval import fill_values, ranked_turns
from sanssouci.kernel.trial import Candidates, Trial
from sanssouci.players import Budget
from sanssouci.rules import IMPERIAL, Chance, State, Turn, Variant, final_score, turn_score

from .tables import SEED, some_states


def values_of(state: State) -> dict[Turn, int]:
    """Steward's value of every legal turn."""
    flat = flatten_view(state.view(state.to_move))
    codes = np.empty(list_turns(flat, np.empty(0, np.int64), 0), np.int64)
    list_turns(flat, codes, 0)
    values = np.empty(len(codes), np.int64)
    fill_values(flat, seat_at(state.to_move), WEIGHTS[STEWARD - 1], codes, values)
    return {decode(code): int(value) for code, value in zip(codes.tolist(), values, strict=True)}


def test_candidates_are_ranked_by_steward() -> None:
    """R14-R20, R34-R36: candidates are legal, distinct and sorted by steward's value."""
    for state in some_states(29):
        view, values = state.view(state.to_move), values_of(state)
        codes, _ = ranked_turns(flatten_view(view), state.to_move, STEWARD)
        found = [decode(code) for code in codes]
        assert set(values) == set(view.options())
        assert values[best_turn(view, STEWARD)] == max(values.values())
        assert [values[turn] for turn in found] == sorted(values.values(), reverse=True)[: len(found)]
        assert len(set(found)) == len(found)
        assert set(best_turns(view, STEWARD)) == {turn for turn in found if values[turn] == values[found[0]]}


def test_the_search_is_reproducible() -> None:
    """The same seed gives the same result; another seed plays other rollouts."""
    differ = 0
    for state in some_states(151):
        view = state.view(state.to_move)
        one, two = search(view, SEED, rollouts=48), search(view, SEED, rollouts=48)
        other = search(view, parse_seed("77"), rollouts=48)
        assert repr(one) == repr(two)  # candidates without rollouts have nan, which equals nothing
        assert one[0].turn in view.options()
        differ += one[0].value != other[0].value and not isnan(one[0].value)
    assert differ


@pytest.mark.parametrize("rollouts", [1, 2, 47, 100, 1000])
def test_a_search_stays_within_its_rollouts(rollouts: int) -> None:
    """The search uses at most its rollouts, and nearly all; surviving candidates have more games."""
    if not COMPILES and rollouts > 100:
        pytest.skip("takes minutes if interpreted")
    view = some_states(151)[1].view(some_states(151)[1].to_move)
    found = search(view, SEED, rollouts=rollouts)
    games = [estimate.games for estimate in found]
    assert games == sorted(games, reverse=True)
    assert sum(games) <= rollouts
    assert rollouts < 100 or sum(games) > 0.75 * rollouts


def test_the_threads_change_nothing() -> None:
    """Neither the number of threads nor an unreached time limit changes the result."""
    for state in some_states(151):
        view = state.view(state.to_move)
        alone = search(view, SEED, rollouts=48)
        assert all(
            repr(search(view, SEED, rollouts=48, threads=threads)) == repr(alone) for threads in (2, 3)
        )
        assert repr(search(view, SEED, rollouts=48, seconds=1000)) == repr(alone)


class FakeTrial(Candidates):
    """A fake trial in which every rollout takes a second, and its clock."""

    def __init__(self, candidates: int) -> None:
        super().__init__(np.arange(candidates), np.zeros((candidates, 1), np.int64), SEED, threads=1)
        self.time, self.stages = 0.0, [0]

    def __call__(self) -> float:
        return self.time

    def drop_half(self) -> None:
        super().drop_half()
        self.stages.append(0)

    def _try(self, keys: Words, sums: Ints) -> None:
        self.time += len(keys) * len(self.left)
        self.stages[-1] += len(keys) * len(self.left)

    def _total_values(self) -> Ints:
        values: Ints = self._sums[:, 0]
        return values


@pytest.mark.parametrize("limits", [(1 << 60, 4000.0), (4000, inf), (4000, 9000.0), (9000, 4000.0)], ids=str)
def test_every_stage_gets_its_share(limits: tuple[int, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the five stages for 24 candidates gets an equal share of rollouts or time."""
    trial = FakeTrial(24)
    monkeypatch.setattr(sys.modules["sanssouci.kernel.search"], "perf_counter", trial)
    halve(trial, limits[0], 0.0, limits[1])
    assert len(trial.left) == 1 and len(trial.stages) == 6
    assert all(abs(spent - 800) < 50 for spent in trial.stages[:5]), trial.stages


def test_out_of_time_no_further_stage_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time, the search stops after one batch for each candidate."""
    trial = FakeTrial(24)
    monkeypatch.setattr(sys.modules["sanssouci.kernel.search"], "perf_counter", trial)
    halve(trial, 1 << 60, 0.0, 10.0)
    assert trial.stages == [24, 0]


def test_the_static_value_counts_as_some_games() -> None:
    """Steward's value counts as TRUST games, so that one or two rollouts rarely overturn it."""
    state = some_states(151)[1]
    flat = flatten_view(state.view(state.to_move))
    codes, _ = ranked_turns(flat, state.to_move, STEWARD)
    for favourite in range(3):
        static_values = np.zeros(3, np.int64)
        static_values[favourite] = 100 * 400  # more points than any game gives
        trial = Trial(flat, codes[:3], SEED, static_values)
        with ignore_overflow():
            trial.play(2)
        assert trial.left[0] == favourite and trial.estimates()[0].turn == decode(codes[favourite])


def test_static_values_are_exact_in_the_last_round() -> None:
    """R25-R27, R31, R36, R37: the value of a turn differs from its final score by a constant."""
    judged_turns = 0
    for state in some_states(1):
        seat = state.to_move
        if state.round != 18 or state.scores[seat].total < 30:  # with less, the floor at 0 comes into play
            continue
        garden, score = state.gardens[seat], state.scores[seat]
        rest = {
            100 * final_score(garden.after(turn), turn_score(garden, score, turn), state.missions[seat]).total
            - value
            for turn, value in values_of(state).items()
        }
        assert len(rest) == 1, state
        judged_turns += len(values_of(state))
    assert judged_turns > 500


def test_few_candidates() -> None:
    """The number of candidates is limited; a single candidate needs no rollouts."""
    view = some_states(151)[1].view(some_states(151)[1].to_move)
    assert len(search(view, SEED, 48, candidates=5)) == 5
    (only,) = search(view, SEED, 48, candidates=1)
    assert (only.turn, only.games) == (best_turn(view, STEWARD), 0)


def test_the_last_turn_is_exact() -> None:
    """R25-R28: only the others' missions are unknown, so the own score is certain."""
    for state in some_states(1):
        if state.turn != 18 * state.variant.seats - 1:
            continue
        view = state.view(state.to_move)
        for found in search(view, SEED, rollouts=100):
            after = state.play(found.turn, Chance(None, None))
            assert found.scores[view.to_move] == (after.scores[view.to_move].total, 0.0)


def test_without_time_there_is_still_an_answer() -> None:
    """Without time, the search plays a few games for each candidate and returns a legal turn."""
    for state in some_states(151):
        view = state.view(state.to_move)
        found = search(view, SEED, seconds=0.0)
        assert found[0].turn in view.options()
        games = {estimate.games for estimate in found}
        assert (len(games) == 1 and 1 <= games.pop() <= 24) or len(found) == 1


def test_invalid_searches_are_refused() -> None:
    """A seat that is not to move, a missing limit and zero candidates or threads are refused."""
    state = some_states(151)[0]
    view = state.view(state.to_move)
    for seat in (None, (state.to_move + 1) % state.variant.seats):
        with pytest.raises(ValueError, match="turn of this seat"):
            search(state.view(seat), SEED, rollouts=1)
    with pytest.raises(ValueError, match="rollouts or of seconds"):
        search(view, SEED)
    for limits in ({"candidates": 0}, {"threads": 0}):
        with pytest.raises(ValueError, match="a candidate and a thread"):
            search(view, SEED, 1, **limits)


@pytest.mark.skipif(not COMPILES, reason="takes hours if interpreted")
@pytest.mark.parametrize(
    "variant", [Variant(2), Variant(2, IMPERIAL, rewards=True, wild_boar=True), Variant(3)], ids=str
)
def test_planner_beats_greedy(variant: Variant) -> None:
    """With only 100 rollouts, planner wins more than three of four paired games."""
    names = ("planner", *("greedy",) * (variant.seats - 1))[:2]
    match = Match(variant, shipped_boards("reference"), names, parse_seed("9"), Budget(rollouts=100))
    won = played = 0
    for deal in range(1, 5):
        for place, seating in enumerate(match.seatings):
            if seating.count(0) != 1:
                continue
            outcome, _ = match.play((deal, place))
            ranks = list(zip(outcome.scores, outcome.gardeners, strict=True))
            won += ranks[seating.index(0)] == max(ranks)
            played += 1
    assert won > 0.75 * played
