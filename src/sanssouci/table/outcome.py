"""What came of a game for one chair, for the statistics of whoever sat there; known when the game is over."""

from typing import Any

from sanssouci.notation import write_view

from .standing import Manner, Standing

Json = dict[str, Any]


def write_outcome(standing: Standing, chair: int) -> Json | None:
    """What came of it; None where there is no winner, or the game ended before its first turn.

    A game that goes on from a record counts for nobody: others have played the beginning.
    """
    ending, state, seat = standing.ending, standing.state, standing.seat_of(chair)
    if ending is None or ending.manner is Manner.ABANDONED or state is None or seat is None:
        return None
    if standing.origin is not None:
        return None
    view = write_view(state.view(None))
    return {
        "edition": standing.variant.edition,
        "expansions": list(standing.variant.expansions),
        "manner": ending.manner.value,
        "seat": seat,
        "winners": list(ending.winners),
        "conceded": standing.chairs[chair].conceded,
        "taken_back": standing.taken_back,
        "seats": [
            {"player": standing.chairs[place].player or None, "total": score["total"]}
            for place, score in zip(standing.order, view["scores"], strict=True)
        ],
        "score": view["scores"][seat],
        "garden": view["gardens"][seat],
    }
