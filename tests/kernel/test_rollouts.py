"""Rollouts: visible information stays, and hidden information is dealt again, uniformly and independently."""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest

from sanssouci.dealer import BulkGame
from sanssouci.kernel import Ints, flatten_view, restore, rollouts
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.play import next_card, next_tile
from sanssouci.kernel.rng import STREAMS, open_streams
from sanssouci.kernel.rollouts import determinize
from sanssouci.players import RandomPlayer
from sanssouci.rules import IMPERIAL, Chance, State, Turn, Variant, View, members, set_of

from ..helpers import odd_deal, random_states, stream
from .tables import NO_BOARDS, SEED, rules_result, some_games, some_states

ALL_RANDOM = "random"


class Determinized(NamedTuple):
    """A complete game that is consistent with the view of a seat."""

    state: State
    decks: Ints
    tiles: Ints

    def chance(self, turn: int) -> Chance:
        """The outcome of chance for a turn."""
        rounds, seat = divmod(turn, self.state.variant.seats)
        tile = int(next_tile(self.tiles, self.state.variant.seats, turn))
        card = int(next_card(self.decks, seat, rounds))
        return Chance(None if tile < 0 else tile, None if card < 0 else card)


def determinized(view: View, number: int) -> Determinized:
    """A game sampled from a view with the random numbers of game ``number`` of ``SEED``."""
    state, streams = np.full(88, -7, np.int64), np.zeros(STREAMS, np.uint64)
    decks, tiles = np.full(72, -7, np.int64), np.full(81, -7, np.int64)
    with ignore_overflow():
        deal_key, play_key = game_keys(SEED, number, 1)[0]
        open_streams(deal_key, play_key, view.variant.seats, streams)
        determinize(flatten_view(view), streams, state, decks, tiles)
    return Determinized(restore(state), decks, tiles)


def views(step: int) -> list[View]:
    """Views of every seat and a spectator, in states of all variants and rounds."""
    return [state.view(seat) for state in some_states(step) for seat in (*range(state.variant.seats), None)]


def test_visible_information_is_kept() -> None:
    """R11, R12, R24: the view of a sampled state equals the original view."""
    for number, view in enumerate(views(5)):
        assert determinized(view, number).state.view(view.seat) == view


def test_sampled_games_are_complete() -> None:
    """R3-R5, R11-R13: hands, piles, missions and pouch hold exactly the remaining items."""
    for number, view in enumerate(views(11)):
        game = determinized(view, number)
        state, seats = game.state, view.variant.seats
        missions = [mission for pair in state.missions for mission in pair]
        assert len(set(missions)) == 2 * seats and set(missions) <= set(range(9))
        assert tuple(hand.bit_count() for hand in state.hands) == view.hand_sizes
        for seat in range(seats):
            assert state.hands[seat] & state.piles[seat] == 0
            assert state.hands[seat] | state.piles[seat] == view.unplayed[seat]
            left = state.piles[seat].bit_count()
            order = game.decks[18 * (seat + 1) - left : 18 * (seat + 1)].tolist()
            assert len(set(order)) == left and set_of(order) == state.piles[seat]
        left = sum(view.pouch)
        coming = Counter(game.tiles[10 + view.turn : 10 + view.turn + left].tolist())
        assert coming == Counter({motif: count for motif, count in enumerate(view.pouch) if count})


def play_out(game: Determinized, number: int, turn: Turn | None = None) -> State:
    """Play to the end with random players, by the rules."""
    chance, state = BulkGame(SEED, number), game.state
    players = [RandomPlayer(chance.stream(seat)) for seat in range(state.variant.seats)]
    while not state.over:
        chosen = turn or players[state.to_move].decide(state.view(state.to_move))
        state, turn = state.play(chosen, game.chance(state.turn)), None
    return state


def test_rollouts_are_games_of_the_rules() -> None:
    """R22, R23, R25-R28: sampled games, played by the rules, end as in the kernel."""
    for view in views(47):
        results = rollouts(view, SEED, 3, ALL_RANDOM)
        for number in (1, 2, 3):
            end = play_out(determinized(view, number), number)
            assert (results[number - 1] == rules_result(end, NO_BOARDS)).all()


def test_a_rollout_may_begin_with_a_turn() -> None:
    """R14: the given turn is played first; the same seed samples the same games for every turn."""
    for state in some_states(37):
        view, options = state.view(state.to_move), list(state.options())
        for turn in (options[0], options[len(options) // 2], options[-1]):
            results = rollouts(view, SEED, 2, ALL_RANDOM, turn)
            for number in (1, 2):
                end = play_out(determinized(view, number), number, turn)
                assert (results[number - 1] == rules_result(end, NO_BOARDS)).all()


def test_no_games_are_no_results() -> None:
    """Zero rollouts give an empty array."""
    assert rollouts(views(500)[0], SEED, 0, ALL_RANDOM).shape == (0, 4, 12)


def test_hidden_information_does_not_matter() -> None:
    """R11, R12: states with equal views give equal rollouts."""
    compared = 0
    for number, state in enumerate(some_states(41)):
        for seat in range(state.variant.seats):
            other = determinized(state.view(seat), number).state
            compared += other != state
            one, two = state.view(seat), other.view(seat)
            assert (flatten_view(one) == flatten_view(two)).all()
            assert (rollouts(one, SEED, 2, ALL_RANDOM) == rollouts(two, SEED, 2, ALL_RANDOM)).all()
    assert compared > 50


@cache
def many() -> tuple[View, list[Determinized]]:
    """A view in the middle of a game of three, and many samples of it."""
    variant = Variant(3, IMPERIAL, rewards=True, wild_boar=True)
    view = random_states(odd_deal(variant, stream(8)), stream(9))[28].view(1)
    return view, [determinized(view, number) for number in range(1, 6_001)]


def is_even(found: "Counter[Hashable]", shares: dict[Hashable, float]) -> bool:
    """A chi-square test that fails by chance once in millions of tries."""
    total, wanted = sum(found.values()), sum(shares.values())
    if set(found) != set(shares):
        return False
    expected = {outcome: total * share / wanted for outcome, share in shares.items()}
    distance = sum((found[outcome] - expected[outcome]) ** 2 / expected[outcome] for outcome in shares)
    freedom = len(shares) - 1
    return distance < freedom + 6 * sqrt(2 * freedom) + 12


def uniform(*outcomes: Hashable) -> dict[Hashable, float]:
    """Equal weights for all outcomes."""
    return dict.fromkeys(outcomes, 1.0)


def hidden_information(
    view: View,
) -> dict[str, tuple[Callable[[Determinized], Hashable], dict[Hashable, float]]]:
    """Quantities hidden from seat 1: a function that extracts each, and its distribution."""
    own, theirs = view.missions[1], members(view.unplayed[0])
    assert own is not None
    free = [motif for motif in range(9) if motif not in own]
    pairs = uniform(*((a, b) for a in free for b in free if a != b))
    hands = uniform(*(1 << a | 1 << b for a in theirs for b in theirs if a < b))
    pouch: dict[Hashable, float] = {motif: count for motif, count in enumerate(view.pouch) if count}
    left = view.pile.bit_count()
    return {
        "missions of seat 0": (lambda game: tuple(game.state.missions[0]), pairs),
        "missions of seat 2": (lambda game: tuple(game.state.missions[2]), pairs),
        "hand of seat 0": (lambda game: game.state.hands[0], hands),
        "own next card": (lambda game: int(game.decks[36 - left]), uniform(*members(view.pile))),
        "own last card": (lambda game: int(game.decks[35]), uniform(*members(view.pile))),
        "last card of seat 0": (lambda game: int(game.decks[17]), uniform(*theirs)),
        "next tile": (lambda game: int(game.tiles[10 + view.turn]), pouch),
        "last tile": (lambda game: int(game.tiles[62]), pouch),
    }


def test_hidden_information_is_sampled_uniformly() -> None:
    """R11-R13: missions, hands, cards and tiles have the expected distribution."""
    view, games = many()
    for name, (look, shares) in hidden_information(view).items():
        assert is_even(Counter(map(look, games)), shares), name


def test_a_biased_sample_is_found() -> None:
    """The test of uniformity finds a bias of 5 % and a missing outcome."""
    view, games = many()
    for look, shares in hidden_information(view).values():
        values = list(map(look, games))
        some = values[0]
        tilted = Counter(some if place % 20 == 0 else value for place, value in enumerate(values))
        assert not is_even(tilted, shares)
        assert not is_even(Counter(value for value in values if value != some), shares)


def test_a_turn_that_is_not_legal_is_refused() -> None:
    """R14-R20: illegal turns and turns of a seat that is not to move are refused."""
    for state in some_states(101):
        seat = state.to_move
        turn = next(iter(state.options()))
        wrong = replace(turn, gardener=not turn.gardener)
        with pytest.raises(ValueError, match="is not legal"):
            rollouts(state.view(seat), SEED, 1, ALL_RANDOM, wrong)
        for other in ((seat + 1) % state.variant.seats, None):
            with pytest.raises(ValueError, match="is not legal"):
                rollouts(state.view(other), SEED, 1, ALL_RANDOM, turn)


def test_a_finished_game_has_no_rollouts() -> None:
    """R1: a finished game is refused, and so is a seed without 32 bytes."""
    end = some_games()[0][-1]
    with pytest.raises(ValueError, match="over"):
        rollouts(end.view(0), SEED, 1, ALL_RANDOM)
    with pytest.raises(ValueError, match="32 bytes"):
        rollouts(some_games()[0][0].view(0), b"short", 1, ALL_RANDOM)
