"""HTTP routes, by topic."""
