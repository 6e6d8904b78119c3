"""The result of a finished game for one chair, for the player's statistics."""

from typing import Annotated, Literal

from pydantic import Field

from sanssouci.notation import GardenJson, ScoreJson, write_view
from sanssouci.notation.json_types import Count, EditionName, ExpansionName, JsonObject, SeatNumber

from .table_state import EndReason, TableState


class SeatTotal(JsonObject):
    """A seat of a finished game."""

    player: str | None
    """The computer player; null for a person."""
    total: int
    """Its points."""


class EndedGame(JsonObject):
    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""
    manner: Literal["played", "conceded"]
    """Played to the last turn, or until only computer players were left; then the points are as they stood.
    """
    seat: SeatNumber
    """Your place in turn order."""
    winners: list[SeatNumber]
    """The winning seats; several share the victory."""
    conceded: bool
    """Whether you conceded."""
    taken_back: Count
    """How many turns were taken back."""
    seats: Annotated[list[SeatTotal], Field(min_length=2, max_length=4)]
    """In turn order."""
    score: ScoreJson
    """Your points by part."""


class PlayerResult(EndedGame):
    """The stored result of a game."""

    garden: GardenJson


def write_player_result(state: TableState, chair: int) -> PlayerResult | None:
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
