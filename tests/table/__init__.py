"""Tests of one hosted game."""
