"""Judging play: what is expected of each turn, which is best, and why.

Everything is judged from a view: what a seat may know, and nothing else. The kernel is loaded when something
is to be evaluated, not before.
"""

from .evaluation import ROLLOUTS, evaluate, prepare, prepared
from .gains import best_of_space, best_stop, gain, laying_points
from .hint import Hint, hint
from .reason import Detail, Reason, say_reason
from .reasons import reasons

__all__ = [
    "ROLLOUTS",
    "Detail",
    "Hint",
    "Reason",
    "best_of_space",
    "best_stop",
    "evaluate",
    "gain",
    "hint",
    "laying_points",
    "prepare",
    "prepared",
    "reasons",
    "say_reason",
]
