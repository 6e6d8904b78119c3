"""Facts about points: the immediate or final score of a turn, compared with all other turns."""

from collections.abc import Iterator

from sanssouci.rules import Garden, Score, final_score, members, turn_score

from ..candidate import Candidate
from ..gains import best_of_space
from ..reason import Reason


def point_facts(step: Candidate) -> Iterator[Reason]:
    """The immediate score, and in the last round the final score."""
    if not step.left:
        yield from _to_the_end(step)
    if step.gain > 0:
        yield from _at_once(step)


def _at_once(step: Candidate) -> Iterator[Reason]:
    """R21, R30-R36: no other tile, or at least no turn, scores more."""
    best = {space: best_of_space(step.options, space, step.score) for space in _spaces(step)}
    if step.gain < best.pop(step.turn.space):
        return
    less = max(best.values(), default=None)
    if less is not None and less < step.gain:
        yield Reason.of("most_now", step.gain - less + 0.1, points=step.gain, less=less)
    elif less is None or less == step.gain:
        yield Reason.of("as_much", 0.1 * step.gain, points=step.gain)


def _spaces(step: Candidate) -> set[int]:
    """The spaces whose tile one of the cards in hand can take."""
    return {space for card in members(step.options.cards) for space in members(step.options.spaces(card))}


def _to_the_end(step: Candidate) -> Iterator[Reason]:
    """R25-R27, R37: in the last round a seat can count to the end."""
    now = _total(step, step.before, step.score)
    most = max(
        _total(step, step.before.after(turn), turn_score(step.before, step.score, turn))
        for turn in step.options
    )
    points = _total(step, step.after, turn_score(step.before, step.score, step.turn))
    if points == most > now:
        yield Reason.of("final_most", points - now, points=points - now)
    elif points == most == now:
        yield Reason.of("final_nothing", 1)


def _total(step: Candidate, garden: Garden, score: Score) -> int:
    return final_score(garden, score, step.missions).total
