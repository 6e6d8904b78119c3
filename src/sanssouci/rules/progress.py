"""How far a game is: what State and View derive from the number of turns played."""

from .variant import Variant


class TurnCounter:
    """Whose turn it is, in which round, and whether the game is over."""

    __slots__ = ()
    variant: Variant
    turn: int
    """How many turns have been played."""

    @property
    def over(self) -> bool:
        """Whether the last turn has been played; the scores are then final."""
        return self.turn >= self.variant.turns

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.turn % self.variant.seats

    @property
    def round(self) -> int:
        """The round, 1 to 18."""
        return self.variant.round_of(self.turn)
