"""What is told of an event: to everyone the same, and a little more to whoever it concerns.

Built from an allow-list: an argument or an answer of chance that is not named here is not told.
"""

from dataclasses import dataclass, field
from typing import Any

from sanssouci.notation import write_column
from sanssouci.rules import motif_on, turn_score

from .commands import Appoint, Play, Rematch, Sit, TimeOut, Vote
from .events import Event
from .standing import Standing

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Telling:
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


def tell(before: Standing | None, event: Event, after: Standing) -> Telling:
    """An event for those at the table: what was done, and what everyone sees of what came of it."""
    public: Json = {
        "seq": event.seq,
        "at": event.at,
        "type": event.command.type,
        "chair": event.chair,
        "house": event.house,
        "stage": after.stage.value,
        **_arguments(event),
    }
    if isinstance(event.command, Vote):
        public["carried"] = after.chairs[event.command.chair].away
    if not isinstance(event.command, Play):
        return Telling(public)
    assert before is not None, "a turn follows the creation of its table"
    public |= {**_taken(before, after), "refill": event.answers["refill"], "points": _points(before, after)}
    return Telling(public, event.chair, {"draw": event.answers["draw"]})


def _arguments(event: Event) -> Json:
    """What everyone may know of what was asked: a side that was picked is sealed, a nonce too."""
    match event.command:
        case Sit(chair, name):
            return {"target": chair, "name": name}
        case Appoint(chair, player, name):
            return {"target": chair, "player": player, "name": name}
        case Play(turn):
            return {"turn": turn}
        case Vote(chair) | TimeOut(chair):
            return {"target": chair}
        case Rematch(table):
            return {"table": table}
        case _:
            return {}


def _taken(before: Standing, after: Standing) -> Json:
    """The round of the turn, and the tile that it took from which space."""
    state, space = before.state, after.turns[-1].space
    assert state is not None, "a turn was played"
    return {"round": state.round, "space": space, "tile": write_column(motif_on(state.display, space))}


def _points(before: Standing, after: Standing) -> Json:
    """What the turn scored, part by part; what the end of the game adds is not in it."""
    state = before.state
    assert state is not None, "a turn was played"
    garden, score = state.gardens[state.to_move], state.scores[state.to_move]
    old, new = score.parts(), turn_score(garden, score, after.turns[-1]).parts()
    return {part: new[part] - old[part] for part in ("nobles", "rewards", "boar")}
