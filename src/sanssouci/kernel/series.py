"""A series of games on several threads, in chunks of fixed size, returned in order."""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sanssouci.dealer import Seed, check_seed

from .compiler import COMPILES, ignore_overflow
from .game_setup import GameSetup
from .games import RESULT_FIELDS, play_games
from .greedy import GREEDY, RANDOM, STEWARD, WEIGHTS
from .keys import game_keys
from .layout import MOST_SEATS, Ints
from .rng import Words

POLICIES = {"random": RANDOM, "greedy": GREEDY, "steward": STEWARD}
"""The players that the kernel can play by itself."""
Players: TypeAlias = str | Sequence[str]
"""The player of each seat by name; one name alone is for all seats."""
CHUNK = 4096 if COMPILES else 16
"""Games that a thread plays at a time; interpreted games take a thousand times as long."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The results of consecutive games."""

    first: int
    results: Ints
    """``[games, 4, RESULT_FIELDS]``"""


def policies(players: Players, seats: int) -> Ints:
    """``[4]``: the policy of each seat by the name of its player; ``ValueError`` if they do not fit."""
    names = (players,) * seats if isinstance(players, str) else tuple(players)
    if len(names) != seats:
        raise ValueError(f"{seats} seats need as many players, not {len(names)}")
    unknown = [name for name in names if name not in POLICIES]
    if unknown:
        raise ValueError(f"the kernel has no player {unknown[0]!r}, only {', '.join(POLICIES)}")
    return np.array([*(POLICIES[name] for name in names), *(RANDOM,) * (MOST_SEATS - seats)], np.int64)


def play_series(
    setup: GameSetup, seed: Seed, players: Players, games: int, threads: int | None = None
) -> Iterator[Chunk]:
    """Games 1 to ``games`` of a seed, chunk after chunk; the results do not depend on the threads.

    Only enough chunks to keep the threads busy are in flight: memory does not grow with the games.
    """
    check_seed(seed)
    if games < 0:
        raise ValueError(f"{games} games cannot be played")
    policies(players, setup.variant.seats)  # raises before the first game
    threads = threads or os.cpu_count() or 1
    waiting: deque[Future[Chunk]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for first, count in chunk_bounds(players, games):
                waiting.append(pool.submit(play_chunk, setup, seed, players, first, count))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def chunk_bounds(players: Players, games: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of every chunk; a chunk takes milliseconds with any player."""
    quick = {players} if isinstance(players, str) else {*players}
    size = CHUNK if quick == {"random"} else max(1, CHUNK // 20)
    for first in range(1, games + 1, size):
        yield first, min(size, games + 1 - first)


def play_chunk(setup: GameSetup, seed: Seed, players: Players, first: int, games: int) -> Chunk:
    """Games ``first`` to ``first + games - 1`` of a seed, on this thread."""
    seats = policies(players, setup.variant.seats)
    results = np.zeros((games, MOST_SEATS, RESULT_FIELDS), np.int64)
    with ignore_overflow():
        keys = game_keys(seed, first, games)
    play_keys(setup, keys, seats, results)
    return Chunk(first, results)


def play_keys(setup: GameSetup, keys: Words, seats: Ints, results: Ints) -> None:
    """Play the games of these keys on this thread.

    ``keys``: ``[games, 2]``; ``seats``: ``[4]``, the policies; ``results``: ``[games, 4, RESULT_FIELDS]``.
    """
    nowhere = np.empty((len(keys), 0), np.int64)
    with ignore_overflow():
        play_games(keys, setup.header, setup.gardens, setup.rewards, seats, results, nowhere, WEIGHTS)
