"""The game for PettingZoo: ``sanssouci_v1.env()``; the name and both constructors follow its conventions.

There is no parallel form: seats move one after the other and each sees the outcome of the turns before.
"""

from typing import Any

import numpy as np

from .drawing import draw
from .extras import needs_extra
from .game import Game, Games, Settings, deal_game, final_rewards
from .observation import ActionMask, Observation
from .spec import ILLEGAL_REWARD, fields

with needs_extra():
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers


def env(**options: Any) -> Any:
    """The environment with PettingZoo's checks; an illegal action ends the game with reward -1."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


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
        self.render_mode = render_mode
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
        self._games = Games()
        self._game: Game | None = None

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal game 1 of a seed, or the next game of the last seed."""
        self._game = Game(self.settings, deal_game(self.settings, self._games.next(seed)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    @property
    def game(self) -> Game:
        """The game in play; it is not for players, who may know only what ``observe`` gives."""
        if self._game is None:
            raise ValueError("call reset() before anything else")
        return self._game

    def observe(self, agent: str) -> dict[str, Observation | ActionMask]:
        seat = self.possible_agents.index(agent)
        mask = self.game.mask()
        if seat != self.game.to_move:
            mask[:] = 0
        return {"observation": self.game.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for ``agent_selection``."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        before = self.game.points()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.game.step(-1 if action is None else int(action))
        self._reward(before)
        self.agent_selection = self.possible_agents[self.game.to_move]
        self._accumulate_rewards()

    def _reward(self, before: tuple[int, ...]) -> None:
        over = self.game.over
        if self.settings.reward == "score":
            changes = zip(self.game.points(), before, strict=True)
            self.rewards = dict(zip(self.agents, (float(now - then) for now, then in changes), strict=True))
        elif over:
            self.rewards = dict(zip(self.agents, final_rewards(self.settings, self.game.state), strict=True))
        if over:
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The view of the seat to move as text."""
        return draw(self.game.state.view(self.game.to_move)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def observation_space(seats: int) -> spaces.Box:
    """The space of observations."""
    high = np.concatenate([np.full(part.size, part.high, np.uint8) for part in fields(seats)])
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
