"""The kernel compared with the rules: the same games, states, turns and results."""
