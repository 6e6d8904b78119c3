"""The deal of a day: one seed for everyone and every host, from the date alone.

Anyone can compute it from the date, so it is not secret, and a commitment to it proves nothing.
"""

from datetime import date
from hashlib import sha256

from .seeds import Seed


def daily_seed(day: str) -> Seed:
    """The seed of a day, which is written like ``2026-11-16``; ``ValueError`` if it is not a date."""
    return sha256(f"sanssouci daily/1 {_checked(day)}".encode("ascii")).digest()


def daily_game(day: str) -> str:
    """The game id of the daily deal, used instead of a table's; ``ValueError`` as above."""
    return f"daily-{_checked(day)}"


def _checked(day: str) -> str:
    if date.fromisoformat(day).isoformat() != day:
        raise ValueError("a day is written year-month-day")
    return day
