"""The game for Gymnasium: one seat against built-in players. ``gymnasium.make("Sanssouci-v1")``."""

from collections.abc import Sequence
from typing import Any

from sanssouci.dealer import BulkGame
from sanssouci.kernel import POLICIES
from sanssouci.players import Player, check_player, make_player

from .compiled import OVER
from .drawing import draw
from .extras import needs_extra
from .game import Game, Settings, deal_game, integer
from .observation import ActionMask, Observation
from .spec import ILLEGAL_REWARD

with needs_extra():
    import gymnasium
    from gymnasium import spaces

from .sanssouci_v1 import check_render_mode, observation_space


class SanssouciEnv(gymnasium.Env[Observation, int]):
    """The agent has one seat; players of the registry have the others.

    ``opponents`` is one name for all other seats, or one name for each in turn order. Other options are those
    of ``Settings.of``. The mask of the legal actions is ``info["action_mask"]``; an illegal action ends the
    game with reward -1.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium reads it from the class

    def __init__(
        self,
        opponents: str | Sequence[str] = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.settings = Settings.of(**options)
        self.render_mode = check_render_mode(render_mode)
        self._by_points = self.settings.reward == "score"
        seats = self.settings.variant.seats
        self._seat = check_seat(seat, seats)
        self._opponents = opponent_names(opponents, self._seat, seats)
        self.action_space = spaces.Discrete(self.settings.actions)
        self.observation_space = observation_space(seats)
        compiled = all(name in POLICIES for name in self._opponents.values())
        for name in self._opponents.values():
            check_player(name)
        self._game = Game(self.settings, self._opponents if compiled else {})
        self._players: dict[int, Player] | None = None if compiled else {}
        """The opponents, unless they are part of the compiled game."""
        self._dealt = self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal game 1 of a seed, or the next game of the last seed, and play up to the agent's turn."""
        super().reset(seed=seed)
        self._dealt, self._over = True, False
        if self._players is None:
            self._game.deal(seed)
        else:
            chance = BulkGame(*self._game.next_game(seed))
            self._players = {
                seat: make_player(name, chance.stream(seat)) for seat, name in self._opponents.items()
            }
            self._game.load(deal_game(self.settings, chance, self._players))
            self._play_opponents(self._players)
        observation, mask = self._game.observe(self._seat)
        return observation, {"action_mask": mask}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action; after a whole turn the opponents play theirs."""
        game, reward = self.game, 0.0
        if self._over:
            raise ValueError("the game is over; call reset()")
        try:
            game.step(action)
        except ValueError:
            self._over = True
            observation, mask = game.observe(self._seat)
            return observation, ILLEGAL_REWARD, True, False, {"action_mask": mask}
        if self._players is not None:
            self._play_opponents(self._players)
        self._over = game.to_move == OVER
        if self._over or self._by_points:
            reward = game.rewards()[self._seat]
        observation, mask = game.observe(self._seat)
        return observation, reward, self._over, False, {"action_mask": mask}

    @property
    def game(self) -> Game:
        """The game in play; it is not for the agent, which may know only its observations."""
        if not self._dealt:
            raise ValueError("call reset() before anything else")
        return self._game

    def action_masks(self) -> ActionMask:
        """The mask of the legal actions, under the name that sb3-contrib expects."""
        return self.game.observe(self._seat)[1]

    def render(self) -> str | None:
        """The agent's view as text."""
        return draw(self.game.state.view(self._seat)) if self.render_mode == "ansi" else None

    def _play_opponents(self, players: dict[int, Player]) -> None:
        game = self._game
        while game.to_move not in (OVER, self._seat):
            game.play(players[game.to_move].decide(game.state.view(game.to_move)))


def check_seat(seat: int, seats: int) -> int:
    """``ValueError`` for a seat that the game does not have."""
    number = integer("a seat", seat)
    if number not in range(seats):
        raise ValueError(f"there is no seat {number}; there are 0 to {seats - 1}")
    return number


def opponent_names(opponents: str | Sequence[str], seat: int, seats: int) -> dict[int, str]:
    """The name of the player on each seat but the agent's."""
    others = [other for other in range(seats) if other != seat]
    names = [opponents] * len(others) if isinstance(opponents, str) else opponents
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"opponents are names of players, not {opponents!r}")
    if len(names) != len(others):
        raise ValueError(f"name one opponent for all other seats, or {len(others)}, not {len(names)}")
    return dict(zip(others, names, strict=True))
