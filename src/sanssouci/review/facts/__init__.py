"""Facts about a turn that a person can check on the board, each group in its own module."""
