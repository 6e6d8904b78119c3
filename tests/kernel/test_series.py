"""Series in the kernel compared with games played by the rules: the same seed gives the same games."""

from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np
import pytest

from sanssouci.arena import Simulation
from sanssouci.arena.simulation import results_of
from sanssouci.dealer import BulkGame, parse_seed
from sanssouci.editions import load_edition, shipped_boards
from sanssouci.kernel import (
    COMPILES,
    GREEDY,
    POLICIES,
    RANDOM,
    STEWARD,
    GameSetup,
    Ints,
    play_series,
    policies,
)
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.series import CHUNK
from sanssouci.rules import GardenBoard, RewardBoard, Variant

from ..helpers import VARIANTS, stream

MIXES = {
    "random": "random random random random",
    "greedy": "greedy greedy greedy greedy",
    "mixed": "greedy random greedy random",
    "mixed too": "random random greedy random",
}
"""Players by seat; surplus names are ignored."""
both = pytest.mark.skipif(not COMPILES, reason="there is no compiled kernel here to compare with")


def simulation(variant: Variant, players: str, seed: str = "77") -> Simulation:
    names = tuple(players.split()[: variant.seats])
    return Simulation(variant, load_edition(variant.edition).boards, names, parse_seed(seed))


def played(series: Simulation, games: int, threads: int | None = None) -> Ints:
    """``[games, 4, RESULT_FIELDS]``; the chunks arrive in order, without a gap."""
    results: list[Ints] = []
    done = 0
    for chunk in series.chunks(games, threads):
        assert chunk.first == done + 1
        done += len(chunk.results)
        results.append(chunk.results)
    assert done == games
    return np.concatenate(results)


@both
@pytest.mark.parametrize("players", MIXES.values(), ids=MIXES)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_series_equals_its_games(variant: Variant, players: str) -> None:
    """R1-R38: the results of a series equal those of its games played by the rules."""
    games = 12 if "greedy" not in players else 4
    series = simulation(variant, players)
    assert series.in_kernel
    one_by_one = np.concatenate([results_of(series.play(number)) for number in range(1, games + 1)])
    assert (played(series, games) == one_by_one).all()


@both
def test_boards_with_one_side_leave_nothing_to_pick() -> None:
    """R9, R29: one-sided boards use no randomness for the pick, in kernel and rules."""
    whole = shipped_boards("reference")
    gardens = tuple(GardenBoard(board.sides[: 1 + place % 2]) for place, board in enumerate(whole.gardens))
    rewards = tuple(RewardBoard(board.sides[place % 2 :]) for place, board in enumerate(whole.rewards))
    boards = replace(whole, gardens=gardens, rewards=rewards)
    series = replace(simulation(Variant(3, rewards=True), "random random random"), boards=boards)
    one_by_one = np.concatenate([results_of(series.play(number)) for number in range(1, 21)])
    assert (played(series, 20) == one_by_one).all()


@pytest.mark.parametrize(
    ("players", "chunk"), [("random random", CHUNK), ("greedy random", max(1, CHUNK // 20))]
)
def test_threads_change_nothing(players: str, chunk: int) -> None:
    """The number of threads does not change the games, also with an incomplete last chunk."""
    series = simulation(Variant(2), players)
    for games in (max(1, chunk - 1), chunk, 5 * chunk + 3):
        alone = played(series, games, 1)
        assert (played(series, games, 2) == alone).all() and (played(series, games, 3) == alone).all()


@both
def test_a_game_is_the_same_in_any_chunk() -> None:
    """The first and last games of a chunk equal the games of their numbers."""
    for players, chunk in (("random random", CHUNK), ("random greedy", CHUNK // 20)):
        series = simulation(Variant(2, rewards=True), players)
        results = played(series, 2 * chunk + 1)
        for number in (1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1):
            assert (results[number - 1] == results_of(series.play(number))[0]).all()
        assert (played(series, 5) == results[:5]).all()


def test_a_series_can_be_stopped() -> None:
    """Closing the iterator stops a very long series after its first chunks."""
    series = simulation(Variant(2), "random random")
    setup = GameSetup.of(series.variant, series.boards)
    endless = play_series(setup, series.seed, series.players, 10**12, threads=2)
    firsts = [chunk.first for chunk in islice(endless, 3)]
    assert firsts == [1, 1 + CHUNK, 1 + 2 * CHUNK]
    endless.close()  # type: ignore[attr-defined]


def test_the_kernel_knows_its_players() -> None:
    """Each player name has a policy; wrong numbers and unknown names are refused."""
    assert {"random": RANDOM, "greedy": GREEDY, "steward": STEWARD} == POLICIES
    assert policies(("greedy", "random", "steward"), 3).tolist() == [GREEDY, RANDOM, STEWARD, RANDOM]
    assert policies("steward", 2).tolist() == [STEWARD, STEWARD, RANDOM, RANDOM]
    for players, seats in ((("greedy",), 2), (("random",) * 5, 4), (("random", "nobody"), 2), ((), 2)):
        with pytest.raises(ValueError, match=r"players|no player"):
            policies(players, seats)
    assert not simulation(Variant(2), "random nobody").in_kernel


def hashed(seed: bytes, number: int) -> list[int]:
    """The two keys of a game as docs/chance.md defines them."""
    digest = sha256(b"sanssouci bulk/1" + seed + number.to_bytes(8, "big")).digest()
    return [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8)]


@pytest.mark.parametrize("first", [0, 1, 2**31 - 2, 2**32 - 2, 10**12, 2**40 - 2, 2**63 - 4])
def test_keys_are_hashes(first: int) -> None:
    """The kernel's keys equal SHA-256 for any seed, also beyond 32 bits."""
    chance = stream(first)
    seeds = [bytes(chance.below(256) for _ in range(32)) for _ in range(60)]
    for seed in (*seeds, bytes(32), b"\xff" * 32):
        assert game_keys(seed, first, 4).tolist() == [hashed(seed, first + game) for game in range(4)]


def test_keys_of_many_games() -> None:
    """The keys of a long series equal the hashes and the dealer's key."""
    seed = parse_seed("5")
    keys = game_keys(seed, 1, 5_000).tolist()
    assert keys == [hashed(seed, number) for number in range(1, 5_001)]
    for number in (1, 2, 4_999):
        game = BulkGame(seed, number)
        assert game._deal_key == keys[number - 1][0]  # the key is private


@pytest.mark.parametrize(("first", "games"), [(-1, 1), (-5, 10), (2**63, 1), (2**63 - 3, 4), (2**64, 1)])
def test_there_is_no_game_before_the_first_or_beyond_63_bits(first: int, games: int) -> None:
    """Game numbers below 0 or beyond 63 bits are refused instead of wrapping around."""
    with pytest.raises(ValueError, match=f"no game {first}"):
        game_keys(bytes(32), first, games)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    """A series with a shorter or longer seed is refused."""
    series = replace(simulation(Variant(2), "random random"), seed=bytes(length))
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        next(iter(series.chunks(1)))
