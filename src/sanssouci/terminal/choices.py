"""The choices at each step of a turn: what to type, and the points it scores."""

from dataclasses import dataclass

from sanssouci.editions import Words
from sanssouci.notation import NotationError, parse_card, parse_square, write_card, write_square
from sanssouci.review import best_of_space, best_stop, laying_points
from sanssouci.rules import (
    FREE,
    LEAVES,
    Options,
    Score,
    Space,
    Square,
    members,
    motif_on,
    row_of,
    showing,
)

from .staging import Staged, TurnStep, Value

NO_NOBLE = "-"
BOAR_LEAVES = "x"


@dataclass(frozen=True)
class Choice:
    value: Value
    sign: str
    meaning: str
    brings: str = ""
    """The points, abbreviated for a drawing."""


def choices(staged: Staged, score: Score, words: Words) -> list[Choice]:
    match staged.step:
        case TurnStep.CARD:
            return [_card(staged.options, value or 0, score, words) for value in staged.choices()]
        case TurnStep.SPACE:
            return [_space(staged.options, value or 0, score, words) for value in staged.choices()]
        case TurnStep.SQUARE:
            return [_square(staged, value or 0, score, words) for value in staged.choices()]
        case TurnStep.BOAR:
            return [_boar(value, words) for value in staged.choices()]
        case TurnStep.NOBLE:
            return [_noble(value, words) for value in staged.choices()]
        case TurnStep.CONFIRM:
            return []


def _card(options: Options, card: int, score: Score, words: Words) -> Choice:
    spaces = members(options.spaces(card))
    free = card == FREE or (card < 9 and not showing(options.display, card))
    best = max(best_of_space(options, space, score) for space in spaces)
    meaning = words.translate(
        "choice.card_free" if free else "choice.card",
        card=words.card(card),
        count=len(spaces),
        best=words.points(best),
    )
    return Choice(card, write_card(card), meaning)


def _space(options: Options, space: Space, score: Score, words: Words) -> Choice:
    own = options.own_square(space)
    tile = words.tile(motif_on(options.display, space))
    if options.gardener(space):
        meaning = words.translate(
            "choice.space_gardener",
            tile=tile,
            own=words.square(own),
            count=options.squares(space).bit_count(),
            best=words.points(best_of_space(options, space, score)),
        )
    else:
        laid = laying_points(options, space, own, score)
        best = best_stop(options, own, gardener=False)
        meaning = words.translate("choice.space", tile=tile, own=words.square(own), points=laid, best=best)
    return Choice(space, str(space), meaning)


def _square(staged: Staged, square: Square, score: Score, words: Words) -> Choice:
    laid = laying_points(staged.options, staged.chosen[TurnStep.SPACE] or 0, square, score)
    best = best_stop(staged.options, square, staged.gardener)
    meaning = words.translate("choice.square", points=laid, best=best)
    return Choice(square, write_square(square), meaning, f"{laid:+d}" if laid else "")


def _boar(goal: Value, words: Words) -> Choice:
    if goal == LEAVES:
        return Choice(goal, BOAR_LEAVES, words.translate("choice.boar_leaves"))
    return Choice(
        goal, write_square(goal or 0), words.translate("choice.boar", square=words.square(goal or 0))
    )


def _noble(stop: Value, words: Words) -> Choice:
    if stop is None:
        no_noble = words.translate("choice.no_noble")
        return Choice(None, NO_NOBLE, no_noble, no_noble)
    points = row_of(stop)
    meaning = words.translate(
        "choice.noble", noble=words.noble(stop % 9), square=words.square(stop), points=words.points(points)
    )
    return Choice(stop, write_square(stop), meaning, f"+{points}")


def read_value(step: TurnStep, text: str) -> Value:
    """Parse a choice, legal or not; ``NotationError`` if the text names nothing."""
    match step:
        case TurnStep.CARD:
            return parse_card(text)
        case TurnStep.SPACE:
            if len(text) == 1 and text in "0123456789":
                return int(text)
            raise NotationError("notation.space", text=text[:40])
        case TurnStep.BOAR if text == BOAR_LEAVES:
            return LEAVES
        case TurnStep.NOBLE if text == NO_NOBLE:
            return None
        case _:
            return parse_square(text)
