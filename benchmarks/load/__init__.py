"""The server under load: how soon a turn reaches the others at the table, what a socket costs, what stays.

``python -m benchmarks.load`` starts a real server in a process of its own and plays many games at it. With
``--soak`` it plays for a long time instead, and looks at how the server's memory grows.
"""
