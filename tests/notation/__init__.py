"""Tests of sanssouci.notation."""
