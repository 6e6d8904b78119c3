"""Explains why a choice is not allowed in this turn, or in which turn it would be."""

from collections.abc import Callable
from dataclasses import replace

from sanssouci.editions import Words
from sanssouci.locale import printable
from sanssouci.notation import parse_card, parse_square, parse_turn, write_turn
from sanssouci.rules import Card, Options, Refusal, Space, Square, Turn, members

from .choices import read_value
from .staging import Staged, TurnStep


def explain(staged: Staged, text: str, words: Words) -> list[str]:
    """The answer to ``why TEXT``: refusals with their rules, or a turn in which it is possible."""
    if not text:
        return [words.translate("help.why")]
    options = staged.options
    if "@" in text:
        refusal = options.refusal(parse_turn(text))
        return [
            words.translate("ask.legal", text=printable(text, 40))
            if refusal is None
            else words.refusal(refusal)
        ]
    if staged.step in (TurnStep.SQUARE, TurnStep.BOAR, TurnStep.NOBLE):
        value = read_value(staged.step, text)
        fits, refusal = value in staged.choices(), options.refusal(staged.turn(value))
        return _answer(options, text, words, lambda turn: False, [] if fits else [refusal])
    if len(text) == 1 and text in "0123456789":
        return _explain_space(options, int(text), words)
    if len(text) == 2 and text[0] in "abcdefghi":
        return _explain_square(options, parse_square(text), text, words)
    return _explain_card(options, parse_card(text), text, words)


def _explain_card(options: Options, card: Card, text: str, words: Words) -> list[str]:
    refusal = options.refusal(Turn(card, 0, 0))
    refused = [refusal] if not options.cards >> card & 1 else []
    return _answer(options, text, words, lambda turn: turn.card == card, refused)


def _explain_space(options: Options, space: Space, words: Words) -> list[str]:
    """The refusals of all cards that cannot take the space."""
    unfit = [card for card in members(options.cards) if not options.spaces(card) >> space & 1]
    refused = [options.refusal(Turn(card, space, 0)) for card in unfit]
    return _answer(options, str(space), words, lambda turn: turn.space == space, refused)


def _explain_square(options: Options, square: Square, text: str, words: Words) -> list[str]:
    """The refusals of both a tile and a noble on the square."""

    def goes_there(turn: Turn) -> bool:
        return square in (turn.square, turn.noble)

    if any(goes_there(turn) for turn in options):
        return _answer(options, text, words, goes_there, [])
    first = next(iter(options))
    refused = [options.refusal(replace(first, noble=square))]
    if options.garden.free >> square & 1:
        refused.insert(0, options.refusal(replace(first, square=square, boar=None)))
    return _answer(options, text, words, goes_there, refused)


def _answer(
    options: Options,
    text: str,
    words: Words,
    fits: Callable[[Turn], bool],
    refused: list[Refusal | None],
) -> list[str]:
    """The refusals, and a legal turn if there is one; without refusals the choice is possible."""
    lines = [words.refusal(refusal) for refusal in refused if refusal is not None]
    example = next((turn for turn in options if fits(turn)), None)
    if example is not None:
        lines.append(words.translate("ask.possible", text=printable(text, 40), turn=write_turn(example)))
    return lines or [words.translate("ask.legal", text=printable(text, 40))]
