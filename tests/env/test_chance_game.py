"""Explicit chance: every draw with its probability, and deals that fit what a seat has seen."""

from collections import Counter
from fractions import Fraction

import pytest

from sanssouci.env.chance_game import CARD, CHANCE, MISSION, TERMINAL, TILE, TURN, ChanceGame, setup_draws
from sanssouci.env.game import Settings
from sanssouci.env.observation import observe
from sanssouci.env.stages import legal_actions, stage_after
from sanssouci.kernel import decode
from sanssouci.rules import Chance, State, Variant, members
from tests.helpers import VARIANTS, stream


def choices(position: ChanceGame) -> list[int]:
    return [*position.outcomes()] if position.player == CHANCE else position.legal()


def played(variant: Variant, number: int, turns: int) -> ChanceGame:
    """A position after some random turns, before the next decision."""
    draws, position = (
        stream(number),
        ChanceGame(Settings.of(variant.seats, variant.edition, variant.expansions)),
    )
    while position.player == CHANCE or position.state is None or position.state.turn < turns:
        found = choices(position)
        position.step(found[draws.below(len(found))])
    return position


@pytest.mark.parametrize("variant", VARIANTS[::3], ids=str)
def test_draws_are_those_of_the_rules(variant: Variant) -> None:
    """Every draw comes from what is left, the probabilities sum to one, and a game ends after 18 rounds."""
    draws, position = stream(4), ChanceGame(Settings.of(variant.seats, variant.edition, variant.expansions))
    while position.player != TERMINAL:
        found = choices(position)
        if position.player == CHANCE:
            assert sum(position.outcomes().values()) == Fraction(1)
        position.step(found[draws.below(len(found))])
    chance = [event for event in position.events if event.kind != TURN]
    kinds = Counter(event.kind for event in chance)
    assert kinds[CARD] == 18 * variant.seats and kinds[MISSION] == 2 * variant.seats
    setup = setup_draws(variant.seats, variant.rewards)
    assert len(chance) == len(setup) + variant.turns - 1 + 16 * variant.seats
    with pytest.raises(ValueError, match="chance cannot draw"):
        ChanceGame(position.settings).step(19)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_game_with_explicit_chance_equals_the_rules(variant: Variant) -> None:
    """Every decision has the legal actions, the observations and the state that the rules give."""
    settings = Settings.of(variant.seats, variant.edition, variant.expansions)
    draws, position = stream(7), ChanceGame(settings)
    state: State | None = None
    while position.player != TERMINAL:
        if position.player != CHANCE:
            state = state or position.state
            assert state is not None and position.state == state
            options = state.options()
            assert position.legal() == [*legal_actions(options, position.chosen)]
            for seat in range(variant.seats):
                seen = observe(state.view(seat))
                if seat == position.player:
                    stage = stage_after(options, position.chosen)
                    seen = observe(state.view(seat), stage, position.chosen)
                assert (position.observe(seat) == seen).all()
                assert position.tensor(seat) == seen.tolist()
        elif state is not None:
            for seat in range(variant.seats):
                assert (position.observe(seat) == observe(state.view(seat))).all()
        found = choices(position)
        position.step(found[draws.below(len(found))])
        if state is not None and (position.player == TERMINAL or position.player != state.to_move):
            state = after_turn(state, position)
    assert state == position.state


def after_turn(state: State, position: ChanceGame) -> State:
    """The state after the last turn of a position, once all its draws are known."""
    if position.player == CHANCE:
        return state
    place = max(place for place, event in enumerate(position.events) if event.kind == TURN)
    drawn = {event.kind: event.outcome for event in position.events[place + 1 :]}
    turn = decode(position.events[place].outcome)
    return state.play(turn, Chance(drawn.get(TILE), drawn.get(CARD)))


def test_tiles_are_drawn_by_what_is_left() -> None:
    """R22: a motif is as likely as its share of the pouch."""
    position = played(VARIANTS[0], 1, turns=6)
    state = position.state
    assert state is not None
    for _ in range(4):
        position.step(position.legal()[0])
    left = {motif: Fraction(count, sum(state.pouch)) for motif, count in enumerate(state.pouch) if count}
    assert position.outcomes() == left


def test_resampled_decks_are_equally_likely() -> None:
    """R11: the second card of the other seat is any card that it has not shown, each as often."""
    position = played(VARIANTS[0], 2, turns=2)
    draws, found = stream(3), Counter[tuple[int, int]]()
    events = position.events
    played_card = next(decode(event.outcome).card for event in events if event[:2] == (TURN, 1))
    chance = [event for event in events if event.kind != TURN]
    places = [place for place, event in enumerate(chance) if event[:2] == (CARD, 1)]
    for _ in range(1700):
        outcomes = position.resampled(0, draws.below)
        first, second, third = (outcomes[place] for place in places)
        assert played_card in (first, second)
        found[first + second - played_card, third] += 1
    rest = [card for card in members(position.settings.variant.deck) if card != played_card]
    assert {first for first, _ in found} == set(rest) == {third for _, third in found}
    counts = Counter(first for first, _ in found.elements())
    assert max(counts.values()) < 2 * 100 and min(counts.values()) > 100 // 2
