"""Tests of sanssouci.locale."""
