"""Damage: what the data file holds of a game, a guest or a review is not as a server has written it.

Only that game, guest or review is answered 500; everything else goes on. The host finds one line in the log
for each, which names a column or a kind of error and never quotes what was read.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from sanssouci.locale import UserError
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.store.export_rows import PARSE_ERRORS

TABLE, GUEST, REVIEW = "table.damaged", "server.guest_damaged", "review.damaged"
_KEYS = {"guest": GUEST, "played": GUEST, "review": REVIEW}
"""What is damaged, by the database table of the row; other rows belong to a game, or are a guest's token."""

_log = structlog.get_logger("sanssouci.server")


class CorruptData(UserError):
    """Something that cannot be read back. The caller has made no mistake."""

    def __init__(self, key: str = TABLE) -> None:
        super().__init__(key)

    @classmethod
    def by(cls, row: DamagedRow) -> "CorruptData":
        """What is damaged, if this row is."""
        if row.table == "token" and row.game is None:
            return cls(GUEST)
        return cls(_KEYS.get(row.table, TABLE))


class CorruptTables:
    """Logs each damage once."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, str]] = set()

    @contextmanager
    def reading(self, table: str) -> Iterator[None]:
        """In here a table is read: ``Damaged`` if what is kept of it cannot be right."""
        try:
            yield
        except Unavailable:
            raise
        except (UserError, *PARSE_ERRORS) as error:
            self._report_table(table, error)
            raise CorruptData from None

    @contextmanager
    def reading_review(self, review: str) -> Iterator[None]:
        """The same for a review, whose id is a secret and not logged."""
        try:
            yield
        except Unavailable:
            raise
        except (UserError, *PARSE_ERRORS) as error:
            self._log_once(("review", review), "review_damaged", reason=_reason(error))
            raise CorruptData(REVIEW) from None

    def report(self, row: DamagedRow) -> None:
        """Log a row that was left out of a list, or that a request has met."""
        if row.game is not None:
            self._report_table(row.game, row)
        else:
            self._log_once(("row", _reason(row)), "row_damaged", reason=_reason(row))

    def _report_table(self, table: str, error: Exception) -> None:
        self._log_once(("table", table), "table_damaged", table=table, reason=_reason(error))

    def _log_once(self, what: tuple[str, str], event: str, **details: str) -> None:
        if what not in self._reported:
            self._reported.add(what)
            _log.error(event, **details)


def _reason(error: Exception) -> str:
    """The kind of a fault; its text may quote what is hidden."""
    if isinstance(error, DamagedRow):
        return f"{error.table}.{error.column}"
    return error.key if isinstance(error, UserError) else type(error).__name__
