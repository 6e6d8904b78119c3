"""``bulk/1`` in the kernel: the same random numbers as the dealer's streams."""

from collections.abc import Iterator

import numpy as np
import pytest

from sanssouci.dealer import BulkGame, BulkStream, shuffled
from sanssouci.dealer.bulk import FACTORS, GAMMA, mix
from sanssouci.kernel import Ints, rng
from sanssouci.kernel.bits import first, member
from sanssouci.kernel.compiler import ignore_overflow
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.rng import OUTPUTS, STREAM, STREAMS, Words
from sanssouci.rules import members

from ..helpers import stream

WORD = (1 << 64) - 1
SMALL = (1, 2, 3, 5, 7, 9, 10, 11, 18, 45, 54, 63, 81)
LARGE = (1431655766, 3 << 29, (1 << 31) - 1, 1 << 31)
"""Large bounds, up to the maximum; the first two reject every third or fourth output."""


@pytest.fixture(autouse=True)
def _ignore_overflow() -> Iterator[None]:
    with ignore_overflow():
        yield


def opened(*keys: int) -> Words:
    """Streams with these keys, the dealer's first."""
    streams = np.zeros(STREAMS, np.uint64)
    for who, key in enumerate(keys):
        rng.open_stream(streams, who, np.uint64(key))
    return streams


def draws(streams: Words, who: int, bounds: list[int]) -> list[int]:
    """The numbers that the kernel draws below each bound."""
    return [int(rng.below(streams, who, bound)) for bound in bounds]


def unmixed(word: int) -> int:
    """The inverse of ``mix``."""
    for shift, factor in ((31, FACTORS[1]), (27, FACTORS[0]), (30, 1)):
        found = word
        for _ in range(64 // shift):
            found = word ^ found >> shift
        word = found * pow(factor, -1, 1 << 64) & WORD
    return word


def key_for(output: int, place: int) -> int:
    """A key whose stream has this output at a place, counted from 1."""
    return unmixed(output) - place * GAMMA & WORD


def outputs_used(streams: Words, who: int) -> int:
    """The number of buffered outputs already used."""
    return int(streams[STREAM * who + 1])


def test_mix_equals_the_dealers_and_is_invertible() -> None:
    """SplitMix64's finalizer is the same in dealer and kernel, and can be inverted."""
    chosen = stream(1)
    for word in (0, 1, WORD, *(chosen.output() for _ in range(2_000))):
        assert int(rng.mix(np.uint64(word))) == mix(word)
        assert unmixed(mix(word)) == word


def test_draws_equal_those_of_the_dealer() -> None:
    """Numbers equal ``BulkStream.below`` for many keys and bounds, beyond the buffer of outputs."""
    chosen = stream(2)
    for key in (0, WORD, *(chosen.output() for _ in range(150))):
        bounds = [(*SMALL, *LARGE)[chosen.below(17)] for _ in range(3 * OUTPUTS)]
        plain = BulkStream(key)
        assert draws(opened(key), 0, bounds) == [plain.below(bound) for bound in bounds]


def upper_half(bound: int, rest: int) -> int:
    """The upper half of an output whose product with a bound has this rest in its lower 32 bits."""
    common = bound & -bound
    assert rest % common == 0
    return rest // common * pow(bound // common, -1, 1 << 32) % ((1 << 32) // common)


@pytest.mark.parametrize("place", [1, 2, OUTPUTS - 1, OUTPUTS, OUTPUTS + 1, 2 * OUTPUTS])
@pytest.mark.parametrize("bound", [bound for bound in SMALL if bound.bit_count() > 1])
def test_biased_outputs_are_rejected(bound: int, place: int) -> None:
    """Kernel and dealer reject the same outputs, at the limit and at every place of the buffer."""
    uneven, common = (1 << 32) % bound, bound & -bound
    for rest in (0, uneven - common, uneven, bound - common, bound):
        key = key_for(upper_half(bound, rest) << 32 | stream(rest).below(1 << 32), place)
        streams, plain = opened(key), BulkStream(key)
        before = [1 << 31] * (place - 1)  # a power of two rejects nothing
        assert draws(streams, 0, before) == [plain.below(each) for each in before]
        assert draws(streams, 0, [bound]) == [plain.below(bound)]
        rejected = rest < uneven
        assert outputs_used(streams, 0) == (place + rejected - 1) % OUTPUTS + 1
        assert draws(streams, 0, [54] * OUTPUTS) == [plain.below(54) for _ in range(OUTPUTS)]


def test_the_streams_of_a_game() -> None:
    """Dealer and seats have the keys of ``BulkGame``, and the streams are independent."""
    seed = bytes(range(32))
    for number in range(1, 200):
        deal_key, play_key = game_keys(seed, number, 1)[0]
        streams, game = np.zeros(STREAMS, np.uint64), BulkGame(seed, number)
        rng.open_streams(deal_key, play_key, 4, streams)
        for seat in (3, 0, 2, 1):
            plain = game.stream(seat)
            assert draws(streams, 1 + seat, [54] * 5) == [plain.below(54) for _ in range(5)]
        order = np.arange(18)
        rng.shuffle(order, 0, 18, streams)
        assert tuple(order.tolist()) == game.dealer().shuffled("any", tuple(range(18)))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 9, 18, 45, 63, 81])
def test_shuffles_equal_those_of_the_dealer(count: int) -> None:
    """Shuffling a part of an array equals the dealer's shuffle and leaves the rest unchanged."""
    for key in range(30):
        pile: Ints = np.arange(100)
        rng.shuffle(pile, 7, count, opened(key))
        expected = shuffled(range(7, 7 + count), BulkStream(key))
        assert pile.tolist() == [*range(7), *expected, *range(7 + count, 100)]


def test_members_are_found() -> None:
    """``first`` and ``member`` find the members that the rules list."""
    chosen = stream(3)
    for _ in range(500):
        bits = chosen.output() & chosen.output() & (1 << 54) - 1
        for place, square in enumerate(members(bits)):
            assert member(bits, place) == square
            assert first(bits) == members(bits)[0]


def test_one_of_draws_as_a_player() -> None:
    """``one_of`` chooses the member that a random player would."""
    for key in range(200):
        bits = mix(key + 1) & (1 << 54) - 1
        wanted = members(bits)[BulkStream(key).below(bits.bit_count())]
        assert rng.one_of(opened(9, key), 1, bits) == wanted
