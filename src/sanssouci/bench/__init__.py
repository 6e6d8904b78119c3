"""How fast it is on this machine, measured."""

from .figures import GOALS, measure
from .growth import measure_growth

__all__ = ["GOALS", "measure", "measure_growth"]
