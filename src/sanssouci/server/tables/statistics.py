"""A guest's statistics: the result of each game is stored with the guest when the game ends.

A game counts for a guest who holds exactly one chair. If several people share a screen, it is unknown which
of them the guest is, so it counts for none.
"""

import asyncio
import re
from collections import Counter
from typing import cast

import orjson

from sanssouci.locale import UserError
from sanssouci.notation import GardenJson
from sanssouci.notation.json_types import JsonObject, TableId, Timestamp
from sanssouci.notation.typed_reader import validator
from sanssouci.store import Add, Change, DamagedRow, GuestExport, PlayedRow, Store
from sanssouci.table import EndedGame, PlayerResult, Stage, TableState, Transition, write_player_result

from .live_table import OWNER


class PlayedGame(EndedGame):
    """A game that you have played."""

    table: TableId
    """The table's id."""
    ended_at: Timestamp
    """When it ended."""


class BestGarden(JsonObject):
    """The garden of your best game."""

    table: TableId
    """The table's id."""
    garden: GardenJson


class StatisticsAnswer(JsonObject):
    """The games that you have played."""

    games: list[PlayedGame]
    """At most a thousand, the latest first."""
    best: BestGarden | None
    """The game with the most points that you played to its end, if there is one."""


_TABLE = re.compile("[0-9a-f]{16}")
MAX_GAMES = 1000
"""Games in the response, the latest ones."""


async def played(store: Store, before: TableState, transition: Transition) -> list[Change]:
    if transition.state.stage is not Stage.OVER or before.stage is Stage.OVER:
        return []
    return await asyncio.to_thread(_outcomes, store, transition)


def _outcomes(store: Store, transition: Transition) -> list[Change]:
    table = transition.state.table
    holdings = [row for row in store.holdings(table) if row.chair != OWNER]
    chairs = Counter(row.guest for row in holdings)
    found = {
        row.guest: write_player_result(transition.state, row.chair)
        for row in holdings
        if chairs[row.guest] == 1
    }
    return [
        Add(PlayedRow(guest, table, transition.event.at, orjson.dumps(outcome).decode("utf-8")))
        for guest, outcome in found.items()
        if outcome is not None
    ]


def statistics(store: Store, guest: str) -> StatisticsAnswer:
    """A guest's latest games, and the garden of the game with the most points."""
    rows = store.played_by(guest, MAX_GAMES)
    games = [(row, outcome) for row in rows if (outcome := _sound_outcome(store, row)) is not None]
    finished = [game for game in games if game[1]["manner"] == "played" and not game[1]["conceded"]]
    best = max(finished, key=lambda game: game[1]["score"]["total"], default=None)
    return {
        "games": [_played_game(*game) for game in games],
        "best": None if best is None else {"table": best[0].game, "garden": best[1]["garden"]},
    }


def check_played(export: GuestExport) -> None:
    """``UserError`` if the server cannot have written a guest's results; for imports."""
    for row in export.played:
        if _outcome(row) is None:
            reason = UserError("audit.played", game=row.game)
            raise UserError("audit.guest", guest=export.guest.id, reason=reason)


def _played_game(row: PlayedRow, outcome: PlayerResult) -> PlayedGame:
    ended = {name: value for name, value in outcome.items() if name != "garden"}
    return cast(PlayedGame, {**ended, "table": row.game, "ended_at": row.ended_at})


def _sound_outcome(store: Store, row: PlayedRow) -> PlayerResult | None:
    """The result of a game; None if the row is damaged, which is reported."""
    outcome = _outcome(row)
    if outcome is None or not _TABLE.fullmatch(row.game):
        store.damaged(DamagedRow("played", "game" if outcome else "body", guest=row.guest))
        return None
    return outcome


def _outcome(row: PlayedRow) -> PlayerResult | None:
    """The outcome that a row holds, or None if this server did not write it."""
    try:
        outcome: PlayerResult = validator(PlayerResult).validate_python(orjson.loads(row.body))
    except ValueError:
        return None
    return outcome
