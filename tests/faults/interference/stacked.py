"""A croupier that deals what the test wants and reveals nothing of its seed."""

from hashlib import sha256

from sanssouci.dealer import FAIR_3, Dealer, FairDealer, Scheme, Seed
from sanssouci.dealer.dealer import T
from sanssouci.table import Croupier

from .difference import Order

SAME_COMMITMENT = "0" * 64
"""A constant commitment: a real one is a hash, which would distinguish the seeds."""


class ReorderedDealer(Dealer):
    """Deals like another dealer, but with some piles reordered."""

    def __init__(self, dealer: Dealer, piles: dict[str, Order]) -> None:
        self._dealer = dealer
        self._piles = piles

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The other dealer's order, permuted."""
        dealt = self._dealer.shuffled(pile, items)
        return tuple(dealt[place] for place in self._piles[pile]) if pile in self._piles else dealt


class StackedCroupier(Croupier):
    """Deals with another seed than its own, and ignores the nonces."""

    def __init__(self, seed: Seed, table: str, deal: Seed, piles: dict[str, Order]) -> None:
        super().__init__(seed, table)
        self._deal = deal
        self._piles = piles

    def commitment(self, scheme: Scheme, attempt: int = 0) -> str:
        """The same for every seed."""
        return SAME_COMMITMENT

    def key(self, purpose: str) -> bytes:
        """The same for every seed: a real key is a keyed hash of it."""
        return sha256(purpose.encode()).digest()

    def dealer(self, nonces: tuple[str, ...], scheme: Scheme = FAIR_3, attempt: int = 0) -> Dealer:
        """The same for all nonces."""
        return ReorderedDealer(FairDealer(self._deal, "t", ("",) * len(nonces)), self._piles)
