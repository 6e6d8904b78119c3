"""How fast it is on this machine, measured."""

from .figures import AT_MOST, GOALS, measure
from .growth import measure_growth

__all__ = ["AT_MOST", "GOALS", "measure", "measure_growth"]
