"""The game in a real browser: the system's Chromium, driven by Playwright, with a separate server."""
