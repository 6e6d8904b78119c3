"""The game for OpenSpiel passes its checks, and resampling keeps what a player knows."""

import unittest
from pathlib import Path
from typing import Any

import pytest

from sanssouci.env.chance_game import MISSION, setup_draws
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
            assert other.observation_string(player) == state.observation_string(player)
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


@pytest.mark.parametrize("name", ("python_sanssouci", LARGE))
@pytest.mark.filterwarnings("ignore")
def test_open_spiels_api_test_passes(name: str) -> None:
    """Lengths, legal actions, observers and errors in a part of the tree are as OpenSpiel demands."""
    api_test = pytest.importorskip(
        "open_spiel.integration_tests.api_test", reason="OpenSpiel was installed without its tests"
    )
    members = {"game_name": name, "game": pyspiel.load_game(name)}
    case = type("SanssouciTest", (api_test.EnforceAPIOnPartialTreeBase,), members)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5 and result.errors + result.failures == []


def test_methods_in_python_and_in_cpp_agree() -> None:
    """What the state answers to Python is what OpenSpiel's own methods say."""
    game, base = pyspiel.load_game(LARGE), pyspiel.State
    observer = game.make_py_observer()
    draws, state = stream(4), game.new_initial_state()
    while not state.is_terminal():
        assert state.is_chance_node() == base.is_chance_node(state)
        choices = state.legal_actions()
        assert choices == base.legal_actions(state)
        for player in range(4):
            assert state.legal_actions(player) == base.legal_actions(state, player)
        if not state.is_chance_node():
            player = state.current_player()
            observer.set_from(state, player)
            assert state.observation_tensor() == observer.tensor.tolist()
            assert state.observation_tensor() == base.observation_tensor(state, player)
        state.apply_action(choices[draws.below(len(choices))])
    assert state.legal_actions() == []
    with pytest.raises(RuntimeError, match="player = 4"):
        state.observation_tensor(4)
    with pytest.raises(RuntimeError, match="player >= 0"):
        game.new_initial_state().observation_tensor()


def test_an_illegal_action_is_refused() -> None:
    """An action that is not legal, or a draw that is impossible, is an error."""
    state = pyspiel.load_game("python_sanssouci").new_initial_state()
    with pytest.raises(ValueError, match="chance cannot draw 19"):
        state.apply_action(19)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="action 193 is not legal"):
        state.apply_action(193)


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


def test_observations_of_another_kind_are_not_available() -> None:
    """As OpenSpiel expects, there is no observer for what is public only, or private only."""
    game, private = open_spiel.SanssouciGame(), pyspiel.PrivateInfoType
    for public, seen in ((True, private.NONE), (False, private.SINGLE_PLAYER), (True, private.ALL_PLAYERS)):
        assert game.make_py_observer(pyspiel.IIGObservationType(False, public, seen)) is None


@pytest.mark.exhaustive
def test_a_playthrough_is_generated_again(tmp_path: Path) -> None:
    """OpenSpiel's playthrough, a file with all answers of a game, is the same if its actions are repeated."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()  # the module reads a flag of its command
    file = tmp_path / "python_sanssouci.txt"
    file.write_text(generate_playthrough.playthrough("python_sanssouci", None, seed=1), encoding="utf-8")
    written, again = generate_playthrough.replay(str(file))
    assert written == again and "Returns() = [1, -1]" in written


def dealt_state(game: Any, **drawn: list[int]) -> Any:
    """A state before the first turn; ``drawn`` are draws of seat 0 by kind, in their order."""
    state, variant = game.new_initial_state(), game.settings.variant
    missions = [*drawn.pop(MISSION, [0, 1]), *range(2, 2 * variant.seats)]
    for kind, seat in setup_draws(variant.seats, variant.rewards):
        own = missions if kind == MISSION else drawn.get(kind.replace(" ", "_")) if seat == 0 else None
        state.apply_action(own.pop(0) if own else state.legal_actions()[-1])
    return state


def test_the_order_of_the_first_cards_and_missions_means_nothing() -> None:
    """States that differ in it only are one information set: one string and one tensor, to the end."""
    game, draws = pyspiel.load_game(LARGE), stream(8)
    one, other = (
        dealt_state(game, mission=missions, card=cards)
        for missions, cards in (([8, 1], [2, 0]), ([1, 8], [0, 2]))
    )
    while not one.is_terminal():
        for player in range(4):
            assert one.information_state_string(player) == other.information_state_string(player)
            assert one.information_state_tensor(player) == other.information_state_tensor(player)
            assert one.observation_string(player) == other.observation_string(player)
        action = one.legal_actions()[draws.below(len(one.legal_actions()))]
        one.apply_action(action)
        other.apply_action(action)
    assert str(one) != str(other)
    for player in range(4):
        assert one.information_state_string(player).count("mission") == 8


@pytest.mark.parametrize(
    ("drawn", "seen"),
    [
        ({}, ()),
        ({"mission": [0, 8]}, (0,)),
        ({"card": [0, 1]}, (0,)),
        ({"garden": [0]}, (0, 1, 2, 3)),
        ({"reward_board": [0]}, (0, 1, 2, 3)),
        ({"reward_side": [0]}, (0, 1, 2, 3)),
    ],
    ids=str,
)
def test_strings_tell_what_the_tensors_tell(drawn: dict[str, list[int]], seen: tuple[int, ...]) -> None:
    """A draw that a player sees changes its strings and its tensors, and one that it does not see neither."""
    game = pyspiel.load_game(LARGE)
    usual, other = dealt_state(game), dealt_state(game, **{kind: [*drawn[kind]] for kind in drawn})
    for player in range(4):
        for answer in (
            "information_state_string",
            "information_state_tensor",
            "observation_string",
            "observation_tensor",
        ):
            differs = getattr(usual, answer)(player) != getattr(other, answer)(player)
            assert differs == (player in seen), answer


def test_an_observation_has_one_string() -> None:
    """In whole games, two observations of a player are the same tensor if they are the same string."""
    game, draws = pyspiel.load_game(LARGE), stream(9)
    strings: dict[tuple[float, ...], str] = {}
    for _ in range(2):
        state = dealt_state(game)
        while not state.is_terminal():
            for player in range(4):
                text = state.observation_string(player)
                assert strings.setdefault(tuple(state.observation_tensor(player)), text) == text
            choices = state.legal_actions()
            state.apply_action(choices[draws.below(len(choices))])
    assert len(strings) > 1000 and len(set(strings.values())) == len(strings)
