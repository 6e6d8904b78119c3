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
"""The same where there are no blocks: more than half of a sign is drawn, less is not."""
_WIDEST = 2
"""Columns for one position at most."""


def share_strip(
    shares: Sequence[float], seats: int, width: int, height: int, plain: bool, language: str = "en"
) -> list[str]:
    """The lines of a strip: the share before each turn and at the end, and the rounds below."""
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
    """How much of a sign is filled: nothing below 0, all of it from 1 on."""
    return signs[round(8 * min(1.0, max(0.0, filled)))]


def _positions(count: int, width: int) -> list[int]:
    """Which position each column shows: all of them, or, if there are too many, some from first to last."""
    if width >= count:
        return [position for position in range(count) for _ in range(min(_WIDEST, width // count))]
    return [column * (count - 1) // (width - 1) for column in range(width)]


def _rounds(positions: list[int], seats: int, margin: int) -> str:
    """Some rounds, each below its first turn."""
    line = " " * margin
    for number in (1, 5, 10, 15):
        column = next((at for at, position in enumerate(positions) if position >= (number - 1) * seats), None)
        if column is not None and len(line) <= margin + column:
            line = line.ljust(margin + column) + str(number)
    return line
