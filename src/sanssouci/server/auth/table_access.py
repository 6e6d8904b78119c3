"""What somebody may do at a table: as a guest who holds chairs there, or by the secret of a link."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sanssouci.locale import UserError
from sanssouci.store import TokenKind, TokenRow
from sanssouci.table import Caller, ColourName, CommandRejected, RejectReason, TableState, Viewer

from ..tables.live_table import LINKS, OWNER, GrantVersion


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """Who wants to sit down: called so, on this chair or on any, in this colour or in one that is left."""

    name: str
    chair: int | None = None
    colour: ColourName | None = None


@dataclass(frozen=True, slots=True)
class TableAccess:
    """What a caller may do at a table."""

    guest: str | None = None
    held: frozenset[int] = frozenset()
    """The chairs that the guest holds."""
    linked: int | None = None
    """The chair whose seat link was shown."""
    owner: bool = False
    open: bool = False
    """Whether anyone may join the table, and watch."""
    link: TokenKind | None = None
    """Which kind of link was shown."""
    grants: GrantVersion = frozenset()
    """All places as they were when this was found out."""

    def at(self, table_state: TableState) -> "TableAccess":
        """The same without chairs on which nobody sits: left a moment ago, or named by a damaged row."""
        persons = frozenset(table_state.persons)
        return replace(self, held=self.held & persons, linked=self.linked if self.linked in persons else None)

    @property
    def chairs(self) -> frozenset[int]:
        """The chairs that the caller may speak from."""
        return self.held if self.linked is None else self.held | {self.linked}

    @property
    def may_join(self) -> bool:
        """Whether the caller may take an open chair."""
        return self.open or self.link is TokenKind.JOIN

    @property
    def may_see(self) -> bool:
        """Whether the table is any of the caller's business."""
        return bool(self.chairs) or self.owner or self.open or self.link in LINKS

    def chair(self, wanted: int | None) -> int | None:
        """The chair that the caller speaks from: the wanted one, or the only one."""
        if wanted is None:
            return None if self.undecided(wanted) else next(iter(self.chairs), None)
        if wanted not in self.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        return wanted

    def undecided(self, wanted: int | None) -> bool:
        """Whether there are several chairs to speak from, and none is wanted more than the others."""
        return wanted is None and len(self.chairs) > 1

    def caller(self, wanted: int | None) -> Caller:
        """The caller of a command."""
        return Caller(self.chair(wanted), self.owner, self.may_join, undecided=self.undecided(wanted))

    def viewer(self, wanted: int | None, watch: bool = False) -> Viewer:
        """With whose eyes the caller looks."""
        return Viewer(None if watch else self.chair(wanted), self.owner)

    def by_link(self, chair: int | None) -> bool:
        """Whether a chair is the caller's by its link alone, or, without one, the right to watch."""
        return chair not in self.held if chair is not None else not self.held and self.linked is not None

    def grants_for(self, chair: int | None) -> GrantVersion:
        """What the right to speak from a chair and as the owner rests on, or else to watch."""
        if chair is not None or self.owner:
            return self._grants({chair, OWNER if self.owner else None})
        by_link = {LINKS.get(self.link)} if self.link is not None else set()
        return frozenset() if self.open else self._grants(set(self.chairs) or by_link)

    def grants_to_join(self) -> GrantVersion:
        """What the right to join rests on: the link, unless anyone may."""
        return frozenset() if self.open else self._grants({LINKS[TokenKind.JOIN]})

    def _grants(self, places: set[int | None] | set[int]) -> GrantVersion:
        return frozenset((place, number) for place, number in self.grants if place in places)


def check_only_link(token: TokenRow, tokens: Iterable[TokenRow]) -> None:
    """``UserError`` if two links open the chair of a seat link: one of them is for another, but which?"""
    chairs = [row.chair for row in tokens if row.kind is TokenKind.SEAT]
    if chairs.count(token.chair) > 1:
        raise UserError("audit.token", kind=token.kind.value)
