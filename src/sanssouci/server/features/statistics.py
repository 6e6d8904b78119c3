"""A guest's own statistics: what came of each game is kept with the guest when the game ends.

A game counts for a guest who holds one chair at it. Of several people at one screen nobody knows who the
guest is, so such a game counts for none of them.
"""

import asyncio
import re
from collections import Counter
from typing import Any

import orjson

from sanssouci.locale import UserError
from sanssouci.store import AddPlayed, Change, DamagedRow, GuestExport, PlayedRow, Store
from sanssouci.table import Stage, TableState, Transition, write_player_result

from ..tables.live_table import OWNER
from ..wire.statistics import Outcome

Json = dict[str, Any]
_TABLE = re.compile("[0-9a-f]{16}")
MAX_GAMES = 1000
"""Games that are told of, the last ones."""


async def played(store: Store, before: TableState, transition: Transition) -> list[Change]:
    """What is to be kept when a transition ends a game."""
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
        AddPlayed(PlayedRow(guest, table, transition.event.at, orjson.dumps(outcome).decode("utf-8")))
        for guest, outcome in found.items()
        if outcome is not None
    ]


def statistics(store: Store, guest: str) -> Json:
    """The last games of a guest, and the garden of the one that brought the most points."""
    games = [game for row in store.played_by(guest, MAX_GAMES) if (game := _game(store, row)) is not None]
    best = max(filter(_is_played, games), key=lambda game: game["score"]["total"], default=None)
    told = [{name: value for name, value in game.items() if name != "garden"} for game in games]
    return {
        "games": told,
        "best": None if best is None else {"table": best["table"], "garden": best["garden"]},
    }


def examine_played(parcel: GuestExport) -> None:
    """``UserError`` if what a guest is said to have played is nothing that this server has written."""
    for row in parcel.played:
        if _outcome(row) is None:
            reason = UserError("audit.played", game=row.game)
            raise UserError("audit.guest", guest=parcel.guest.id, reason=reason)


def _game(store: Store, row: PlayedRow) -> Json | None:
    """A game with what came of it; None if the row is damaged, which is reported."""
    outcome = _outcome(row)
    if outcome is None or not _TABLE.fullmatch(row.game):
        store.damaged(DamagedRow("played", "game" if outcome else "body", guest=row.guest))
        return None
    return {**outcome, "table": row.game, "ended_at": row.ended_at}


def _outcome(row: PlayedRow) -> Json | None:
    """What a row tells, if it is what this server writes."""
    try:
        outcome: Json = orjson.loads(row.body)
        Outcome.model_validate(outcome)
    except ValueError:
        return None
    return outcome


def _is_played(game: Json) -> bool:
    return bool(game["manner"] == "played" and not game["conceded"])
