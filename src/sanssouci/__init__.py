"""Sanssouci: the board game by Michael Kiesling as a library, a command line and a server."""

__version__ = "0.1.0"
