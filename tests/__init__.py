"""The tests mirror the source; ``helpers`` builds positions, ``oracle`` is a second set of rules."""
