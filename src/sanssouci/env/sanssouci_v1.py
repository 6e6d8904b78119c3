"""The game for PettingZoo: ``sanssouci_v1.env()``; the name and both constructors follow its conventions.

There is no parallel form: seats move one after the other and each sees the outcome of the turns before.
"""

from typing import Any

import numpy as np

from .compiled import OVER
from .drawing import draw
from .extras import needs_extra
from .game import Game, IllegalActionError, Settings
from .observation import ActionMask, Observation
from .spec import ILLEGAL_REWARD, fields

with needs_extra():
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv


class raw_env(AECEnv, EzPickle):  # noqa: N801 - PettingZoo's name
    """Takes the options of ``Settings.of`` and ``render_mode``; an illegal action is a ``ValueError``."""

    metadata = {  # noqa: RUF012 - PettingZoo reads it from the class
        "name": "sanssouci_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        EzPickle.__init__(self, render_mode, **options)
        super().__init__()
        self.settings = Settings.of(**options)
        self.render_mode = check_render_mode(render_mode)
        self._by_points = self.settings.reward == "score"
        seats = self.settings.variant.seats
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.action_spaces = {agent: spaces.Discrete(self.settings.actions) for agent in self.possible_agents}
        space = spaces.Dict(
            {
                "observation": observation_space(seats),
                "action_mask": spaces.Box(0, 1, (self.settings.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._game = Game(self.settings)

    def __getattr__(self, name: str) -> Any:
        if name in ("game", "agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"{name!r} is not known before the first game: call reset()", name=name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal game 1 of a seed, or the next game of the last seed."""
        self._game.deal(seed)
        self.game = self._game
        """The game in play, with hidden information; players may use only ``observe``."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Observation | ActionMask]:
        observation, mask = self.game.observe(self._seats[agent])
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for ``agent_selection``."""
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must decide: None is for agents whose game is over")
        game = self.game
        game.step(action)
        self._cumulative_rewards[agent] = 0.0
        if game.to_move == OVER:
            self._end(game.rewards())
            return
        self.agent_selection = self.possible_agents[game.to_move]
        if self._by_points:
            self._reward(game.rewards())

    def _end(self, rewards: list[float]) -> None:
        self._reward(rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _reward(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The view of the seat to move as text."""
        state = self.game.state
        return draw(state.view(state.to_move)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class env(raw_env):  # noqa: N801 - PettingZoo's name
    """The same, but an illegal action ends the game: reward -1, and 0 for the other seats.

    PettingZoo's wrappers would do this too, but take several times as long as the game.
    """

    def step(self, action: int | None) -> None:
        """Take an action for ``agent_selection``."""
        try:
            super().step(action)
        except IllegalActionError:
            rewards = dict.fromkeys(self.agents, 0.0) | {self.agent_selection: ILLEGAL_REWARD}
            self._cumulative_rewards[self.agent_selection] = 0.0
            self._end([*rewards.values()])


def check_render_mode(mode: str | None) -> str | None:
    """``ValueError`` for a mode other than ``ansi``."""
    if mode not in (None, "ansi"):
        raise ValueError(f"{mode!r} is no render mode; there is only 'ansi', which returns a text")
    return mode


def observation_space(seats: int) -> spaces.Box:
    """The space of observations."""
    high = np.concatenate([np.full(part.size, part.high, np.uint8) for part in fields(seats)])
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
