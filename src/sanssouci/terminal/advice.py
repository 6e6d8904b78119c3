"""A hint as a person reads it: the turn, why, what to expect of it, and how to play it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sanssouci.editions import Words
from sanssouci.notation import write_turn
from sanssouci.review import Hint, hint, prepare, prepared, say_reason
from sanssouci.rules import View, motif_on, turn_score

from .desk import Desk

if TYPE_CHECKING:
    from sanssouci.kernel import Estimate, Prospect

_SEED = bytes(32)
"""Imagined games have their own luck: a hint learns nothing of the deal, and a position has one hint."""
_INTERVAL = 1.96
"""Standard errors to either side that hold 95 %."""
_OTHERS = 2
"""How many of the next best turns are named."""


def ask_for_hint(view: View, desk: Desk) -> Hint:
    """A hint for the seat of a view; what was never compiled on this machine is compiled first."""
    if not prepared():
        with desk.waiting("cli.compiling"):
            prepare()
    with desk.waiting("hint.thinking"):
        return hint(view, _SEED)


def told_hint(given: Hint, view: View, names: Sequence[str], words: Words) -> list[str]:
    """The hint in sentences."""
    best, *others = given.prospects
    told = [words.say("hint.turn", turn=write_turn(given.turn))]
    told += [f"  {line}" for line in _told_turn(given, view, names[view.to_move], words)]
    edition = view.variant.edition
    told += [f"  > {say_reason(reason, edition, words.language, names)}" for reason in given.reasons]
    told.append(_told_prospect(best, view.to_move, words))
    if others:
        next_best = [_told_other(prospect, view.to_move, words) for prospect in others[:_OTHERS]]
        told.append(words.say("hint.next", turns=", ".join(next_best)))
    return [*told, words.say("hint.accept")]


def _told_turn(given: Hint, view: View, name: str, words: Words) -> list[str]:
    """What the turn does; what a reason tells is not said twice."""
    garden, score = view.gardens[view.to_move], view.scores[view.to_move]
    told = any(reason.key == "reward" for reason in given.reasons)
    reward = 0 if told else turn_score(garden, score, given.turn).rewards - score.rewards
    return words.turn(name, given.turn, motif_on(view.display, given.turn.space), reward)


def _told_prospect(prospect: "Prospect", seat: int, words: Words) -> str:
    score, share = prospect.scores[seat], prospect.shares[seat]
    margin = words.number(prospect.margin.mean)
    return words.say(
        "hint.expected",
        games=prospect.games,
        score=words.number(score.mean),
        error=words.number(_INTERVAL * score.error),
        margin=margin if margin.startswith("-") else f"+{margin}",
        share=_percent(share),
        doubt=round(100 * _INTERVAL * share.error),
    )


def _told_other(prospect: "Prospect", seat: int, words: Words) -> str:
    return words.say(
        "hint.other",
        turn=write_turn(prospect.turn),
        score=words.number(prospect.scores[seat].mean),
        share=_percent(prospect.shares[seat]),
    )


def _percent(share: "Estimate") -> int:
    return round(100 * share.mean)
