"""The bus: servers tell each other which tables have changed, and who has them open.

A message about a change contains the version of a table and nothing else about it. Messages may be lost:
every server also polls the store for newer versions. The bus only makes changes arrive sooner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TableNews:
    """A table was written."""

    table: str
    seq: int
    access: int

    def write(self) -> str:
        return f"{self.table} {self.seq} {self.access}"

    @classmethod
    def read(cls, text: str) -> "TableNews | None":
        """None for anything that is not a message."""
        match text.split(" "):
            case [table, seq, access] if seq.isdecimal() and access.isdecimal():
                return cls(table, int(seq), int(access))
        return None


@dataclass(frozen=True, slots=True)
class TablePresence:
    """The chairs whose people have a table open on one server."""

    table: str
    server: str
    chairs: frozenset[int]

    def write(self) -> str:
        return f"presence {self.table} {self.server} {sum(1 << chair for chair in self.chairs)}"


@dataclass(frozen=True, slots=True)
class Nudged:
    """A person was reminded that the others wait."""

    table: str
    server: str
    by: int
    chair: int

    def write(self) -> str:
        return f"nudge {self.table} {self.server} {self.by} {self.chair}"


News = TableNews | TablePresence | Nudged
_CHAIRS = range(4)


def read_news(text: str) -> News | None:
    """None for anything that is not a message. Earlier versions ignore messages of more than three words."""
    match text.split(" "):
        case ["presence", table, server, bits] if bits.isdecimal():
            return TablePresence(
                table, server, frozenset(chair for chair in _CHAIRS if int(bits) >> chair & 1)
            )
        case ["nudge", table, server, by, chair] if by.isdecimal() and chair.isdecimal():
            return Nudged(table, server, int(by), int(chair))
    return TableNews.read(text)


class Bus(Protocol):
    @property
    def connected(self) -> bool:
        """Whether messages arrive at present."""

    def publish(self, news: News) -> None:
        """Tell all other servers, without waiting."""

    async def run(self, receive: Callable[[News], None]) -> None:
        """Call ``receive`` with all messages, until it is closed and cancelled."""

    def close(self) -> None:
        """Let ``run`` end when it is cancelled."""


class NoBus:
    """For a server that is alone, or that only asks the store."""

    connected = True

    def publish(self, news: News) -> None: ...

    async def run(self, receive: Callable[[News], None]) -> None: ...

    def close(self) -> None: ...
