"""The result of a finished game for one chair, for the player's statistics."""

from typing import Any

from sanssouci.notation import write_view

from .table_state import EndReason, TableState

Json = dict[str, Any]


def write_player_result(state: TableState, chair: int) -> Json | None:
    """The result, or None if there is no winner or the game ended before its first turn.

    Games that continue a record have no result: others have played the beginning.
    """
    ending, game, seat = state.ending, state.game, state.seat_of(chair)
    if ending is None or ending.reason is EndReason.ABANDONED or game is None or seat is None:
        return None
    if state.origin is not None:
        return None
    view = write_view(game.view(None))
    return {
        "edition": state.variant.edition,
        "expansions": list(state.variant.expansions),
        "manner": ending.reason.value,
        "seat": seat,
        "winners": list(ending.winners),
        "conceded": state.chairs[chair].conceded,
        "taken_back": state.taken_back,
        "seats": [
            {"player": state.chairs[place].player or None, "total": score["total"]}
            for place, score in zip(state.order, view["scores"], strict=True)
        ],
        "score": view["scores"][seat],
        "garden": view["gardens"][seat],
    }
