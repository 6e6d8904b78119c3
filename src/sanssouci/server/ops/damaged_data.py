"""Damaged data: games, guests or reviews in the data file that cannot be read back.

Only requests for that game, guest or review fail, with 500. Each is logged once, with the column or the kind
of error but never the value.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from sanssouci.locale import UserError
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.store.export_rows import PARSE_ERRORS

TABLE, GUEST, REVIEW = "table.damaged", "server.guest_damaged", "review.damaged"
_KEYS = {"guest": GUEST, "played": GUEST, "review": REVIEW}
"""The error by database table; rows of other tables belong to a game, or are a guest's token."""

_log = structlog.get_logger("sanssouci.server")


class DamagedData(UserError):
    """Stored data cannot be read back; not the caller's mistake."""

    def __init__(self, key: str = TABLE) -> None:
        super().__init__(key)

    @classmethod
    def by(cls, row: DamagedRow) -> "DamagedData":
        if row.table == "token" and row.game is None:
            return cls(GUEST)
        return cls(_KEYS.get(row.table, TABLE))


class DamageLog:
    """Logs each damaged game, guest or review once."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, str]] = set()

    @contextmanager
    def reporting_damage(self, item: str, key: str = TABLE) -> Iterator[None]:
        """Report parse errors inside and raise ``DamagedData``; a review's id is secret and not logged."""
        try:
            yield
        except Unavailable:
            raise
        except (UserError, *PARSE_ERRORS) as error:
            if key == REVIEW:
                self._log_once((key, item), "review_damaged", reason=_reason(error))
            else:
                self._report_table(item, error)
            raise DamagedData(key) from None

    def report(self, row: DamagedRow) -> None:
        """Log a row that was skipped in a list or hit by a request."""
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
    """The kind of error; its text may quote hidden information."""
    if isinstance(error, DamagedRow):
        return f"{error.table}.{error.column}"
    return error.key if isinstance(error, UserError) else type(error).__name__
