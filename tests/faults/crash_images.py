"""Data folders after a power cut: nine outcomes for unsynced writes, drawn at random."""

from collections.abc import Callable
from itertools import pairwise

from sanssouci.dealer import Stream

from .disk import Change, Disk, Grow, Image
from .journal import Write

SECTOR = 512
PAGE = 4096

Outcome = Callable[[Disk, Stream], Image]


def pieces(changes: list[Change], size: int) -> list[Change]:
    """The changes, with every write split at sector boundaries."""
    found: list[Change] = []
    for change in changes:
        found += _split(change, size) if isinstance(change, Write) else [change]
    return found


def _split(write: Write, size: int) -> list[Change]:
    end = write.offset + len(write.data)
    borders = [write.offset, *range((write.offset // size + 1) * size, end, size), end]
    return [
        Write(write.file, start, write.data[start - write.offset : stop - write.offset])
        for start, stop in pairwise(borders)
    ]


def _some(changes: list[Change], chance: Stream) -> list[Change]:
    """A random part of the changes: few, half, or nearly all."""
    probability = (1, 5, 9)[chance.below(3)]
    return [change for change in changes if chance.below(10) < probability]


def _entries(disk: Disk, chance: Stream) -> int:
    return chance.below(len(disk.entries) + 1)


def nothing(disk: Disk, _: Stream) -> Image:
    """Only synced data."""
    return disk.image([], 0)


def everything(disk: Disk, _: Stream) -> Image:
    """All writes, as after a killed process."""
    return disk.whole()


def first(disk: Disk, chance: Stream) -> Image:
    """All writes in order up to some sector."""
    sectors = pieces(disk.changes, SECTOR)
    return disk.image(sectors[: chance.below(len(sectors) + 1)], _entries(disk, chance))


def last(disk: Disk, chance: Stream) -> Image:
    """The latest writes from some sector on, and none before."""
    sectors = pieces(disk.changes, SECTOR)
    return disk.image(sectors[chance.below(len(sectors) + 1) :], _entries(disk, chance))


def some_writes(disk: Disk, chance: Stream) -> Image:
    """Any of the writes, each complete."""
    return disk.image(_some(disk.changes, chance), _entries(disk, chance))


def some_pages(disk: Disk, chance: Stream) -> Image:
    """Any pages of 4096 bytes."""
    return disk.image(_some(pieces(disk.changes, PAGE), chance), _entries(disk, chance))


def some_sectors(disk: Disk, chance: Stream) -> Image:
    """Any sectors."""
    return disk.image(_some(pieces(disk.changes, SECTOR), chance), _entries(disk, chance))


def sizes(disk: Disk, chance: Stream) -> Image:
    """Files have grown, with zeros in place of all or some bytes."""
    grown: list[Change] = [
        Grow(change.file, change.offset + len(change.data)) if isinstance(change, Write) else change
        for change in disk.changes
    ]
    return disk.image(grown + _some(disk.changes, chance) * chance.below(2), _entries(disk, chance))


def one_file(disk: Disk, chance: Stream) -> Image:
    """All changes to one file, and none to the others."""
    files = sorted({change.file for change in disk.changes})
    survivor = files[chance.below(len(files))] if files else None
    changes = [change for change in disk.changes if change.file == survivor]
    return disk.image(changes, len(disk.entries))


OUTCOMES: tuple[Outcome, ...] = (
    nothing,
    everything,
    first,
    last,
    some_writes,
    some_pages,
    some_sectors,
    sizes,
    one_file,
)
