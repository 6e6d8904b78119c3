"""Same seed, same game: series in the kernel beside games played through the rules."""

from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np
import pytest

from sanssouci.arena import Simulation
from sanssouci.arena.simulation import results_of
from sanssouci.dealer import BulkGame, parse_seed
from sanssouci.editions import load_edition, shipped_boards
from sanssouci.kernel import COMPILES, GREEDY, POLICIES, RANDOM, STEWARD, Box, Ints, play_series, policies
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
"""Who sits where, as far as there are seats."""
both = pytest.mark.skipif(not COMPILES, reason="there is no compiled kernel here to compare with")


def simulation(variant: Variant, players: str, seed: str = "77") -> Simulation:
    """Players on the boards of the edition."""
    names = tuple(players.split()[: variant.seats])
    return Simulation(variant, load_edition(variant.edition).boards, names, parse_seed(seed))


def played(series: Simulation, games: int, threads: int | None = None) -> Ints:
    """``[games, 4, RESULT_FIELDS]``; the chunks come in order, without a gap."""
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
def test_a_series_is_its_games(variant: Variant, players: str) -> None:
    """R1-R38: what the kernel tells of a series is what comes of its games played through the rules."""
    games = 12 if "greedy" not in players else 4
    series = simulation(variant, players)
    assert series.in_kernel
    one_by_one = np.concatenate([results_of(series.play(number)) for number in range(1, games + 1)])
    assert (played(series, games) == one_by_one).all()


@both
def test_boards_with_one_side_leave_nothing_to_pick() -> None:
    """R9, R29: where a board has one side no chance is spent on the pick, in the kernel as in the rules."""
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
    """The same games on one, two or three threads, also where the last chunk is not a whole one."""
    series = simulation(Variant(2), players)
    for games in (max(1, chunk - 1), chunk, 5 * chunk + 3):
        alone = played(series, games, 1)
        assert (played(series, games, 2) == alone).all() and (played(series, games, 3) == alone).all()


@both
def test_a_game_is_the_same_in_any_chunk() -> None:
    """The last game of a chunk and the first of the next are the games of their numbers."""
    for players, chunk in (("random random", CHUNK), ("random greedy", CHUNK // 20)):
        series = simulation(Variant(2, rewards=True), players)
        results = played(series, 2 * chunk + 1)
        for number in (1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1):
            assert (results[number - 1] == results_of(series.play(number))[0]).all()
        assert (played(series, 5) == results[:5]).all()


def test_a_series_may_be_left_early() -> None:
    """Whoever stops asking stops the games: a series without end is left after its first chunks."""
    series = simulation(Variant(2), "random random")
    box = Box.of(series.variant, series.boards)
    endless = play_series(box, series.seed, series.players, 10**12, threads=2)
    firsts = [chunk.first for chunk in islice(endless, 3)]
    assert firsts == [1, 1 + CHUNK, 1 + 2 * CHUNK]
    endless.close()  # type: ignore[attr-defined]


def test_the_kernel_knows_its_players() -> None:
    """Each name has its policy; a seat that is not there has some, and it is never asked."""
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
    """The keys of the kernel are SHA-256's, for any seed and also beyond 32 bits."""
    chance = stream(first)
    seeds = [bytes(chance.below(256) for _ in range(32)) for _ in range(60)]
    for seed in (*seeds, bytes(32), b"\xff" * 32):
        assert game_keys(seed, first, 4).tolist() == [hashed(seed, first + game) for game in range(4)]


def test_keys_of_many_games() -> None:
    """A long run of one seed, and the dealer's own stream from such a key."""
    seed = parse_seed("5")
    keys = game_keys(seed, 1, 5_000).tolist()
    assert keys == [hashed(seed, number) for number in range(1, 5_001)]
    for number in (1, 2, 4_999):
        game = BulkGame(seed, number)
        assert game._deal_key == keys[number - 1][0]  # the dealer shows its key to nobody else


@pytest.mark.parametrize(("first", "games"), [(-1, 1), (-5, 10), (2**63, 1), (2**63 - 3, 4), (2**64, 1)])
def test_there_is_no_game_before_the_first_or_beyond_63_bits(first: int, games: int) -> None:
    """A number that an array cannot count up to is refused, not wrapped around."""
    with pytest.raises(ValueError, match=f"no game {first}"):
        game_keys(bytes(32), first, games)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    """No series is played from a seed that is too short or too long."""
    series = replace(simulation(Variant(2), "random random"), seed=bytes(length))
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        next(iter(series.chunks(1)))
