"""Thousands of games at once for Gymnasium, in compiled code: ``gymnasium.make_vec("Sanssouci-v1", ...)``."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints

from .extras import needs_extra
from .game import Settings, integer
from .observation import ActionMask, Observation
from .sanssouci_v1 import observation_space
from .single_env import check_seat, opponent_names
from .vector_games import Flags, VectorGames

with needs_extra():
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Infos = dict[str, Any]


class SanssouciVectorEnv(VectorEnv[Observation, Ints, Any]):
    """``num_envs`` games of ``SanssouciEnv``, with the same options, seeds and results.

    The opponents are players of the kernel: random, greedy or steward. ``infos["action_mask"]`` has the masks
    of all games. A finished game is dealt anew in the next step, which ignores its action (NEXT_STEP).
    """

    metadata = {  # noqa: RUF012 - Gymnasium reads it from the class
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponents: str | Sequence[str] = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        settings = Settings.of(**options)
        seats = settings.variant.seats
        seat = check_seat(seat, seats)
        others = opponent_names(opponents, seat, seats)
        num_envs = integer("num_envs", num_envs)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.games = VectorGames(settings, num_envs, seat, others)
        self.single_observation_space = observation_space(seats)
        self.single_action_space = spaces.Discrete(settings.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | np.integer[Any] | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Infos]:
        """Deal all games, or those of ``options["reset_mask"]``; seed n means n, n + 1, … for the games."""
        seeds = self._seeds(seed)
        wanted = (options or {}).get("reset_mask")
        if wanted is not None and np.shape(wanted) != (self.num_envs,):
            raise ValueError(f"{self.num_envs} games need a mask of that length, not {np.shape(wanted)}")
        observations, masks = self.games.deal(seeds, None if wanted is None else np.flatnonzero(wanted))
        return observations, self._infos(masks)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Take one action in every game."""
        codes = np.asarray(actions)
        if codes.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {codes.dtype}")
        if codes.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} games need as many actions, not an array {codes.shape}")
        observations, masks, rewards, terminated = self.games.step(np.ascontiguousarray(codes, np.int64))
        return observations, rewards, terminated, np.zeros(self.num_envs, np.bool_), self._infos(masks)

    def _seeds(self, seed: object) -> list[int | None] | None:
        if seed is None:
            return None
        if isinstance(seed, int | np.integer):
            return [int(seed) + game for game in range(self.num_envs)]
        if isinstance(seed, str) or not isinstance(seed, Iterable):
            raise TypeError(f"a seed is an integer, or there is one for each game, not {seed!r}")
        seeds = [*seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need as many seeds, not {len(seeds)}")
        return seeds

    def _infos(self, masks: ActionMask) -> Infos:
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}
