"""Judging play beside plain counting: whatever is said of a turn is true."""
