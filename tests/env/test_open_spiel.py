"""The game for OpenSpiel passes its checks, and resampling keeps what a player knows."""

import pytest

from sanssouci.rules import Variant
from tests.helpers import VARIANTS, stream

pyspiel = pytest.importorskip("pyspiel", reason="the extra env is not installed")

from sanssouci.env import open_spiel  # noqa: E402

LARGE = "python_sanssouci(seats=4,edition=imperial,expansions=rewards+wild_boar,reward=margin)"


@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[11]], ids=str)
def test_resampling_keeps_what_a_player_knows(variant: Variant) -> None:
    """A resampled state looks the same to the player to move, and deals the others anew."""
    game = open_spiel.SanssouciGame(
        {"seats": variant.seats, "edition": variant.edition, "expansions": "+".join(variant.expansions)}
    )
    draws, state = stream(9), game.new_initial_state()
    hands = set()
    for _ in range(60 * variant.seats):
        if state.is_chance_node():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
            state.apply_action(outcomes[draws.below(len(outcomes))])
            continue
        player = state.current_player()
        if not state.position.chosen:
            other = state.resample_from_infostate(player, lambda: draws.below(1000) / 1000)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            dealt = other.position.state
            assert dealt is not None
            hands.add(dealt.hands[1 - player % 2])
        legal = state.legal_actions()
        state.apply_action(legal[draws.below(len(legal))])
    assert len(hands) > 5


def test_open_spiel_accepts_the_game() -> None:
    """OpenSpiel's own test plays random games with every check and serialises the states."""
    game = pyspiel.load_game("python_sanssouci")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert game.observation_tensor_shape() == [1194]


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", (2, 3, 4))
@pytest.mark.parametrize("reward", ("win", "score", "margin"))
def test_open_spiel_accepts_every_reward_and_number_of_seats(seats: int, reward: str) -> None:
    """The same with all seats, rewards and expansions."""
    name = f"python_sanssouci(seats={seats},edition=imperial,expansions=rewards+wild_boar,reward={reward})"
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_states_are_cloned_and_stored() -> None:
    """A clone goes on by itself, and a stored state is read back."""
    game = pyspiel.load_game(LARGE)
    draws, state = stream(5), game.new_initial_state()
    for _ in range(90):
        choices = (
            [outcome for outcome, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        clone = state.clone()
        state.apply_action(choices[draws.below(len(choices))])
        assert len(clone.full_history()) + 1 == len(state.full_history()) and str(clone) != str(state)
    assert str(game.deserialize_state(state.serialize())) == str(state)


def test_open_spiels_search_plays_the_game() -> None:
    """OpenSpiel's information set search resamples states and finds a legal action."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("python_sanssouci")
    draws, state = stream(6), game.new_initial_state()
    while state.is_chance_node():
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        state.apply_action(outcomes[draws.below(len(outcomes))])
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 4, random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()
