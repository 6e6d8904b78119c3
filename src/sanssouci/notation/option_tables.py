"""The legal turns as JSON tables, whose keys and entries are the pieces of a turn's text."""

from functools import lru_cache

from sanssouci.rules import LEAVES, Options, Squares, members, row_of

from .cards import write_card
from .json_types import BoarGoalText, CardText, JsonObject, SpaceNumber, SpaceText, SquareText, TileText
from .squares import write_square


class OptionsJson(JsonObject):
    """The legal turns, as tables to build them from: `card@space-tile`, `~boar`, `/stop`.

    Take any card, one of its spaces, one of that space's tiles. If `boar` has the tile, add `~` and one of
    its entries. Then add `/` and one of the tile's stops, or nothing to move no noble. Every turn built
    this way is legal, and there are no others.
    """

    cards: dict[CardText, list[SpaceNumber]]
    """For each card of your hand, the spaces it can take from."""
    spaces: dict[SpaceText, list[TileText]]
    """For each space, the squares where its tile can be laid, followed by `g` if it lies as a gardener."""
    boar: dict[TileText, list[BoarGoalText]]
    """For each tile that would lie on the boar, the squares where the boar can go; `x` means it leaves."""
    stops: dict[TileText, dict[SquareText, int]]
    """For each tile, the squares where a noble can stop, with the points."""


def write_options(options: Options) -> OptionsJson:
    """All tables; empty ones if it is not this seat's turn."""
    tables = options.tables()
    return {
        "cards": {write_card(card): list(spaces) for card, spaces in tables.spaces.items()},
        "spaces": {
            str(space): [_tile(square, tables.gardener[space]) for square in squares]
            for space, squares in tables.squares.items()
        },
        "boar": {
            _tile(square, gardener): [
                "x" if goal == LEAVES else write_square(goal) for goal in tables.boar[square]
            ]
            for square, gardener in tables.stops
            if square in tables.boar
        },
        "stops": {
            _tile(square, gardener): dict(_stops(stops)) for (square, gardener), stops in tables.stops.items()
        },
    }


def _tile(square: int, gardener: bool) -> str:
    return write_square(square) + "g" * gardener


@lru_cache(maxsize=1 << 12)
def _stops(squares: Squares) -> tuple[tuple[str, int], ...]:
    """Each stop with its points. Most tiles that can be laid leave the same stops."""
    return tuple((write_square(square), row_of(square)) for square in members(squares))
