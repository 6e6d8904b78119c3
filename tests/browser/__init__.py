"""The game in a real browser: the system's Chromium, driven by Playwright, against a server of its own."""
