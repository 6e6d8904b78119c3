"""Fixtures for the tests of the browser game."""
