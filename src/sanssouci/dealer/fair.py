"""``fair/1``: shuffles that can be proved fair afterwards.

1. The dealer draws a 256-bit seed and publishes its ``commitment`` for the game.
2. Only then every seat adds a nonce. Nobody has chosen the shuffle: the dealer was bound before it knew the
   nonces, and the seats did not know the seed.
3. At the end the seed is shown: anyone can recompute the commitment and every pile.

Every pile has its own stream: block ``k`` is HMAC-SHA256(seed, the JSON array ``["sanssouci fair/1", game,
[nonces], pile, k]`` without spaces, in ASCII), eight big-endian 32-bit words a block. A number below
``bound`` is the next word modulo ``bound``; words from the largest multiple of ``bound`` upwards are passed
over. The piles are ``start``, ``gardens``, ``missions``, ``rewards``, ``deck/0`` ..., ``tiles``.
"""

import hmac
import json
import re
from hashlib import sha256

from .dealer import Dealer, T
from .seeds import Seed, check_seed
from .stream import check_bound, shuffled

SCHEME = "fair/1"
_HEX = re.compile("([0-9a-fA-F]{2})*")


def commitment(seed: Seed, game: str | int) -> str:
    """The commitment, published before the nonces are known: SHA-256 of scheme, game and seed, in hex."""
    return sha256(_message("sanssouci fair/1 commitment", game, seed.hex())).hexdigest()


def _message(*parts: object) -> bytes:
    return json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode("ascii")


class FairStream:
    """The numbers of one pile."""

    def __init__(self, seed: Seed, game: str | int, nonces: tuple[str, ...], pile: str) -> None:
        self._seed = seed
        self._context = ("sanssouci fair/1", game, nonces, pile)
        self._blocks = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 32 bits."""
        if not self._words:
            block = hmac.digest(self._seed, _message(*self._context, self._blocks), "sha256")
            self._blocks += 1
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, by rejection."""
        check_bound(bound)
        limit = (1 << 32) // bound * bound
        while (word := self.word()) >= limit:
            pass
        return word % bound


class FairDealer(Dealer):
    """Deals one game from a seed and the seats' nonces, a stream for every pile."""

    def __init__(self, seed: Seed, game: str | int, nonces: tuple[str, ...]) -> None:
        check_seed(seed)
        if not all(_HEX.fullmatch(nonce) for nonce in nonces):
            raise ValueError("nonces are written in hex")
        self.seed = seed
        self.game = game
        self.nonces = nonces

    @property
    def commitment(self) -> str:
        """The commitment to the seed."""
        return commitment(self.seed, self.game)

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items in the order of the pile's own stream."""
        return shuffled(items, FairStream(self.seed, self.game, self.nonces, pile))
