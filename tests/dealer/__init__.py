"""Tests of sanssouci.dealer."""
