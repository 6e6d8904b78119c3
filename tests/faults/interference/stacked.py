"""The croupier of one of two games: he deals what the test wants, and shows nothing of his seed."""

from hashlib import sha256

from sanssouci.dealer import Dealer, FairDealer, Seed
from sanssouci.dealer.dealer import T
from sanssouci.table import Croupier

from .difference import Order

SAME_FACE = "0" * 64
"""A commitment that tells nothing: a real one is a hash, and would tell the seeds apart."""


class Laid(Dealer):
    """Deals as another does, but some piles lie in another order."""

    def __init__(self, dealer: Dealer, piles: dict[str, Order]) -> None:
        self._dealer = dealer
        self._piles = piles

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The other's order, changed."""
        dealt = self._dealer.shuffled(pile, items)
        return tuple(dealt[place] for place in self._piles[pile]) if pile in self._piles else dealt


class StackedCroupier(Croupier):
    """Deals by another seed than the one that he holds, and passes over the nonces."""

    def __init__(self, seed: Seed, table: str, deal: Seed, piles: dict[str, Order]) -> None:
        super().__init__(seed, table)
        self._deal = deal
        self._piles = piles

    @property
    def commitment(self) -> str:
        """The same for all of them."""
        return SAME_FACE

    def key(self, purpose: str) -> bytes:
        """The same too: a real one follows from the seed by a keyed hash."""
        return sha256(purpose.encode()).digest()

    def dealer(self, nonces: tuple[str, ...]) -> Dealer:
        """The same whatever the nonces are."""
        return Laid(FairDealer(self._deal, "t", ("",) * len(nonces)), self._piles)
