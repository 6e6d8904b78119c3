"""Tests of sanssouci.learning."""
