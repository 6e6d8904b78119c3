"""Fuzz: malformed and hostile messages, on the wire of a real server and by the description of its routes.

::

    Malice --> Requests, Words --> attacker (a process) --> wire --> server <-- Company (honest, timed)
    schemathesis --> Reader --> the application itself
"""

from .assault import full, run

__all__ = ["full", "run"]
