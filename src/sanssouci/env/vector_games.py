"""Thousands of games of one agent against players of the kernel, stepped together: arrays in, arrays out.

The Gymnasium environment in ``vector_env`` is a thin layer over this, which needs NumPy and Numba only.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import new_seed, parse_seed
from sanssouci.kernel import COMPILE_UNITS, NO_BOARD, POLICIES, RANDOM, GameSetup, Ints
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.kernel.keys import message
from sanssouci.kernel.layout import MOST_SEATS, SIZE
from sanssouci.kernel.rng import STREAMS

from .compiled import DONE, PROGRESS, deal_games, field_starts, fill_outputs, next_keys, step_games
from .game import TURNS, Settings
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
        self._settings, self._seat, self._policies = settings, seat, _policies(opponents)
        self._whole = settings.form == TURNS
        self._reward = REWARDS.index(settings.reward)
        setup = GameSetup.of(settings.variant, settings.boards)
        self._setup = setup.header, setup.gardens, setup.rewards
        self._starts = field_starts(settings.variant.seats)
        self._messages = np.stack([message(new_seed()) for _ in range(games)])
        self._numbers = np.zeros(games, np.int64)
        self._masks: ActionMask = np.zeros((games, 0), np.int8)
        self._games = (
            np.zeros((games, SIZE), np.int64),
            np.zeros((games, MOST_CARDS), np.int64),
            np.zeros((games, MOST_TILES), np.int64),
            np.full((games, MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64),
            np.zeros((games, STREAMS), np.uint64),
            np.zeros((games, PROGRESS), np.int64),
        )

    @property
    def states(self) -> Ints:
        """``[games, SIZE]``: the whole states (``kernel.layout``); they are not for the agent."""
        return self._games[0]

    def deal(
        self, seeds: Sequence[int | None] | None = None, which: Ints | None = None
    ) -> tuple[Observation, ActionMask]:
        """Deal the games ``which``, or all: game 1 of a new seed, or the next game of the last one."""
        which = np.arange(len(self.states)) if which is None else which
        for game in which:
            seed = None if seeds is None else seeds[game]
            if seed is not None:
                self._messages[game], self._numbers[game] = message(parse_seed(str(seed))), 0
        self._deal(which)
        return self._outputs()

    def step(self, actions: Ints) -> Outcome:
        """Take one action in every game (``[games]``)."""
        progress, rewards = self._games[5], np.zeros(len(self.states))
        anew = np.flatnonzero(progress[:, DONE])
        with ignore_overflow():
            step_games(
                actions, self._masks, self._seat, self._policies, WEIGHTS, self._reward, self._games, rewards
            )
        terminated = progress[:, DONE] == 1
        if len(anew):
            self._deal(anew)
            terminated[anew] = False
        return Outcome(*self._outputs(), rewards, terminated)

    def _deal(self, which: Ints) -> None:
        self._numbers[which] += 1
        keys = np.empty((len(which), 2), np.uint64)
        with ignore_overflow():
            next_keys(self._messages[which], self._numbers[which], keys)
            deal_games(which, keys, self._setup, self._seat, self._policies, WEIGHTS, self._games)

    def _outputs(self) -> tuple[Observation, ActionMask]:
        games, seats = len(self.states), self._settings.variant.seats
        observations = np.empty((games, observation_size(seats)), np.uint8)
        masks = np.empty((games, self._settings.actions), np.int8)
        progress = self._games[5]
        fill_outputs(self.states, self._seat, progress, self._starts, self._whole, observations, masks)
        if not self._whole:
            self._masks = masks.copy()  # the caller may change the one that it is given
        return observations, masks


def _policies(opponents: dict[int, str]) -> Ints:
    """``[4]``: the policy of each seat; the agent's is not used."""
    unknown = [name for name in opponents.values() if name not in POLICIES]
    if unknown:
        known = ", ".join(POLICIES)
        raise ValueError(f"the vector environment has no opponent {unknown[0]!r}; there are {known}")
    found = np.full(MOST_SEATS, RANDOM, np.int64)
    for seat, name in opponents.items():
        found[seat] = POLICIES[name]
    return found


def _compile() -> None:
    games = VectorGames(Settings.of(), 1, 0, {1: "random"})
    games.deal([0])
    games.step(np.zeros(1, np.int64))


COMPILE_UNITS["vector_env"] = _compile
