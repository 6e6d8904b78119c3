"""The edge: what a request passes before it reaches the app, from its connection to its body."""
