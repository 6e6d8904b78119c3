"""An independent implementation of legality and scoring, written from the rules with (column, row) sets.

It is slow and simple on purpose: no bits, no tables, nothing shared with the project except its values.
"""

from collections.abc import Iterator
from dataclasses import replace

from sanssouci.rules import LEAVES, Garden, State, Turn

Place = tuple[int, int]
EVERYWHERE = {(column, row) for column in range(9) for row in range(1, 7)}


def place(square: int) -> Place:
    """Column and row of a square."""
    return square % 9, square // 9 + 1


def places(bits: int) -> set[Place]:
    """A set of squares as columns and rows."""
    return {place(square) for square in range(54) if bits & (1 << square)}


def neighbours(spot: Place) -> set[Place]:
    """The places that touch a place along an edge."""
    column, row = spot
    around = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
    return around & EVERYWHERE


def walkable(goal: Place, built: set[Place]) -> bool:
    """Whether a path of built squares leads from row 1 to a goal; searched step by step."""
    if goal not in built:
        return False
    paths, seen = [goal], {goal}
    while paths:
        here = paths.pop()
        if here[1] == 1:
            return True
        for step in neighbours(here) & built - seen:
            seen.add(step)
            paths.append(step)
    return False


def noble_row(garden: Garden, column: int) -> int:
    """The row of a column's noble; 0 is the terrace."""
    return max((row for c, row in places(garden.nobles) if c == column), default=0)


def stops(garden: Garden, laid: Place, gardener: bool) -> set[Place]:
    """R20: squares where a noble may stop, found by trying every square."""
    built = places(garden.built) | {laid}
    gardeners = places(garden.gardeners) | ({laid} if gardener else set())
    return {
        spot for spot in built - gardeners if spot[1] > noble_row(garden, spot[0]) and walkable(spot, built)
    }


def tiles(state: State) -> list[int]:
    """The motif on each space; 15 is an empty space."""
    return [(state.display >> 4 * space) % 16 for space in range(10)]


def card_spaces(state: State, card: int) -> set[int]:
    """R15-R17: the spaces from which a card may take a tile."""
    shown = tiles(state)
    filled = {space for space in range(10) if shown[space] != 15}
    pairs = [(low, high) for low in range(2, 7) for high in range(low + 1, 7)]
    if card == 19:
        return filled
    if card >= 9:
        return {space for space in filled if 2 + space // 2 in pairs[card - 9]}
    return {space for space in filled if shown[space] == card} or filled


def first_broken_rule(state: State, turn: Turn) -> str | None:
    """The number of the first rule that a turn of the seat to move breaks, or None if it is legal."""
    seat = state.turn % state.variant.seats
    garden = state.gardens[seat]
    if turn.card < 0 or not state.hands[seat] & (1 << turn.card):
        return "R14"
    if turn.space not in card_spaces(state, turn.card):
        if 9 <= turn.card <= 18:
            return "R15"
        return "R16" if turn.card < 9 and turn.card in tiles(state) else "R17"
    return (
        _square_rule(garden, turn, (tiles(state)[turn.space], 2 + turn.space // 2))
        or _boar_rule(garden, turn)
        or _noble_rule(garden, turn)
    )


def _square_rule(garden: Garden, turn: Turn, own: Place) -> str | None:
    built = places(garden.built)
    laid = place(turn.square)
    if own not in built:
        if laid != own:
            return "R18"
        return "R19" if turn.gardener else None
    if not turn.gardener:
        return "R19" if laid == own else "R18"
    return None if laid in laying(own, built) else "R19"


def _boar_rule(garden: Garden, turn: Turn) -> str | None:
    laid, boar = place(turn.square), places(garden.boar)
    if laid not in boar:
        if turn.boar is None:
            return None
        return "R35" if boar else "R34"
    goals = neighbours(laid) - places(garden.built) - {laid}
    if not goals:
        return None if turn.boar == LEAVES else "R36"
    if turn.boar == LEAVES:
        return "R36"
    return None if turn.boar is not None and place(turn.boar) in goals else "R35"


def _noble_rule(garden: Garden, turn: Turn) -> str | None:
    if turn.noble is None:
        return None
    legal = stops(garden, place(turn.square), turn.gardener)
    return None if place(turn.noble) in legal else "R20"


def all_turns(state: State) -> Iterator[Turn]:
    """Every legal turn of the seat to move, rule by rule."""
    seat = state.turn % state.variant.seats
    garden = state.gardens[seat]
    built = places(garden.built)
    for card in (card for card in range(20) if state.hands[seat] & (1 << card)):
        for space in card_spaces(state, card):
            own = (tiles(state)[space], 2 + space // 2)
            for laid in laying(own, built):
                for boar in boar_goals(garden, laid):
                    for stop in (None, *stops(garden, laid, own in built)):
                        noble = None if stop is None else number(stop)
                        yield Turn(card, space, number(laid), own in built, boar, noble)


def laying(own: Place, built: set[Place]) -> set[Place]:
    """R18, R19: where a tile may be laid."""
    if own not in built:
        return {own}
    free = EVERYWHERE - built
    return {spot for spot in free if spot[0] == own[0] or spot[1] == own[1]} or free


def boar_goals(garden: Garden, laid: Place) -> list[int | None]:
    """R35, R36: the possible values of ``Turn.boar``."""
    if laid not in places(garden.boar):
        return [None]
    return [number(spot) for spot in neighbours(laid) - places(garden.built)] or [LEAVES]


def number(spot: Place) -> int:
    """The square of a place."""
    return 9 * (spot[1] - 1) + spot[0]


def score_after(state: State, turn: Turn) -> dict[str, int]:
    """R21, R30-R32, R35, R36, R38: the parts of the mover's score after a turn, before the end is counted."""
    seat = state.turn % state.variant.seats
    garden, score = state.gardens[seat], dict(state.scores[seat].parts())
    mark = marks(garden).get(place(turn.square), "")
    bonus = {"+1": 1, "+2": 2, "+3": 3}.get(mark, 0) if not turn.gardener else 3 if mark == "g3" else 0
    loss = {"-2": 2, "-3": 3}.get(mark, 0)
    score["rewards"] += bonus - min(loss, sum(score.values()))
    if turn.boar is not None:
        score["boar"] += 4 if turn.boar == LEAVES else 1
    if turn.noble is not None:
        score["nobles"] += place(turn.noble)[1]
    return score


def marks(garden: Garden) -> dict[Place, str]:
    """The marks of a reward board: three bits for each of its squares, in ascending order."""
    covered = [(column, row) for row in range(3, 7) for column in range(7 - row, 2 + row)]
    kinds = ["", "+1", "+2", "+3", "g3", "-2", "-3"]
    return {spot: kinds[(garden.marks >> 3 * at) % 8] for at, spot in enumerate(covered)}


def end_score(garden: Garden, score: dict[str, int], missions: tuple[int, ...]) -> dict[str, int]:
    """R25-R27, R37: the parts of a score once the end is counted."""
    built = places(garden.built)
    score["rows"] = sum(10 - row for row in range(2, 7) if all((c, row) in built for c in range(9)))
    score["columns"] = sum(5 for c in range(9) if all((c, row) in built for row in range(1, 7)))
    score["missions"] = sum(noble_row(garden, mission) for mission in missions)
    area = set(places(garden.boar))
    while more := {step for spot in area for step in neighbours(spot)} - built - area:
        area |= more
    score["boar"] -= min(len(area), sum(score.values()))
    return score


def mutations(turn: Turn, draw: Iterator[int]) -> Iterator[Turn]:
    """Well-formed turns that differ from a turn in one or two fields."""
    for _ in range(2):
        one = replace(turn, card=next(draw) % 20)
        two = replace(turn, space=next(draw) % 10)
        three = replace(turn, square=9 + next(draw) % 45)
        four = replace(turn, gardener=not turn.gardener)
        five = replace(turn, boar=[None, LEAVES, 9 + next(draw) % 45][next(draw) % 3])
        six = replace(turn, noble=[None, next(draw) % 54][next(draw) % 2])
        yield from (one, two, three, four, five, six)
        yield replace(three, gardener=not turn.gardener)
        yield replace(four, noble=six.noble)
        yield replace(five, noble=next(draw) % 54)
        yield replace(two, square=three.square)
