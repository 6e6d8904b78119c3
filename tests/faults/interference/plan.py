"""What is played at two tables, who sits where, and in what the two games differ."""

from dataclasses import dataclass

from sanssouci.dealer import FairDealer, Seed
from sanssouci.rules import Variant

from ...helpers import VARIANTS
from ..lot import Lot
from .cast import Json, Viewer
from .difference import Difference, draw_difference

OPEN, COMPUTER, PERSON = "open", "computer", "person"
OWNER, WATCHER, STRANGER, LINK, NOBODY = "owner", "watcher", "stranger", "by a link", "nobody"


@dataclass(frozen=True)
class Plan:
    """One game in two houses."""

    variant: Variant
    chairs: tuple[str, ...]
    start: int
    """The chair that begins."""
    deal: Seed
    terms: Json
    difference: Difference

    def viewers(self) -> list[Viewer]:
        """The owner first, who may sit on the first chair; then those on the others, then the rest."""
        owner = Viewer(OWNER, 0 if self.chairs[0] == PERSON else None)
        people = [Viewer(f"seat {chair}", chair) for chair, kind in enumerate(self.chairs) if kind == OPEN]
        guests = [owner, *people, Viewer(WATCHER), Viewer(STRANGER)]
        for viewer in guests:
            viewer.knows = viewer.chair is not None and self._knows(viewer.chair)
        return [*guests, Viewer(LINK, guest=False), Viewer(NOBODY, guest=False)]

    def _knows(self, chair: int) -> bool:
        return (chair - self.start) % len(self.chairs) in self.difference.seats

    def message(self, player: str) -> Json:
        """How the table is asked for."""
        computer = {"sitter": COMPUTER, "player": player}
        return {
            "chairs": [computer if kind == COMPUTER else {"sitter": kind} for kind in self.chairs],
            **self.terms,
        }


def draw_plan(lot: Lot) -> Plan:
    """Any game, any people, any difference."""
    variant = lot.one(VARIANTS)
    difference = draw_difference(lot, variant)
    deal, first = lot.below(1 << 32).to_bytes(32, "big"), lot.below(variant.seats)
    drawn = not difference.lasts and lot.often(50)
    others = tuple(COMPUTER if lot.often(30) else OPEN for _ in range(variant.seats - 1))
    terms = {
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "visibility": lot.one(("open", "link")),
        "hints": lot.often(80),
        "first": None if drawn else first,
        "clock": {"pace": "days", "amount": 2} if lot.often(20) else {"pace": "none", "amount": 0},
    }
    start = FairDealer(deal, "t", ("",) * variant.seats).first_seat(variant.seats) if drawn else first
    return Plan(variant, (lot.one((PERSON, OPEN, COMPUTER)), *others), start, deal, terms, difference)
