"""Tests of sanssouci.server."""
