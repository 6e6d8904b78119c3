"""The game in a browser, by the clock: how large it is, how soon it is there, how it answers and moves.

``python -m benchmarks.browser`` starts a real server and the system's Chromium, and plays at it. What it
measures is measured by the browser itself (``probe.js``), so that the driver's own slowness is not counted.
"""
