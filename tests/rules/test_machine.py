"""Random legal games of every variant on odd boards, and invariants of all games."""

from collections import Counter
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from sanssouci.dealer import BulkStream
from sanssouci.notation import parse_turn, write_refusal, write_turn
from sanssouci.rules import (
    EMPTY,
    REWARD_AREA,
    Garden,
    Options,
    Refused,
    Score,
    State,
    Turn,
    Variant,
    column_of,
    members,
    motif_on,
    tiles_on,
)

from .. import oracle
from ..helpers import VARIANTS, odd_deal


def mirrored_square(square: int) -> int:
    """The square mirrored at the middle column."""
    return square - column_of(square) + 8 - column_of(square)


def mirrored_squares(squares: int) -> int:
    return sum(1 << mirrored_square(square) for square in members(squares))


def mirrored_card(card: int) -> int:
    """The card of the mirrored column, for a motif card."""
    return 8 - card if card < 9 else card


def mirrored_options(options: Options) -> Options:
    """The mirrored position; reward marks do not affect legality."""
    own = options.garden
    garden = Garden(
        *(mirrored_squares(s) for s in (own.printed, own.built, own.gardeners, own.nobles, own.boar))
    )
    display = 0
    for space in range(10):
        motif = motif_on(options.display, space)
        display |= (motif if motif == EMPTY else 8 - motif) << 4 * space
    hand = sum(1 << mirrored_card(card) for card in members(options.hand))
    return replace(options, hand=hand, display=display, garden=garden)


def mirrored_turn(turn: Turn) -> Turn:
    boar = turn.boar if turn.boar is None or turn.boar < 0 else mirrored_square(turn.boar)
    noble = None if turn.noble is None else mirrored_square(turn.noble)
    return Turn(
        mirrored_card(turn.card), turn.space, mirrored_square(turn.square), turn.gardener, boar, noble
    )


class GameMachine(RuleBasedStateMachine):
    """A random game with invariants that are checked after every step."""

    state: State

    @initialize(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**64 - 1))
    def deal_it(self, variant: Variant, seed: int) -> None:
        """Start with a deal on odd boards."""
        self.chance = BulkStream(seed)
        self.deal = odd_deal(variant, self.chance)
        self.state = self.deal.start()
        self.laid: Counter[int] = Counter()
        self.gains = [0] * variant.seats
        self.moves = [[0] * 9 for _ in range(variant.seats)]
        self.first_built = [garden.built for garden in self.state.gardens]

    @precondition(lambda self: not self.state.over)
    @rule(times=st.integers(1, 8), choice=st.integers(0, 2**32 - 1))
    def play(self, times: int, choice: int) -> None:
        """Play some turns; the invariants are checked after the last of them."""
        for _ in range(times):
            if not self.state.over:
                turns = list(self.state.options())
                self.play_one(turns[choice % len(turns)])
                choice = self.chance.below(2**32)

    @precondition(lambda self: self.state.over)
    @rule()
    def look_at_the_end(self) -> None:
        """R1: nothing more can be played."""
        assert not self.state.options()

    def play_one(self, turn: Turn) -> None:
        """Play a turn and update the counts."""
        before, seat = self.state, self.state.to_move
        self.laid[motif_on(before.display, turn.space)] += 1
        self.state = before.play(turn, self.deal.chance(before.turn))
        self.check_scores(before, turn)
        for place in range(before.variant.seats):
            gain = self.state.scores[place].total - before.scores[place].total
            assert place == seat or self.state.over or gain == 0
            self.gains[place] += gain
            rows = zip(before.gardens[place].noble_rows, self.state.gardens[place].noble_rows, strict=True)
            for column, (was, is_now) in enumerate(rows):
                assert is_now >= was, "R20: nobles only descend"
                self.moves[place][column] += is_now > was

    def check_scores(self, before: State, turn: Turn) -> None:
        """R21, R25-R27, R30-R32, R35-R38: each part of the scores equals the oracle's."""
        expected = [dict(score.parts()) for score in before.scores]
        expected[before.to_move] = oracle.score_after(before, turn)
        if self.state.over:
            expected = list(map(oracle.end_score, self.state.gardens, expected, self.state.missions))
        assert [score.parts() for score in self.state.scores] == expected

    @invariant()
    def tiles_are_conserved(self) -> None:
        """R3: 45, 63 or 81 tiles, 5, 7 or 9 of each motif, in display, pouch and gardens."""
        shown = Counter(motif for motif in tiles_on(self.state.display) if motif is not None)
        for motif in range(9):
            assert (
                shown[motif] + self.state.pouch[motif] + self.laid[motif]
                == self.state.variant.tiles_per_motif
            )

    @invariant()
    def cards_are_conserved(self) -> None:
        """R4: hand and pile are disjoint and shrink by one card per turn."""
        for seat, (hand, pile) in enumerate(zip(self.state.hands, self.state.piles, strict=True)):
            assert hand & pile == 0 and (hand | pile) & ~self.state.variant.deck == 0
            turns = (self.state.turn + self.state.variant.seats - 1 - seat) // self.state.variant.seats
            assert (hand | pile).bit_count() == 18 - turns

    @invariant()
    def gardens_grow_by_one_a_turn(self) -> None:
        """R2: after t turns of a seat 15 + t squares are built, less the prints under a reward board."""
        for seat, garden in enumerate(self.state.gardens):
            turns = (self.state.turn + self.state.variant.seats - 1 - seat) // self.state.variant.seats
            hidden = self.deal.printed[seat] & REWARD_AREA if self.state.variant.rewards else 0
            assert garden.built.bit_count() == 15 - hidden.bit_count() + turns
            assert garden.built & self.first_built[seat] == self.first_built[seat]
            assert garden.gardeners & ~garden.built == 0 and garden.nobles & garden.gardeners == 0
            assert garden.nobles & ~garden.connected == 0, "every noble is on a connected square"
            assert garden.boar & garden.built == 0

    @invariant()
    def scores_are_sums_and_never_negative(self) -> None:
        """R32, R37: a score is the sum of its gains, by turn and by part."""
        for score, gain in zip(self.state.scores, self.gains, strict=True):
            assert score.total == gain == sum(score.parts().values()) >= 0
            self.check_bounds(score)

    def check_bounds(self, score: Score) -> None:
        assert 0 <= score.nobles <= 99
        assert score.rows + score.columns <= 25
        assert 0 <= score.missions <= 12
        assert -24 <= score.rewards <= 36
        if not self.state.variant.wild_boar:
            assert score.boar == 0

    @invariant()
    def nobles_move_six_times_at_most(self) -> None:
        """R20: each noble moves at most six times."""
        assert max(max(moves) for moves in self.moves) <= 6

    @invariant()
    def listed_turns_equal_those_of_the_oracle(self) -> None:
        """R14-R20, R35, R36: the options are exactly the turns of the oracle."""
        if not self.state.over:
            assert set(self.state.options()) == set(oracle.all_turns(self.state))

    @invariant()
    def listed_turns_can_be_counted_written_and_mirrored(self) -> None:
        """R14: the number of turns is right, their text round-trips, and mirroring keeps them legal."""
        options = self.state.options()
        turns = list(options)
        assert len(turns) == len(options) == len(set(turns))
        assert [parse_turn(write_turn(turn)) for turn in turns] == turns
        image = mirrored_options(options)
        assert {mirrored_turn(turn) for turn in turns} == set(image)

    @invariant()
    def other_turns_are_refused_by_the_first_rule_they_break(self) -> None:
        """R14-R20, R34-R36: the oracle agrees on slightly changed turns and the rule they break."""
        options = self.state.options()
        turns = list(options)
        if not turns:
            return
        draw = (self.chance.below(2**32) for _ in count())
        listed = set(turns)
        for _ in range(4):
            for turn in oracle.mutations(turns[self.chance.below(len(turns))], draw):
                refusal = options.refusal(turn)
                assert (refusal is None) == (turn in listed)
                assert (refusal and refusal.rule) == oracle.first_broken_rule(self.state, turn)
                assert refusal is None or write_refusal(refusal).startswith(refusal.rule)
                self.check_refused(turn, refused=refusal is not None)

    def check_refused(self, turn: Turn, refused: bool) -> None:
        """``play`` accepts a turn exactly if the options do."""
        try:
            self.state.play(turn, self.deal.chance(self.state.turn))
        except Refused:
            assert refused
        else:
            assert not refused

    @invariant()
    def views_agree_with_the_state(self) -> None:
        """R11, R23: every seat sees the correct round, options and hand sizes."""
        state = self.state
        for seat in (*range(state.variant.seats), None):
            view = state.view(seat)
            assert (view.round, view.to_move, view.over) == (state.round, state.to_move, state.over)
            assert view.hand_sizes == tuple(hand.bit_count() for hand in state.hands)
            assert view.options().garden == state.gardens[state.to_move if seat is None else seat]
        assert state.view(state.to_move).options() == state.options()


SETTINGS = settings(
    max_examples=25,
    stateful_step_count=14,
    deadline=None,
    # Shrinking a long game takes minutes; the failure as found, with its seed, is enough.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.exhaustive) for part in range(1, 50))]
)
def test_random_games(part: int) -> None:
    """R1-R38: the invariants hold in random games; the parts differ only by chance."""
    run_state_machine_as_test(GameMachine, settings=SETTINGS)
