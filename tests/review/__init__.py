"""Tests of sanssouci.review: every statement about a turn is true, as an independent count shows."""
