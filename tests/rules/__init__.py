"""Tests of sanssouci.rules."""
