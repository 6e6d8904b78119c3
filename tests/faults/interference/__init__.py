"""Non-interference: games that differ only in what is hidden, and nobody who may not know it can tell.

::

    Lot --> Plan (a game, a cast, a Difference) --> Course --> Twins --> two Houses, asked the same
                                                                  |
                                              what each viewer is told, the log, the computer players' jobs:
                                              the same bytes, or a Leak
"""

from .comparison import full, run

__all__ = ["full", "run"]
