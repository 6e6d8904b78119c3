"""Thousands of games of one agent against players of the kernel, stepped together: arrays in, arrays out.

The Gymnasium environment in ``vector_env`` is a thin layer over this, which needs NumPy and Numba only.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import new_seed, parse_seed
from sanssouci.kernel import COMPILE_UNITS, GameSetup, Ints
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.kernel.keys import message
from sanssouci.kernel.layout import SIZE
from sanssouci.kernel.rng import STREAMS

from .compiled import DONE, GAME, deal_games, field_starts, fill_outputs, next_keys, step_games
from .game import TURNS, Game, Settings, policy_codes
from .observation import ActionMask, Observation
from .spec import REWARDS, observation_size

Flags = npt.NDArray[np.bool_]


class Outcome(NamedTuple):
    """What a step brings, one row for each game."""

    observations: Observation
    masks: ActionMask
    rewards: npt.NDArray[np.float64]
    terminated: Flags


class VectorGames:
    """``games`` games at once; each has its own seed, turn and stage.

    A finished game is dealt anew in the next step, which ignores its action and rewards nothing.
    """

    def __init__(self, settings: Settings, games: int, seat: int, opponents: dict[int, str]) -> None:
        if games < 1:
            raise ValueError(f"a vector environment has at least 1 game, not {games}")
        self._settings, self._seat, self._policies = settings, seat, policy_codes(opponents)
        self._whole = settings.form == TURNS
        self._kind = REWARDS.index(settings.reward)
        setup = GameSetup.of(settings.variant, settings.boards)
        self._setup = setup.header, setup.gardens, setup.rewards
        self._starts = field_starts(settings.variant.seats)
        self._messages = np.stack([message(new_seed()) for _ in range(games)])
        self._numbers = np.zeros(games, np.int64)
        self._games = np.zeros((games, GAME), np.int64)
        self._streams = np.zeros((games, STREAMS), np.uint64)

    @property
    def states(self) -> Ints:
        """``[games, SIZE]``: the whole states (``kernel.layout``); they are not for the agent."""
        return self._games[:, :SIZE]

    def deal(
        self, seeds: Sequence[int | None] | None = None, which: Ints | None = None
    ) -> tuple[Observation, ActionMask]:
        """Deal the games ``which``, or all: game 1 of a new seed, or the next game of the last one."""
        which = np.arange(len(self._games)) if which is None else which
        if len(which) < len(self._games):
            self._check_dealt()
        for game in which:
            seed = None if seeds is None else seeds[game]
            if seed is not None:
                self._messages[game], self._numbers[game] = message(parse_seed(str(seed))), 0
        self._deal(which)
        return self._outputs()

    def step(self, actions: Ints) -> Outcome:
        """Take one action in every game (``[games]``)."""
        self._check_dealt()
        done, rewards = self._games[:, DONE], np.zeros(len(self._games))
        anew = np.flatnonzero(done)
        step_games(
            actions,
            self._whole,
            self._seat,
            self._policies,
            WEIGHTS,
            self._kind,
            self._games,
            self._streams,
            rewards,
        )
        terminated = done == 1
        if len(anew):
            self._deal(anew)
            terminated[anew] = False
        return Outcome(*self._outputs(), rewards, terminated)

    def _check_dealt(self) -> None:
        if not self._numbers.all():
            raise ValueError(
                "no games have been dealt; deal all of them first: reset(), or deal() without Gymnasium"
            )

    def _deal(self, which: Ints) -> None:
        self._numbers[which] += 1
        keys = np.empty((len(which), 2), np.uint64)
        next_keys(self._messages[which], self._numbers[which], keys)
        deal_games(which, keys, self._setup, self._policies, WEIGHTS, self._games, self._streams)

    def _outputs(self) -> tuple[Observation, ActionMask]:
        games, seats = len(self._games), self._settings.variant.seats
        observations = np.empty((games, observation_size(seats)), np.uint8)
        masks = np.empty((games, self._settings.actions), np.int8)
        fill_outputs(self._games, self._seat, self._starts, self._whole, observations, masks)
        return observations, masks


def _compile() -> None:
    settings = Settings.of()
    games, game = VectorGames(settings, 1, 0, {1: "random"}), Game(settings)
    games.deal([0])
    games.step(np.zeros(1, np.int64))
    game.deal(0)
    _, mask = game.observe(0)
    game.step(int(mask.argmax()))
    game.rewards()


COMPILE_UNITS["environments"] = _compile
