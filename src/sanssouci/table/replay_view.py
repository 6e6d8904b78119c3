"""A record for the replay viewer: every position with all hands open, and an event for every turn.

A position has the fields of a spectator's view, with the missions of all seats, and the hands beside it.
Events are those of a table at which each seat sits on the chair of the same number.
"""

from collections.abc import Mapping
from typing import Any

from sanssouci.notation import (
    GameViewJson,
    Record,
    replay,
    seat_names,
    verify,
    write_card,
    write_column,
    write_own_view,
    write_view,
)
from sanssouci.notation.json_types import CardText, JsonObject, SeatNumber
from sanssouci.rules import Chance, Result, State

from .chairs import Colour, ColourName
from .public_events import PlayEvent, public_turn
from .table_state import Stage

_LONGEST_PLAYER = 60


class StepSeat(JsonObject):
    """A seat of the record."""

    name: str
    """Its name in the record, or its number."""
    player: str | None
    """The computer player; null for people."""
    colour: ColourName | None
    """The colour at the table; null in records without one for every seat."""


class Step(JsonObject):
    """One position, with everything open."""

    game: GameViewJson
    """A spectator's view, but with the missions of all seats."""
    hands: list[list[CardText]]
    """Each seat's cards."""


class StepsAnswer(JsonObject):
    """Every position of a record, and every turn between them."""

    seats: list[StepSeat]
    """In turn order."""
    winners: list[SeatNumber] | None
    """The winners by the rules; null if turns are missing."""
    steps: list[Step]
    """The positions before the first turn and after each turn."""
    events: list[PlayEvent]
    """The turns as events: `seq` is the number of the position that follows, `chair` the seat, `at` 0; `draw`
    is always there."""


def write_replay(record: Record) -> StepsAnswer:
    """Seats, positions and events of a record; ``RecordError`` if it is not a legal game."""
    verify(record)
    states, texts = [record.deal.start()], record.turns
    states += [state for _, state in replay(record)]
    turns = zip(states, states[1:], texts, strict=False)
    return {
        "seats": step_seats(record),
        "winners": list(Result.of(states[-1]).winners) if states[-1].over else None,
        "steps": [_position(state) for state in states],
        "events": [_public_event(record, before, after, text) for before, after, text in turns],
    }


def write_public_turns(record: Record, first: int) -> list[PlayEvent]:
    """The public events of a legal record from a turn on, without the drawn cards."""
    states = [record.deal.start(), *(state for _, state in replay(record))]
    turns = zip(states[first:], states[first + 1 :], record.turns[first:], strict=False)
    events = [_public_event(record, before, after, text) for before, after, text in turns]
    for event in events:
        del event["draw"]
    return events


def step_seats(record: Record) -> list[StepSeat]:
    """What is shown of the seats. Records come from anywhere, so every field may be anything."""
    columns = zip(seat_names(record), map(_player, record.seats), _colours(record), strict=True)
    return [{"name": name, "player": player, "colour": colour} for name, player, colour in columns]


def _player(seat: Mapping[str, Any]) -> str | None:
    player = seat.get("player")
    named = isinstance(player, str) and player.isprintable() and 0 < len(player) <= _LONGEST_PLAYER
    return player if named else None


def _colours(record: Record) -> list[ColourName | None]:
    """The colours of all seats; none if one is missing, unknown or there twice."""
    try:
        colours = [Colour(seat.get("colour")) for seat in record.seats]
    except ValueError:
        colours = []
    if len(set(colours)) < len(record.seats):
        return [None for _ in record.seats]
    return [colour.value for colour in colours]


def _position(state: State) -> Step:
    own = [write_own_view(state.view(seat)) for seat in range(state.variant.seats)]
    missions = [seen["missions"][seat] for seat, seen in enumerate(own)]
    return {
        "game": {**write_view(state.view(None)), "missions": missions},
        "hands": [seen["hand"] for seen in own],
    }


def _public_event(record: Record, before: State, after: State, text: str) -> PlayEvent:
    """A turn as its player sees it. The event's number is that of the position it leads to."""
    refill, draw = _answers(record.deal.chance(before.turn))
    return {
        "seq": after.turn,
        "at": 0.0,
        "type": "play",
        "chair": before.to_move,
        "house": False,
        "stage": (Stage.OVER if after.over else Stage.PLAYING).value,
        "turn": text,
        **public_turn(before, text, refill),
        "draw": draw,
    }


def _answers(chance: Chance) -> tuple[str | None, str | None]:
    refill = None if chance.refill is None else write_column(chance.refill)
    return refill, None if chance.draw is None else write_card(chance.draw)
