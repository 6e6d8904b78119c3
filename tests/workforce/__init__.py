"""Tests of sanssouci.workforce."""
