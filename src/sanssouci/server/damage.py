"""Damage: a game in the data file that is not as a server has written it. The host is told, once for each."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from sanssouci.locale import Complaint
from sanssouci.store import Unavailable
from sanssouci.store.parcels import DAMAGE

_log = structlog.get_logger("sanssouci.server")


class Damaged(Complaint):
    """A table that cannot be read back. Whoever asks for it has made no mistake."""

    def __init__(self) -> None:
        super().__init__("table.damaged")


class Damages:
    """The tables of which it was told."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    @contextmanager
    def noticed(self, table: str) -> Iterator[None]:
        """In here a table is read: ``Damaged`` if what is kept of it cannot be right."""
        try:
            yield
        except Unavailable:
            raise
        except (Complaint, *DAMAGE) as error:
            self._tell(table, error)
            raise Damaged from None

    def _tell(self, table: str, error: Exception) -> None:
        """Which table, and what kind of fault; what the fault says may quote what is hidden."""
        if table not in self._told:
            self._told.add(table)
            reason = error.key if isinstance(error, Complaint) else type(error).__name__
            _log.error("table_damaged", table=table, reason=reason)
