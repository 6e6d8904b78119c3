"""What an attacker knows: an account and tables of its own, and the ids of tables that are others'."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Prey:
    """A server, seen by somebody who does not mean well."""

    place: str
    tables: Sequence[str]
    """Others' tables: their ids are known, their secrets are not."""
    own: str = ""
    token: str = ""
    join: str = ""
    seq: int = 0
    """The last event at the own table."""
