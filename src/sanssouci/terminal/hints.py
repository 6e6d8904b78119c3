"""The text of a hint: the turn, the reasons, the estimates, and how to play it."""

from collections.abc import Sequence

from sanssouci.editions import Words
from sanssouci.notation import write_turn
from sanssouci.review import INTERVAL, Hint, TurnOutlook, hint, prepare, prepared, say_reason
from sanssouci.rules import View, motif_on, turn_score

from .console import PlayerConsole

_OTHERS = 2
"""How many of the next best turns are listed."""


def ask_for_hint(view: View, console: PlayerConsole) -> Hint:
    """Compute a hint for the seat of a view; compiles the kernel first if needed."""
    if not prepared():
        with console.waiting("cli.compiling"):
            prepare()
    with console.waiting("hint.thinking"):
        return hint(view)


def hint_text(given: Hint, view: View, names: Sequence[str], words: Words) -> list[str]:
    best, *others = given.outlooks
    lines = [words.translate("hint.turn", turn=write_turn(given.turn))]
    lines += [f"  {line}" for line in _turn_text(given, view, names[view.to_move], words)]
    edition = view.variant.edition
    lines += [f"  > {say_reason(reason, edition, words.language, names)}" for reason in given.reasons]
    lines.append(_outlook_text(best, words))
    lines += _others_text(others[:_OTHERS], words)
    return [*lines, words.translate("hint.accept")]


def _others_text(others: Sequence[TurnOutlook], words: Words) -> list[str]:
    """The next best turns, first those that are about as good."""
    lines = []
    for key, level in (("hint.level", True), ("hint.next", False)):
        turns = [_other_text(other, words) for other in others if other.level is level]
        lines += [words.translate(key, turns=", ".join(turns))] if turns else []
    return lines


def _turn_text(given: Hint, view: View, name: str, words: Words) -> list[str]:
    """The effects of the turn, except for those that a reason mentions."""
    garden, score = view.gardens[view.to_move], view.scores[view.to_move]
    reward_given = any(reason.key == "reward" for reason in given.reasons)
    reward = 0 if reward_given else turn_score(garden, score, given.turn).rewards - score.rewards
    return words.turn(name, given.turn, motif_on(view.display, given.turn.space), reward)


def _outlook_text(outlook: TurnOutlook, words: Words) -> str:
    return words.translate(
        "hint.expected",
        games=outlook.games,
        score=words.number(outlook.score.mean),
        error=words.number(INTERVAL * outlook.score.error),
        margin=_margin_text(outlook, words),
        share=outlook.percent,
        doubt=round(100 * INTERVAL * outlook.share.error),
    )


def _other_text(outlook: TurnOutlook, words: Words) -> str:
    return words.translate(
        "hint.other",
        turn=write_turn(outlook.turn),
        share=outlook.percent,
        margin=_margin_text(outlook, words),
    )


def _margin_text(outlook: TurnOutlook, words: Words) -> str:
    margin = words.number(outlook.margin.mean)
    return margin if margin.startswith("-") else f"+{margin}"
