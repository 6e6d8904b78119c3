"""Facts about strolls: paths that a tile opens to nobles, and gains of missions (R20, R21, R27)."""

from collections.abc import Iterator

from sanssouci.rules import (
    COLUMN,
    ROUNDS,
    Column,
    Garden,
    Row,
    Square,
    Squares,
    column_of,
    members,
    neighbours,
    noble_row,
    row_of,
    stroll,
)

from ..candidate import Candidate, stops_of
from ..reason import Reason

_PACE = 2
"""A stop in this row or above is worth little, because there are always enough of them."""
_MISSION_EARLY = 0.25
"""The weight of a mission's point early in the game, when its noble will still move."""


def walk_facts(step: Candidate) -> Iterator[Reason]:
    """Everything about nobles, now and later."""
    if step.turn.noble is not None:
        yield from _walk_now(step, step.turn.noble)
    if step.left:
        yield from _new_stops(step)
        yield from _mission_ways(step)
        yield from _one_step(step)


def _walk_now(step: Candidate, stop: Square) -> Iterator[Reason]:
    """The noble that moves: whether it needed the tile, what its mission gains, how far it can go on."""
    noble, points = column_of(stop), row_of(stop)
    best = max(map(row_of, members(step.stops_before)), default=0)
    if stop == step.turn.square:
        if not best:
            yield Reason.of("only_walk", points + 0.5, points=points)
        elif points > best:
            yield Reason.of("best_walk", points - best + 0.5, points=points, less=best)
        elif step.left:
            kept = [other for other in members(step.stops_after) if row_of(other) >= points]
            yield Reason.of("saves_stops", 0.3, stops=tuple(kept))
    elif not step.stops_before >> stop & 1:
        weight = 0.8 + max(0, points - best)
        yield Reason.of("opens_walk", weight, noble=noble, stop=stop, points=points)
    if noble in step.missions:
        stood = noble_row(step.before.nobles, noble)
        more = points - stood
        weight = more * max(1 - step.left / ROUNDS, _MISSION_EARLY)
        yield Reason.of("mission", weight, noble=noble, place=points, stood=stood, points=more)
    further = step.stops_after & COLUMN[noble]
    if step.left and further:
        last = members(further)[-1]
        yield Reason.of("goes_on", 0.2 * row_of(last), noble=noble, stop=last, points=row_of(last))


def _new_stops(step: Candidate) -> Iterator[Reason]:
    """Stops that can be reached later, and could not before."""
    stops = members(step.stops_after & ~step.stops_before)
    weight = 0.3 * sum(max(row_of(stop) - _PACE, 0) for stop in stops[-step.left :])
    if len(stops) > 1:
        key = "one_of_stops" if step.left == 1 else "new_stops"
        yield Reason.of(key, weight, stops=stops, points=row_of(stops[-1]))
    elif stops:
        stop = stops[0]
        key = "tile_stop" if stop == step.turn.square else "new_stop"
        where = {} if key == "tile_stop" else {"stop": stop}
        yield Reason.of(key, weight, noble=column_of(stop), **where, points=row_of(stop))
    else:
        yield from _joins(step)


def _joins(step: Candidate) -> Iterator[Reason]:
    """Squares that were built before and are connected now, though they are no stops."""
    squares = step.after.connected & step.before.built & ~step.before.connected
    if squares:
        yield Reason.of("joins", 0.2, squares=members(squares))


def _mission_ways(step: Candidate) -> Iterator[Reason]:
    """A mission's noble that can get lower than before, now or later."""
    for noble in step.missions:
        before, after = (_lowest(garden, noble) for garden in (step.before, step.after))
        if after > max(before, noble_row(step.after.nobles, noble)):
            yield Reason.of("mission_way", 0.6 * (after - before), noble=noble, row=after, before=before)


def _lowest(garden: Garden, noble: Column) -> Row:
    """The lowest row that a noble stands in or could walk to."""
    return max(noble_row(garden.nobles, noble), *map(row_of, members(stops_of(garden) & COLUMN[noble])), 0)


def _one_step(step: Candidate) -> Iterator[Reason]:
    """A structure that is not connected yet: the tile that would connect it, or else its use."""
    square, after = step.turn.square, step.after
    noble, points = column_of(square), row_of(square)
    if step.turn.gardener or after.connected >> square & 1 or points <= noble_row(after.nobles, noble):
        return
    ways = members(ways_to_connect(square, after))
    if ways:
        yield Reason.of("one_step", 0.15 * points, square=square, ways=ways, noble=noble, points=points)
    else:
        yield Reason.of("stop_to_come", 0.08 * points, noble=noble, points=points)


def ways_to_connect(square: Square, garden: Garden) -> Squares:
    """The free squares on which one more tile would connect a square with the palace."""
    group = stroll(1 << square, garden.built)
    return neighbours(group) & neighbours(garden.connected) & garden.free
