"""Scores a game played with the real box, from the gardens on the table.

A garden shows the points of the end (R25-R27, R37), but not the points on the way: which stops a noble made
(R21), whether a loss met a score near 0 (R32), how often the boar was disturbed (R35). Those are on the score
track, so the track is entered with the garden. The garden still limits the track; a number outside the limits
is refused, as is a garden that no game can reach.

The printed squares are not entered: they change no score.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .deal import PRINTED_SQUARES
from .garden import BOAR_START, Garden
from .refusal import Refusal, RefusalCode, Refused
from .result import winners
from .rewards import MARKED_SQUARES, REWARD_AREA, is_reward_side, reward_points
from .scoring import Score, boar_points
from .squares import BELOW_ROW_1, COLUMN, COLUMNS, NO_SQUARES, ROW_1, Column, Squares, members, row_of
from .state import final_score
from .variant import ROUNDS, Missions, Variant, boar_refusal, seats_refusal
from .walk import neighbours, stroll

NO_MISSION: Column = 54
"""A mission that is not entered yet: a column beyond the garden, where no noble stands (R27)."""
MISSIONS_OF_A_SEAT = 2
_HIGHEST_MARK = 3
_PRINTED = ROW_1.bit_count() + PRINTED_SQUARES


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """The entries for one seat: its garden, the missions entered so far, and its score track.

    ``rewards`` and ``boar`` are their shares of the ``track``; None where unknown.
    """

    garden: Garden
    track: int = 0
    missions: Missions = ()
    rewards: int | None = None
    boar: int | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """A range of numbers, both ends included."""

    least: int
    most: int

    def __add__(self, other: "Range") -> "Range":
        return Range(self.least + other.least, self.most + other.most)

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most


NOTHING = Range(0, 0)


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The score of one seat: the track, split into parts where possible, and the points of the end."""

    track: int
    nobles: int | None
    rewards: int | None
    boar: int | None
    end: Score
    """The end's points alone: rows, columns, missions, and what the boar costs."""
    gardeners: int
    refusals: tuple[Refusal, ...]

    @property
    def total(self) -> int:
        """All points together."""
        return self.track + self.end.total


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The scores of all seats, and the winners."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...]
    """Empty while something is refused."""
    finished: bool
    """Whether the gardens can be those of a game's end, and all missions are given."""

    @property
    def tied(self) -> tuple[int, ...]:
        """The seats with the most points; more than one where gardeners decide, or share (R28)."""
        most = max(seat.total for seat in self.seats)
        return tuple(place for place, seat in enumerate(self.seats) if seat.total == most)


def score_sheets(variant: Variant, entries: tuple[SeatEntry, ...]) -> SheetResult:
    """The points of every seat, or ``Refused`` for a game that nobody can play."""
    refusal = seats_refusal(variant) or boar_refusal(variant)
    if refusal is not None:
        raise Refused(refusal)
    seats = tuple(_seat_score(variant, entries, seat) for seat in range(len(entries)))
    refused = any(seat.refusals for seat in seats)
    best = winners(tuple(seat.total for seat in seats), tuple(seat.gardeners for seat in seats))
    return SheetResult(seats, () if refused else best, all(_finished(variant, entry) for entry in entries))


def built_at_the_end(variant: Variant) -> Range:
    """R2, R14, R33: how many squares are built after 18 turns; a reward board may hide six printed ones."""
    most = _PRINTED + ROUNDS
    return Range(most - PRINTED_SQUARES * variant.rewards, most)


def _seat_score(variant: Variant, entries: tuple[SeatEntry, ...], seat: int) -> SeatScore:
    entry = entries[seat]
    missions = (*entry.missions, NO_MISSION, NO_MISSION)
    end = replace(final_score(entry.garden, Score(entry.track), missions), nobles=0)
    nobles, rewards, boar = _split_track(variant, entry)
    refusals = tuple(_refusals(variant, entries, seat))
    return SeatScore(entry.track, nobles, rewards, boar, end, entry.garden.gardeners.bit_count(), refusals)


def _finished(variant: Variant, entry: SeatEntry) -> bool:
    built = entry.garden.built.bit_count()
    return built in built_at_the_end(variant) and len(entry.missions) == MISSIONS_OF_A_SEAT


def _split_track(variant: Variant, entry: SeatEntry) -> tuple[int | None, int | None, int | None]:
    """What nobles, rewards and boar have brought of the track; None where it cannot be known."""
    rewards, boar = entry.rewards, entry.boar
    if rewards is None and (not variant.rewards or entry.garden.marks):
        rewards = _rewards_between(variant, entry.garden).least
    possible = _boar_between(variant, entry.garden)
    if boar is None and possible.least == possible.most:
        boar = possible.least
    nobles = None if rewards is None or boar is None else entry.track - rewards - boar
    return nobles, rewards, boar


# refusals


def _refusals(variant: Variant, entries: tuple[SeatEntry, ...], seat: int) -> Iterator[Refusal]:
    """Everything wrong with a seat; points are checked only if its garden is possible."""
    found = [
        *_square_refusals(variant, entries[seat].garden),
        *_noble_refusals(variant, entries[seat].garden),
        *_boar_refusals(variant, entries[seat].garden),
        *_card_refusals(variant, entries, seat),
    ]
    yield from found or _point_refusals(variant, entries[seat])


def _square_refusals(variant: Variant, garden: Garden) -> Iterator[Refusal]:
    built, gardeners = garden.built.bit_count(), garden.gardeners.bit_count()
    at_least, at_most = _PRINTED - PRINTED_SQUARES * variant.rewards, built_at_the_end(variant).most
    if ROW_1 & ~garden.built:
        yield Refusal.of(RefusalCode.ROW_1_NOT_BUILT)
    for square in members(garden.gardeners & ROW_1):
        yield Refusal.of(RefusalCode.GARDENER_IN_ROW_1, square=square)
    for square in members(garden.gardeners & ~garden.built):
        yield Refusal.of(RefusalCode.GARDENER_NOT_BUILT, square=square)
    if built < at_least:
        yield Refusal.of(RefusalCode.TOO_FEW_BUILT, found=built, least=at_least)
    elif built > at_most:
        yield Refusal.of(RefusalCode.TOO_MANY_BUILT, found=built, most=at_most)
    elif gardeners > _most_laid(variant, garden):
        yield Refusal.of(RefusalCode.TOO_MANY_GARDENERS, found=gardeners, most=_most_laid(variant, garden))


def _noble_refusals(variant: Variant, garden: Garden) -> Iterator[Refusal]:
    connected = garden.connected
    for square in members(garden.nobles):
        if garden.gardeners >> square & 1:
            yield Refusal.of(RefusalCode.NOBLE_ON_GARDENER, square=square)
        elif not garden.built >> square & 1:
            yield Refusal.of(RefusalCode.NOBLE_ON_FREE_SQUARE, square=square)
        elif not connected >> square & 1:
            yield Refusal.of(RefusalCode.NOBLE_NOT_CONNECTED, column=square % 9, square=square)
    for column in COLUMNS:
        if (garden.nobles & COLUMN[column]).bit_count() > 1:
            yield Refusal.of(RefusalCode.TWO_NOBLES_IN_COLUMN, column=column)
    moved, laid = garden.nobles.bit_count(), _most_laid(variant, garden)
    if moved > laid:
        yield Refusal.of(RefusalCode.TOO_MANY_NOBLES_MOVED, found=moved, most=laid)


def _boar_refusals(variant: Variant, garden: Garden) -> Iterator[Refusal]:
    boar = members(garden.boar)
    if boar and not variant.wild_boar:
        yield Refusal.of(RefusalCode.NO_BOAR)
    elif garden.boar & garden.built:
        yield Refusal.of(RefusalCode.BOAR_ON_BUILT_SQUARE, square=boar[0])
    elif variant.wild_boar and not garden.built >> BOAR_START & 1 and boar != (BOAR_START,):
        yield Refusal.of(RefusalCode.BOAR_STILL_AT_START)
    elif variant.wild_boar and _boar_steps(garden) is None:
        yield (
            Refusal.of(RefusalCode.BOAR_CANNOT_BE_THERE, square=boar[0])
            if boar
            else Refusal.of(RefusalCode.BOAR_CANNOT_HAVE_LEFT)
        )


def _card_refusals(variant: Variant, entries: tuple[SeatEntry, ...], seat: int) -> Iterator[Refusal]:
    given = [mission for entry in entries[: seat + 1] for mission in entry.missions]
    own = entries[seat].missions
    if len(own) > MISSIONS_OF_A_SEAT or any(given.count(mission) > 1 for mission in own):
        yield Refusal.of(RefusalCode.WRONG_MISSIONS)
    marks = entries[seat].garden.marks
    if marks and not variant.rewards:
        yield Refusal.of(RefusalCode.WRONG_REWARD_BOARDS)
    elif marks and not is_reward_side(marks):
        yield Refusal.of(RefusalCode.WRONG_REWARD_SIDE, seat=seat)


def _point_refusals(variant: Variant, entry: SeatEntry) -> Iterator[Refusal]:
    nobles, rewards = _nobles_between(variant, entry.garden), _rewards_between(variant, entry.garden)
    boar = _boar_between(variant, entry.garden)
    track = nobles + rewards + boar
    if entry.track < track.least:
        yield Refusal.of(RefusalCode.TRACK_TOO_LOW, found=entry.track, least=track.least)
    elif entry.track > track.most:
        yield Refusal.of(RefusalCode.TRACK_TOO_HIGH, found=entry.track, most=track.most)
    elif entry.rewards is not None and entry.rewards not in rewards:
        yield _outside(RefusalCode.WRONG_REWARD_POINTS, entry.rewards, rewards)
    elif entry.boar is not None and entry.boar not in boar:
        yield _outside(RefusalCode.WRONG_BOAR_POINTS, entry.boar, boar)
    else:
        moved, _, _ = _split_track(variant, entry)
        is_given = entry.rewards is not None or not variant.rewards
        if is_given and moved is not None and moved not in nobles:
            yield _outside(RefusalCode.WRONG_NOBLE_POINTS, moved, nobles)


def _outside(code: RefusalCode, found: int, between: Range) -> Refusal:
    return Refusal.of(code, found=found, least=between.least, most=between.most)


# ranges of points


def _most_laid(variant: Variant, garden: Garden) -> int:
    """How many tiles the seat has laid at most: that many turns it has had (R14)."""
    printed = _PRINTED - PRINTED_SQUARES * variant.rewards
    return max(0, min(ROUNDS, garden.built.bit_count() - printed))


def _nobles_between(variant: Variant, garden: Garden) -> Range:
    """R20, R21: every noble ended where it stands, and may have stopped at structures above it before."""
    last = [row_of(square) for square in members(garden.nobles)]
    above = [
        row_of(stop)
        for square in members(garden.nobles)
        for stop in members(garden.structures & COLUMN[square % 9] & ((1 << square) - 1))
    ]
    more = max(0, _most_laid(variant, garden) - len(last))
    return Range(sum(last), sum(last) + sum(sorted(above, reverse=True)[:more]))


def _rewards_between(variant: Variant, garden: Garden) -> Range:
    """R30-R32: what the marks under the tiles add up to, or more where a loss met a score near 0."""
    if not variant.rewards:
        return NOTHING
    covered = garden.built & REWARD_AREA
    if not garden.marks:
        most = _HIGHEST_MARK * min(covered.bit_count(), MARKED_SQUARES)
        return Range(-most, most)
    points = [
        reward_points(garden.marks, square, bool(garden.gardeners >> square & 1))
        for square in members(covered)
    ]
    return Range(sum(points), sum(max(0, point) for point in points))


def _boar_between(variant: Variant, garden: Garden) -> Range:
    """R35, R36: a point for each square it was driven from, and 3 more if it has left."""
    if not variant.wild_boar or garden.boar >> BOAR_START & 1:
        return NOTHING
    steps, ground = _boar_steps(garden) or 0, _boar_ground(garden).bit_count()
    leaving = 0 if garden.boar else boar_points(True, True) - boar_points(True, False)
    return Range(steps + leaving, ground + leaving)


def _boar_ground(garden: Garden) -> Squares:
    """The built squares where the boar can have been: from e4 on, and not in row 1."""
    return stroll(1 << BOAR_START, garden.built & BELOW_ROW_1)


def _boar_steps(garden: Garden) -> int | None:
    """From how many squares the boar was driven at least; None if it cannot be where it is, or have left."""
    if garden.boar >> BOAR_START & 1:
        return 0
    ground, steps, reached = _boar_ground(garden), 1, 1 << BOAR_START
    while not _has_come(garden, reached):
        further = (reached | neighbours(reached)) & ground
        if further == reached:
            return None
        reached, steps = further, steps + 1
    return steps


def _has_come(garden: Garden, reached: Squares) -> bool:
    """Whether from one of these squares the boar went to where it stands, or could only leave."""
    if garden.boar != NO_SQUARES:
        return bool(neighbours(reached) & garden.boar)
    return any(not neighbours(1 << square) & ~garden.built for square in members(reached))
