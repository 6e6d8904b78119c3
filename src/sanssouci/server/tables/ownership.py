"""Ownership: who owns a table after its owner has left, and who keeps access in a rematch."""

from collections.abc import Iterable
from dataclasses import replace

from sanssouci.store import AddToken, AssignSeat, Ban, Change, HoldingRow, Store, TokenKind
from sanssouci.table import TableState

from .live_table import OWNER


def next_owner(holdings: Iterable[HoldingRow], without: str | None = None) -> str | None:
    """The guest who owns a table: its creator, otherwise the holder of the first chair.

    ``without`` is skipped. None if people sit there by links alone.
    """
    left = {row.chair: row.guest for row in holdings if row.guest != without}
    return left[min(left)] if left else None  # OWNER is lower than every chair


def inherited_access(store: Store, old: TableState, new: str) -> tuple[frozenset[int], list[Change]]:
    """The chairs that nobody holds any more, and the changes that copy access to a rematch.

    A chair counts as held while a guest holds it or a seat link opens it.
    """
    holdings, links = store.holdings(old.table), store.tokens(old.table)
    held = {row.chair: row.guest for row in holdings}
    linked = {token.chair for token in links if token.kind is TokenKind.SEAT}
    owner = next_owner(holdings)
    if owner is not None:
        held[OWNER] = owner
    changes: list[Change] = [
        *(AssignSeat(new, chair, guest) for chair, guest in held.items()),
        *(AddToken(replace(token, game=new)) for token in links),
        *(Ban(new, row.guest) for row in store.bans(old.table) if row.guest != owner),
    ]
    return frozenset(old.persons) - held.keys() - linked, changes
