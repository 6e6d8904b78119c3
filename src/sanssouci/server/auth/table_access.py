"""Permissions of one client at one table, as a guest who holds chairs or by the secret of a link."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sanssouci.locale import UserError
from sanssouci.store import TokenKind, TokenRow
from sanssouci.table import Caller, ColourName, CommandRejected, RejectReason, TableState, Viewer

from ..tables.live_table import LINKS, OWNER, GrantVersion


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A guest's request to sit down; without a chair or colour, any free one will do."""

    name: str
    chair: int | None = None
    colour: ColourName | None = None


@dataclass(frozen=True, slots=True)
class TableAccess:
    guest: str | None = None
    held: frozenset[int] = frozenset()
    linked: int | None = None
    """The chair whose seat link was presented."""
    owner: bool = False
    open: bool = False
    """Whether anyone may join and watch the table."""
    link: TokenKind | None = None
    """The kind of link that was presented."""
    grants: GrantVersion = frozenset()
    """The version of every role when access was checked."""

    def at(self, table_state: TableState) -> "TableAccess":
        """The same access without chairs where no person sits: just vacated, or named by a damaged row."""
        persons = frozenset(table_state.persons)
        return replace(self, held=self.held & persons, linked=self.linked if self.linked in persons else None)

    @property
    def chairs(self) -> frozenset[int]:
        return self.held if self.linked is None else self.held | {self.linked}

    @property
    def may_join(self) -> bool:
        return self.open or self.link is TokenKind.JOIN

    @property
    def may_see(self) -> bool:
        return bool(self.chairs) or self.owner or self.open or self.link in LINKS

    def chair(self, wanted: int | None) -> int | None:
        """The chair to act for: ``wanted``, or the only one."""
        if wanted is None:
            return None if self.undecided(wanted) else next(iter(self.chairs), None)
        if wanted not in self.chairs:
            raise CommandRejected(RejectReason.NOT_ALLOWED)
        return wanted

    def undecided(self, wanted: int | None) -> bool:
        """Whether the caller holds several chairs and has not chosen one."""
        return wanted is None and len(self.chairs) > 1

    def caller(self, wanted: int | None) -> Caller:
        return Caller(self.chair(wanted), self.owner, self.may_join, undecided=self.undecided(wanted))

    def viewer(self, wanted: int | None, watch: bool = False) -> Viewer:
        return Viewer(None if watch else self.chair(wanted), self.owner)

    def by_link(self, chair: int | None) -> bool:
        """Whether the caller has the chair, or without one the right to watch, only by a seat link."""
        return chair not in self.held if chair is not None else not self.held and self.linked is not None

    def grants_for(self, chair: int | None) -> GrantVersion:
        """The grants needed to act for a chair and as the owner, or else to watch."""
        if chair is not None or self.owner:
            return self._grants({chair, OWNER if self.owner else None})
        by_link = {LINKS.get(self.link)} if self.link is not None else set()
        return frozenset() if self.open else self._grants(set(self.chairs) or by_link)

    def grants_to_join(self) -> GrantVersion:
        """The grants needed to join: the join link, unless the table is open."""
        return frozenset() if self.open else self._grants({LINKS[TokenKind.JOIN]})

    def _grants(self, roles: set[int | None] | set[int]) -> GrantVersion:
        return frozenset((role, version) for role, version in self.grants if role in roles)


def check_only_link(token: TokenRow, tokens: Iterable[TokenRow]) -> None:
    """``UserError`` if two seat links open the same chair, since one of them must be damaged."""
    chairs = [row.chair for row in tokens if row.kind is TokenKind.SEAT]
    if chairs.count(token.chair) > 1:
        raise UserError("audit.token", kind=token.kind.value)
