"""Events as clients see them: a public part for everyone, and a private part for the chair that acted.

They are built from an allow-list: arguments and answers of chance that are not named here stay hidden.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from sanssouci.notation import parse_turn, write_column
from sanssouci.notation.json_types import (
    CardText,
    ChairNumber,
    JsonObject,
    MotifText,
    Round,
    Seq,
    SpaceNumber,
    TableId,
    Timestamp,
    TurnText,
)
from sanssouci.rules import State, motif_on, turn_score

from .chairs import ColourName
from .commands import (
    AcceptOffer,
    AssignChair,
    ChooseColour,
    DeclineOffer,
    MakeOffer,
    Play,
    Rematch,
    Reshuffle,
    Sit,
    TimeOut,
    Vote,
)
from .events import Event
from .table_state import OfferKind, TableState
from .views import StageName


class EventFields(JsonObject):
    seq: Seq
    """Its number; the first event of a table has 0."""
    at: Timestamp
    """When it happened."""
    chair: ChairNumber | None
    """The chair that acted, or for which the server acted; null if there is none."""
    house: bool
    """Whether the server acted: for a computer player, a stand-in or a clock."""
    stage: StageName
    """The stage of the table after the event."""


class PlainEvent(EventFields):
    """An event without further fields; the view shows its effect."""

    type: Literal[
        "create",
        "rise",
        "ready",
        "unready",
        "reveal",
        "pick",
        "take_back",
        "concede",
        "step_away",
        "return",
        "abandon",
    ]


class _TargetFields(EventFields):
    target: ChairNumber
    """The chair concerned."""


class SitEvent(_TargetFields):
    """Somebody has taken an open chair."""

    type: Literal["sit"]
    name: str
    """The display name."""


class ChairAssignedEvent(_TargetFields):
    """The owner has assigned a chair to a computer player, or opened it."""

    type: Literal["appoint"]
    player: str | None
    """The computer player; null if the chair is open now."""
    name: str
    """Its display name."""


class ColourChangedEvent(_TargetFields):
    """A chair has another colour; a computer player that had it has swapped."""

    type: Literal["wear"]
    colour: ColourName
    """The new colour."""


class Points(JsonObject):
    """The points of a turn, without final scoring."""

    nobles: int
    """For the noble."""
    rewards: int
    """From the reward board."""
    boar: int
    """From the boar."""


class TurnFields(JsonObject):
    """The public part of a turn."""

    round: Round
    """The round of the turn, from 1."""
    space: SpaceNumber
    """The space of the display that the tile was taken from."""
    tile: MotifText
    """That tile, placed or turned over to be a gardener."""
    refill: MotifText | None
    """The tile that refilled the space; null if the pouch is empty."""
    points: Points


class PlayEvent(EventFields, TurnFields):
    """A turn was played."""

    type: Literal["play"]
    turn: TurnText
    """The turn."""
    draw: NotRequired[CardText | None]
    """The card you drew, in turns of your own chair only (missing in others'); null if your pile is empty."""


class VoteEvent(_TargetFields):
    """Somebody has voted for a stand-in on a chair."""

    type: Literal["vote"]
    carried: bool
    """Whether the vote has passed, so that a stand-in plays there now."""


class OfferEvent(EventFields):
    """Somebody has made an offer."""

    type: Literal["offer"]
    what: OfferKind
    """What was offered."""


class OfferAnsweredEvent(_TargetFields):
    """Somebody has answered the offer of the chair `target`, or withdrawn it."""

    type: Literal["accept", "decline"]
    what: OfferKind
    """What was offered."""
    carried: bool
    """Whether everyone has agreed, so that it has happened. The turns of `take_back` are those since the last
    turn of `target`."""


class TimeOutEvent(_TargetFields):
    """The clock of a chair has run out, and a stand-in plays."""

    type: Literal["time_out"]


class ReshuffleEvent(EventFields):
    """A shuffle was given up, because people did not reveal their nonces in time. Nothing was dealt."""

    type: Literal["reshuffle"]
    missing: list[ChairNumber]
    """The chairs that did not reveal a nonce."""
    opened: list[ChairNumber]
    """Those among them that are open now, because it was not the first time."""


class RematchEvent(EventFields):
    """The same people play again."""

    type: Literal["rematch"]
    table: TableId
    """The new table; your token and links open it too."""


AnyEvent = Annotated[
    PlainEvent
    | SitEvent
    | ChairAssignedEvent
    | ColourChangedEvent
    | PlayEvent
    | VoteEvent
    | OfferEvent
    | OfferAnsweredEvent
    | TimeOutEvent
    | ReshuffleEvent
    | RematchEvent,
    Field(discriminator="type"),
]


class _OwnFields(TypedDict):
    """The part of a ``PlayEvent`` that only its chair sees."""

    draw: str | None


@dataclass(frozen=True, slots=True)
class PublicEvent:
    public: AnyEvent
    chair: int | None = None
    """The chair that may see the private part."""
    own: _OwnFields | None = field(default=None, repr=False)

    def to(self, chair: int | None) -> AnyEvent:
        """The event for a viewer on a chair, or for a spectator (None)."""
        if self.own is None or chair is None or chair != self.chair:
            return self.public
        return {**cast(PlayEvent, self.public), **self.own}


def public_event(before: TableState | None, event: Event, after: TableState) -> PublicEvent:
    """The event with the public arguments of its command. Picked sides and nonces are secret."""
    common: EventFields = {
        "seq": event.seq,
        "at": event.at,
        "chair": event.chair,
        "house": event.system,
        "stage": after.stage.value,
    }
    public: AnyEvent
    match command := event.command:
        case Sit(chair, name):
            public = {**common, "type": "sit", "target": chair, "name": name}
        case ChooseColour(chair, colour):
            public = {**common, "type": "wear", "target": chair, "colour": colour}
        case AssignChair(chair, player, name):
            public = {**common, "type": "appoint", "target": chair, "player": player, "name": name}
        case Vote(chair):
            public = {**common, "type": "vote", "target": chair, "carried": after.chairs[chair].away}
        case MakeOffer(what):
            public = {**common, "type": "offer", "what": what}
        case AcceptOffer() | DeclineOffer():
            assert before is not None and before.offer is not None, "it answers an open offer"
            offer, kind = before.offer, command.type
            carried = kind == "accept" and (after.offer is None or after.ending is not None)
            public = {**common, "type": kind, "target": offer.chair, "what": offer.what, "carried": carried}
        case TimeOut(chair):
            public = {**common, "type": "time_out", "target": chair}
        case Reshuffle():
            assert before is not None, "a table was created before"
            missing = list(before.waiting)
            opened = [chair for chair in missing if not after.chairs[chair].is_person]
            public = {**common, "type": "reshuffle", "missing": missing, "opened": opened}
        case Rematch(table):
            public = {**common, "type": "rematch", "table": table}
        case Play(turn):
            assert before is not None and before.game is not None, "a turn follows the first hands"
            shown = public_turn(before.game, turn, event.answers["refill"])
            played: PlayEvent = {**common, "type": "play", "turn": turn, **shown}  # type: ignore[typeddict-item]
            return PublicEvent(played, event.chair, {"draw": event.answers["draw"]})
        case _:
            public = {**common, "type": command.type}
    return PublicEvent(public)


def public_turn(before: State, text: str, refill: str | None) -> TurnFields:
    """The public part of a legal turn: round, space, tile, refill and points without final scoring."""
    turn = parse_turn(text)
    garden, score = before.gardens[before.to_move], before.scores[before.to_move]
    new = turn_score(garden, score, turn)
    return {
        "round": before.round,
        "space": turn.space,
        "tile": write_column(motif_on(before.display, turn.space)),
        "refill": refill,
        "points": {
            "nobles": new.nobles - score.nobles,
            "rewards": new.rewards - score.rewards,
            "boar": new.boar - score.boar,
        },
    }
