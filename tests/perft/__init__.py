"""Positions with their counts; each file carries its own boards."""
