"""The whole test: so many messages by both ways, and the row of the table."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from ..fault import Progress
from ..planted import Plant
from ..table import Row
from . import GOAL, TEST
from .schema import Findings, read_and_try
from .siege import Campaign, Report, Siege, percentile

MESSAGES = 200_000
BY_SCHEMA = 20
"""One message in so many is schemathesis's: it takes its time to think them up."""
PER_ATTACK = 20_000
QUIET = 20.0
"""Seconds before each attack, for the comparison."""
SLOWER = 2.0
MEMORY = Path("/dev/shm")
"""A folder that is no disk, where there is one: the disk takes its time with and without an attack."""
_EXAMPLES = 10
"""Of what is wrong, so many are told."""
GROWTH = 64.0
"""MiB that the server may grow by after its first attack: what is bounded is full by then."""


def run(n: int, seed: int, progress: Progress = lambda text: None, timed: bool = True) -> Row:
    """So many messages in all; honest clients' times are judged if it is ``timed``."""
    read = read_and_try(n // BY_SCHEMA, seed, progress)
    messages = n - read.requests
    attacks = max(1, round(messages / PER_ATTACK))
    siege = besiege(Campaign(messages, attacks, QUIET, seed=seed), progress=progress)
    for text in (*read.wrong, *siege.wrong)[:_EXAMPLES]:
        progress(text)
    return row(siege, read, timed)


def besiege(
    campaign: Campaign, plant: Plant = Plant.NOTHING, progress: Progress = lambda text: None
) -> Report:
    """Attack a server that is gone afterwards."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        return asyncio.run(Siege(Path(folder), campaign, plant, progress).run())


def row(siege: Report, read: Findings, timed: bool = True) -> Row:
    """The row of the table."""
    wrong, grown = [*read.wrong, *siege.wrong], siege.memory[-1] - siege.memory[1]
    quiet, attacked = (percentile(times, 99) * 1000 for times in (siege.quiet, siege.attacked))
    measured = (
        f"{len(wrong)} wrong; {siege.sent:,} on the wire, {read.requests:,} by schemathesis; honest p99 "
        f"{quiet:.1f} ms quiet, {attacked:.1f} ms under attack ({siege.ratio:.2f} ×, "
        f"n = {len(siege.quiet):,} and {len(siege.attacked):,}); "
        f"server grew by {grown:.0f} MiB after the first attack, ran for {siege.ran:.0f} s under attack and "
        f"waited {siege.starved:.0f} s for a processor"
    )
    if wrong:
        measured += f"; first: {wrong[0][:300]}"
    good = not wrong and grown < GROWTH and (siege.ratio < SLOWER or not timed)
    return Row(TEST, siege.sent + read.requests, measured, GOAL, good)
