"""Reads the recorder's journal: every call that changed the data folder, in order."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

_HEADER = struct.Struct("=IiQQ")
_NEW, _EMPTIED = 1, 2
FOLDER = 0
"""The number of the folder itself. Files are numbered from 1, and a recreated name is a new file."""


class Kind(IntEnum):
    """The recorder's codes."""

    START = 1
    OPEN = 2
    WRITE = 3
    TRUNCATE = 4
    SYNC = 5
    CLOSE = 6
    UNLINK = 7
    RENAME = 8
    MARK = 9


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes at an offset in a file."""

    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file gets this size, shorter or longer."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All earlier changes to this file, or to the names in the folder, are safe."""

    file: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name refers to this file from now on, or to none."""

    name: str
    file: int | None


@dataclass(frozen=True, slots=True)
class Rename:
    """A file is renamed atomically."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A message of the program."""

    text: str


Step = Write | Truncate | Sync | Name | Rename | Mark


class _Reader:
    """Tracks descriptors and names, so that each step refers to its file."""

    def __init__(self) -> None:
        self._open: dict[int, int] = {}
        self._names: dict[str, int] = {}
        self._files = FOLDER

    def steps(self, kind: Kind, fd: int, value: int, data: bytes) -> Iterator[Step]:
        match kind:
            case Kind.START:
                self._open.clear()
            case Kind.OPEN:
                yield from self._opened(fd, value, data.decode())
            case Kind.WRITE:
                yield Write(self._open[fd], value, data)
            case Kind.TRUNCATE:
                yield Truncate(self._open[fd], value)
            case Kind.SYNC:
                yield Sync(self._open[fd])
            case Kind.CLOSE:
                del self._open[fd]
            case Kind.UNLINK:
                del self._names[data.decode()]
                yield Name(data.decode(), None)
            case Kind.RENAME:
                old, new = data.decode().split("\0")
                self._names[new] = self._names.pop(old)
                yield Rename(old, new)
            case Kind.MARK:
                yield Mark(data.decode())

    def _opened(self, fd: int, how: int, name: str) -> Iterator[Step]:
        if not name:
            self._open[fd] = FOLDER
            return
        if "/" in name:
            raise ValueError(f"{name} is in a subfolder, which is not tracked")
        if how & _NEW:
            self._files += 1
            self._names[name] = self._files
            yield Name(name, self._files)
        self._open[fd] = self._names[name]
        if how & _EMPTIED:
            yield Truncate(self._names[name], 0)


def read(path: Path) -> list[Step]:
    """The steps of a journal that began with an empty folder."""
    raw, at, reader = path.read_bytes(), 0, _Reader()
    steps: list[Step] = []
    while at < len(raw):
        kind, fd, value, length = _HEADER.unpack_from(raw, at)
        at += _HEADER.size
        steps += reader.steps(Kind(kind), fd, value, raw[at : at + length])
        at += length
    return steps
