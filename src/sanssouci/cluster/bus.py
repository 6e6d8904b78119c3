"""The bus: servers tell each other which tables have changed.

A message contains the version of a table and nothing else about it. Messages may be lost: every server also
polls the store for newer versions. The bus only makes changes arrive sooner.
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


class Bus(Protocol):
    @property
    def connected(self) -> bool:
        """Whether messages arrive at present."""

    def publish(self, news: TableNews) -> None:
        """Tell all other servers, without waiting."""

    async def run(self, receive: Callable[[TableNews], None]) -> None:
        """Call ``receive`` with all messages, until it is closed and cancelled."""

    def close(self) -> None:
        """Let ``run`` end when it is cancelled."""


class NoBus:
    """For a server that is alone, or that only asks the store."""

    connected = True

    def publish(self, news: TableNews) -> None: ...

    async def run(self, receive: Callable[[TableNews], None]) -> None: ...

    def close(self) -> None: ...
