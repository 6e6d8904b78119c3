"""Authorisation: every route and message type is tried by every kind of caller.

``tests/server/permission_table.py`` lists what is allowed, ``authorisation_matrix.py`` tries it. Run as
``python -m tests.faults authorisation``.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from ..share import WHOLE, Share
from .report import Fault, Progress, Row

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from ..cluster.programs import Postgres
    from ..harness.server import InProcessServer
    from ..server.authorisation_matrix import Cell, Part

TEST = "authorisation"
GOAL = "each route and message type × every kind of caller: as intended, and nothing revealed or changed"
_EXAMPLES = 5
"""The number of wrong cells that are listed."""


def rows(progress: Progress, share: Share = WHOLE) -> list[Row]:
    """Try every cell. Routes without an entry in the permission table are wrong too."""
    from ..server.authorisation_matrix import PARTS, VISIBILITIES
    from ..server.permission_table import table_mismatches

    cells: list[Cell] = []
    for part in PARTS:
        for visibility in (name for name in VISIBILITIES if f"{part.__name__} {name}" in share):
            cells += try_part(part, visibility)
            wrong = sum(bool(cell.wrong) for cell in cells)
            progress(f"{len(cells):,} cells, {wrong} wrong; {cells[-1].part}")
    if not cells:
        return [Row.not_run(TEST, GOAL, "no part is in this share")]
    return [row(cells, sorted(table_mismatches()))]


def at_two_servers(server: "Postgres", progress: Progress, share: Share = WHOLE) -> Row:
    """The same at two servers on one database, which answer in turn.

    The part that copies a data file for each cell is left out.
    """
    from ..cluster.alternating import alternating_servers
    from ..server import authorisation_matrix as matrix

    def servers(folder: Path, **settings: Any) -> "AbstractAsyncContextManager[InProcessServer]":
        return alternating_servers(folder, server.new_database("template"), **settings)

    cells: list[Cell] = []
    with patch.object(matrix, "running_server", servers):
        for part in (matrix.refused_requests, matrix.commands_by_http, matrix.commands_by_socket):
            for visibility in matrix.VISIBILITIES:
                if f"two servers {part.__name__} {visibility}" in share:
                    cells += try_part(part, visibility)
                    progress(f"{len(cells):,} cells at two servers; {cells[-1].part}")
    test = f"{TEST} at two servers"
    return row(cells, [], test) if cells else Row.not_run(test, GOAL, "no part is in this share")


def try_part(part: "Part", visibility: str) -> "list[Cell]":
    """The cells of one part, tried in a temporary folder. Logs are discarded."""
    from ..harness.logs import captured_log

    async def try_cells(folder: Path) -> "list[Cell]":
        return [cell async for cell in part(folder, visibility)]

    with TemporaryDirectory() as folder, captured_log():
        return asyncio.run(try_cells(Path(folder)))


def row(cells: "list[Cell]", unlisted: list[str], test: str = TEST) -> Row:
    wrong = [str(cell) for cell in cells if cell.wrong] + [
        f"{route} is not in the permission table" for route in unlisted
    ]
    callers, targets = ({getattr(cell, name) for cell in cells} for name in ("caller", "what"))
    measured = f"{len(wrong)} wrong; {len(targets)} routes and commands × {len(callers)} kinds of caller"
    if wrong:
        measured += "; " + "; ".join(wrong[:_EXAMPLES])
    return Row(test, len(cells), measured, GOAL, not wrong)


FAULT = Fault("authorisation", TEST, GOAL, rows)
