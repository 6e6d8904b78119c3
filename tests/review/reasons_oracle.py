"""An independent computation of the reasons for a turn, with sets of places and simple loops.

Nothing is shared with the package under test. Apart from public information, it uses only the hand and the
missions of the seat to move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sanssouci.rules import LEAVES, Garden, State, Turn

from ..oracle import EVERYWHERE, Place, card_spaces, laying, marks, neighbours, number, place, places, tiles

Truth = tuple[str, frozenset[tuple[str, object]]]
"""A key, and its arguments by name."""


@dataclass(frozen=True)
class Plot:
    """A garden as sets of places; the rows of the nobles by column."""

    built: frozenset[Place]
    gardeners: frozenset[Place]
    nobles: tuple[int, ...]
    boar: frozenset[Place]

    def reached(self) -> set[Place]:
        """The places connected with row 1."""
        return spread({(column, 1) for column in range(9)}, set(self.built))

    def stops(self) -> set[Place]:
        """R20: the places where a noble could stop."""
        return {spot for spot in self.reached() - self.gardeners if spot[1] > self.nobles[spot[0]]}

    def missing(self, line: set[Place]) -> set[Place]:
        """The free places of a row or column."""
        return line - self.built

    def laid(self, spot: Place, gardener: bool) -> "Plot":
        """The plot with another tile."""
        gardeners = self.gardeners | {spot} if gardener else self.gardeners
        return replace(self, built=self.built | {spot}, gardeners=gardeners)


def spread(start: set[Place], ground: set[Place]) -> set[Place]:
    """All places of the ground connected with the start."""
    found, edge = set(start), set(start)
    while edge:
        edge = {step for spot in edge for step in neighbours(spot)} & ground - found
        found |= edge
    return found


def plot(garden: Garden) -> Plot:
    nobles = [0] * 9
    for column, row in places(garden.nobles):
        nobles[column] = row
    built, gardeners = frozenset(places(garden.built)), frozenset(places(garden.gardeners))
    return Plot(built, gardeners, tuple(nobles), frozenset(places(garden.boar)))


def after(before: Plot, turn: Turn) -> Plot:
    """The plot after a turn."""
    found = before.laid(place(turn.square), turn.gardener)
    if turn.boar is not None:
        found = replace(found, boar=frozenset({place(turn.boar)} if turn.boar != LEAVES else ()))
    if turn.noble is not None:
        nobles = list(found.nobles)
        nobles[place(turn.noble)[0]] = place(turn.noble)[1]
        found = replace(found, nobles=tuple(nobles))
    return found


def reward(garden: Garden, total: int, spot: Place, gardener: bool) -> int:
    """R30-R32: the effect of a marked square on a score."""
    mark = marks(garden).get(spot, "")
    if mark in ("-2", "-3"):
        return -min(int(mark[1]), total)
    if mark == "g3":
        return 3 if gardener else 0
    return int(mark) if mark and not gardener else 0


def boar_worth(before: Plot, spot: Place) -> int:
    """R35, R36: the points for disturbing the boar with a tile on a place."""
    if spot not in before.boar:
        return 0
    return 1 if neighbours(spot) - before.built - {spot} else 4


def best_with(state: State, garden: Garden, total: int, space: int) -> int:
    """The most points that the tile of a space can score at once in a garden."""
    here = plot(garden)
    own = (tiles(state)[space], 2 + space // 2)
    gardener = own in here.built
    best = -99
    for spot in laying(own, set(here.built)):
        walk = max((row for _, row in here.laid(spot, gardener).stops()), default=0)
        best = max(best, reward(garden, total, spot, gardener) + boar_worth(here, spot) + walk)
    return best


def at_once(state: State, turn: Turn) -> int:
    """The points of a turn before the final scoring."""
    seat = state.to_move
    spot = place(turn.square)
    points = reward(state.gardens[seat], state.scores[seat].total, spot, turn.gardener)
    points += boar_worth(plot(state.gardens[seat]), spot)
    return points + (place(turn.noble)[1] if turn.noble is not None else 0)


def at_the_end(here: Plot, total: int, missions: tuple[int, ...]) -> int:
    """R25-R27, R37: a total with the final scoring."""
    rows = sum(10 - row for row in range(2, 7) if not here.missing(row_line(row)))
    columns = sum(5 for column in range(9) if not here.missing(column_line(column)))
    total += rows + columns + sum(here.nobles[mission] for mission in missions)
    return total - min(len(area(here)), total)


def area(here: Plot) -> set[Place]:
    """R37: the free area of the boar, including its square."""
    return spread(set(here.boar), EVERYWHERE - here.built) if here.boar else set()


def row_line(row: int) -> set[Place]:
    """The nine places of a row."""
    return {(column, row) for column in range(9)}


def column_line(column: int) -> set[Place]:
    """The six places of a column."""
    return {(column, row) for row in range(1, 7)}


def numbers(spots: set[Place]) -> tuple[int, ...]:
    return tuple(sorted(number(spot) for spot in spots))


def truths(state: State, turn: Turn) -> set[Truth]:
    """Every true reason for a turn of the seat to move."""
    kinds = (_points, _walk, _later, _lines, _expansions, _cards, _rivals)
    return {(key, frozenset(details.items())) for kind in kinds for key, details in kind(state, turn)}


Found = Iterator[tuple[str, dict[str, object]]]


def _points(state: State, turn: Turn) -> Found:
    seat = state.to_move
    hand = [card for card in range(20) if state.hands[seat] >> card & 1]
    spaces = {space for card in hand for space in card_spaces(state, card)}
    garden, total = state.gardens[seat], state.scores[seat].total
    best = {space: best_with(state, garden, total, space) for space in spaces}
    points = at_once(state, turn)
    others = [best[space] for space in spaces if space != turn.space]
    if points > 0 and points >= max(best.values()):
        if others and max(others) < points:
            yield "most_now", {"points": points, "less": max(others)}
        else:
            yield "as_much", {"points": points}
    if state.turn // state.variant.seats == 17:
        missions, here = state.missions[seat], plot(garden)
        ends = {
            other: at_the_end(after(here, other), total + at_once(state, other), missions)
            for other in state.options()
        }
        more = ends[turn] - at_the_end(here, total, missions)
        if ends[turn] == max(ends.values()) and more >= 0:
            yield ("final_most", {"points": more}) if more else ("final_nothing", {})


def _walk(state: State, turn: Turn) -> Found:
    if turn.noble is None:
        return
    before = plot(state.gardens[state.to_move])
    goal = place(turn.noble)
    column, row = goal
    idle = max((row for _, row in before.stops()), default=0)
    if turn.noble == turn.square and idle == 0:
        yield "only_walk", {"points": row}
    elif turn.noble == turn.square and row > idle:
        yield "best_walk", {"points": row, "less": idle}
    elif turn.noble == turn.square and state.turn // state.variant.seats < 17:
        kept = {spot for spot in after(before, turn).stops() if spot[1] >= row}
        yield "saves_stops", {"stops": numbers(kept)}
    if turn.noble != turn.square and goal not in before.stops():
        yield "opens_walk", {"noble": column, "stop": turn.noble, "points": row}
    if column in state.missions[state.to_move]:
        stood = before.nobles[column]
        yield "mission", {"noble": column, "place": row, "stood": stood, "points": row - stood}
    below = {spot for spot in after(before, turn).stops() if spot[0] == column}
    if below and state.turn // state.variant.seats < 17:
        deepest = max(row for _, row in below)
        yield "goes_on", {"noble": column, "stop": number((column, deepest)), "points": deepest}


def _later(state: State, turn: Turn) -> Found:
    if state.turn // state.variant.seats == 17:
        return
    before = plot(state.gardens[state.to_move])
    then = after(before, turn)
    new = then.stops() - before.stops()
    tile = place(turn.square)
    if len(new) > 1:
        key = "one_of_stops" if state.round == 17 else "new_stops"
        yield key, {"stops": numbers(new), "points": max(row for _, row in new)}
    elif new == {tile}:
        yield "tile_stop", {"noble": tile[0], "points": tile[1]}
    elif new:
        (column, row) = min(new)
        yield "new_stop", {"noble": column, "stop": number((column, row)), "points": row}
    elif joined := (then.reached() - before.reached()) & before.built:
        yield "joins", {"squares": numbers(joined)}
    for mission in state.missions[state.to_move]:
        was, can = (
            max([here.nobles[mission], *(row for column, row in here.stops() if column == mission)])
            for here in (before, then)
        )
        if can > was and can > then.nobles[mission]:
            yield "mission_way", {"noble": mission, "row": can, "before": was}
    if not turn.gardener and tile not in then.reached() and tile[1] > then.nobles[tile[0]]:
        free = EVERYWHERE - then.built
        ways = {spot for spot in free if tile in replace(then, built=then.built | {spot}).reached()}
        worth = {"noble": tile[0], "points": tile[1]}
        if ways:
            yield "one_step", {"square": turn.square, "ways": numbers(ways), **worth}
        else:
            yield "stop_to_come", {**worth}


def _lines(state: State, turn: Turn) -> Found:
    then = after(plot(state.gardens[state.to_move]), turn)
    column, row = place(turn.square)
    left = 17 - state.turn // state.variant.seats
    for kind, which, line, points in (
        ("row", row, row_line(row), 10 - row),
        ("column", column, column_line(column), 5),
    ):
        gaps = then.missing(line)
        if not gaps:
            yield f"{kind}_complete", {kind: which, "points": points}
        elif len(gaps) <= left and len(gaps) <= 2:
            yield f"{kind}_short", {kind: which, "gaps": numbers(gaps), "points": points}
        elif len(gaps) <= left and len(gaps) <= 3:
            yield f"{kind}_grows", {kind: which, "built": len(line) - len(gaps), "points": points}


def _expansions(state: State, turn: Turn) -> Found:
    seat = state.to_move
    before = plot(state.gardens[seat])
    spot = place(turn.square)
    bonus = reward(state.gardens[seat], state.scores[seat].total, spot, turn.gardener)
    if bonus > 0:
        yield "reward", {"square": turn.square, "points": bonus}
    if spot in before.boar and boar_worth(before, spot) == 4:
        yield "boar_leaves", {"points": 4}
    then = after(before, turn)
    was, is_now = len(area(before)), len(area(then))
    last = state.turn // state.variant.seats == 17
    if then.boar and was - is_now >= (1 if last else 2):
        yield "boar_area", {"before": was, "after": is_now}
    if then.boar and not last:
        ways, are_now = (
            {step for s in here.boar for step in neighbours(s)} - here.built for here in (before, then)
        )
        if not are_now and ways:
            yield "boar_shut_in", {"square": number(min(then.boar)), "points": 4}
        elif len(are_now) < len(ways) and len(are_now) < 3:
            yield "boar_cornered", {"ways": numbers(are_now), "points": 4}


def _cards(state: State, turn: Turn) -> Found:
    seat = state.to_move
    others = [card for card in range(20) if state.hands[seat] >> card & 1 and card != turn.card]
    if not others:
        return
    card = others[0]
    rest = replace(state, display=state.display | 15 << 4 * turn.space)  # 15 is an empty space
    if card == 19:
        yield "keeps_choice", {"card": card}
    elif card < 9 and card not in tiles(rest):
        yield ("becomes_free" if card in tiles(state) else "stays_free"), {"card": card}
    garden, then = state.gardens[seat], after(plot(state.gardens[seat]), turn)
    total = state.scores[seat].total + at_once(state, turn)
    best = max([3, *(row for _, row in then.stops())])
    found: dict[str, object] = {}
    for space in sorted(card_spaces(rest, card)):
        own = (tiles(rest)[space], 2 + space // 2)
        if own in then.built:
            continue
        walk = max((row for _, row in then.laid(own, False).stops()), default=0)
        points = reward(garden, total, own, False) + boar_worth(then, own) + walk
        if points > best:
            best = points
            found = {"card": card, "tile": own[0], "square": number(own), "points": points}
    if found:
        yield "kept_next", found


def _rivals(state: State, turn: Turn) -> Found:
    for seat in range(state.variant.seats):
        to_come = state.turn // state.variant.seats < 17 or seat > state.to_move
        unplayed = state.hands[seat] | state.piles[seat]  # everyone may know these together (R11)
        spaces = {space for card in range(20) if unplayed >> card & 1 for space in card_spaces(state, card)}
        if seat == state.to_move or not to_come or turn.space not in spaces:
            continue
        own = (tiles(state)[turn.space], 2 + turn.space // 2)
        theirs = plot(state.gardens[seat])
        if theirs.missing(row_line(own[1])) == {own}:
            yield "denies_row", {"seat": seat, "row": own[1], "points": 10 - own[1]}
        if theirs.missing(column_line(own[0])) == {own}:
            yield "denies_column", {"seat": seat, "column": own[0], "points": 5}
        total = state.scores[seat].total
        best = {space: best_with(state, state.gardens[seat], total, space) for space in spaces}
        less = max((points for space, points in best.items() if space != turn.space), default=0)
        if best[turn.space] > less:
            yield "denies", {"seat": seat, "points": best[turn.space], "less": less}
