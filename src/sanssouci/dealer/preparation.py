"""Prepares a game: deals and picks in the order of R9 and R12."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from sanssouci.editions import BoardSet
from sanssouci.rules import Deal, Phase, Setup, SetupView, Variant

from .dealer import Dealer

Picker = Callable[[int, SetupView], int]
"""Picks a side for a seat from what the seat may see."""


@dataclass(frozen=True, slots=True)
class DealtBoards:
    """Which boards of a set each seat was dealt, and which sides were picked."""

    boards: BoardSet
    gardens: tuple[int, ...]
    garden_sides: tuple[int, ...]
    rewards: tuple[int, ...] = ()
    reward_sides: tuple[int, ...] = ()


class Preparation:
    """A game in preparation: after every pick, everything that can be dealt is dealt."""

    def __init__(self, variant: Variant, boards: BoardSet, dealer: Dealer) -> None:
        variant = replace(variant, deck=boards.deck)  # the box decides which colour pairs there are
        self._boards = boards
        self._dealer = dealer
        self._gardens = dealer.gardens(len(boards.gardens), variant.seats)
        self._rewards: tuple[int, ...] = ()
        self.setup = Setup.with_gardens(variant, tuple(boards.gardens[board] for board in self._gardens))
        self.deal: Deal | None = None
        self._deal_on()

    def seats_to_pick(self) -> list[int]:
        """The seats that have a side to pick now."""
        return [seat for seat in range(self.setup.variant.seats) if self.setup.view(seat).sides()]

    def pick(self, seat: int, side: int) -> None:
        """A seat picks a side."""
        self.setup = self.setup.pick(seat, side)
        self._deal_on()

    def dealt_boards(self) -> DealtBoards:
        """The boards dealt and the sides picked, once all are picked."""
        garden_sides, reward_sides = _sides(self.setup.garden_sides), _sides(self.setup.reward_sides)
        return DealtBoards(self._boards, self._gardens, garden_sides, self._rewards, reward_sides)

    def _deal_on(self) -> None:
        variant, dealer = self.setup.variant, self._dealer
        if self.setup.phase is Phase.MISSIONS:
            missions = dealer.missions(variant.seats)
            if variant.rewards:
                self._rewards = dealer.rewards(len(self._boards.rewards), variant.seats)
            rewards = tuple(self._boards.rewards[board] for board in self._rewards)
            self.setup = self.setup.deal_missions(missions, rewards)
        if self.setup.phase is Phase.READY:
            self.deal = self.setup.deal(dealer.decks(variant), dealer.tiles(variant))


def prepare(variant: Variant, boards: BoardSet, dealer: Dealer, pick: Picker) -> tuple[Deal, DealtBoards]:
    """Deal a whole game; the seats pick their sides on the way."""
    preparation = Preparation(variant, boards, dealer)
    while preparation.deal is None:
        # Picks are sealed: what a later seat sees does not depend on an earlier one's pick.
        for seat in preparation.seats_to_pick():
            preparation.pick(seat, pick(seat, preparation.setup.view(seat)))
    return preparation.deal, preparation.dealt_boards()


def _sides(picks: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(pick for pick in picks if pick is not None)
