"""The choices before the game: each owner's garden side (R9), then missions, then reward sides (R12).

Chance and choice take turns: gardens are dealt, all pick a side; missions and reward boards are dealt, all
pick a side; then decks and tiles are dealt and the game starts. Picks are sealed until all have picked.
"""

from dataclasses import dataclass, replace
from enum import Enum

from .cards import Card
from .deal import Deal, boar_square_refusal, first_refusal, squares_refusal
from .refusal import Refusal, RefusalCode, Refused
from .rewards import Marks
from .squares import Motif, Squares
from .variant import Missions, Variant, boar_refusal, check_seat, deck_refusal, seats_refusal

Pick = int | None
"""A side, 0 or 1; None is not picked yet, or still hidden."""


@dataclass(frozen=True, slots=True)
class GardenBoard:
    """A garden board: the six printed squares of each side, one side or two."""

    sides: tuple[Squares, ...]


@dataclass(frozen=True, slots=True)
class RewardBoard:
    """A reward board: the marks of each side, one side or two."""

    sides: tuple[Marks, ...]


class Phase(Enum):
    """The step that the set-up waits for."""

    GARDEN_SIDES = "garden_sides"
    MISSIONS = "missions"
    REWARD_SIDES = "reward_sides"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Setup:
    """A game in preparation, with everything dealt and picked so far."""

    variant: Variant
    gardens: tuple[GardenBoard, ...]
    garden_sides: tuple[Pick, ...]
    missions: tuple[Missions, ...] = ()
    rewards: tuple[RewardBoard, ...] = ()
    reward_sides: tuple[Pick, ...] = ()

    @classmethod
    def with_gardens(cls, variant: Variant, gardens: tuple[GardenBoard, ...]) -> "Setup":
        """R9: every seat has been dealt a garden."""
        refusal = _gardens_refusal(variant, gardens)
        if refusal is not None:
            raise Refused(refusal)
        return cls(variant, gardens, _only_sides(gardens))

    @property
    def phase(self) -> Phase:
        """What comes next."""
        if None in self.garden_sides:
            return Phase.GARDEN_SIDES
        if not self.missions:
            return Phase.MISSIONS
        return Phase.REWARD_SIDES if None in self.reward_sides else Phase.READY

    def pick(self, seat: int, side: int) -> "Setup":
        """A seat picks a side of the board that the phase is about, or ``Refused``."""
        refusal = self.pick_refusal(seat, side)
        if refusal is not None:
            raise Refused(refusal)
        if self.phase is Phase.GARDEN_SIDES:
            return replace(self, garden_sides=_with_pick(self.garden_sides, seat, side))
        return replace(self, reward_sides=_with_pick(self.reward_sides, seat, side))

    def pick_refusal(self, seat: int, side: int) -> Refusal | None:
        """Why a seat may not pick a side now, or None."""
        if seat not in range(self.variant.seats):
            return Refusal.of(RefusalCode.NO_SUCH_SEAT, seat=seat)
        if self.phase is Phase.GARDEN_SIDES:
            picks, sides = self.garden_sides[seat], len(self.gardens[seat].sides)
            codes = RefusalCode.GARDEN_SIDE_PICKED, RefusalCode.NO_SUCH_GARDEN_SIDE
        elif self.phase is Phase.REWARD_SIDES:
            picks, sides = self.reward_sides[seat], len(self.rewards[seat].sides)
            codes = RefusalCode.REWARD_SIDE_PICKED, RefusalCode.NO_SUCH_REWARD_SIDE
        else:
            return Refusal.of(RefusalCode.NOTHING_TO_PICK)
        if picks is not None:
            return Refusal.of(codes[0], seat=seat)
        return None if side in range(sides) else Refusal.of(codes[1], side=side)

    def deal_missions(self, missions: tuple[Missions, ...], rewards: tuple[RewardBoard, ...] = ()) -> "Setup":
        """R12, R29: missions and, where they are played, reward boards, once the gardens are settled."""
        if self.phase is not Phase.MISSIONS:
            raise ValueError(f"missions are not dealt in the phase {self.phase.value}")
        if len(missions) != self.variant.seats:
            raise Refused(Refusal.of(RefusalCode.WRONG_MISSIONS))
        if len(rewards) != (self.variant.seats if self.variant.rewards else 0):
            raise Refused(Refusal.of(RefusalCode.WRONG_REWARD_BOARDS))
        return replace(self, missions=missions, rewards=rewards, reward_sides=_only_sides(rewards))

    def deal(self, decks: tuple[tuple[Card, ...], ...], tiles: tuple[Motif, ...]) -> Deal:
        """The whole deal, once every choice is made (R11, R13)."""
        if self.phase is not Phase.READY:
            raise ValueError(f"decks and tiles are not dealt in the phase {self.phase.value}")
        return Deal(self.variant, self.printed(), self.missions, decks, tiles, self.marks())

    def printed(self) -> tuple[Squares, ...]:
        """Per seat the printed squares of the side that was picked."""
        return tuple(map(_picked_side, self.gardens, self.garden_sides))

    def marks(self) -> tuple[Marks, ...]:
        """Per seat the marks of the reward side that was picked; empty where rewards are not played."""
        return tuple(map(_picked_side, self.rewards, self.reward_sides))

    def view(self, seat: int | None) -> "SetupView":
        """What a seat may know, or a spectator (None)."""
        check_seat(self.variant, seat)
        return SetupView(
            self.variant,
            seat,
            self.phase,
            self.gardens,
            _shown(self.garden_sides, seat),
            tuple(self.missions[s] if s == seat else None for s in range(len(self.missions))),
            self.rewards,
            _shown(self.reward_sides, seat),
            picked=tuple(side is not None for side in self._open_picks()),
        )

    def _open_picks(self) -> tuple[Pick, ...]:
        return self.garden_sides if self.phase is Phase.GARDEN_SIDES else self.reward_sides


@dataclass(frozen=True, slots=True)
class SetupView:
    """What one seat may know while the game is prepared."""

    variant: Variant
    seat: int | None
    phase: Phase
    gardens: tuple[GardenBoard, ...]
    garden_sides: tuple[Pick, ...]
    missions: tuple[Missions | None, ...]
    rewards: tuple[RewardBoard, ...]
    reward_sides: tuple[Pick, ...]
    picked: tuple[bool, ...]
    """Who has picked in this phase; what they picked is shown when all have (R12)."""

    def sides(self) -> range:
        """The sides this seat may pick from now; empty if there is nothing to pick."""
        if self.seat is None or self.phase not in (Phase.GARDEN_SIDES, Phase.REWARD_SIDES):
            return range(0)
        boards = self.gardens if self.phase is Phase.GARDEN_SIDES else self.rewards
        return range(0) if self.picked[self.seat] else range(len(boards[self.seat].sides))


def _gardens_refusal(variant: Variant, gardens: tuple[GardenBoard, ...]) -> Refusal | None:
    """Every side that could be picked must be one that can be played: R1, R2, R4, R34, in this order."""
    sides = [(seat, printed) for seat, board in enumerate(gardens) for printed in board.sides]
    unequal = len(gardens) != variant.seats or not all(board.sides for board in gardens)
    return (
        seats_refusal(variant)
        or (Refusal.of(RefusalCode.WRONG_GARDENS) if unequal else None)
        or first_refusal(squares_refusal(seat, printed) for seat, printed in sides)
        or deck_refusal(variant)
        or boar_refusal(variant)
        or first_refusal(boar_square_refusal(variant, seat, printed) for seat, printed in sides)
    )


def _picked_side(board: GardenBoard | RewardBoard, pick: Pick) -> int:
    assert pick is not None, "everyone has picked when the decks are dealt"
    return board.sides[pick]


def _only_sides(boards: tuple[GardenBoard, ...] | tuple[RewardBoard, ...]) -> tuple[Pick, ...]:
    """A board with a single side leaves nothing to pick."""
    return tuple(0 if len(board.sides) == 1 else None for board in boards)


def _with_pick(picks: tuple[Pick, ...], seat: int, side: int) -> tuple[Pick, ...]:
    return (*picks[:seat], side, *picks[seat + 1 :])


def _shown(picks: tuple[Pick, ...], seat: int | None) -> tuple[Pick, ...]:
    """All picks once all have picked; until then only the own."""
    if None not in picks:
        return picks
    return tuple(pick if place == seat else None for place, pick in enumerate(picks))
