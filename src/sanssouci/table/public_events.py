"""Events as clients see them: a public part for everyone, and a private part for the chair that acted.

They are built from an allow-list: arguments and answers of chance that are not named here stay hidden.
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
    public: Json
    chair: int | None = None
    """The chair that may see the private part."""
    own: Json | None = field(default=None, repr=False)

    def to(self, chair: int | None) -> Json:
        """The event for a viewer on a chair, or for a spectator (None)."""
        if self.own is None or chair is None or chair != self.chair:
            return self.public
        return self.public | self.own


def public_event(before: TableState | None, event: Event, after: TableState) -> PublicEvent:
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
    public |= public_turn(before.game, event.command.turn, event.answers["refill"])
    return PublicEvent(public, event.chair, {"draw": event.answers["draw"]})


def _arguments(event: Event) -> Json:
    """The public arguments of the command. Picked sides and nonces are secret."""
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


def public_turn(before: State, text: str, refill: str | None) -> Json:
    """The public part of a legal turn: round, space, tile, refill and points without final scoring."""
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
