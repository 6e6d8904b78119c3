"""Self-play on all cores or on a cluster: recorded games while the trainer computes gradients."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, Queue
from threading import Event, Thread
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.arena import Executor, ExecutorFault
from sanssouci.arena.executor import MOST_CRASHES
from sanssouci.arena.signals import Interruption
from sanssouci.kernel import Ints, game_keys
from sanssouci.kernel.games import PART_FIELDS, WINNERS_FIELD
from sanssouci.locale import UserError
from sanssouci.network import Layers
from sanssouci.network.games import (
    BY_NETWORK,
    BY_RIVAL,
    BY_STEWARD,
    Style,
    contest_games,
    recorded_games,
)

from .boards import Arrays, random_setup, shipped_setup, variants

RANDOM_BOARDS = 0.4
"""The share of training games on random boards; the others are on ``reference``."""
VARIANT_SHARES = (0.4, 0.2, 0.2, 0.2)
"""Base, rewards, wild boar, both."""
GAMES_A_JOB = 100
STEWARD_STYLE = Style(0.0, 0.04, 1.0, 0.3)
_SEED_BYTES = 32


class Played(NamedTuple):
    """The positions of one job."""

    words: Ints
    targets: npt.NDArray[np.float32]
    games: int


@dataclass(frozen=True, slots=True)
class Policy:
    """The networks that play, and their style."""

    layers: Layers
    by_network: bool
    style: Style
    opponent: Layers | None = None
    """A fixed network that plays all seats but one."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Some games to play."""

    number: int
    policy: Policy


@dataclass(frozen=True, slots=True)
class SelfPlayTask:
    """A ``Task`` of the arena: the games of a job follow from its number and policy, wherever it runs."""

    seats: tuple[int, ...]
    seed: int
    most_items: int = 16
    """Jobs of one batch: a job of 100 games with two seats has a megabyte of positions."""

    def prepare(self) -> None:
        """The package itself is enough; the first games compile what they need."""

    def run(self, items: Sequence[Job]) -> list[Played]:
        return [self._play(job.policy, np.random.default_rng([self.seed, job.number])) for job in items]

    def crash_fault(self, item: Job) -> ExecutorFault:
        return ExecutorFault("train.job_kills_worker", job=item.number, times=MOST_CRASHES)

    def _play(self, policy: Policy, random: np.random.Generator) -> Played:
        seats = int(random.choice(self.seats))
        variant = variants(seats)[random.choice(4, p=VARIANT_SHARES)]
        on_random = random.random() < RANDOM_BOARDS
        setup = random_setup(variant, random) if on_random else shipped_setup(variant)
        keys = game_keys(random.bytes(_SEED_BYTES), 1, GAMES_A_JOB)
        players = np.full((GAMES_A_JOB, 4), BY_NETWORK if policy.by_network else BY_STEWARD, np.int64)
        style, opponent = policy.style if policy.by_network else STEWARD_STYLE, policy.opponent
        if policy.by_network and opponent is not None:
            players[:] = BY_RIVAL
            players[np.arange(GAMES_A_JOB), random.integers(0, seats, GAMES_A_JOB)] = BY_NETWORK
        words, targets, _ = recorded_games(keys, *setup, players, policy.layers, style, opponent)
        return Played(words, targets, GAMES_A_JOB)


class SelfPlay:
    """Plays until it is stopped: in threads of this process, as compiled games run without the GIL, or on a
    cluster, which one thread keeps supplied with jobs.
    """

    def __init__(
        self,
        seats: tuple[int, ...],
        policy: Policy,
        threads: int,
        seed: int,
        cluster: Executor | None = None,
    ) -> None:
        self.policy: Policy | None = policy
        """The trainer replaces it while games are played; None lets the threads wait."""
        self.failure: BaseException | None = None
        self._task, self._cluster, self._numbers = SelfPlayTask(seats, seed), cluster, count()
        self._done: Queue[Played] = Queue(maxsize=4 * threads)
        self._stop, self._interruption = Event(), Interruption()
        self._threads = [
            Thread(target=self._run, daemon=True) for _ in range(threads if cluster is None else 1)
        ]
        for thread in self._threads:
            thread.start()

    def take(self) -> list[Played]:
        """Everything played since the last call; the ``UserError`` of a cluster that is lost."""
        if isinstance(self.failure, UserError):
            raise self.failure
        if self.failure is not None:
            raise RuntimeError("a self-play thread failed") from self.failure
        return self._take()

    def stop(self) -> None:
        """Stop the threads, which finish their games first; the jobs of a cluster are cancelled."""
        self._stop.set()
        self._interruption.interrupt()
        for thread in self._threads:
            while thread.is_alive():
                self._take()  # it may wait for room
                thread.join(0.05)

    def _take(self) -> list[Played]:
        found = []
        try:
            while True:
                found.append(self._done.get_nowait())
        except Empty:
            return found

    def _run(self) -> None:
        try:
            for batch in self._batches():
                for played in batch:
                    self._done.put(played)
        except BaseException as error:
            self.failure = error

    def _batches(self) -> Iterator[list[Played]]:
        if self._cluster is None:
            yield from (self._task.run([job]) for job in self._jobs())
            return
        with (
            self._interruption,
            closing(self._cluster.run(self._task, self._jobs(), self._interruption)) as batches,
            suppress(KeyboardInterrupt),  # by ``stop``
        ):
            yield from batches

    def _jobs(self) -> Iterator[Job]:
        while not self._stop.is_set():
            policy = self.policy
            if policy is None:
                self._stop.wait(0.02)
            else:
                yield Job(next(self._numbers), policy)


def sample_positions(seats: tuple[int, ...], layers: Layers, games: int, seed: int) -> list[Ints]:
    """``[n, words]`` for every variant, on shipped and on random boards: inputs of games by the network."""
    random = np.random.default_rng(seed)
    style, players = Style(0.3, 0.1, 1.0, 0.3), np.full((games, 4), BY_NETWORK, np.int64)
    return [
        recorded_games(game_keys(random.bytes(_SEED_BYTES), 1, games), *setup, players, layers, style)[0]
        for count in seats
        for variant in variants(count)
        for setup in (shipped_setup(variant), random_setup(variant, random))
    ]


class Strength(NamedTuple):
    """One seat of the network against stewards: its share of the wins, its margin over the best of them."""

    wins: float
    margin: float
    error: float
    """Half of the 95 % interval of the margin, by deal."""


def strength(setup: Arrays, layers: Layers, deals: int, seed: int, rival: Layers | None = None) -> Strength:
    """The network alone against stewards, or a rival, on ``deals`` deals, in every seat of each."""
    seats = int(setup.header[0])
    keys = game_keys(seed.to_bytes(_SEED_BYTES, "big"), 1, deals)
    players = np.full((deals * seats, 4), BY_STEWARD if rival is None else BY_RIVAL, np.int64)
    places = np.tile(np.arange(seats), deals)
    players[np.arange(deals * seats), places] = BY_NETWORK
    results = contest_games(np.repeat(keys, seats, axis=0), *setup, players, layers, rival or layers)
    totals = results[:, :seats, :PART_FIELDS].sum(axis=2)
    rows = np.arange(len(totals))
    own = totals[rows, places]
    others = totals.copy()
    others[rows, places] = -1
    margins = (own - others.max(axis=1)).reshape(deals, seats).mean(axis=1)
    winners = results[rows, places, WINNERS_FIELD]
    wins = np.where(winners > 0, 1 / np.maximum(winners, 1), 0).mean()
    return Strength(
        float(wins), float(margins.mean()), float(1.96 * margins.std() / max(deals - 1, 1) ** 0.5)
    )
