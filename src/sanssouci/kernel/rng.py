"""``bulk/1`` in the kernel: the streams of ``dealer.bulk``, output for output.

``streams`` is one array for the five streams of a game, the dealer's and the four seats'. The outputs of a
stream do not depend on each other, so they are made many at a time, which the compiler turns into vector
instructions::

    STREAM * who + 0     the key, moved on by the outputs that have been used up
                  + 1     how many of the outputs that follow are used
                  + 2 ... the upper halves of the next OUTPUTS outputs
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.dealer import bulk

from .bits import member
from .compiler import compiled, inlined
from .layout import Ints

Words: TypeAlias = npt.NDArray[np.uint64]

OUTPUTS = 96
"""Enough for the 18 turns of a random player; less than 128, because ``draw`` masks with 127."""
STREAM = 2 + OUTPUTS
STREAMS = 5 * STREAM
_GAMMA = np.uint64(bulk.GAMMA)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(bulk.FACTORS[0]), np.uint64(bulk.FACTORS[1])
_HALF = (1 << 32) - 1


@compiled
def mix(word: np.uint64) -> Any:
    """SplitMix64's finalizer (see ``dealer.bulk.mix``)."""
    word = (word ^ word >> np.uint64(30)) * _FIRST_FACTOR
    word = (word ^ word >> np.uint64(27)) * _SECOND_FACTOR
    return word ^ word >> np.uint64(31)


@compiled
def open_stream(streams: Words, who: int, key: np.uint64) -> None:
    """Begin a stream with its key."""
    at = STREAM * who
    for place in range(OUTPUTS):
        streams[at + 2 + place] = mix(key + np.uint64(place + 1) * _GAMMA) >> np.uint64(32)
    streams[at] = key
    streams[at + 1] = 0


@compiled
def open_streams(deal_key: np.uint64, play_key: np.uint64, seats: int, streams: Words) -> None:
    """Begin the streams of a game from its two keys (see ``BulkGame``)."""
    open_stream(streams, 0, deal_key)
    for seat in range(seats):
        play_key += _GAMMA
        open_stream(streams, 1 + seat, mix(play_key))


@inlined
def draw(streams: Words, who: int) -> Any:
    """The upper half of the next output of a stream."""
    at = STREAM * who
    used = np.int64(streams[at + 1]) & 127  # tells the compiler that the index is not negative
    if used >= OUTPUTS:
        open_stream(streams, who, streams[at] + np.uint64(OUTPUTS) * _GAMMA)
        used = np.int64(0)
    streams[at + 1] = used + 1
    return np.int64(streams[at + 2 + used])


@inlined
def below(streams: Words, who: int, bound: int) -> int:
    """A number from 0 to ``bound`` - 1 (see ``BulkStream.below``)."""
    product = draw(streams, who) * bound
    if product & _HALF < bound:
        uneven = (1 << 32) % bound
        while product & _HALF < uneven:
            product = draw(streams, who) * bound
    return product >> 32


@inlined
def one_of(streams: Words, who: int, bits: int) -> int:
    """One member of a set."""
    return member(bits, below(streams, who, bits.bit_count()))


@compiled
def shuffle(pile: Ints, start: int, count: int, streams: Words) -> None:
    """Put a part of an array in random order (see ``dealer.stream.shuffled``)."""
    for place in range(count - 1):
        chosen = place + below(streams, 0, count - place)
        top = pile[start + place]
        pile[start + place] = pile[start + chosen]
        pile[start + chosen] = top
