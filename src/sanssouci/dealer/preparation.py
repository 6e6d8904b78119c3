"""From nothing to a deal: chance and choices in the order of R9 and R12."""

from collections.abc import Callable
from dataclasses import dataclass

from sanssouci.editions import BoardSet
from sanssouci.rules import Deal, Phase, Setup, SetupView, Variant

from .dealer import Dealer

Picker = Callable[[SetupView], int]
"""Who picks a side, seeing only what the seat may see."""


@dataclass(frozen=True, slots=True)
class DealtBoards:
    """Which boards of a set each seat was dealt, and which sides were picked."""

    boards: BoardSet
    gardens: tuple[int, ...]
    garden_sides: tuple[int, ...]
    rewards: tuple[int, ...] = ()
    reward_sides: tuple[int, ...] = ()


def prepare(variant: Variant, boards: BoardSet, dealer: Dealer, pick: Picker) -> tuple[Deal, DealtBoards]:
    """Deal a whole game; the seats pick their sides on the way."""
    seats = variant.seats
    gardens = dealer.gardens(len(boards.gardens), seats)
    setup = Setup.with_gardens(variant, tuple(boards.gardens[board] for board in gardens))
    setup = _all_pick(setup, pick)
    missions = dealer.missions(seats)
    rewards = dealer.rewards(len(boards.rewards), seats) if variant.rewards else ()
    setup = _all_pick(setup.deal_missions(missions, tuple(boards.rewards[board] for board in rewards)), pick)
    deal = setup.deal(dealer.decks(variant), dealer.tiles(variant))
    return deal, DealtBoards(boards, gardens, _sides(setup.garden_sides), rewards, _sides(setup.reward_sides))


def _all_pick(setup: Setup, pick: Picker) -> Setup:
    """Every seat with something to pick picks, each seeing the set-up as it was before."""
    if setup.phase not in (Phase.GARDEN_SIDES, Phase.REWARD_SIDES):
        return setup
    views = [setup.view(seat) for seat in range(setup.variant.seats)]
    for seat, view in enumerate(views):
        if view.sides():
            setup = setup.pick(seat, pick(view))
    return setup


def _sides(picks: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(pick for pick in picks if pick is not None)
