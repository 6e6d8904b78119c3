"""Facts about marked squares and the boar (R30-R37)."""

from collections.abc import Iterator

from sanssouci.rules import LEAVES, boar_squares, members
from sanssouci.rules.scoring import boar_loss, boar_points

from ..candidate import Candidate
from ..reason import Reason

OUT = boar_points(True, True)
"""R36: the points for driving the boar out."""
_FEW_WAYS = 2
_FEAR = 0.25
"""The value of one square of the boar's area while there are turns left to build on it."""


def expansion_facts(step: Candidate) -> Iterator[Reason]:
    """The score of the tile's square, and the effect on the boar."""
    if step.reward > 0:
        yield Reason.of("reward", step.reward, square=step.turn.square, points=step.reward)
    if step.before.boar:
        yield from _boar(step)


def _boar(step: Candidate) -> Iterator[Reason]:
    """The boar leaves, or its area shrinks, or it has fewer ways out."""
    if step.turn.boar == LEAVES:
        yield Reason.of("boar_leaves", OUT + 1, points=OUT)
        return
    before, after = (boar_loss(garden.boar, garden.built) for garden in (step.before, step.after))
    shrinks = before - after
    if shrinks > 1 or (shrinks and not step.left):  # any tile in the area takes one square from it
        weight = shrinks * (_FEAR if step.left else 1)
        yield Reason.of("boar_area", weight, before=before, after=after)
    if step.left:
        yield from _ways_out(step)


def _ways_out(step: Candidate) -> Iterator[Reason]:
    """R36: a boar that has nowhere to run leaves when a tile is laid on it."""
    before, after = (boar_squares(garden.boar, garden.built) for garden in (step.before, step.after))
    fewer = before.bit_count() - after.bit_count()
    if fewer > 0 and not after:
        yield Reason.of("boar_shut_in", 2, square=members(step.after.boar)[0], points=OUT)
    elif fewer > 0 and after.bit_count() <= _FEW_WAYS:
        yield Reason.of("boar_cornered", 0.5 * fewer, ways=members(after), points=OUT)
