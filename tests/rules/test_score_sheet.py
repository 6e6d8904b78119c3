"""Scoring a physical game: possible positions are scored as by the rules, impossible ones are refused."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sanssouci.notation import read_record, replay, verify, write_refusal, write_result
from sanssouci.players import RandomPlayer
from sanssouci.rules import (
    IMPERIAL,
    Deal,
    Garden,
    RefusalCode,
    Refused,
    Result,
    Score,
    SeatEntry,
    SheetResult,
    State,
    Turn,
    Variant,
    score_sheets,
    turn_score,
)

from ..helpers import VARIANTS, a_reward_side, garden, odd_deal, squares, stream

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*-[234].json"))
BASE, BOAR = Variant(), Variant(2, IMPERIAL, wild_boar=True)
REWARDED = Variant(rewards=True)
OPENING = """
    #########
    ##.......
    .##......
    .#.......
    .........
    ........#
"""


def random_game(deal: Deal, number: int) -> Iterator[tuple[Turn, State]]:
    """A game between random players, in the form of ``replay``."""
    player, state = RandomPlayer(stream(number)), deal.start()
    while not state.over:
        turn = player.decide(state.view(state.to_move))
        state = state.play(turn, deal.chance(state.turn))
        yield turn, state


def tables(start: State, game: Iterable[tuple[Turn, State]]) -> Iterator[tuple[State, tuple[SeatEntry, ...]]]:
    """Every state of a game with the entries of its score sheet; the tracks are updated turn by turn."""
    tracks, before = [Score()] * start.variant.seats, start
    for turn, after in game:
        seat = before.to_move
        tracks[seat] = turn_score(before.gardens[seat], tracks[seat], turn)
        before = after
        entries = zip(after.gardens, tracks, after.missions, strict=True)
        yield after, tuple(SeatEntry(g, t.total, m, t.rewards, t.boar) for g, t, m in entries)


def as_result(verdict: SheetResult) -> Result:
    """The verdict as a game result."""
    for seat in verdict.seats:
        assert None not in (seat.nobles, seat.rewards, seat.boar), "all parts are known"
    scores = tuple(
        replace(
            seat.end,
            nobles=seat.nobles or 0,
            rewards=seat.rewards or 0,
            boar=(seat.boar or 0) + seat.end.boar,
        )
        for seat in verdict.seats
    )
    return Result(scores, tuple(seat.gardeners for seat in verdict.seats), verdict.winners)


def entered(own: Garden, variant: Variant = BASE, track: int = 0, **parts: object) -> SheetResult:
    """Score two seats: this garden, and one with the same squares in which nothing has moved."""
    other = Garden(own.printed, own.built, boar=squares("e4") if variant.wild_boar else 0)
    return score_sheets(variant, (SeatEntry(own, track, **parts), SeatEntry(other)))  # type: ignore[arg-type]


def codes(verdict: SheetResult) -> list[RefusalCode]:
    """The refusals of the first seat."""
    return [refusal.code for refusal in verdict.seats[0].refusals]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_games_are_scored_as_by_verify(path: Path) -> None:
    """Parts, gardeners and winners follow from gardens, missions and the score track alone."""
    record = read_record(path)
    state, entries = list(tables(record.deal.start(), replay(record)))[-1]
    verdict = score_sheets(record.deal.variant, entries)
    assert verdict.finished and not any(seat.refusals for seat in verdict.seats)
    assert write_result(as_result(verdict)) == record.result
    assert as_result(verdict) == Result.of(verify(record)) == Result.of(state)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_no_legal_position_is_refused(variant: Variant, number: int) -> None:
    """Every position of random games on odd boards is accepted, and the final result is right."""
    deal = odd_deal(variant, stream(100 + number))
    for state, entries in tables(deal.start(), random_game(deal, number)):
        verdict = score_sheets(deal.variant, entries)
        assert [seat.refusals for seat in verdict.seats] == [()] * variant.seats, state.turn
        unknown = tuple(replace(entry, rewards=None, boar=None) for entry in entries)
        assert not any(seat.refusals for seat in score_sheets(deal.variant, unknown).seats), state.turn
        hidden = tuple(replace(entry, garden=replace(entry.garden, marks=0)) for entry in unknown)
        assert not any(seat.refusals for seat in score_sheets(deal.variant, hidden).seats), state.turn
        if state.over:
            assert verdict.finished and as_result(verdict) == Result.of(state)
            assert [s.total for s in score_sheets(deal.variant, hidden).seats] == [
                s.total for s in state.scores
            ]


def test_unknown_missions_count_nothing() -> None:
    """Unknown missions score nothing, and the table is not finished without them."""
    own = garden(OPENING.replace("##.......", "N#......."))
    parts = entered(own, track=2, missions=(0, 1)).seats[0]
    assert (parts.end.missions, parts.total) == (2, 4)
    assert entered(own, track=2).seats[0].total == 2 and not entered(own, track=2).finished


def test_parts_of_the_track_are_inferred() -> None:
    """Nobles, rewards and boar are derived from the track where the position determines them."""
    assert entered(garden(OPENING), track=0).seats[0].nobles == 0
    marked = replace(garden(OPENING), built=garden(OPENING).built | squares("e3 d4"), marks=a_reward_side())
    seat = entered(marked, REWARDED, 3).seats[0]
    assert (seat.rewards, seat.nobles) == (3, 0)  # +1 and +2
    unmarked = entered(replace(marked, marks=0), REWARDED, 3).seats[0]
    assert (unmarked.rewards, unmarked.nobles, unmarked.total) == (None, None, 3)
    assert entered(replace(garden(OPENING), boar=squares("e4")), BOAR).seats[0].boar == 0


def test_gardeners_break_ties() -> None:
    """R28: gardeners break a tie, otherwise the victory is shared; tied seats are listed."""
    one = replace(garden(OPENING), built=garden(OPENING).built | squares("d2"))
    other = replace(one, gardeners=squares("d2"))
    decided = score_sheets(BASE, (SeatEntry(one), SeatEntry(other)))
    assert decided.tied == (0, 1) and decided.winners == (1,)
    shared = score_sheets(BASE, (SeatEntry(one), SeatEntry(one)))
    assert shared.tied == shared.winners == (0, 1)


def test_nobody_wins_while_something_is_refused() -> None:
    """There is no winner while a seat is refused, but the points are counted."""
    verdict = entered(garden(OPENING), track=7)
    assert codes(verdict) == [RefusalCode.TRACK_TOO_HIGH] and verdict.winners == ()
    assert verdict.seats[0].total == 7


def changed(**changes: str) -> Garden:
    """The opening garden with some changes."""
    own = garden(OPENING)
    built = own.built | squares(changes.get("built", "")) & ~squares(changes.get("free", ""))
    found = {name: squares(changes[name]) for name in ("gardeners", "nobles", "boar") if name in changes}
    return replace(own, built=built & ~squares(changes.get("free", "")), **found)


@pytest.mark.parametrize(
    ("own", "variant", "code", "rule"),
    [
        (changed(free="c1", built="i5"), BASE, RefusalCode.ROW_1_NOT_BUILT, "R2"),
        (changed(built="i5", gardeners="c1"), BASE, RefusalCode.GARDENER_IN_ROW_1, "R2"),
        (changed(built="i5", gardeners="i4"), BASE, RefusalCode.GARDENER_NOT_BUILT, "R19"),
        (changed(free="i6"), BASE, RefusalCode.TOO_FEW_BUILT, "R2"),
        (changed(built="i5", gardeners="i5 b4"), BASE, RefusalCode.TOO_MANY_GARDENERS, "R19"),
        (changed(built="i5 a3", nobles="a2 a3"), BASE, RefusalCode.TWO_NOBLES_IN_COLUMN, "R6"),
        (changed(built="i5", nobles="i5"), BASE, RefusalCode.NOBLE_NOT_CONNECTED, "R20"),
        (changed(built="i5", nobles="f5"), BASE, RefusalCode.NOBLE_ON_FREE_SQUARE, "R20"),
        (changed(built="c2", gardeners="c2", nobles="c2"), BASE, RefusalCode.NOBLE_ON_GARDENER, "R20"),
        (changed(built="i5", nobles="a1 b1"), BASE, RefusalCode.TOO_MANY_NOBLES_MOVED, "R14"),
        (changed(boar="e4"), BASE, RefusalCode.NO_BOAR, "R34"),
        (changed(boar="b4"), BOAR, RefusalCode.BOAR_ON_BUILT_SQUARE, "R35"),
        (changed(boar="e5"), BOAR, RefusalCode.BOAR_STILL_AT_START, "R35"),
        (changed(), BOAR, RefusalCode.BOAR_STILL_AT_START, "R35"),
        (changed(built="e4", boar="e6"), BOAR, RefusalCode.BOAR_CANNOT_BE_THERE, "R35"),
        (changed(built="e4"), BOAR, RefusalCode.BOAR_CANNOT_HAVE_LEFT, "R36"),
        (replace(changed(), marks=a_reward_side()), BASE, RefusalCode.WRONG_REWARD_BOARDS, "R29"),
        (replace(changed(), marks=1), REWARDED, RefusalCode.WRONG_REWARD_SIDE, "R29"),
    ],
    ids=lambda value: value.text if isinstance(value, RefusalCode) else "",
)
def test_an_impossible_garden_is_refused_by_its_rule(
    own: Garden, variant: Variant, code: RefusalCode, rule: str
) -> None:
    """An impossible garden gives exactly one refusal, with its rule."""
    verdict = entered(own, variant)
    assert codes(verdict) == [code]
    assert write_refusal(verdict.seats[0].refusals[0]).startswith(f"{rule}: ")


def test_a_garden_has_at_most_33_built_squares() -> None:
    """R1: 18 turns build at most 33 squares; a reward board can only hide some."""
    full = garden("#########" * 3 + "#######.." + "." * 18)
    assert codes(entered(full)) == [RefusalCode.TOO_MANY_BUILT]
    assert codes(entered(replace(full, built=full.built & ~squares("g4")))) == []


@pytest.mark.parametrize(
    ("own", "track", "code"),
    [
        (changed(built="a3", nobles="a3"), 2, RefusalCode.TRACK_TOO_LOW),
        (changed(built="a3", nobles="a3"), 4, RefusalCode.TRACK_TOO_HIGH),
        (changed(built="a3 i5", nobles="a3"), 6, RefusalCode.TRACK_TOO_HIGH),
        (changed(built="a3 i5 i4", nobles="a3"), 7, RefusalCode.TRACK_TOO_HIGH),
    ],
)
def test_a_score_track_must_fit_the_garden(own: Garden, track: int, code: RefusalCode) -> None:
    """R21: each noble scored at least its row and at most every row above, one move per turn."""
    assert codes(entered(own, track=track)) == [code]
    nearer = track + 1 if code is RefusalCode.TRACK_TOO_LOW else track - 1
    assert codes(entered(own, track=nearer)) == []


def test_the_parts_of_a_track_must_fit_too() -> None:
    """R30, R35, R21: points for rewards, boar and nobles must fit the position."""
    marked = replace(changed(built="e3 d4 c2", nobles="c2"), marks=a_reward_side())
    assert codes(entered(marked, REWARDED, 5, rewards=3)) == []
    assert codes(entered(marked, REWARDED, 5, rewards=4)) == [RefusalCode.WRONG_REWARD_POINTS]
    assert codes(entered(marked, REWARDED, 6)) == [], "c1, c2 and the marks"
    assert codes(entered(marked, REWARDED, 7)) == [RefusalCode.TRACK_TOO_HIGH]
    driven = changed(built="e4 c2", nobles="c2", boar="e5")
    assert codes(entered(driven, BOAR, 3, boar=1)) == []
    assert codes(entered(driven, BOAR, 3, boar=2)) == [RefusalCode.WRONG_BOAR_POINTS]
    driven = replace(driven, built=driven.built | squares("f4"))
    assert codes(entered(driven, BOAR, 3, boar=2)) == [RefusalCode.WRONG_NOBLE_POINTS]


def test_a_mission_belongs_to_one_seat() -> None:
    """R5: the second seat with the same mission is refused."""
    own = SeatEntry(garden(OPENING), 0, (0, 1))
    verdict = score_sheets(BASE, (own, replace(own, missions=(1, 2))))
    assert [len(seat.refusals) for seat in verdict.seats] == [0, 1]
    assert verdict.seats[1].refusals[0].code is RefusalCode.WRONG_MISSIONS


def test_a_boar_that_was_surrounded_has_left() -> None:
    """R36: a surrounded boar has left, which scores three extra points."""
    around = changed(built="e4 e3 d4 f4 e5")
    seat = entered(around, BOAR, 4, boar=4).seats[0]
    assert not seat.refusals and seat.end.boar == 0
    assert codes(entered(around, BOAR, 3)) == [RefusalCode.TRACK_TOO_LOW]


def test_an_invalid_variant_is_refused() -> None:
    """R1, R34: two to four seats, and the boar only in its edition."""
    own = SeatEntry(garden(OPENING))
    with pytest.raises(Refused, match="R1:"):
        score_sheets(Variant(5), (own,) * 5)
    with pytest.raises(Refused, match="R34:"):
        score_sheets(Variant(2, wild_boar=True), (own, own))
