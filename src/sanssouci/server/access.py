"""What somebody may do at a table: as a guest who holds chairs there, or by the secret of a link."""

from dataclasses import dataclass

from sanssouci.table import Caller, Declined, No, Viewer

from .hosted import OWNER, Warrant


@dataclass(frozen=True, slots=True)
class Access:
    """What a caller may do at a table."""

    guest: str | None = None
    held: frozenset[int] = frozenset()
    """The chairs that the guest holds."""
    linked: int | None = None
    """The chair whose seat link was shown."""
    owner: bool = False
    may_join: bool = False
    may_watch: bool = False
    warrant: Warrant = frozenset()
    """All places as they were when this was found out."""

    @property
    def chairs(self) -> frozenset[int]:
        """The chairs that the caller may speak from."""
        return self.held if self.linked is None else self.held | {self.linked}

    @property
    def may_see(self) -> bool:
        """Whether the table is any of the caller's business."""
        return bool(self.chairs) or self.owner or self.may_join or self.may_watch

    def chair(self, wanted: int | None) -> int | None:
        """The chair that the caller speaks from: the wanted one, or the only one."""
        if wanted is None:
            return None if self.undecided(wanted) else next(iter(self.chairs), None)
        if wanted not in self.chairs:
            raise Declined(No.NOT_ALLOWED)
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
        """Whether a chair is the caller's by its link alone."""
        return chair is not None and chair not in self.held

    def warrant_for(self, chair: int | None) -> Warrant:
        """What the right to speak from a chair, and as the owner, rests on."""
        places = {chair, OWNER if self.owner else None}
        return frozenset((place, number) for place, number in self.warrant if place in places)
