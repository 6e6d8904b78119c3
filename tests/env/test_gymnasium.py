"""The environments of PettingZoo and Gymnasium pass the checkers of those packages."""

import copy
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra env is not installed")
pytest.importorskip("pettingzoo", reason="the extra env is not installed")

import sanssouci.env  # noqa: E402, F401 - registers the environments
from sanssouci.env import sanssouci_v1  # noqa: E402
from sanssouci.env.game import Settings  # noqa: E402

from .test_games import Reference  # noqa: E402

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"action_form": "turns", "reward": "margin"},
    {"seats": 4, "edition": "imperial", "expansions": "rewards,wild_boar", "reward": "score"},
)


# The checkers warn of spaces that PettingZoo itself uses, and import its games, some of which are deprecated.
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_accepts_the_environment(options: dict[str, Any]) -> None:
    """PettingZoo's api_test and seed_test pass, with and without its wrappers."""
    from pettingzoo.test import api_test, seed_test

    api_test(sanssouci_v1.env(**options), num_cycles=400)
    api_test(sanssouci_v1.raw_env(**options), num_cycles=400)
    seed_test(lambda: sanssouci_v1.env(**options), num_cycles=100)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasium_accepts_the_environment(options: dict[str, Any]) -> None:
    """Gymnasium's check_env passes."""
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make("Sanssouci-v1", render_mode="ansi", **options).unwrapped)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_vector_environment_equals_the_single_ones(options: dict[str, Any]) -> None:
    """The compiled vector environment and Gymnasium's SyncVectorEnv give the same at every step."""
    made = [
        gymnasium.make_vec("Sanssouci-v1", num_envs=2, vectorization_mode=mode, seat=1, **options)
        for mode in ("vector_entry_point", "sync")
    ]
    assert made[0].observation_space == made[1].observation_space
    assert made[0].action_space == made[1].action_space
    outcomes = [vector.reset(seed=3) for vector in made]
    for _ in range(80):
        *values, info = outcomes[0]
        *others, other_info = outcomes[1]
        assert all(np.array_equal(value, other) for value, other in zip(values, others, strict=True))
        assert np.array_equal(info["action_mask"], other_info["action_mask"])
        actions = info["action_mask"].argmax(1)
        outcomes = [vector.step(actions) for vector in made]


def test_some_games_can_be_reset() -> None:
    """``reset_mask`` deals just those games anew."""
    vector = gymnasium.make_vec("Sanssouci-v1", num_envs=3, vectorization_mode="vector_entry_point")
    first, info = vector.reset(seed=3)
    second, *_ = vector.step(info["action_mask"].argmax(1))
    third, _ = vector.reset(seed=3, options={"reset_mask": np.array([False, True, False])})
    assert [np.array_equal(*pair) for pair in zip(second, third, strict=True)] == [True, False, True]
    assert np.array_equal(first[1], third[1])


def test_seeds_can_be_numbers_of_numpy() -> None:
    """A NumPy integer deals the same games as the same ``int``."""
    vector = gymnasium.make_vec("Sanssouci-v1", num_envs=2)
    assert np.array_equal(vector.reset(seed=np.int64(3))[0], vector.reset(seed=3)[0])


@pytest.mark.parametrize("number", (0, -1))
def test_a_vector_environment_needs_a_game(number: int) -> None:
    """Without games there is one sentence."""
    with pytest.raises(ValueError, match=f"at least 1 game, not {number}"):
        gymnasium.make_vec("Sanssouci-v1", num_envs=number)


def test_a_seat_plays_a_whole_game_of_pettingzoo() -> None:
    """Every seat has 18 turns of four stages, and the rewards of all seats sum to zero."""
    env = sanssouci_v1.env(seats=3, render_mode="ansi")
    env.reset(seed=1)
    steps, rewards = dict.fromkeys(env.possible_agents, 0), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        rewards[agent] += reward
        assert observation["action_mask"].any() != terminated
        env.step(None if terminated else int(observation["action_mask"].argmax()))
        steps[agent] += not terminated
    assert set(steps.values()) == {72}
    assert sum(rewards.values()) == pytest.approx(0)
    assert str(env.render()).startswith("round 18")


def test_an_illegal_action_ends_a_game_of_pettingzoo() -> None:
    """The agent gets -1, the others nothing; without the check it is an error, as is an unknown action."""
    env, raw = sanssouci_v1.env(seats=3), sanssouci_v1.raw_env()
    env.reset(seed=1)
    raw.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(ValueError, match="no action 194"):
        env.step(194)
    with pytest.raises(ValueError, match="seat_0 must decide"):
        env.step(None)
    env.step(0)
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0.0, "seat_2": 0.0}
    for _ in env.agent_iter():
        env.step(None)
    with pytest.raises(ValueError, match="the game is over"):
        env.step(None)
    with pytest.raises(ValueError, match="action 193 is not legal now"):
        raw.step(193)


def test_an_illegal_action_ends_a_game_of_gymnasium() -> None:
    """The agent gets -1; further steps are errors, as after any end, until ``reset``."""
    env = gymnasium.make("Sanssouci-v1").unwrapped
    _, info = env.reset(seed=1)
    legal = int(info["action_mask"].argmax())
    _, *outcome, after = env.step(193)
    assert outcome == [-1.0, True, False] and np.array_equal(after["action_mask"], info["action_mask"])
    with pytest.raises(ValueError, match="the game is over"):
        env.step(legal)
    _, info = env.reset()
    assert env.step(int(info["action_mask"].argmax()))[1:4] == (0.0, False, False)


@pytest.mark.parametrize(
    "action", ("0", "card", 0.0, np.float64(1), None, [0], np.zeros(2, np.int64)), ids=repr
)
def test_an_action_is_an_integer(action: Any) -> None:
    """Anything else gets one sentence, and the game goes on; it is not an illegal action."""
    env, aec = gymnasium.make("Sanssouci-v1"), sanssouci_v1.env()
    _, info = env.reset(seed=1)
    aec.reset(seed=1)
    legal = int(info["action_mask"].argmax())
    with pytest.raises(TypeError, match="an action is an integer, not "):
        env.step(action)
    with pytest.raises(TypeError if action is not None else ValueError, match=r"an action is|must decide"):
        aec.step(action)
    assert env.step(legal)[2] is False
    aec.step(legal)
    assert aec.rewards == {"seat_0": 0.0, "seat_1": 0.0}


@pytest.mark.parametrize(
    "kind", (int, np.int32, np.int64, np.uint8, np.array), ids=lambda kind: kind.__name__
)
def test_an_action_may_be_an_integer_of_numpy(kind: Any) -> None:
    """What ``action_space.sample``, ``argmax`` or an array's element gives is an action."""
    env, aec = gymnasium.make("Sanssouci-v1"), sanssouci_v1.env()
    _, info = env.reset(seed=1)
    aec.reset(seed=1)
    action = kind(int(info["action_mask"].argmax()))
    observation, *_ = env.step(action)
    aec.step(action)
    assert np.array_equal(aec.observe("seat_0")["observation"], observation)


def test_actions_of_many_games_are_integers() -> None:
    """The vector environment takes any integers, and refuses what is none."""
    vector = gymnasium.make_vec("Sanssouci-v1", num_envs=2)
    _, infos = vector.reset(seed=1)
    legal = infos["action_mask"].argmax(1)
    for wrong in (legal.astype(float), legal.astype(str), [None, 0]):
        with pytest.raises(TypeError, match="actions are integers, not"):
            vector.step(wrong)
    wanted = vector.step(legal)[0]
    for right in (legal.astype(np.uint8), legal.tolist(), np.stack([legal, legal], 1)[:, 0]):
        vector.reset(seed=1)
        assert np.array_equal(vector.step(right)[0], wanted)


@pytest.mark.parametrize("name", ("game", "agents", "agent_selection", "rewards", "terminations"))
def test_nothing_is_known_before_the_first_game(name: str) -> None:
    """Before ``reset`` the attributes of PettingZoo say what to do."""
    with pytest.raises(AttributeError, match=r"call reset\(\)"):
        getattr(sanssouci_v1.env(), name)
    with pytest.raises(AttributeError, match="no attribute 'fame'"):
        sanssouci_v1.env().fame  # noqa: B018


def test_nothing_can_be_done_before_the_first_game() -> None:
    """Before ``reset`` there is nothing to observe, draw or play, nor can only some games be dealt."""
    env, vector = sanssouci_v1.env(render_mode="ansi"), gymnasium.make_vec("Sanssouci-v1", num_envs=2)
    for too_early in (lambda: env.observe("seat_0"), env.render, lambda: env.step(0)):
        with pytest.raises(AttributeError, match=r"before the first game: call reset\(\)"):
            too_early()
    for too_early in (
        lambda: vector.step(np.zeros(2, np.int64)),
        lambda: vector.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(ValueError, match=r"no games have been dealt; .* reset\(\)"):
            too_early()
    vector.reset(seed=1)
    vector.reset(options={"reset_mask": np.array([True, False])})


def test_players_that_are_not_compiled_can_be_opponents() -> None:
    """A game against a player of the registry is the one that the rules give."""
    opponents = {0: "level:1", 2: "random"}
    env = gymnasium.make("Sanssouci-v1", seats=3, seat=1, opponents=[*opponents.values()], reward="score")
    reference = Reference(Settings.of(3, reward="score"), 1, opponents, 5)
    observation, info = env.reset(seed=5)
    terminated = False
    while not terminated:
        assert np.array_equal(observation, reference.game.observe(1))
        assert np.array_equal(info["action_mask"], reference.game.mask(1))
        action = int(info["action_mask"].argmax())
        observation, reward, terminated, _, info = env.step(action)
        assert (reward, terminated) == reference.step(action)
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="the game is over"):
        env.step(0)


def test_environments_can_be_pickled() -> None:
    """A raw environment is made again from its options, without the game in play."""
    env = sanssouci_v1.raw_env(seats=3, reward="margin")
    env.reset(seed=1)
    for made in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert made.settings == env.settings and not hasattr(made, "game")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 2}, "there is no seat 2"),
        ({"seat": 0.0}, "a seat is an integer, not 0.0"),
        ({"seats": 3, "opponents": ["greedy"]}, "or 2, not 1"),
        ({"opponents": None}, "opponents are names of players, not None"),
        ({"opponents": "nobody"}, "nobody"),
    ],
    ids=str,
)
@pytest.mark.parametrize("make", ("make", "make_vec"))
def test_wrong_seats_get_a_sentence(make: str, options: dict[str, Any], words: str) -> None:
    """A wrong seat or opponent is reported before the first game."""
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        getattr(gymnasium, make)("Sanssouci-v1", **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 5}, "2 to 4 seats, not 5"),
        ({"seats": "2"}, "the number of seats is an integer, not '2'"),
        ({"seats": 2.0}, "the number of seats is an integer, not 2.0"),
        ({"expansions": 5}, "expansions are names, not 5"),
        ({"expansions": "boar"}, "'boar' is no expansion; there are rewards, wild_boar"),
        ({"boards": "nowhere"}, "there are no boards 'nowhere': "),
        ({"boards": 5}, "there are no boards 5: "),
        ({"render_mode": "human"}, "'human' is no render mode"),
        ({"players": 3}, "there is no option players; the options of the game are seats, edition, "),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:.*render_mode")
def test_wrong_options_get_a_sentence(options: dict[str, Any], words: str) -> None:
    """The same one in PettingZoo and in Gymnasium."""
    for make in (sanssouci_v1.env, lambda **options: gymnasium.make("Sanssouci-v1", **options)):
        with pytest.raises((TypeError, ValueError), match=re.escape(words)):
            make(**options)


def test_expansions_can_be_written_in_any_form() -> None:
    """A text with or without spaces, a list, a tuple, or None."""
    wanted = Settings.of(2, "imperial", ("rewards", "wild_boar"))
    for form in ("rewards,wild_boar", " rewards, wild_boar ", ["wild_boar", "rewards"]):
        assert Settings.of(2, "imperial", form) == wanted
    assert Settings.of(2, expansions=None) == Settings.of(2, expansions="") == Settings.of()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seed": 1.5}, "a seed is an integer, or there is one for each game, not 1.5"),
        ({"seed": "1"}, "a seed is an integer, or there is one for each game, not '1'"),
        ({"seed": [1, 2, 3]}, "2 games need as many seeds, not 3"),
        ({"options": {"reset_mask": np.array([True])}}, "2 games need a mask of that length, not (1,)"),
    ],
    ids=str,
)
def test_wrong_resets_of_many_games_get_a_sentence(arguments: dict[str, Any], words: str) -> None:
    """Seeds and masks must fit the number of games; an array of seeds does."""
    vector = gymnasium.make_vec("Sanssouci-v1", num_envs=2)
    vector.reset(seed=np.array([1, 2]))
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        vector.reset(**arguments)
    with pytest.raises(TypeError, match=r"num_envs is an integer, not 2\.5"):
        type(vector)(num_envs=2.5)


@pytest.mark.parametrize("missing", ("gymnasium", "pettingzoo"))
def test_one_sentence_without_the_extra(missing: str) -> None:
    """Without a package of the extra, importing an environment says what to install."""
    script = f"import sys; sys.modules[{missing!r}] = None; from sanssouci.env import spec, sanssouci_v1"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith("is not installed; the environments need: pip install 'sanssouci-game[env]'")
