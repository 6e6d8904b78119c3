"""Authorisation: the whole matrix of rights, each route and message type by every kind of caller.

What is meant is in ``tests/server/rights.py``, and how it is tried in ``tests/server/matrix.py``. Run as
``python -m tests.faults.authorisation``.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ..share import WHOLE, Share
from .fault import Fault, Progress
from .table import Row, write_table

if TYPE_CHECKING:
    from ..server.matrix import Cell, Part

TEST = "authorisation"
GOAL = "each route and message type × every kind of caller: as it is meant, and nothing learnt or changed"
_EXAMPLES = 5
"""Of what is wrong, so many are told."""


def rows(progress: Progress, share: Share = WHOLE) -> list[Row]:
    """Try every cell; what the app has and nobody has spoken of is wrong too."""
    from ..server.matrix import PARTS, VISIBILITIES
    from ..server.rights import unmeant

    tried: list[Cell] = []
    for part in PARTS:
        for visibility in (one for one in VISIBILITIES if f"{part.__name__} {one}" in share):
            tried += try_part(part, visibility)
            wrong = sum(bool(cell.wrong) for cell in tried)
            progress(f"{len(tried):,} cells, {wrong} wrong; {tried[-1].part}")
    return [row(tried, sorted(unmeant()))]


def try_part(part: "Part", visibility: str) -> "list[Cell]":
    """The cells of one part, in a folder that is gone afterwards; what is logged is for nobody."""
    from .interference.lines import Log, logging_into

    async def tried(folder: Path) -> "list[Cell]":
        return [cell async for cell in part(folder, visibility)]

    with TemporaryDirectory() as folder, logging_into(Log()):
        return asyncio.run(tried(Path(folder)))


def row(tried: "list[Cell]", unspoken: list[str]) -> Row:
    """The row of the table."""
    wrong = [str(cell) for cell in tried if cell.wrong] + [f"{what} is not meant" for what in unspoken]
    callers, whats = ({getattr(cell, name) for cell in tried} for name in ("caller", "what"))
    measured = f"{len(wrong)} wrong; {len(whats)} routes and commands × {len(callers)} kinds of caller"
    if wrong:
        measured += "; " + "; ".join(wrong[:_EXAMPLES])
    return Row(TEST, len(tried), measured, GOAL, not wrong)


FAULT = Fault("authorisation", TEST, GOAL, rows)

if __name__ == "__main__":
    table = rows(lambda text: print(text, file=sys.stderr))
    print(write_table(table))
    sys.exit(any(row.ok is False for row in table))
