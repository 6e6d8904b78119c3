"""Confidence intervals, Elo ratings and the sequential test, compared with values computed by SciPy."""

from collections import Counter
from fractions import Fraction

import pytest

from sanssouci.arena import (
    DealMean,
    Decision,
    Outcome,
    Sprt,
    Standings,
    deal_score,
    expected_score,
    likelihood_ratio,
    ratings,
    t_quantile,
    wilson,
)

from ..helpers import stream


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (4, 2.7764451051977934),
        (10, 2.228138851986274),
        (29, 2.045229642132703),
        (200, 1.9718962236339088),
        (201, 1.971836506779859),
        (1000, 1.9623390808264083),
        (100000, 1.9599877075346095),
    ],
)
def test_quantiles_of_students_t(freedom: int, quantile: float) -> None:
    """Quantiles of Student's t distribution equal ``scipy.stats.t.ppf(0.975, n)``."""
    assert t_quantile(freedom) == pytest.approx(quantile, abs=1e-9)


def test_wilsons_interval() -> None:
    """Wilson intervals equal ``scipy.stats.binomtest(k, n).proportion_ci(method="wilson")``."""
    assert wilson(0.9, 10) == pytest.approx((0.5958499732047615, 0.9821237869049271))
    assert wilson(0.5, 100) == pytest.approx((0.4038315303659956, 0.5961684696340044))
    assert wilson(1.0, 31) == pytest.approx((0.889744604539564, 1.0))
    assert wilson(0.0, 31) == pytest.approx((0.0, 1 - 0.889744604539564))


def test_a_mean_over_deals_is_a_ratio_with_the_variance_of_the_deals() -> None:
    """The variance of a mean comes from whole deals, because games of a deal are not independent."""
    mean = DealMean()
    for count, total in ((2, 130), (2, 141), (2, 128), (1, 70)):
        mean.add(count, total)
    assert mean.mean == 67 and float(mean.variance) == pytest.approx(2.9931972789115644)
    estimate = mean.by_t()
    assert estimate.low == pytest.approx(61.49409446680659)
    assert estimate.high == pytest.approx(72.50590553319341)


def test_wilson_interval_uses_effective_trials() -> None:
    """The Wilson interval of a share uses the effective number of trials, here 10.5 for eight deals."""
    share = DealMean(scale=2)
    for halves in (1, 2, 2, 1, 0, 2, 2, 2):
        share.add(1, halves)
    estimate = share.by_wilson()
    assert estimate.value == 0.75 and float(share.variance) == pytest.approx(1 / 56)
    assert (estimate.low, estimate.high) == pytest.approx((0.44913968910762214, 0.9169318567259489))


def test_repeated_games_do_not_narrow_the_interval() -> None:
    """Counting every game of a deal ten times leaves the interval unchanged."""
    one, ten = DealMean(), DealMean()
    for total in (60, 70, 65, 81):
        one.add(1, total)
        ten.add(10, 10 * total)
    assert one.by_t() == ten.by_t()
    naive = DealMean()
    for total in (60, 70, 65, 81) * 10:
        naive.add(1, total)
    low, high = naive.by_t().low, one.by_t().low
    assert low is not None and high is not None and low > high, (
        "counting games as deals would narrow the interval"
    )


def test_intervals_where_nothing_varies() -> None:
    """If every deal is won, each counts as one trial; a single deal gives a mean without an interval."""
    won = DealMean(scale=12)
    for _ in range(31):
        won.add(2, 24)
    assert won.by_wilson().value == 1 and won.by_wilson().low == pytest.approx(0.889744604539564)
    alone = DealMean()
    alone.add(2, 130)
    assert alone.by_t().low is None and alone.by_t().to_json("score")["score_high"] is None


def test_elo_of_three_players() -> None:
    """Elo ratings maximise the likelihood with one virtual draw per pair, as ``scipy.optimize`` finds it."""
    points = [[0.0, 12.5, 20.0], [7.5, 0.0, 11.0], [1.0, 9.0, 0.0]]
    assert ratings(points) == pytest.approx((148.31903874, -19.34759735, -128.97144139), abs=1e-5)


def test_elo_is_finite_and_centred() -> None:
    """Elo ratings are finite after a hundred wins, equal without any games, and sum to zero."""
    best, worst = ratings([[0, 100], [0, 0]])
    assert best == -worst and expected_score(best - worst) == pytest.approx(100.5 / 101)
    assert ratings([[0, 0], [0, 0]]) == (0, 0)
    chain = ratings([[0, 1e6, 0, 0], [0, 0, 1e6, 0], [0, 0, 0, 1e6], [0, 0, 0, 0]])
    assert sum(chain) == pytest.approx(0, abs=1e-6) and list(chain) == sorted(chain, reverse=True)


def test_the_likelihood_ratio_of_wins_and_losses() -> None:
    """With wins and losses only, the ratio is log(p1 / p0) per win and log((1 - p1) / (1 - p0)) per loss."""
    from math import log

    seen = Counter({Fraction(1): 30, Fraction(0): 12})
    plain = 30.001 * log(0.7 / 0.5) + 12.001 * log(0.3 / 0.5)
    assert likelihood_ratio(seen, 0.5, 0.7) == pytest.approx(plain, rel=1e-9)


def test_the_likelihood_ratio_of_five_scores() -> None:
    """The ratio compares the likeliest distributions with the two means, as ``scipy.optimize`` does."""
    seen = Counter({Fraction(n, 4): count for n, count in enumerate((3, 10, 20, 18, 9))})
    ratio = likelihood_ratio(seen, expected_score(-5), expected_score(20))
    assert ratio == pytest.approx(1.9890518932197523, abs=1e-6)


@pytest.mark.parametrize(("chance", "expected"), [(50, Decision.H0), (60, Decision.H1)])
def test_the_sequential_test_errs_rarely(chance: int, expected: Decision) -> None:
    """At most ten of a hundred sequential tests decide wrongly when the true score is 0.5 or 0.6."""
    right = 0
    for number in range(100):
        sprt, chances = Sprt(0, 70.4365), stream(number)
        while sprt.add(Fraction(chances.below(100) < chance)) is Decision.UNDECIDED:
            pass
        right += sprt.decision is expected
    assert right >= 90


def outcome(deal: int, place: int, seating: tuple[int, ...], scores: tuple[int, ...]) -> Outcome:
    seats = len(seating)
    return Outcome((deal, place), seating, scores, (3,) * seats, (18,) * seats, (0.9,) * seats)


def test_standings_count_wins_scores_and_margins() -> None:
    """R28: winners share a victory; the margin is the lead over the best other player."""
    standings = Standings(["a", "b"])
    standings.add([outcome(1, 0, (0, 1), (50, 40)), outcome(1, 1, (1, 0), (45, 45))])
    standings.add([outcome(2, 0, (0, 1), (30, 40)), outcome(2, 1, (1, 0), (20, 60))])
    a, b = standings.figures()
    assert (standings.games, standings.deals, a.games) == (4, 2, 4)
    assert (a.win_share.value, b.win_share.value) == (0.625, 0.375)
    assert (a.score.value, a.margin.value, b.margin.value) == (46.25, 10, -10)
    assert a.seconds_per_turn == pytest.approx(0.05)
    assert a.elo == -b.elo > 0


def test_two_players_at_four_seats() -> None:
    """The win shares of two players sum to one, however many seats each has."""
    standings = Standings(["a", "b"])
    standings.add([outcome(1, 0, (0, 0, 0, 1), (10, 50, 50, 50)), outcome(1, 1, (1, 1, 0, 1), (9, 8, 7, 6))])
    a, b = standings.figures()
    assert a.win_share.value + b.win_share.value == pytest.approx(1)
    assert a.win_share.value == pytest.approx(1 / 3)
    assert a.margin.value == pytest.approx((-40 + 0 + 0 - 2) / 4)


def test_the_score_of_a_deal_is_the_first_players() -> None:
    """The score of a deal counts pairs of seats of different players; gardeners break ties."""
    games = [outcome(1, 0, (0, 1), (50, 40)), outcome(1, 1, (1, 0), (45, 45))]
    assert deal_score(games) == Fraction(3, 4)
    tied = Outcome((1, 0), (1, 0), (45, 45), (2, 5), (18, 18), (0.0, 0.0))
    assert deal_score([tied]) == 1
