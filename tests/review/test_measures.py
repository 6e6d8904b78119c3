"""The figures of an analysis: baseline, standard errors, and their place in the report."""

import re
from dataclasses import replace
from math import sqrt

import pytest

from sanssouci.notation import write_turn
from sanssouci.review import (
    Analysis,
    Cause,
    Errors,
    Forecast,
    TurningPoint,
    analyse,
    leads,
    misses,
    names_of,
    shares,
    split_skill_and_luck,
    turning_line,
    turning_points,
    write_analysis,
)
from sanssouci.review.report_text import dealt_line

from .played import FEW_ROLLOUTS, analysed, golden, without_noise

EVEN = Forecast((0.5, 0.5), (60.0, 60.0))


def forecast(share: float) -> Forecast:
    """A forecast of a game of two with this share of the first seat."""
    return Forecast((share, 1 - share), (60.0, 60.0))


def uneventful(turns: int = 4) -> Analysis:
    """A game of two in which nothing changes, as a base for tests."""
    analysis = without_noise(analysed("ravensburger-base-2", turns))
    turn_reviews = tuple(
        replace(each, before=EVEN, after=EVEN, possible=EVEN) for each in analysis.turn_reviews
    )
    return replace(analysis, forecasts=(EVEN,) * (turns + 1), turn_reviews=turn_reviews)


def with_turn(analysis: Analysis, number: int, **changes: object) -> Analysis:
    """The analysis with a changed review of one turn."""
    turn_reviews = list(analysis.turn_reviews)
    turn_reviews[number] = replace(turn_reviews[number], **changes)  # type: ignore[arg-type]
    return replace(analysis, turn_reviews=tuple(turn_reviews))


def test_forecasts_do_not_depend_on_the_next_turn() -> None:
    """Games that differ in a turn have the same forecasts before it, but not after."""
    record = golden("ravensburger-base-2", 6)
    state = analysed("ravensburger-base-2", 6).states[5]
    others = [write_turn(turn) for turn in state.options() if write_turn(turn) != record.turns[5]]
    one = analyse(record, rollouts=FEW_ROLLOUTS, threads=1)
    for turn in (others[0], others[-1]):
        two = analyse(replace(record, turns=(*record.turns[:5], turn)), rollouts=FEW_ROLLOUTS, threads=1)
        assert one.forecasts[:6] == two.forecasts[:6] and one.errors[:6] == two.errors[:6]
        assert one.turn_reviews[5].before == two.turn_reviews[5].before
        assert one.forecasts[6] != two.forecasts[6]


def test_the_errors_of_an_account() -> None:
    """The error of skill comes from own turns; that of luck from all turns and the end."""
    analysis = uneventful()
    for number, error in enumerate((0.03, 0.04, 0.03, 0.04)):
        uncertainty = Errors((error, error), (10 * error, 10 * error))
        analysis = with_turn(analysis, number, skill_errors=uncertainty)
    stopped = replace(analysis, errors=(*analysis.errors[:-1], Errors((0.12, 0.12), (1.2, 1.2))))
    for figure, unit in ((shares, 1), (leads, 10)):
        one, two = (split_skill_and_luck(analysis, seat, figure) for seat in (0, 1))
        assert one.error == pytest.approx(unit * 0.03 * sqrt(2))
        assert two.error == pytest.approx(unit * 0.04 * sqrt(2))
        assert one.luck_error == two.luck_error == pytest.approx(unit * 0.05 * sqrt(2))
        late = split_skill_and_luck(stopped, 0, figure)
        assert (
            late.luck_error == pytest.approx(unit * sqrt(2 * 0.05**2 + 0.12**2)) and late.error == one.error
        )


def test_a_result_has_no_error() -> None:
    """A result has no standard error; forecasts have one for every seat."""
    analysis = analysed("ravensburger-rewards-3")
    assert analysis.errors[-1] == Errors.none(3) and len(analysis.errors) == len(analysis.forecasts)
    assert all(len(errors.shares) == len(errors.leads) == 3 for errors in analysis.errors)
    assert max(analysis.errors[0].leads) > 0
    assert any(turn_review.skill_errors.leads[1] > 0 for turn_review in analysis.turn_reviews[::3])


def test_errors_are_those_of_a_mean() -> None:
    """The standard error is the standard deviation over the square root of the number."""
    errors = Errors.of(
        [Forecast((0.2, 0.8), (50, 60)), Forecast((0.5, 0.5), (60, 60)), Forecast((0.8, 0.2), (70, 60))]
    )
    assert errors.shares == pytest.approx((0.3 / sqrt(3),) * 2)
    assert errors.leads == pytest.approx((10 / sqrt(3),) * 2)


def test_a_blunder_is_a_turning_point_by_what_it_lost() -> None:
    """A blunder is a turning point by its loss, even if it also missed a better turn."""
    blundered = with_turn(uneventful(), 2, after=forecast(0.2), possible=Forecast((0.3, 0.7), (70.0, 60.0)))
    best = replace(blundered.turn_reviews[2].turn, noble=None, square=0)
    blundered = with_turn(blundered, 2, best=best)
    assert blundered.turn_reviews[2].missed
    (point,) = (point for point in turning_points(blundered) if point.cause is not Cause.LUCK)
    assert (point.number, point.cause, point.seat) == (2, Cause.SKILL, 0)
    assert point.change == pytest.approx(-0.3)
    line = turning_line(blundered, point, "en")
    assert line.endswith("a weak turn, -30%") and "skill" not in line
    assert "ein schwacher Zug, -30\u00a0%" in turning_line(blundered, point, "de")


@pytest.mark.parametrize("cause", list(Cause))
def test_a_turning_point_is_more_than_noise(cause: Cause) -> None:
    """A turning point exceeds 2.5 standard errors, whatever its cause."""

    def found(error: float) -> list[Cause]:
        uncertainty = Errors((error, error), (0.0, 0.0))
        analysis = uneventful()
        if cause is Cause.LUCK:
            analysis = replace(analysis, forecasts=(*analysis.forecasts[:2], *[forecast(0.7)] * 3))
            analysis = replace(analysis, errors=(analysis.errors[0], uncertainty, *analysis.errors[2:]))
        elif cause is Cause.SKILL:
            lucky = (*analysis.forecasts[:2], *[forecast(0.3)] * 3)
            analysis = replace(
                with_turn(analysis, 1, after=forecast(0.3), skill_errors=uncertainty), forecasts=lucky
            )
        else:
            best = replace(analysis.turn_reviews[1].turn, square=0)
            possible = Forecast((0.3, 0.7), (60.0, 70.0))
            analysis = with_turn(analysis, 1, best=best, possible=possible, cost_errors=uncertainty)
        return [point.cause for point in turning_points(analysis) if point.number == 1]

    assert found(0.079) == [cause] and found(0.081) == []


def test_luck_names_the_seat_and_the_deal() -> None:
    """A line about luck names the seat that gained, the refilled space and the drawn card."""
    analysis = uneventful()
    turn_review = analysis.turn_reviews[0]
    other_space = replace(turn_review.turn, space=(turn_review.turn.space + 3) % 10)
    analysis = with_turn(analysis, 0, best=other_space)
    mover, other = names_of(analysis)
    line = turning_line(analysis, TurningPoint(0, Cause.LUCK, 1, 0.2, 0.0), "en")
    turn = write_turn(turn_review.turn)
    assert line.startswith(f"Round 1, after {mover} played {turn}: luck, +20% for {other} (new tile ")
    assert f"on space {turn_review.turn.space}, {mover} drew card " in line


def test_nothing_is_dealt_after_the_last_turn() -> None:
    """Luck after the last turn mentions no tile or card."""
    analysis = analysed("ravensburger-base-2")
    last = len(analysis.turn_reviews) - 1
    point = TurningPoint(last, Cause.LUCK, 0, 0.2, 0.0)
    assert dealt_line(analysis, last, "en") == ""
    assert turning_line(analysis, point, "en").endswith(f"luck, +20% for {names_of(analysis)[0]}")


def test_seats_of_one_name_are_numbered() -> None:
    """Only seats with equal names are numbered."""
    analysis = analysed("ravensburger-rewards-3")
    seats = tuple({"name": name} for name in ("Ada", "Ben", "Ada"))
    assert names_of(replace(analysis, record=replace(analysis.record, seats=seats))) == [
        "Ada (1)",
        "Ben",
        "Ada (3)",
    ]


def lines(page: str) -> list[list[tuple[float, float]]]:
    """The points of each seat's line in the graph."""
    found = re.findall(r'<polyline class="line s\d" [^>]*points="([^"]*)"', page)
    return [[(float(x), float(y)) for x, y in (point.split(",") for point in line.split())] for line in found]


def test_the_rounds_of_a_graph_stand_below_their_first_turns() -> None:
    """Round numbers are below the first turn of the round."""
    page = write_analysis(analysed("ravensburger-rewards-3"), "en")
    labels = {
        int(number): float(x)
        for x, number in re.findall(r'<text x="([\d.]+)" y="292" text-anchor="middle">(\d+)<', page)
    }
    assert list(labels) == [1, 5, 10, 15]
    for number, x in labels.items():
        assert lines(page)[0][3 * (number - 1)][0] == x
    assert '<text x="0" y="292">round</text>' in page, "the axis is labelled"


def test_missed_turns_are_ringed() -> None:
    """Rings mark missed turns on the line and in the colour of the seat."""
    analysis = analysed("ravensburger-rewards-3")
    page = write_analysis(analysis, "en")
    drawn = {
        (int(seat), float(x), float(y))
        for seat, x, y in re.findall(r'<circle class="miss s(\d)" cx="([\d.]+)" cy="([\d.]+)"', page)
    }
    wanted = {(seat, *lines(page)[seat][number]) for seat in range(3) for number in misses(analysis, seat)}
    assert drawn == wanted and drawn


def test_a_headline_has_the_names_of_the_game() -> None:
    """The headline has the names of the edition and expansions, translated."""
    analysis = analysed("imperial-rewards-boar-4")
    assert "Sanssouci (Imperial), rewards, wild boar · " in write_analysis(analysis, "en")
    assert "Sanssouci (Imperial), Belohnungen, Wildschwein · " in write_analysis(analysis, "de")
