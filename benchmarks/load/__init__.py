"""The server under load: the delay of turns, the cost of a socket, and memory growth.

``python -m benchmarks.load`` starts a real server in a separate process and plays many games on it. With
``--soak``, it plays for a long time and measures the growth of the server's memory.
"""
