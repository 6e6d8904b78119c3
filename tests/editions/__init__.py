"""Tests of sanssouci.editions."""
