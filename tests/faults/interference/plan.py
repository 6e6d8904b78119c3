"""The game that is played at two servers, its people, and the difference."""

from dataclasses import dataclass

from sanssouci.dealer import FairDealer, Seed
from sanssouci.rules import Variant

from ...harness.sockets import Json
from ...helpers import VARIANTS
from ..seeded_random import SeededRandom
from .difference import Difference, draw_difference
from .viewers import Viewer

OPEN, COMPUTER, PERSON = "open", "computer", "person"
OWNER, WATCHER, STRANGER, LINK, NOBODY = "owner", "watcher", "stranger", "by a link", "nobody"


@dataclass(frozen=True)
class Plan:
    """One game at two servers."""

    variant: Variant
    chairs: tuple[str, ...]
    start: int
    """The chair that starts."""
    deal: Seed
    settings: Json
    difference: Difference

    def viewers(self) -> list[Viewer]:
        """The owner, who may have the first chair, then the people on other chairs, then all others."""
        owner = Viewer(OWNER, 0 if self.chairs[0] == PERSON else None)
        people = [Viewer(f"seat {chair}", chair) for chair, kind in enumerate(self.chairs) if kind == OPEN]
        guests = [owner, *people, Viewer(WATCHER), Viewer(STRANGER)]
        for viewer in guests:
            viewer.knows = viewer.chair is not None and self._knows(viewer.chair)
        return [*guests, Viewer(LINK, guest=False), Viewer(NOBODY, guest=False)]

    def _knows(self, chair: int) -> bool:
        return (chair - self.start) % len(self.chairs) in self.difference.seats

    def message(self, player: str) -> Json:
        """The request that creates the table."""
        computer = {"sitter": COMPUTER, "player": player}
        return {
            "chairs": [computer if kind == COMPUTER else {"sitter": kind} for kind in self.chairs],
            **self.settings,
        }


def draw_plan(rng: SeededRandom) -> Plan:
    """A random game, with random people and a random difference."""
    variant = rng.choice(VARIANTS)
    difference = draw_difference(rng, variant)
    deal, first = rng.below(1 << 32).to_bytes(32, "big"), rng.below(variant.seats)
    drawn = not difference.is_never_revealed and rng.chance(50)
    others = tuple(COMPUTER if rng.chance(30) else OPEN for _ in range(variant.seats - 1))
    settings = {
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "visibility": rng.choice(("open", "link")),
        "hints": rng.chance(80),
        "first": None if drawn else first,
        "clock": {"pace": "days", "amount": 2} if rng.chance(20) else {"pace": "none", "amount": 0},
    }
    start = FairDealer(deal, "t", ("",) * variant.seats).first_seat(variant.seats) if drawn else first
    return Plan(variant, (rng.choice((PERSON, OPEN, COMPUTER)), *others), start, deal, settings, difference)
