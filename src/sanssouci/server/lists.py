"""Lists of tables: those that anyone may join, and one's own with those first that wait."""

from typing import Any

import orjson

from sanssouci.store import GameRow, HeldGame

from .hosted import OWNER

Json = dict[str, Any]


def write_listed(game: GameRow) -> Json:
    """A table in a list."""
    return {**orjson.loads(game.summary), "created_at": game.created_at, "updated_at": game.updated_at}


def write_own(games: list[HeldGame]) -> list[Json]:
    """A guest's tables; those come first that wait for the guest."""
    return sorted(map(_write_held, games), key=lambda table: not table["your_turn"])


def _write_held(held: HeldGame) -> Json:
    chairs = [chair for chair in held.chairs if chair != OWNER]
    return {
        **write_listed(held.game),
        "your_chairs": chairs,
        "owner": OWNER in held.chairs,
        "your_turn": any(held.game.waiting >> chair & 1 for chair in chairs),
    }
