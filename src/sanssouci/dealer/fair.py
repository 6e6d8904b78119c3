"""``fair/1``, ``fair/2`` and ``fair/3``: shuffles that can be proved fair afterwards.

``fair/1``:

1. The dealer draws a 256-bit seed and publishes its ``commitment`` for the game.
2. Every seat then adds a nonce. The dealer was committed before it knew the nonces, and the seats do not know
   the seed.
3. After the game the seed is revealed: anyone can recompute the commitment and every pile.

``fair/2`` adds a step, because a dealer who also plays knows the seed and would see the other nonces first:
every person publishes a ``nonce_commitment``, and nonces are revealed only once all commitments are known.
The ``deal_commitment`` is the hash of all of them: it fixes the deal before anyone can know it.

Under ``fair/3``, the ``deal_commitment`` also has the terms of the table on which the deal depends.

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
from typing import Final, Literal, get_args

from sanssouci.rules import Variant

from .dealer import Dealer, T
from .seeds import Seed, check_seed
from .stream import check_bound, shuffled

Scheme = Literal["fair/1", "fair/2", "fair/3"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
FAIR_1: Final = "fair/1"
FAIR_2: Final = "fair/2"
FAIR_3: Final = "fair/3"
DealTerms = tuple[str, tuple[str, ...], str, int, int | Literal["drawn"]]
"""Edition, expansions, SHA-256 of the boards, number of chairs, and the chair that starts or "drawn"."""
_HEX = re.compile("([0-9a-fA-F]{2})*")


def commitment(seed: Seed, game: str | int, scheme: Scheme = FAIR_1) -> str:
    """The commitment to the seed, published before the nonces are known: a SHA-256 hash in hex."""
    return _hash(f"sanssouci {scheme} commitment", game, seed.hex())


def nonce_commitment(game: str | int, commitment: str, chair: int, nonce: str, scheme: Scheme) -> str:
    """A person's commitment to a nonce, under ``fair/2`` and ``fair/3``.

    It binds the game, the seed and the chair, so nobody can use it on another chair, at another table, or
    after the dealer has drawn another seed. A computer player has no nonce and no commitment: both are empty.
    """
    return _hash(f"sanssouci {scheme} nonce", game, commitment, chair, nonce) if nonce else ""


def deal_terms(variant: Variant, boards: str, first: int | None) -> DealTerms:
    """The terms on which a deal depends. ``boards`` is a hash; ``first`` is None if the start is drawn."""
    start: int | Literal["drawn"] = "drawn" if first is None else first
    return variant.edition, variant.expansions, boards, variant.seats, start


def deal_commitment(
    game: str | int,
    commitment: str,
    nonce_commitments: Iterable[str],
    scheme: Scheme,
    terms: DealTerms | None,
) -> str:
    """The commitment to the deal, which the seed, all nonces and, under ``fair/3``, the terms determine."""
    parts = (f"sanssouci {scheme} deal", game, commitment, tuple(nonce_commitments))
    if scheme == FAIR_2:
        return _hash(*parts)
    if terms is None:
        raise ValueError(f"{scheme} commits to the terms")
    return _hash(*parts, terms)


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

    def __init__(
        self,
        seed: Seed,
        game: str | int,
        nonces: tuple[str, ...],
        scheme: Scheme = FAIR_1,
        terms: DealTerms | None = None,
    ) -> None:
        """``terms`` are needed for the ``deal_commitment`` of ``fair/3`` only."""
        check_seed(seed)
        if not all(_HEX.fullmatch(nonce) for nonce in nonces):
            raise ValueError("nonces are written in hex")
        self.seed = seed
        self.game = game
        self.nonces = nonces
        self.scheme = scheme
        self.terms = terms

    @property
    def commitment(self) -> str:
        """The commitment to the seed."""
        return commitment(self.seed, self.game, self.scheme)

    @property
    def deal_commitment(self) -> str | None:
        """The commitment to seed, nonces by chair and, under ``fair/3``, terms; None under ``fair/1``."""
        if self.scheme == FAIR_1:
            return None
        seed = self.commitment
        nonces = (
            nonce_commitment(self.game, seed, chair, nonce, self.scheme)
            for chair, nonce in enumerate(self.nonces)
        )
        return deal_commitment(self.game, seed, nonces, self.scheme, self.terms)

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items in the order of the pile's own stream."""
        return shuffled(items, FairStream(self.seed, self.game, self.nonces, pile, self.scheme))
