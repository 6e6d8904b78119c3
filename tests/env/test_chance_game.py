"""Explicit chance: every draw with its probability, and deals that fit what a seat has seen."""

from collections import Counter
from fractions import Fraction

import pytest

from sanssouci.env.chance_game import CARD, MISSION, ChanceGame, setup_draws
from sanssouci.env.game import Settings
from sanssouci.rules import Variant, members
from tests.helpers import VARIANTS, stream


def played(variant: Variant, number: int, turns: int) -> ChanceGame:
    """A position after some random turns, before the next decision."""
    draws, position = (
        stream(number),
        ChanceGame(Settings.of(variant.seats, variant.edition, variant.expansions)),
    )
    while position.to_move is None or position.state is None or position.state.turn < turns:
        if position.over:
            break
        choices = [*position.outcomes()] if position.to_move is None else [*position.legal()]
        position = position.step(choices[draws.below(len(choices))])
    return position


@pytest.mark.parametrize("variant", VARIANTS[::3], ids=str)
def test_draws_are_those_of_the_rules(variant: Variant) -> None:
    """Every draw comes from what is left, the probabilities sum to one, and a game ends after 18 rounds."""
    draws, position = stream(4), ChanceGame(Settings.of(variant.seats, variant.edition, variant.expansions))
    while not position.over:
        if position.to_move is None:
            outcomes = position.outcomes()
            assert sum(outcomes.values()) == Fraction(1)
            choices = [*outcomes]
        else:
            choices = [*position.legal()]
        position = position.step(choices[draws.below(len(choices))])
    chance = [event.draw for event in position.events if event.draw is not None]
    kinds = Counter(draw.kind for draw in chance)
    assert kinds[CARD] == 18 * variant.seats and kinds[MISSION] == 2 * variant.seats
    assert len(chance) == len(setup_draws(position.settings)) + variant.turns - 1 + 16 * variant.seats
    with pytest.raises(ValueError, match="chance cannot draw"):
        ChanceGame(position.settings).step(19)


def test_tiles_are_drawn_by_what_is_left() -> None:
    """R22: a motif is as likely as its share of the pouch."""
    position = played(VARIANTS[0], 1, turns=6)
    state = position.state
    assert state is not None
    for action in (position.legal()[0], None, None, None):
        position = position.step(position.legal()[0] if action is None else action)
    left = {motif: Fraction(count, sum(state.pouch)) for motif, count in enumerate(state.pouch) if count}
    assert position.outcomes() == left


def test_resampled_decks_are_equally_likely() -> None:
    """R11: the second card of the other seat is any card that it has not shown, each as often."""
    position = played(VARIANTS[0], 2, turns=2)
    draws, found = stream(3), Counter[tuple[int, int]]()
    played_card = next(event.turn.card for event in position.events if event.turn and event.seat == 1)
    places = [
        place
        for place, event in enumerate(event for event in position.events if event.draw)
        if event.draw and (event.draw.kind, event.draw.seat) == (CARD, 1)
    ]
    for _ in range(1700):
        outcomes = position.resampled(0, draws.below)
        first, second, third = (outcomes[place] for place in places)
        assert played_card in (first, second)
        found[first + second - played_card, third] += 1
    rest = [card for card in members(position.settings.variant.deck) if card != played_card]
    assert {first for first, _ in found} == set(rest) == {third for _, third in found}
    counts = Counter(first for first, _ in found.elements())
    assert max(counts.values()) < 2 * 100 and min(counts.values()) > 100 // 2
