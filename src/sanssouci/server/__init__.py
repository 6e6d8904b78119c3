"""The game by network: computer players in processes of their own."""

from .answer import Answer
from .hint_answer import Expectation, HintAnswer, squares_of
from .terms import Terms
from .workforce import Progress, Statistics, Workforce

__all__ = [
    "Answer",
    "Expectation",
    "HintAnswer",
    "Progress",
    "Statistics",
    "Terms",
    "Workforce",
    "squares_of",
]
