"""What came of a game for one chair, for the statistics of whoever sat there; known when the game is over."""

from typing import Any

from sanssouci.notation import write_view

from .table_state import EndReason, TableState

Json = dict[str, Any]


def write_player_result(table_state: TableState, chair: int) -> Json | None:
    """What came of it; None where there is no winner, or the game ended before its first turn.

    A game that goes on from a record counts for nobody: others have played the beginning.
    """
    ending, state, seat = table_state.ending, table_state.state, table_state.seat_of(chair)
    if ending is None or ending.reason is EndReason.ABANDONED or state is None or seat is None:
        return None
    if table_state.origin is not None:
        return None
    view = write_view(state.view(None))
    return {
        "edition": table_state.variant.edition,
        "expansions": list(table_state.variant.expansions),
        "manner": ending.reason.value,
        "seat": seat,
        "winners": list(ending.winners),
        "conceded": table_state.chairs[chair].conceded,
        "taken_back": table_state.taken_back,
        "seats": [
            {"player": table_state.chairs[place].player or None, "total": score["total"]}
            for place, score in zip(table_state.order, view["scores"], strict=True)
        ],
        "score": view["scores"][seat],
        "garden": view["gardens"][seat],
    }
