"""Tests of sanssouci.workers."""
