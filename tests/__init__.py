"""The tests mirror the source; ``helpers`` draws gardens, ``oracle`` is a second opinion on legality."""
