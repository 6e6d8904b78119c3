"""Tests of sanssouci.terminal."""
