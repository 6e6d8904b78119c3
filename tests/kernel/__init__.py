"""The kernel beside the rules: the same games, states, turns and results."""
