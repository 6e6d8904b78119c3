"""Win shares as columns of a terminal: one strip for each seat, read without colour.

::

    100%                  ▁▃▆████
                     ▂▅▇█████████
     50% ▄▄▃▃▄▅▅▄▆▇██████████████
         ████████████████████████
         1       5        10         rounds
"""

from collections.abc import Sequence

from sanssouci.review import percent

_BLOCKS = " ▁▂▃▄▅▆▇█"
_PLAIN = " " * 5 + "#" * 4
"""For terminals without block characters: a character is filled if more than half of it is."""
_MAX_COLUMNS = 2
"""Maximum columns for one position."""


def share_strip(
    shares: Sequence[float], seats: int, width: int, height: int, plain: bool, language: str = "en"
) -> list[str]:
    """The lines of a strip: the share before each turn and at the end, with the rounds below."""
    full, half = percent(1.0, language), percent(0.5, language)
    margin = len(full) + 1
    positions = _positions(len(shares), width - margin - 1)
    sampled = [shares[position] for position in positions]
    labels = {height - 1: full, height // 2 - 1: half}
    signs = _PLAIN if plain else _BLOCKS
    lines = [
        f"{labels.get(row, ''):>{len(full)}} "
        + "".join(_sign(share * height - row, signs) for share in sampled)
        for row in reversed(range(height))
    ]
    return [*(line.rstrip() for line in lines), _rounds(positions, seats, margin)]


def _sign(filled: float, signs: str) -> str:
    """The character for a filled fraction, clamped to 0 and 1."""
    return signs[round(8 * min(1.0, max(0.0, filled)))]


def _positions(count: int, width: int) -> list[int]:
    """The position that each column shows; if there are too many, an even selection."""
    if width >= count:
        return [position for position in range(count) for _ in range(min(_MAX_COLUMNS, width // count))]
    return [column * (count - 1) // (width - 1) for column in range(width)]


def _rounds(positions: list[int], seats: int, margin: int) -> str:
    """Round numbers, each below its first turn."""
    line = " " * margin
    for number in (1, 5, 10, 15):
        column = next((at for at, position in enumerate(positions) if position >= (number - 1) * seats), None)
        if column is not None and len(line) <= margin + column:
            line = line.ljust(margin + column) + str(number)
    return line
