"""Facts about marked squares and the boar (R30-R37)."""

from collections.abc import Iterator

from sanssouci.rules import LEAVES
from sanssouci.rules.scoring import boar_loss, boar_points

from .reason import Reason
from .step import Step

_FEAR = 0.25
"""What one square of the boar's area counts while there are turns left to build on it."""


def expansion_facts(step: Step) -> Iterator[Reason]:
    """What the tile brings by its square, and what becomes of the boar."""
    if step.reward > 0:
        yield Reason.of("reward", step.reward, square=step.turn.square, points=step.reward)
    if step.before.boar:
        yield from _boar(step)


def _boar(step: Step) -> Iterator[Reason]:
    leaves = step.turn.boar == LEAVES
    points = boar_points(step.turn.boar is not None, leaves)
    before = boar_loss(step.before.boar, step.before.built)
    if leaves:
        yield Reason.of("boar_leaves", points + 1, points=points)
        return
    if points:
        yield Reason.of("boar_startled", points, points=points)
    after = boar_loss(step.after.boar, step.after.built)
    shrinks = before - after
    if shrinks > 1 or (shrinks and not step.left):  # any tile in the area takes one square from it
        weight = shrinks * (_FEAR if step.left else 1)
        yield Reason.of("boar_area", weight, before=before, after=after)
