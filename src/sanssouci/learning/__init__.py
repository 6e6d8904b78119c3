"""Training of the value network by self-play; ``docs/learning.md`` describes it.

``run`` contains the complete run. ``run`` and ``trainer`` need PyTorch (the extra ``learning``) and are not
imported here; players never need PyTorch.
"""

from .boards import random_setup, shipped_setup, variants
from .quantise import quantise
from .self_play import SelfPlay, Strength, strength

__all__ = [
    "SelfPlay",
    "Strength",
    "quantise",
    "random_setup",
    "shipped_setup",
    "strength",
    "variants",
]
