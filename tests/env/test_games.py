"""Games by action numbers: through the rules, and compiled, with the same observations, masks and rewards."""

from dataclasses import replace

import numpy as np
import pytest

from sanssouci.dealer import BulkGame, parse_seed
from sanssouci.env.game import Game, Games, Settings, deal_game, final_rewards
from sanssouci.env.observation import observe
from sanssouci.env.spec import ACTIONS, ILLEGAL_REWARD, MOST_TURNS, REWARDS
from sanssouci.env.vector_games import VectorGames
from sanssouci.players import make_player
from sanssouci.rules import REWARDS as REWARDS_NAME
from sanssouci.rules import Score, Variant
from tests.helpers import VARIANTS, stream

OPPONENTS = ("random", "greedy", "steward")


def settings(variant: Variant, form: str = "stages", reward: str = "win") -> Settings:
    return Settings.of(variant.seats, variant.edition, variant.expansions, "", form, reward)


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
        self.game = Game(self.settings, deal_game(self.settings, chance, self.players))
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
        before = self.game.points()[self.seat]
        try:
            self.game.step(action)
        except ValueError:
            self.done = True
            return ILLEGAL_REWARD, True
        self.play_opponents()
        self.done = self.game.over
        if self.settings.reward == "score":
            return float(self.game.points()[self.seat] - before), self.done
        final = final_rewards(self.settings, self.game.state)[self.seat] if self.done else 0.0
        return final, self.done


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
            assert (masks[game] == reference.game.mask()).all()
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


def test_an_observation_hides_the_choices_of_others() -> None:
    """The unfinished turn of the seat to move is not in the observation of another seat."""
    chosen = settings(VARIANTS[0])
    game = Game(chosen, deal_game(chosen, BulkGame(bytes(32), 1)))
    before = game.observe(1)
    game.step(game.legal()[0])
    assert (game.observe(1) == before).all()
    assert (game.observe(1) == observe(game.state.view(1))).all()
    assert (game.observe(0) != observe(game.state.view(0))).any()


def test_an_illegal_action_changes_nothing() -> None:
    """A card that is not in hand is refused, and the game goes on."""
    chosen = settings(VARIANTS[0])
    game = Game(chosen, deal_game(chosen, BulkGame(bytes(32), 1)))
    mask = game.mask()
    illegal = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(ValueError, match=f"action {illegal} is not legal"):
        game.step(illegal)
    assert (game.mask() == mask).all()
    whole = Game(settings(VARIANTS[0], "turns"), deal_game(chosen, BulkGame(bytes(32), 1)))
    for index in (-1, int(whole.mask().sum()), MOST_TURNS):
        with pytest.raises(ValueError, match="no legal turn"):
            whole.step(index)


def test_a_seed_gives_a_series_of_games() -> None:
    """A seed begins with its game 1; without a seed the next game follows."""
    games, again = Games(), Games()
    chosen = settings(VARIANTS[0])
    first, second = deal_game(chosen, games.next(7)), deal_game(chosen, games.next(None))
    assert first != second
    assert (deal_game(chosen, again.next(7)), deal_game(chosen, again.next(None))) == (first, second)
    assert first == deal_game(chosen, BulkGame(parse_seed("7"), 1))


def test_wins_are_shared() -> None:
    """R28: the reward of a shared victory is divided, and all rewards sum to zero."""
    chosen = settings(VARIANTS[6])
    game = Game(chosen, deal_game(chosen, BulkGame(bytes(32), 1)))
    while not game.over:
        game.step(game.legal()[-1])
    level = replace(game.state, gardens=game.state.gardens[:1] * 3)
    for points, rewards in (
        ((5, 5, 5), (0, 0, 0)),
        ((5, 5, 4), (0.25, 0.25, -0.5)),
        ((4, 6, 5), (-0.5, 1, -0.5)),
    ):
        state = replace(level, scores=tuple(map(Score, points)))
        assert final_rewards(chosen, state) == pytest.approx(rewards)
    margins = final_rewards(settings(VARIANTS[6], reward="margin"), state)
    assert margins == (-2, 1, -1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 5}, "5"),
        ({"edition": "first"}, "'first' is no edition"),
        ({"expansions": "rewards,snow"}, "'snow' is no expansion"),
        ({"expansions": "wild_boar"}, "boar"),
        ({"action_form": "bits"}, "'bits' is no action form"),
        ({"reward": "fame"}, "'fame' is no reward"),
        ({"boards": "nowhere.toml"}, "nowhere|there is no"),
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
