"""The server under load: how soon a turn reaches the others at the table, and what a socket costs.

``python -m benchmarks.load`` starts a server in a process of its own and plays many games at it; ``--soak`` plays
on for a long time and looks at its memory.
"""
