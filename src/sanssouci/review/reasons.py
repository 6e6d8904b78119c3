"""The reasons for a turn: all facts in its favour, the most important first."""

from dataclasses import replace

from sanssouci.rules import Turn, View

from .candidate import Candidate
from .facts.cards import card_facts
from .facts.expansions import expansion_facts
from .facts.lines import line_facts
from .facts.points import point_facts
from .facts.rivals import rival_facts
from .facts.walks import walk_facts
from .reason import Reason

_KINDS = (point_facts, walk_facts, line_facts, expansion_facts, card_facts, rival_facts)


def reasons(view: View, turn: Turn, instead_of: Turn | None = None) -> tuple[Reason, ...]:
    """The facts in favour of a turn; with ``instead_of``, those that distinguish it from that turn.

    They say what is true of the turn, not that it is good; there may be none.
    """
    step = Candidate(view, turn)
    found = _facts(step)
    if instead_of is not None:
        found = _distinguishing(step, found, Candidate(view, instead_of))
    return tuple(sorted(found, key=lambda reason: -reason.weight))


def _facts(step: Candidate) -> list[Reason]:
    return [reason for facts in _KINDS for reason in facts(step)]


def _distinguishing(step: Candidate, found: list[Reason], other: Candidate) -> list[Reason]:
    """The reasons that distinguish a turn from another one, weighted by the difference, if it is positive."""
    shared = _facts(other)
    weights = {reason.key: reason.weight for reason in sorted(shared, key=lambda reason: reason.weight)}
    apart = [
        replace(reason, weight=reason.weight - weights.get(reason.key, 0))
        for reason in found
        if reason not in shared
    ]
    more = step.gain - other.gain
    if more > 0 and other.gain >= 0:
        apart.append(Reason.of("more_now", more, points=step.gain, less=other.gain))
    elif more > 0 and step.gain >= 0:
        apart.append(Reason.of("no_loss", more, points=step.gain, loss=-other.gain))
    if other.reward < 0 and other.turn.square != step.turn.square:
        lost = -other.reward
        apart.append(Reason.of("spares", lost, square=other.turn.square, points=lost))
    return [reason for reason in apart if reason.weight > 0]
