"""Tests of sanssouci.cli."""
