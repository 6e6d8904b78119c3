"""Tests of sanssouci.arena."""
