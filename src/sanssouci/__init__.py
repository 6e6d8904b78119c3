"""Sanssouci: the board game by Michael Kiesling as a library, a command line and a table for many."""

__version__ = "0.1.0"
