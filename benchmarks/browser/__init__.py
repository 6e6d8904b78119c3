"""Browser performance: download size, load time, response to clicks, and frames.

``python -m benchmarks.browser`` starts a real server and the system's Chromium, and plays on it. Times are
measured by the browser itself (``probe.js``), so that the driver's delays do not count.
"""
