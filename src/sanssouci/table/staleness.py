"""When a command is stale: its sender has missed an event that matters for it.

The sender decided on a view. Events that leave the grounds of the decision alone do not make the command
stale; it is then executed on the current state, which may still refuse it. An event of the sender's own chair
always matters: the person has acted elsewhere since, in another window for example.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .commands import (
    Abandon,
    AcceptOffer,
    AssignChair,
    ChooseColour,
    Command,
    Concede,
    DeclineOffer,
    LeaveChair,
    MakeOffer,
    Pick,
    Play,
    Ready,
    Reshuffle,
    Return,
    Reveal,
    Sit,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
)
from .events import Caller, Event

Kinds = tuple[type[Command], ...]


@dataclass(frozen=True, slots=True)
class Tolerance:
    events: Kinds
    """Events of others that do not make the command stale. All other events do."""
    reason: str


_PREPARATION: Kinds = (ChooseColour, Ready, Unready)
_LOBBY: Kinds = (Sit, LeaveChair, AssignChair, Reveal, Reshuffle, *_PREPARATION)
_PRESENCE: Kinds = (StepAway, Return, Vote, TimeOut)
_OFFERS: Kinds = (Abandon, MakeOffer, DeclineOffer)
"""They leave the game alone. An accepted offer may take back turns, pause the game or end it."""
_GAME: Kinds = (Pick, Play, *_PRESENCE, Concede, *_OFFERS, AcceptOffer)

TOLERANCES: dict[type[Command], Tolerance] = {
    Ready: Tolerance(_PREPARATION, "the players are those you have seen"),
    Unready: Tolerance(_LOBBY, "it concerns nobody else"),
    LeaveChair: Tolerance(_LOBBY, "it concerns nobody else"),
    ChooseColour: Tolerance(_LOBBY, "a colour that is taken by now is refused"),
    AssignChair: Tolerance(_PREPARATION, "the people on the chairs are those you have seen"),
    Reveal: Tolerance((Reveal, ChooseColour), "all reveal at the same time, for the same shuffle"),
    Pick: Tolerance((Pick, *_PRESENCE, Concede, *_OFFERS), "all pick at the same time, unseen by the others"),
    Play: Tolerance((StepAway, Return, Vote, Concede, *_OFFERS), "gardens, display and hands are unchanged"),
    TakeBack: Tolerance((Play,), "turns of computer players after yours are taken back too"),
    StepAway: Tolerance(_GAME, "it concerns nobody else"),
    Return: Tolerance(_GAME, "it concerns nobody else"),
    Vote: Tolerance(
        (Pick, StepAway, Vote, TimeOut, Concede, *_OFFERS),
        "people vote at the same time; a person who has acted is no longer awaited",
    ),
    Concede: Tolerance(
        (Pick, *_PRESENCE, MakeOffer, DeclineOffer), "the position and the opponents are unchanged"
    ),
    Abandon: Tolerance(
        (Pick, *_PRESENCE, Abandon, DeclineOffer), "people agree at the same time on the same position"
    ),
    MakeOffer: Tolerance((Pick, Play, *_PRESENCE, DeclineOffer), "the others decide on the table as it is"),
    AcceptOffer: Tolerance(
        (Pick, Play, *_PRESENCE, AcceptOffer),
        "people agree at the same time; a lapsed offer is refused",
    ),
    DeclineOffer: Tolerance(_GAME, "a lapsed offer is refused"),
}
"""By command. A command that is not listed tolerates nothing."""

_NOTHING = Tolerance((), "")


def is_stale(command: Command, caller: Caller, missed: Iterable[Event]) -> bool:
    """Whether one of the events that the caller has missed matters for the command."""
    tolerated = TOLERANCES.get(type(command), _NOTHING).events
    return any(not isinstance(event.command, tolerated) or _is_own(event, caller) for event in missed)


def _is_own(event: Event, caller: Caller) -> bool:
    """Whether the caller has acted from the same chair; a stand-in's turns do not count."""
    return not event.system and caller.chair is not None and event.chair == caller.chair
