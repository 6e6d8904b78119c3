"""``bulk/1``: random numbers for many games, the same for the same seed on any machine.

Game ``n`` of a seed has the four 64-bit words ``w0 .. w3`` of SHA-256(``sanssouci bulk/1``, seed, n). Word
``w0`` is the key of the dealer's stream; the keys of the seats' streams are the first outputs of the stream
with key ``w1``. Output ``i`` (from 1) of the stream with key ``k`` is SplitMix64's mix of
``k + i * GAMMA``; a number below a bound comes from its upper 32 bits by multiplication, and the few
outputs that would favour some numbers are passed over. The words are big-endian, all sums modulo 2 ** 64.
"""

from hashlib import sha256

from .dealer import Dealer, T
from .seeds import Seed, check_seed
from .stream import check_bound, shuffled

SCHEME = "bulk/1"
DOMAIN = b"sanssouci bulk/1"
GAMMA = 0x9E3779B97F4A7C15
FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1
_SEATS = 4


def mix(word: int) -> int:
    """SplitMix64's finalizer: every bit of the word reaches every bit of the result."""
    word = (word ^ word >> 30) * FACTORS[0] & _WORD
    word = (word ^ word >> 27) * FACTORS[1] & _WORD
    return word ^ word >> 31


class BulkStream:
    """A counter-based stream of 64-bit outputs."""

    __slots__ = ("_at",)

    def __init__(self, key: int) -> None:
        self._at = key

    def output(self) -> int:
        """The next 64 bits."""
        self._at = (self._at + GAMMA) & _WORD
        return mix(self._at)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1 (Lemire's method on 32 bits)."""
        check_bound(bound)
        product = (self.output() >> 32) * bound
        if product & _HALF < bound:
            uneven = (1 << 32) % bound
            while product & _HALF < uneven:
                product = (self.output() >> 32) * bound
        return product >> 32


class BulkDealer(Dealer):
    """Deals one game; all its piles come from one stream, in the order they are asked for."""

    def __init__(self, key: int) -> None:
        self._stream = BulkStream(key)

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items in random order; every pile comes from the same stream."""
        return shuffled(items, self._stream)


class BulkGame:
    """The chance of game ``number`` of a seed; series count from 1."""

    def __init__(self, seed: Seed, number: int) -> None:
        check_seed(seed)
        if not 0 <= number < 1 << 64:
            raise ValueError(f"there is no game {number}")
        digest = sha256(DOMAIN + seed + number.to_bytes(8, "big")).digest()
        self._deal_key, play_key = (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8))
        keys = BulkStream(play_key)
        self._seat_keys = tuple(keys.output() for _ in range(_SEATS))

    def dealer(self) -> BulkDealer:
        """A dealer at the start of this game's stream."""
        return BulkDealer(self._deal_key)

    def stream(self, seat: int) -> BulkStream:
        """The stream for the decisions of a seat."""
        return BulkStream(self._seat_keys[seat])
