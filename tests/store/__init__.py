"""Tests of sanssouci.store."""
