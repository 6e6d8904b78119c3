"""Tests of sanssouci.network."""
