"""The key of a game, SHA-256(``sanssouci bulk/1``, seed, number), without leaving compiled code.

A game takes two microseconds; calling ``hashlib`` for its key would take half as long again and hold the
GIL. The message has 56 bytes, hence two blocks, and the second one is the same for all games. The constants
of SHA-256 are the first bits of roots of primes, and are computed from them.
"""

from math import isqrt

import numpy as np

from sanssouci.dealer import bulk

from .compiler import compiled, entry
from .layout import Ints
from .rng import Words

_MASK = (1 << 32) - 1
_MESSAGE_BITS = 8 * 56
_PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, isqrt(n) + 1))]


def _cube_root(number: int) -> int:
    """The largest integer whose cube is not larger."""
    root = 1 << -(-number.bit_length() // 3)
    while root**3 > number:
        root = (2 * root + number // root**2) // 3
    return root


_START = np.array([isqrt(prime << 64) & _MASK for prime in _PRIMES[:8]], np.int64)
_ROUNDS = np.array([_cube_root(prime << 96) & _MASK for prime in _PRIMES], np.int64)


def message(seed: bytes) -> Ints:
    """``[2, 64]``: the schedules of the two blocks; the game's number is filled into the first one later."""
    block = bulk.DOMAIN + seed + bytes(8) + b"\x80"
    words = [int.from_bytes(block[at : at + 4].ljust(4, b"\0"), "big") for at in range(0, len(block), 4)]
    blocks = np.zeros((2, 64), np.int64)
    blocks[0, : len(words)] = words
    blocks[1, 15] = _MESSAGE_BITS
    _expand(blocks[1])
    return blocks


@compiled
def _turned(word: int, by: int) -> int:
    return (word >> by | word << 32 - by) & _MASK


@compiled
def _expand(schedule: Ints) -> None:
    """The schedule of a block from its first sixteen words."""
    for at in range(16, 64):
        early, late = schedule[at - 15], schedule[at - 2]
        low = _turned(early, 7) ^ _turned(early, 18) ^ early >> 3
        high = _turned(late, 17) ^ _turned(late, 19) ^ late >> 10
        schedule[at] = schedule[at - 16] + low + schedule[at - 7] + high & _MASK


@compiled
def _compress(schedule: Ints, digest: Ints) -> None:
    """Add one block to the digest (FIPS 180-4, 6.2.2)."""
    a, b, c, d = digest[0], digest[1], digest[2], digest[3]
    e, f, g, h = digest[4], digest[5], digest[6], digest[7]
    for at in range(64):
        chosen = e & f ^ ~e & _MASK & g
        first = h + (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + chosen + _ROUNDS[at] + schedule[at]
        major = a & b ^ a & c ^ b & c
        second = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + major
        h, g, f, e = g, f, e, d + first & _MASK
        d, c, b, a = c, b, a, first + second & _MASK
    for place, word in enumerate((a, b, c, d, e, f, g, h)):
        digest[place] = digest[place] + word & _MASK


@entry
def fill_keys(blocks: Ints, first: int, keys: Words) -> None:
    """``keys``: ``[games, 2]``, the first two words of the hash of game ``first`` and those that follow."""
    digest = np.zeros(8, np.int64)
    for game in range(keys.shape[0]):
        blocks[0, 12], blocks[0, 13] = first + game >> 32 & _MASK, first + game & _MASK
        _expand(blocks[0])
        digest[:] = _START
        _compress(blocks[0], digest)
        _compress(blocks[1], digest)
        for word in range(2):
            high, low = np.uint64(digest[2 * word]), np.uint64(digest[2 * word + 1])
            keys[game, word] = high << np.uint64(32) | low


def game_keys(seed: bytes, first: int, games: int) -> Words:
    """``[games, 2]``: the keys of consecutive games of a seed; ``ValueError`` beyond 63 bits."""
    if not 0 <= first <= (1 << 63) - max(games, 1):
        raise ValueError(f"there is no game {first} here")
    keys = np.empty((games, 2), np.uint64)
    fill_keys(message(seed), first, keys)
    return keys
