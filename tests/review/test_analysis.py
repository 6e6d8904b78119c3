"""The analysis of a record: it adds up, finds mistakes, and uses no hidden information."""

from concurrent.futures import CancelledError
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

import pytest

from sanssouci.dealer import derive_seed
from sanssouci.kernel import STEWARD, best_turn
from sanssouci.kernel.greedy import GREEDY, LEVEL_2
from sanssouci.notation import RecordError, parse_turn
from sanssouci.review import (
    Analysis,
    Cause,
    Errors,
    Forecast,
    ReviewEffort,
    TurnReview,
    analyse,
    costliest,
    leads,
    luck_of,
    misses,
    review_turn,
    shares,
    skill_of,
    split_skill_and_luck,
    turning_points,
    turns_of,
)
from sanssouci.review.report_text import why
from sanssouci.review.turn_review import find_best_turn, try_in_pieces
from sanssouci.rules import Deal, Result, State, Turn, turn_score

from .played import FEW_ROLLOUTS, a_deal, analysed, golden, played, steward, without_noise

SEED = bytes(31) + b"\7"
GAMES: list[tuple[str, int | None]] = [
    ("ravensburger-base-2", None),
    ("ravensburger-rewards-3", None),
    ("imperial-rewards-boar-4", None),
    ("imperial-boar-2", 13),
    ("ravensburger-base-2", 0),
]
"""All numbers of seats, both expansions, stopped games, and one before its first turn."""


@pytest.mark.parametrize(("name", "turns"), GAMES)
def test_skill_and_luck_add_up(name: str, turns: int | None) -> None:
    """Start, skill, others and luck add up to the end, for every seat, in win shares and leads."""
    analysis = analysed(name, turns)
    for figure in (shares, leads):
        accounts = [split_skill_and_luck(analysis, seat, figure) for seat in range(analysis.seats)]
        for found in accounts:
            assert found.start + found.skill + found.others + found.luck == pytest.approx(found.end, abs=1e-9)
        assert sum(found.end for found in accounts) == pytest.approx(1 if figure is shares else 0, abs=1e-9)
        assert len({found.start for found in accounts}) == 1


@pytest.mark.parametrize(("name", "turns"), GAMES)
def test_every_step_is_skill_or_luck(name: str, turns: int | None) -> None:
    """Skill and luck explain each step between positions, and are zero-sum."""
    analysis = analysed(name, turns)
    assert len(analysis.forecasts) == len(analysis.turn_reviews) + 1 == len(analysis.states)
    for number, turn_review in enumerate(analysis.turn_reviews):
        assert turn_review.seat == number % analysis.seats
        for figure in (shares, leads):
            skill, luck = skill_of(analysis, number, figure), luck_of(analysis, number, figure)
            here, there = (figure(analysis.forecasts[at]) for at in (number, number + 1))
            for seat in range(analysis.seats):
                assert here[seat] + skill[seat] + luck[seat] == pytest.approx(there[seat], abs=1e-9)
            assert sum(skill) == pytest.approx(0, abs=1e-9) and sum(luck) == pytest.approx(0, abs=1e-9)


def test_skill_of_a_seat_counts_as_others_for_its_opponent() -> None:
    """With two seats, the skill of one is the negative of ``others`` of the other."""
    analysis = analysed("ravensburger-base-2")
    for figure in (shares, leads):
        one, two = (split_skill_and_luck(analysis, seat, figure) for seat in (0, 1))
        assert one.skill == pytest.approx(-two.others) and two.skill == pytest.approx(-one.others)
        assert one.skill == pytest.approx(
            sum(skill_of(analysis, n, figure)[0] for n in turns_of(analysis, 0))
        )
        assert one.error > 0 and one.skill != pytest.approx(two.skill)


def test_a_game_ends_with_its_result() -> None:
    """R28: the last forecast is the result; the last turn leaves nothing to luck."""
    analysis = analysed("imperial-rewards-boar-4")
    result = Result.of(analysis.states[-1])
    assert analysis.over and analysis.forecasts[-1].scores == tuple(s.total for s in result.scores)
    assert [seat for seat, share in enumerate(analysis.forecasts[-1].shares) if share] == [*result.winners]
    last = analysis.turn_reviews[-1]
    assert last.after.scores[last.seat] == result.scores[last.seat].total


def test_a_stopped_game_ends_as_it_stands() -> None:
    """The last position of a stopped game has a forecast like any other."""
    analysis = analysed("imperial-boar-2", 13)
    assert not analysis.over and len(analysis.turn_reviews) == 13
    assert sum(analysis.forecasts[-1].shares) == pytest.approx(1) and min(analysis.forecasts[-1].shares) > 0


def test_a_shared_victory_is_divided() -> None:
    """R28: two winners have a share of one half each and no lead."""
    state = analysed("ravensburger-base-2").states[-1]
    even = replace(state, gardens=(state.gardens[0],) * 2, scores=(state.scores[0],) * 2)
    assert Forecast.of_result(even).shares == (0.5, 0.5) and Forecast.of_result(even).leads == (0, 0)


def test_a_lead_is_over_the_mean_of_the_others() -> None:
    """The lead of a seat is over the mean of the others."""
    assert Forecast((0, 0, 1), (30, 60, 90)).leads == (-45, 0, 45)


def test_an_analysis_is_reproducible() -> None:
    """The result does not depend on the number of threads; another seed plays other rollouts."""
    record = golden("ravensburger-base-2", 8)
    calls: list[int] = []
    one = analyse(record, SEED, FEW_ROLLOUTS, threads=1, done=lambda: calls.append(1))
    assert one == analyse(record, SEED, FEW_ROLLOUTS, threads=3) and len(calls) == 9
    assert one.forecasts != analyse(record, bytes(32), FEW_ROLLOUTS, threads=3).forecasts


def test_a_planted_blunder_costs_most() -> None:
    """A planted worst turn of a steward is found as its costliest turn."""

    def blunder(state: State) -> Turn:
        if state.turn != 8:
            return steward(state)
        garden, score = state.gardens[0], state.scores[0]
        return min(state.options(), key=lambda turn: turn_score(garden, score, turn).total)

    analysis = analyse(played(a_deal(number=5), 14, blunder), rollouts=1200, threads=1)
    turn_review = analysis.turn_reviews[8]
    assert costliest(analysis, 0) == 8 and turn_review.missed
    assert turn_review.cost_points > 4 and turn_review.cost_share > 0.1
    assert turn_points(analysis, turn_review.best) > turn_points(analysis, turn_review.turn)
    assert (8, Cause.MISSED) in [(point.number, point.cause) for point in turning_points(analysis)]


def turn_points(analysis: Analysis, turn: Turn) -> int:
    """The score of seat 0 after a turn instead of the blunder."""
    state = analysis.states[8]
    return turn_score(state.gardens[0], state.scores[0], turn).total


def test_a_turn_that_the_search_finds_is_no_mistake() -> None:
    """Playing the turn that the search finds is never a mistake."""
    depth = ReviewEffort.of(FEW_ROLLOUTS)

    def searched(state: State) -> Turn:
        return find_best_turn(state.view(state.to_move), derive_seed(SEED, f"turn {state.turn}"), depth)

    analysis = analyse(played(a_deal(3), 12, searched), SEED, FEW_ROLLOUTS, threads=1)
    for turn_review in analysis.turn_reviews:
        assert turn_review.best == turn_review.turn and not turn_review.missed
        assert turn_review.possible == turn_review.after == turn_review.before
        assert turn_review.cost_errors == turn_review.skill_errors == Errors.none(3)
    assert [misses(analysis, seat) for seat in range(3)] == [[], [], []]
    assert [costliest(analysis, seat) for seat in range(3)] == [None, None, None]


def test_skill_is_the_cost_of_mistakes() -> None:
    """The best turn is the standard, so what a turn changes is what it costs, with the same error."""
    for turn_review in analysed("ravensburger-base-2").turn_reviews:
        assert turn_review.before == turn_review.possible
        assert turn_review.skill_errors == turn_review.cost_errors


def test_without_a_network_a_steward_has_zero_skill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stewards then play the simulated games and are the standard; everything else stays the same."""
    monkeypatch.setattr("sanssouci.network.usable_network", lambda seats: None)
    analysis = analyse(played(a_deal(), 8), SEED, 10 * FEW_ROLLOUTS, threads=1)
    assert any(turn_review.best != turn_review.turn for turn_review in analysis.turn_reviews)
    for number, turn_review in enumerate(analysis.turn_reviews):
        assert turn_review.before == turn_review.after and turn_review.skill_errors == Errors.none(2)
        assert skill_of(analysis, number, leads) == (0, 0)
    found = split_skill_and_luck(analysis, 0, shares)
    assert (found.skill, found.others) == (0, 0) and found.luck == pytest.approx(found.end - 0.5)


def lucks(seats: int) -> list[list[tuple[float, float]]]:
    """For each of some unequal policies, its luck in many games, in shares and in leads."""
    policies = (GREEDY, STEWARD, LEVEL_2)[:seats]
    found: list[list[tuple[float, float]]] = [[] for _ in policies]
    for number in range(1, 121):
        # Each policy plays each seat equally often.
        seating = [(seat + number) % seats for seat in range(seats)]

        def decide(state: State, seating: list[int] = seating) -> Turn:
            return best_turn(state.view(state.to_move), policies[seating[state.to_move]])

        record = played(a_deal(seats, number), 18 * seats, decide)
        analysis = analyse(record, derive_seed(SEED, f"game {number}"), 96)
        for seat, which in enumerate(seating):
            share, lead = (split_skill_and_luck(analysis, seat, figure).luck for figure in (shares, leads))
            found[which].append((share, lead))
    return found


THREE_SEATS = "forecasts begin with a better turn than the network goes on with: docs/analysis.md"


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.xfail(reason=THREE_SEATS))])
def test_luck_favours_nobody(seats: int) -> None:
    """Over many games between unequal players, luck has mean 0 for each of them, in shares and in leads."""
    for found in lucks(seats):
        for figures in zip(*found, strict=True):
            error = stdev(figures) / sqrt(len(figures))
            assert abs(fmean(figures)) < 3 * error, (fmean(figures), error)


def hidden_otherwise(deal: Deal, turns: int) -> Deal:
    """The same deal with different information hidden from seat 0 after some turns."""
    state = deal.start()
    record = played(deal, 2 * turns)
    shown = {parse_turn(text).card for text in record.turns[1::2]}
    unplayed = [place for place, card in enumerate(deal.decks[1]) if card not in shown]
    deck = list(deal.decks[1])
    for place, other in zip(unplayed, reversed(unplayed), strict=True):
        deck[place] = deal.decks[1][other]
    missions = [motif for motif in range(9) if motif not in (*deal.missions[0], *deal.missions[1])]
    known = 10 + 2 * turns
    tiles = deal.tiles[:known] + deal.tiles[: known - 1 : -1]
    assert state.variant.seats == 2
    return replace(
        deal,
        decks=(deal.decks[0], tuple(deck)),
        missions=(deal.missions[0], tuple(missions[:2])),
        tiles=tiles,
    )


def test_hidden_information_does_not_affect_reviews() -> None:
    """R11, R12, R24: other hidden cards, missions and tiles do not change the review of a turn."""
    deal = a_deal()
    record = played(deal, 12)
    other = replace(record, deal=hidden_otherwise(deal, 6))
    one, two = (analyse(game, SEED, 8 * FEW_ROLLOUTS, threads=1) for game in (record, other))
    assert one.states[12].hands[1] != two.states[12].hands[1]
    assert [one.turn_reviews[n] for n in turns_of(one, 0)] == [two.turn_reviews[n] for n in turns_of(two, 0)]
    better = [n for n in turns_of(one, 0) if one.turn_reviews[n].best != one.turn_reviews[n].turn]
    assert better and [why(one, n, "en") for n in better] == [why(two, n, "en") for n in better]
    assert one.forecasts != two.forecasts, "forecasts use open cards"
    assert [one.turn_reviews[n] for n in turns_of(one, 1)] != [two.turn_reviews[n] for n in turns_of(two, 1)]


def test_a_better_turn_has_to_be_clearly_better() -> None:
    """A turn is missed only if it is a point and three standard errors better, and wins as often."""
    turn, best = parse_turn("a@0-a2"), parse_turn("a@0-a2/a2")

    def missed(points: float, error: float, share: float, better: Turn = best) -> bool:
        even, possible = (
            Forecast((0.5, 0.5), (60, 60)),
            Forecast((0.5 + share, 0.5 - share), (60 + points, 60)),
        )
        uncertainty = Errors((0.0, 0.0), (error, 0.0))
        return TurnReview(0, turn, better, even, even, possible, Errors.none(2), uncertainty).missed

    assert missed(1.5, 0.4, 0.1) and missed(1.5, 0.4, 0.0)
    assert not missed(0.9, 0.1, 0.1), "too little"
    assert not missed(1.5, 0.6, 0.1), "it may be noise"
    assert not missed(1.5, 0.4, -0.01), "more points, but fewer wins"
    assert not missed(1.5, 0.4, 0.1, better=turn)


@pytest.mark.parametrize("missing", [False, True], ids=["network", "no network"])
def test_turns_are_compared_on_the_same_rollouts(missing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The forecasts with a turn do not depend on the other turns in the trial."""
    if missing:
        monkeypatch.setattr("sanssouci.network.usable_network", lambda seats: None)
    state = played_state(10)
    one, two = list(state.options())[:2]
    first, second, again = try_in_pieces(state, (one, two, one), SEED, 160, lambda: None)
    (alone,) = try_in_pieces(state, (two,), SEED, 160, lambda: None)
    assert first == again != second == alone
    assert len(first) == 16 and len({piece.scores for piece in first}) > 1


def test_pieces_are_short() -> None:
    """A deeper analysis has more pieces instead of longer ones, so that it stops quickly."""
    state = played_state(34)
    checks: list[int] = []
    (pieces,) = try_in_pieces(state, (steward(state),), SEED, 10_000, lambda: checks.append(1))
    assert len(pieces) == len(checks) == 20


def played_state(turns: int) -> State:
    """The position after some turns of stewards."""
    deal = a_deal()
    state = deal.start()
    while state.turn < turns:
        state = state.play(steward(state), deal.chance(state.turn))
    return state


def test_turning_points_are_few_and_large() -> None:
    """There are at most three turning points, in order, and none in a decided game."""
    analysis = without_noise(analysed("ravensburger-base-2"))
    points = turning_points(analysis)
    assert 0 < len(points) <= 3 and [p.number for p in points] == sorted(p.number for p in points)
    changes = [turn_review.cost_share for turn_review in analysis.turn_reviews if turn_review.missed]
    changes += [
        skill_of(analysis, number, shares)[turn_review.seat]
        for number, turn_review in enumerate(analysis.turn_reviews)
    ]
    changes += [change for number in range(36) for change in luck_of(analysis, number, shares)]
    assert max(abs(point.change) for point in points) == pytest.approx(max(map(abs, changes)))
    decided = Forecast((1.0, 0.0), (90.0, 60.0))
    turn_reviews = tuple(
        replace(j, before=decided, after=decided, possible=decided) for j in analysis.turn_reviews
    )
    still = replace(analysis, forecasts=(decided,) * 37, turn_reviews=turn_reviews)
    assert turning_points(still) == ()
    assert split_skill_and_luck(still, 0, shares).luck == 0.5, "the deal at the start"


def test_an_analysis_stops_at_once() -> None:
    """An exception in ``done`` ends the analysis, and no further work starts."""
    calls: list[int] = []

    def interrupt() -> None:
        calls.append(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse(golden("ravensburger-base-2"), rollouts=FEW_ROLLOUTS, threads=2, done=interrupt)
    assert calls == [1]
    state = played_state(4)
    with pytest.raises(CancelledError):
        review_turn(
            state.view(0), steward(state), SEED, ReviewEffort.of(FEW_ROLLOUTS), check_cancelled=cancelled
        )


def cancelled() -> None:
    raise CancelledError


def test_invalid_analyses_are_refused() -> None:
    """An illegal turn, zero rollouts and an invalid seed are refused."""
    record = golden("ravensburger-base-2", 3)
    with pytest.raises(RecordError):
        analyse(replace(record, turns=(record.turns[0], "a@0-a1")), rollouts=FEW_ROLLOUTS)
    with pytest.raises(ValueError, match="nothing is imagined"):
        analyse(record, rollouts=0)
    with pytest.raises(ValueError, match="32 bytes"):
        analyse(record, b"", FEW_ROLLOUTS)
