"""For all tests."""

import signal

# A run in the background of a shell ignores Ctrl-C, and so would every program that a test starts and stops.
signal.signal(signal.SIGINT, signal.default_int_handler)
