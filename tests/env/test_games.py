"""Games by action numbers: through the rules, and compiled, with the same observations, masks and rewards."""

import os
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from sanssouci.dealer import BulkGame, parse_seed
from sanssouci.env.compiled import OVER, fill_rewards
from sanssouci.env.game import Game, IllegalActionError, Settings, deal_game
from sanssouci.env.observation import observe
from sanssouci.env.spec import ACTIONS, ILLEGAL_REWARD, MOST_TURNS, REWARDS
from sanssouci.env.vector_games import VectorGames
from sanssouci.kernel import flatten
from sanssouci.players import make_player
from sanssouci.rules import REWARDS as REWARDS_NAME
from sanssouci.rules import Score, State, Variant
from tests.helpers import VARIANTS, stream

from .rules_game import RulesGame, final_rewards

OPPONENTS = ("random", "greedy", "steward")


def settings(variant: Variant, form: str = "stages", reward: str = "win") -> Settings:
    return Settings.of(variant.seats, variant.edition, variant.expansions, "", form, reward)


def dealt(chosen: Settings, seed: int = 0) -> Game:
    """Game 1 of a seed."""
    game = Game(chosen)
    game.deal(seed)
    return game


def legal_actions(game: Game) -> list[int]:
    return np.flatnonzero(game.observe(game.to_move)[1]).tolist()


class Reference:
    """One game of an agent against players of the registry, through the rules and views only."""

    def __init__(self, chosen: Settings, seat: int, opponents: dict[int, str], seed: int) -> None:
        self.settings, self.seat, self.opponents = chosen, seat, opponents
        self.seed, self.number = parse_seed(str(seed)), 0
        self.deal()

    def deal(self) -> None:
        self.number += 1
        chance = BulkGame(self.seed, self.number)
        self.players = {seat: make_player(name, chance.stream(seat)) for seat, name in self.opponents.items()}
        self.game = RulesGame(self.settings, deal_game(self.settings, chance, self.players))
        self.done = False
        self.play_opponents()

    def play_opponents(self) -> None:
        while not self.game.over and self.game.to_move != self.seat:
            seat = self.game.to_move
            self.game.play(self.players[seat].decide(self.game.state.view(seat)))

    def step(self, action: int) -> tuple[float, bool]:
        """The reward, and whether the game has ended; the step after that deals anew."""
        if self.done:
            self.deal()
            return 0.0, False
        try:
            self.game.step(action)
        except ValueError:
            self.done = True
            return ILLEGAL_REWARD, True
        self.play_opponents()
        self.done = self.game.over
        return self.game.rewards()[self.seat], self.done


def compare(variant: Variant, form: str, reward: str, seed: int, games: int, steps: int) -> None:
    """Play compiled games and their references with the same actions; everything is equal at each step."""
    chosen, draws = settings(variant, form, reward), stream(seed)
    seat = seed % variant.seats
    others = [other for other in range(variant.seats) if other != seat]
    names = {other: OPPONENTS[(seed + place) % 3] for place, other in enumerate(others)}
    compiled = VectorGames(chosen, games, seat, names)
    references = [Reference(chosen, seat, names, seed + game) for game in range(games)]
    observations, masks = compiled.deal([seed + game for game in range(games)])
    for _ in range(steps):
        for game, reference in enumerate(references):
            assert (observations[game] == reference.game.observe(seat)).all()
            assert (masks[game] == reference.game.mask(seat)).all()
        actions = np.zeros(games, np.int64)
        for game, mask in enumerate(masks):
            legal = np.flatnonzero(mask)
            if len(legal) and draws.below(400):  # rarely action 0, which is mostly illegal
                actions[game] = legal[draws.below(len(legal))]
        outcome = compiled.step(actions)
        expected = [
            reference.step(int(action)) for reference, action in zip(references, actions, strict=True)
        ]
        assert [*zip(outcome.rewards, outcome.terminated, strict=True)] == expected
        observations, masks = outcome.observations, outcome.masks


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_compiled_games_equal_the_rules(number: int) -> None:
    """Every variant, each reward in turn, through the end of a game into the next."""
    compare(VARIANTS[number], "stages", REWARDS[number % 3], seed=number, games=2, steps=95)


@pytest.mark.parametrize("number", (0, 11))
def test_compiled_games_equal_the_rules_by_whole_turns(number: int) -> None:
    """The same with indices of legal turns."""
    compare(VARIANTS[number], "turns", "win", seed=number, games=2, steps=40)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ("stages", "turns"))
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_many_compiled_games_equal_the_rules(number: int, form: str) -> None:
    """The same for many games, with every reward and from every seat."""
    for seed in range(12):
        compare(VARIANTS[number], form, REWARDS[seed % 3], 100 + seed, games=4, steps=200)


def compare_one(variant: Variant, form: str, reward: str, seed: int) -> None:
    """Play a single compiled game and its reference; every seat sees the same at each step."""
    chosen, draws = settings(variant, form, reward), stream(seed)
    game, seats = dealt(chosen, seed), range(variant.seats)
    reference = RulesGame(chosen, deal_game(chosen, BulkGame(parse_seed(str(seed)), 1)))
    while True:
        for seat in seats:
            observation, mask = game.observe(seat)
            assert (observation == reference.observe(seat)).all()
            assert (mask == reference.mask(seat)).all()
        assert (game.over, game.state, game.chosen) == (reference.over, reference.state, reference.chosen)
        assert game.rewards() == reference.rewards()
        if game.to_move == OVER:
            return
        assert game.to_move == reference.to_move
        legal = reference.legal()
        action = legal[draws.below(len(legal))]
        game.step(action)
        reference.step(action)


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_a_single_game_equals_the_rules(number: int) -> None:
    """Every variant from the first turn to the end, each reward in turn, for all seats."""
    compare_one(VARIANTS[number], "stages", REWARDS[number % 3], seed=number)


def test_a_single_game_equals_the_rules_by_whole_turns() -> None:
    """The same with indices of legal turns."""
    compare_one(VARIANTS[11], "turns", "score", seed=11)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ("stages", "turns"))
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_many_single_games_equal_the_rules(number: int, form: str) -> None:
    """The same for many games, with every reward."""
    for seed in range(12):
        compare_one(VARIANTS[number], form, REWARDS[seed % 3], 200 + seed)


def test_an_observation_hides_the_choices_of_others() -> None:
    """The unfinished turn of the seat to move is not in the observation of another seat."""
    game = dealt(settings(VARIANTS[0]))
    before, _ = game.observe(1)
    game.step(legal_actions(game)[0])
    after, mask = game.observe(1)
    assert (after == before).all() and (after == observe(game.state.view(1))).all()
    assert not mask.any()
    assert (game.observe(0)[0] != observe(game.state.view(0))).any()


def test_an_illegal_action_changes_nothing() -> None:
    """A card that is not in hand is refused, and the game goes on."""
    game = dealt(settings(VARIANTS[0]))
    _, mask = game.observe(0)
    illegal = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(IllegalActionError, match=f"action {illegal} is not legal"):
        game.step(illegal)
    for action in (-1, ACTIONS):
        with pytest.raises(ValueError, match=f"there is no action {action}"):
            game.step(action)
    assert (game.observe(0)[1] == mask).all() and game.chosen == ()
    whole = dealt(settings(VARIANTS[0], "turns"))
    with pytest.raises(IllegalActionError, match="turn"):
        whole.step(int(whole.observe(0)[1].sum()))
    for index in (-1, MOST_TURNS):
        with pytest.raises(ValueError, match="no action"):
            whole.step(index)


def test_every_action_that_the_mask_leaves_out_is_refused() -> None:
    """At every stage of some turns, with the boar, just the actions of the mask can be taken."""
    game, draws = dealt(settings(VARIANTS[11])), stream(8)
    for _ in range(60):
        legal = legal_actions(game)
        for action in sorted({*range(ACTIONS)} - {*legal}):
            with pytest.raises(IllegalActionError):
                game.step(action)
        game.step(legal[draws.below(len(legal))])


PLAY = """
from sanssouci.env.game import Game, Settings
game = Game(Settings.of(edition="imperial", expansions="rewards,wild_boar", reward="score"), {1: "random"})
game.deal(4)
while not game.over:
    observation, mask = game.observe(0)
    game.step(int(mask.argmax()))
print(game.state, game.rewards())
"""


def test_interpreted_games_are_the_same() -> None:
    """Without compilation the same game is played, without warnings."""
    found = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAY],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert found[0] == found[1] != ""


def test_a_copy_goes_on_by_itself() -> None:
    """A deep copy has the same future, and neither game disturbs the other."""
    game = dealt(settings(VARIANTS[0]), 3)
    other = deepcopy(game)
    while not game.over:
        game.step(legal_actions(game)[0])
    assert other.state.turn == 0
    while not other.over:
        other.step(legal_actions(other)[0])
    assert other.state == game.state
    other.deal(3)
    assert other.to_move == 0 and game.over


def test_a_seed_gives_a_series_of_games() -> None:
    """A seed begins with its game 1; without a seed the next game follows."""
    chosen = settings(VARIANTS[0])
    game, found = Game(chosen), []
    for seed in (7, None, 7, None):
        game.deal(seed)
        found.append(game.state)
    assert found[0] != found[1] and found[:2] == found[2:]
    for number in (1, 2):
        assert found[number - 1] == deal_game(chosen, BulkGame(parse_seed("7"), number)).start()


def compiled_rewards(chosen: Settings, state: State) -> list[float]:
    """The rewards of a finished state in compiled code."""
    game, found = np.zeros(1000, np.int64), np.empty(chosen.variant.seats)
    flat = flatten(state)
    game[: len(flat)] = flat
    fill_rewards(game, REWARDS.index(chosen.reward), found)
    return found.tolist()


def test_wins_are_shared() -> None:
    """R28: the reward of a shared victory is divided, and all rewards sum to zero."""
    chosen = settings(VARIANTS[6])
    game = dealt(chosen)
    while not game.over:
        game.step(legal_actions(game)[-1])
    level = replace(game.state, gardens=game.state.gardens[:1] * 3)
    for points, rewards in (
        ((5, 5, 5), (0, 0, 0)),
        ((5, 5, 4), (0.25, 0.25, -0.5)),
        ((4, 6, 5), (-0.5, 1, -0.5)),
    ):
        state = replace(level, scores=tuple(map(Score, points)))
        assert compiled_rewards(chosen, state) == pytest.approx(rewards)
        assert compiled_rewards(chosen, state) == pytest.approx(final_rewards(chosen, state))
    margins = compiled_rewards(settings(VARIANTS[6], reward="margin"), state)
    assert margins == [-2, 1, -1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 5}, "R1: the game has 2 to 4 seats, not 5"),
        ({"edition": "first"}, "'first' is no edition"),
        ({"expansions": "rewards,snow"}, "'snow' is no expansion"),
        ({"expansions": "wild_boar"}, "R34: the wild boar is only part of the Imperial edition"),
        ({"action_form": "bits"}, "'bits' is no action form"),
        ({"reward": "fame"}, "'fame' is no reward"),
        ({"boards": "nowhere.toml"}, "there is no such file, and no set of that name"),
    ],
)
def test_wrong_options_get_a_sentence(options: dict[str, object], words: str) -> None:
    """A wrong option is a ``ValueError`` that names it."""
    with pytest.raises(ValueError, match=words):
        Settings.of(**options)  # type: ignore[arg-type]


def test_settings_read_expansions_as_text_or_names() -> None:
    """``"rewards,wild_boar"`` and the tuple of both names are the same."""
    both = Settings.of(edition="imperial", expansions="rewards,wild_boar")
    assert both == Settings.of(edition="imperial", expansions=(REWARDS_NAME, "wild_boar"))
    assert both.actions == ACTIONS and Settings.of(action_form="turns").actions == MOST_TURNS


def test_only_players_of_the_kernel_play_in_the_vector_environment() -> None:
    """Another opponent is refused by name."""
    with pytest.raises(ValueError, match="no opponent 'master'"):
        VectorGames(settings(VARIANTS[0]), 1, 0, {1: "master"})
