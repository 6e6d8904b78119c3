"""What can be typed at each stage of a turn: every choice with its sign and what it brings."""

from dataclasses import dataclass

from sanssouci.notation import NotationError, parse_card, parse_square, write_card, write_square
from sanssouci.rules import FREE, LEAVES, Options, Score, Space, Square, motif_on, row_of, showing

from .staging import Stage, Staged, Value, best_stop, gain
from .words import Words

NO_NOBLE = "-"
BOAR_LEAVES = "x"


@dataclass(frozen=True)
class Choice:
    """Something that can be chosen: what to type, and what it means."""

    value: Value
    sign: str
    meaning: str
    brings: str = ""
    """Points, in short, for a drawing."""


def choices(staged: Staged, score: Score, words: Words) -> list[Choice]:
    """All choices of the open stage."""
    match staged.stage:
        case Stage.CARD:
            return [_card(staged.options, value or 0, words) for value in staged.choices()]
        case Stage.SPACE:
            return [_space(staged, value or 0, score, words) for value in staged.choices()]
        case Stage.SQUARE:
            return [_square(staged, value or 0, score, words) for value in staged.choices()]
        case Stage.BOAR:
            return [_boar(value, words) for value in staged.choices()]
        case Stage.NOBLE:
            return [_noble(value, words) for value in staged.choices()]
        case Stage.CONFIRM:
            return []


def _card(options: Options, card: int, words: Words) -> Choice:
    count = options.spaces(card).bit_count()
    free = card == FREE or (card < 9 and not showing(options.display, card))
    meaning = words.say("choice.card_free" if free else "choice.card", card=words.card(card), count=count)
    return Choice(card, write_card(card), meaning)


def _space(staged: Staged, space: Space, score: Score, words: Words) -> Choice:
    options = staged.options
    gardener = options.gardener(space)
    own = options.own_square(space)
    tile = words.tile(motif_on(options.display, space))
    if gardener:
        count = options.squares(space).bit_count()
        meaning = words.say("choice.space_gardener", tile=tile, own=words.square(own), count=count)
    else:
        laid = _laying_points(staged, space, own, score)
        best = best_stop(options, own, gardener=False)
        meaning = words.say("choice.space", tile=tile, own=words.square(own), points=laid, best=best)
    return Choice(space, str(space), meaning)


def _square(staged: Staged, square: Square, score: Score, words: Words) -> Choice:
    space = staged.chosen[Stage.SPACE] or 0
    laid = _laying_points(staged, space, square, score)
    best = best_stop(staged.options, square, staged.gardener)
    meaning = words.say("choice.square", points=laid, best=best)
    return Choice(square, write_square(square), meaning, f"+{laid}" if laid > 0 else "")


def _laying_points(staged: Staged, space: Space, square: Square, score: Score) -> int:
    """What the tile itself brings: reward and boar; where the boar then goes makes no difference."""
    boar = staged.options.boar(square)[0]
    chosen = (staged.chosen[Stage.CARD], space, square, boar, None)
    return gain(staged.options, score, Staged(staged.options, chosen).turn())


def _boar(goal: Value, words: Words) -> Choice:
    if goal == LEAVES:
        return Choice(goal, BOAR_LEAVES, words.say("choice.boar_leaves"))
    return Choice(goal, write_square(goal or 0), words.say("choice.boar", square=words.square(goal or 0)))


def _noble(stop: Value, words: Words) -> Choice:
    if stop is None:
        return Choice(None, NO_NOBLE, words.say("choice.no_noble"))
    points = row_of(stop)
    meaning = words.say(
        "choice.noble", noble=words.noble(stop % 9), square=words.square(stop), points=words.points(points)
    )
    return Choice(stop, write_square(stop), meaning, f"+{points}")


def read_value(stage: Stage, text: str) -> Value:
    """What a text names at a stage, legal or not; ``NotationError`` if it names nothing."""
    match stage:
        case Stage.CARD:
            return parse_card(text)
        case Stage.SPACE:
            if len(text) == 1 and text in "0123456789":
                return int(text)
            raise NotationError("notation.space", text=text[:40])
        case Stage.BOAR if text == BOAR_LEAVES:
            return LEAVES
        case Stage.NOBLE if text == NO_NOBLE:
            return None
        case _:
            return parse_square(text)
