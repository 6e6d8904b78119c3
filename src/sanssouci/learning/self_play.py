"""Self-play on all cores: threads that play recorded games while the trainer computes gradients."""

from dataclasses import dataclass
from queue import Empty, Queue
from threading import Event, Thread
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sanssouci.kernel import Ints, game_keys
from sanssouci.kernel.games import PART_FIELDS, WINNERS_FIELD
from sanssouci.network import Layers
from sanssouci.network.games import BY_NETWORK, BY_STEWARD, Style, contest_games, recorded_games

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


@dataclass(slots=True)
class Policy:
    """Who plays now, and how; the trainer replaces it while the threads run."""

    layers: Layers
    by_network: bool
    style: Style


class SelfPlay:
    """Threads that play until they are stopped; compiled games run without the GIL."""

    def __init__(self, seats: tuple[int, ...], policy: Policy, threads: int, seed: int) -> None:
        self.policy: Policy | None = policy
        """None lets the threads wait."""
        self.failure: BaseException | None = None
        self._seats = seats
        self._done: Queue[Played] = Queue(maxsize=4 * threads)
        self._stop = Event()
        self._threads = [
            Thread(target=self._run, args=(np.random.default_rng([seed, thread]),), daemon=True)
            for thread in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def take(self) -> list[Played]:
        """Everything played since the last call."""
        if self.failure is not None:
            raise RuntimeError("a self-play thread failed") from self.failure
        found = []
        try:
            while True:
                found.append(self._done.get_nowait())
        except Empty:
            return found

    def stop(self) -> None:
        """Stop the threads; each finishes its games first."""
        self._stop.set()
        while any(thread.is_alive() for thread in self._threads):
            self.take()
            self._threads[0].join(0.05)
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            if not self._threads:
                return

    def _run(self, random: np.random.Generator) -> None:
        try:
            while not self._stop.is_set():
                policy = self.policy
                if policy is None:
                    self._stop.wait(0.02)
                else:
                    self._done.put(self._play(policy, random))
        except BaseException as error:
            self.failure = error

    def _play(self, policy: Policy, random: np.random.Generator) -> Played:
        seats = int(random.choice(self._seats))
        variant = variants(seats)[random.choice(4, p=VARIANT_SHARES)]
        on_random = random.random() < RANDOM_BOARDS
        setup = random_setup(variant, random) if on_random else shipped_setup(variant)
        keys = game_keys(random.bytes(_SEED_BYTES), 1, GAMES_A_JOB)
        players = np.full((GAMES_A_JOB, 4), BY_NETWORK if policy.by_network else BY_STEWARD, np.int64)
        style = policy.style if policy.by_network else STEWARD_STYLE
        words, targets, _ = recorded_games(keys, *setup, players, policy.layers, style)
        return Played(words, targets, GAMES_A_JOB)


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
    players = np.full((deals * seats, 4), BY_STEWARD if rival is None else 2, np.int64)
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
