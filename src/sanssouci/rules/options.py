"""The legal turns of the seat to move, as small tables that can be followed in any order.

``card -> spaces``, ``space -> squares`` (and whether as a gardener), ``square -> boar's squares``,
``square -> noble stops``. Everything here follows from what that seat may know.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .cards import NO_CARDS, Card, Cards, takes
from .display import Display, Space, Spaces, motif_on
from .garden import Garden
from .referee import turn_refusal
from .refusal import Refusal, RefusalCode
from .squares import Square, Squares, members
from .turn import LEAVES, Turn
from .walk import own_square, tile_squares

TurnRest = tuple[Square, bool, int | None, Square | None]
"""Square, gardener, boar, noble: a turn without card and space."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All options written out, for callers that know no rules (a browser, a script)."""

    spaces: dict[Card, tuple[Space, ...]]
    squares: dict[Space, tuple[Square, ...]]
    gardener: dict[Space, bool]
    boar: dict[Square, tuple[int, ...]]
    """Only the square on which a tile would disturb the boar; ``LEAVES`` if it has nowhere to go."""
    stops: dict[tuple[Square, bool], Squares]
    """By the square of the tile and whether it is a gardener; a stop scores the points of its row."""


@dataclass(frozen=True, slots=True)
class Options:
    """The legal turns: iterate, count with ``len``, test with ``in``, or follow the tables.

    Empty if the seat is not to move.
    """

    hand: Cards
    display: Display
    garden: Garden
    closed: RefusalCode | None = None
    """The reason why there is no turn to choose; None if there are turns."""

    @property
    def cards(self) -> Cards:
        """The cards that may be played (R14)."""
        return self.hand if self.closed is None else NO_CARDS

    def spaces(self, card: Card) -> Spaces:
        """The spaces whose tile a card may take (R15-R17)."""
        return takes(card, self.display)

    def own_square(self, space: Space) -> Square:
        """The square where the tile of a space belongs (R18)."""
        return own_square(motif_on(self.display, space), space)

    def gardener(self, space: Space) -> bool:
        """Whether the tile of a space must be laid as a gardener (R19)."""
        return bool(self.garden.built >> self.own_square(space) & 1)

    def squares(self, space: Space) -> Squares:
        """The squares where the tile of a space may be laid (R18, R19)."""
        return tile_squares(self.own_square(space), self.garden.built)

    def boar(self, square: Square) -> tuple[int | None, ...]:
        """The possible values of ``Turn.boar`` when a tile is laid on a square (R35, R36)."""
        if not self.garden.boar >> square & 1:
            return (None,)
        return members(self.garden.boar_squares_after(square)) or (LEAVES,)

    def stops(self, square: Square, gardener: bool) -> Squares:
        """Where a noble may end its move, each for the points of its row (R20, R21)."""
        return self.garden.noble_stops_after(square, gardener)

    def refusal(self, turn: Turn) -> Refusal | None:
        """The reason why a turn is not legal, or None; of several, the first in the order of a turn."""
        if self.closed is not None:
            return Refusal.of(self.closed)
        return turn_refusal(self.hand, self.display, self.garden, turn)

    def __iter__(self) -> Iterator[Turn]:
        """Every legal turn. The order is fixed: card, space, square, boar, then no noble first."""
        ways: dict[Space, list[TurnRest]] = {}
        for card in members(self.cards):
            for space in members(self.spaces(card)):
                if space not in ways:
                    ways[space] = list(self._turn_rests(space))
                for way in ways[space]:
                    yield Turn(card, space, *way)

    def _turn_rests(self, space: Space) -> Iterator[TurnRest]:
        """Every way to lay the tile of a space and what follows; the card makes no difference."""
        gardener = self.gardener(space)
        for square in members(self.squares(space)):
            nobles = (None, *members(self.stops(square, gardener)))
            for boar in self.boar(square):
                for noble in nobles:
                    yield square, gardener, boar, noble

    def __len__(self) -> int:
        spaces = [space for card in members(self.cards) for space in members(self.spaces(card))]
        ways = {space: self._count_ways(space) for space in set(spaces)}
        return sum(ways[space] for space in spaces)

    def _count_ways(self, space: Space) -> int:
        gardener = self.gardener(space)
        return sum(
            len(self.boar(square)) * (1 + self.stops(square, gardener).bit_count())
            for square in members(self.squares(space))
        )

    def __bool__(self) -> bool:
        return self.cards != NO_CARDS

    def __contains__(self, turn: object) -> bool:
        return isinstance(turn, Turn) and self.refusal(turn) is None

    def __repr__(self) -> str:
        return f"<Options: {len(self)} turns>"

    def tables(self) -> Tables:
        """All tables at once."""
        spaces = {card: members(self.spaces(card)) for card in members(self.cards)}
        reachable = sorted({space for taken in spaces.values() for space in taken})
        squares = {space: members(self.squares(space)) for space in reachable}
        gardener = {space: self.gardener(space) for space in reachable}
        laid = sorted({(square, gardener[space]) for space in reachable for square in squares[space]})
        return Tables(
            spaces,
            squares,
            gardener,
            boar={
                square: tuple(goal for goal in self.boar(square) if goal is not None)
                for square, _ in laid
                if self.garden.boar >> square & 1
            },
            stops={(square, as_gardener): self.stops(square, as_gardener) for square, as_gardener in laid},
        )
