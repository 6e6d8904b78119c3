"""The legal turns as JSON tables, whose keys and entries are the pieces of a turn's text.

``card@space-tile``, then ``~boar`` if ``boar`` has an entry for the tile, then ``/stop`` with one of the
tile's stops, or nothing. A *tile* is the square where it is laid, with a ``g`` if it lies as a gardener.
Every text that is put together so is a legal turn, and there is no other.
"""

from typing_extensions import TypedDict

from sanssouci.rules import LEAVES, Options

from .cards import write_card
from .squares import write_square


class OptionsJson(TypedDict):
    """The pieces of all legal turns; every list and table is empty for a seat that is not to move."""

    cards: dict[str, list[int]]
    """Card: the spaces it can take from."""
    spaces: dict[str, list[str]]
    """Space: where its tile can be laid."""
    boar: dict[str, list[str]]
    """Tile laid on the boar: where the boar can go."""
    stops: dict[str, dict[str, int]]
    """Tile: where a noble can stop, with the points."""


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
            _tile(square, gardener): {write_square(stop): points for stop, points in stops.items()}
            for (square, gardener), stops in tables.stops.items()
        },
    }


def _tile(square: int, gardener: bool) -> str:
    return write_square(square) + "g" * gardener
