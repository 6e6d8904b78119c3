"""Succession: whose a table is when its owner is gone, and what of it goes over to a rematch."""

from collections.abc import Iterable
from dataclasses import replace

from sanssouci.store import AddToken, AssignSeat, Ban, Change, HoldingRow, Store, TokenKind
from sanssouci.table import TableState

from .live_table import OWNER


def next_owner(holdings: Iterable[HoldingRow], without: str | None = None) -> str | None:
    """The guest who owns a table: who has set it up, else the first in the order of the chairs.

    Whoever is named is passed over. None where people sit by their links alone.
    """
    left = {row.chair: row.guest for row in holdings if row.guest != without}
    return left[min(left)] if left else None  # the owner's place is below all chairs


def inherited_access(store: Store, old: TableState, new: str) -> tuple[frozenset[int], list[Change]]:
    """What a rematch takes over: the chairs that nobody has any more, and who holds the others.

    A chair is somebody's as long as a guest holds it or a link opens it.
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
