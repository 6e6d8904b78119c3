"""Tests of sanssouci.players."""
