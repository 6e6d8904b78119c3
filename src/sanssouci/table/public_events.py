"""What is told of an event: to everyone the same, and a little more to whoever it concerns.

Built from an allow-list: an argument or an answer of chance that is not named here is not told.
"""

from dataclasses import dataclass, field
from typing import Any

from sanssouci.notation import parse_turn, write_column
from sanssouci.rules import State, motif_on, turn_score

from .commands import AssignChair, ChooseColour, Play, Rematch, Sit, TimeOut, Vote
from .events import Event
from .table_state import TableState

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """An event as it is told."""

    public: Json
    chair: int | None = None
    """Who is told more."""
    own: Json | None = field(default=None, repr=False)

    def to(self, chair: int | None) -> Json:
        """What one on a chair is told, or a spectator (None)."""
        if self.own is None or chair is None or chair != self.chair:
            return self.public
        return self.public | self.own


def public_event(before: TableState | None, event: Event, after: TableState) -> PublicEvent:
    """An event for those at the table: what was done, and what everyone sees of what came of it."""
    public: Json = {
        "seq": event.seq,
        "at": event.at,
        "type": event.command.type,
        "chair": event.chair,
        "house": event.system,
        "stage": after.stage.value,
        **_arguments(event),
    }
    if isinstance(event.command, Vote):
        public["carried"] = after.chairs[event.command.chair].away
    if not isinstance(event.command, Play):
        return PublicEvent(public)
    assert before is not None and before.game is not None, "a turn follows the first hands"
    public |= told_turn(before.game, event.command.turn, event.answers["refill"])
    return PublicEvent(public, event.chair, {"draw": event.answers["draw"]})


def _arguments(event: Event) -> Json:
    """What everyone may know of what was asked: a side that was picked is sealed, a nonce too."""
    match command := event.command:
        case Sit(chair, name):
            return {"target": chair, "name": name}
        case ChooseColour(chair, colour):
            return {"target": chair, "colour": colour}
        case AssignChair(chair, player, name):
            return {"target": chair, "player": player, "name": name}
        case Play(turn):
            return {"turn": turn}
        case Vote(chair) | TimeOut(chair):
            return {"target": chair}
        case _:
            return {"table": command.table} if isinstance(command, Rematch) else {}


def told_turn(before: State, text: str, refill: str | None) -> Json:
    """What everyone sees of a legal turn: its round, the tile it took from which space, what it scored.

    What the end of the game adds is not in its points.
    """
    turn = parse_turn(text)
    garden, score = before.gardens[before.to_move], before.scores[before.to_move]
    old, new = score.parts(), turn_score(garden, score, turn).parts()
    return {
        "round": before.round,
        "space": turn.space,
        "tile": write_column(motif_on(before.display, turn.space)),
        "refill": refill,
        "points": {part: new[part] - old[part] for part in ("nobles", "rewards", "boar")},
    }
