"""``fair/1`` and ``fair/2``: shuffles that can be proved fair afterwards.

``fair/1``:

1. The dealer draws a 256-bit seed and publishes its ``commitment`` for the game.
2. Every seat then adds a nonce. The dealer was committed before it knew the nonces, and the seats do not know
   the seed.
3. After the game the seed is revealed: anyone can recompute the commitment and every pile.

``fair/2`` adds a step, because a dealer who also plays knows the seed and would see the other nonces first:
every person publishes a ``nonce_commitment``, and nonces are revealed only once all commitments are known.
The ``deal_commitment`` is the hash of all of them: it fixes the deal before anyone can know it.

Every pile has its own stream: block ``k`` is HMAC-SHA256(seed, the JSON array ``["sanssouci fair/1", game,
[nonces], pile, k]`` without spaces, in ASCII), eight big-endian 32-bit words a block. A number below
``bound`` is the next word modulo ``bound``; words at or above the largest multiple of ``bound`` are
skipped. The piles are ``start``, ``gardens``, ``missions``, ``rewards``, ``deck/0`` ..., ``tiles``.
"""

import hmac
import json
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal

from .dealer import Dealer, T
from .seeds import Seed, check_seed
from .stream import check_bound, shuffled

Scheme = Literal["fair/1", "fair/2"]
FAIR_1: Final = "fair/1"
FAIR_2: Final = "fair/2"
_HEX = re.compile("([0-9a-fA-F]{2})*")


def commitment(seed: Seed, game: str | int, scheme: Scheme = FAIR_1) -> str:
    """The commitment to the seed, published before the nonces are known: a SHA-256 hash in hex."""
    return _hash(f"sanssouci {scheme} commitment", game, seed.hex())


def nonce_commitment(game: str | int, commitment: str, chair: int, nonce: str) -> str:
    """``fair/2``: a person's commitment to a nonce.

    It binds the game, the seed and the chair, so nobody can use it on another chair, at another table, or
    after the dealer has drawn another seed. A computer player has no nonce and no commitment: both are empty.
    """
    return _hash("sanssouci fair/2 nonce", game, commitment, chair, nonce) if nonce else ""


def deal_commitment(game: str | int, commitment: str, nonce_commitments: Iterable[str]) -> str:
    """``fair/2``: the hash of the seed's commitment and those of all chairs, which fix the deal."""
    return _hash("sanssouci fair/2 deal", game, commitment, tuple(nonce_commitments))


def _hash(*parts: object) -> str:
    return sha256(_message(*parts)).hexdigest()


def _message(*parts: object) -> bytes:
    return json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode("ascii")


class FairStream:
    """The numbers of one pile."""

    def __init__(
        self, seed: Seed, game: str | int, nonces: tuple[str, ...], pile: str, scheme: Scheme = FAIR_1
    ) -> None:
        self._seed = seed
        self._context = (f"sanssouci {scheme}", game, nonces, pile)
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

    def __init__(self, seed: Seed, game: str | int, nonces: tuple[str, ...], scheme: Scheme = FAIR_1) -> None:
        check_seed(seed)
        if not all(_HEX.fullmatch(nonce) for nonce in nonces):
            raise ValueError("nonces are written in hex")
        self.seed = seed
        self.game = game
        self.nonces = nonces
        self.scheme = scheme

    @property
    def commitment(self) -> str:
        """The commitment to the seed."""
        return commitment(self.seed, self.game, self.scheme)

    @property
    def deal_commitment(self) -> str | None:
        """``fair/2``: the commitment to seed and nonces, by chair; None under ``fair/1``."""
        if self.scheme == FAIR_1:
            return None
        seed = self.commitment
        nonces = (nonce_commitment(self.game, seed, *of_chair) for of_chair in enumerate(self.nonces))
        return deal_commitment(self.game, seed, nonces)

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items in the order of the pile's own stream."""
        return shuffled(items, FairStream(self.seed, self.game, self.nonces, pile, self.scheme))
