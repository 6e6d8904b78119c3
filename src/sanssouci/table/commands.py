"""Commands: everything that can be asked of a table. One command makes one event, or none.

Each command is defined once: the same class reads what clients send, what the event log holds, and describes
itself in the API's schema. Its docstrings are the descriptions there.
"""

from dataclasses import dataclass, field, fields
from enum import Flag, auto
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field, Strict, TypeAdapter, ValidationError

from sanssouci.locale import UserError
from sanssouci.notation.json_types import ChairNumber
from sanssouci.notation.typed_reader import build_validator

from .chairs import ChairJson, ColourName
from .settings import SettingsJson
from .table_state import IN_GAME, OfferKind, Stage

Json = dict[str, Any]

PlayerName = Annotated[str, Strict(), Field(min_length=1, max_length=60)]
ChairName = Annotated[str, Strict(), Field(max_length=200)]
OfferNumber = Annotated[int, Strict(), Field(ge=1)]
"""The number of an offer, as the view has it."""


class Right(Flag):
    """The rights by which a command can be given."""

    JOIN = auto()
    """The caller may take an open chair."""
    CHAIR = auto()
    """The caller sits on a chair."""
    OWNER = auto()
    """The caller owns the table."""
    SYSTEM = auto()
    """The server acts on its own account, or for a computer player or stand-in."""
    CLEANUP = auto()
    """The server acts for a guest who was deleted."""


def _require_type(schema: Json) -> None:
    """Clients must send the type, although the dataclass has a default for it."""
    schema["required"] = ["type", *schema.get("required", ())]
    del schema["properties"]["type"]["default"]


class _Command:
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", json_schema_extra=_require_type)


@dataclass(frozen=True)
class Create(_Command):
    """Set up a table: its settings, its chairs, and the dealer's commitment or the record it continues."""

    right: ClassVar = Right.SYSTEM
    stages: ClassVar[tuple[Stage, ...]] = ()
    terms: SettingsJson
    chairs: list[ChairJson]
    commitment: Annotated[str, Strict()] | None
    origin: Json | None = field(default=None, repr=False)
    scheme: Literal["fair/2", "fair/3"] | None = None
    """None for ``fair/1``, as in all logs from before ``fair/2``."""
    type: Literal["create"] = "create"


@dataclass(frozen=True)
class Sit(_Command):
    """Take an open chair, in a chosen colour or a free one."""

    right: ClassVar = Right.JOIN
    stages: ClassVar = (Stage.LOBBY,)
    chair: ChairNumber
    name: ChairName
    colour: ColourName | None = None
    missed: Annotated[int, Strict(), Field(ge=1)] | None = None
    """How many shuffles at this table were given up because of the person; None for none of them."""
    type: Literal["sit"] = "sit"


@dataclass(frozen=True)
class LeaveChair(_Command):
    """Leave the chair before the game starts."""

    right: ClassVar = Right.CHAIR | Right.CLEANUP
    stages: ClassVar = (Stage.LOBBY,)
    type: Literal["rise"] = "rise"


@dataclass(frozen=True)
class AssignChair(_Command):
    """The owner gives a chair to a computer player, or opens it. A person who sat there has to leave."""

    right: ClassVar = Right.OWNER
    stages: ClassVar = (Stage.LOBBY,)
    chair: ChairNumber
    """A chair, counted from 0."""
    player: PlayerName | None
    """A computer player that /api/players lists, or null to open the chair."""
    name: ChairName = ""
    """Its name at the table; empty for its usual name."""
    type: Literal["appoint"] = "appoint"


@dataclass(frozen=True)
class ChooseColour(_Command):
    """Choose another colour for your chair before the game starts, or, as the owner, for a computer player.

    A person's colour is refused. A computer player who has the colour swaps with you.
    """

    right: ClassVar = Right.CHAIR | Right.OWNER
    stages: ClassVar = (Stage.LOBBY,)
    chair: ChairNumber
    """A chair, counted from 0."""
    colour: ColourName
    """The new colour."""
    type: Literal["wear"] = "wear"


@dataclass(frozen=True)
class Ready(_Command):
    """Be ready for the game to start. Once all people are ready, they reveal their nonces, and it starts."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.LOBBY,)
    nonce: Annotated[str, Strict(), Field(pattern="^([0-9a-f]{2}){8,32}$")] | None = field(
        default=None, repr=False
    )
    """Only at a table of the scheme `fair/1`: 8 to 32 random bytes in lower-case hex."""
    commitment: Annotated[str, Strict(), Field(pattern="^[0-9a-f]{64}$")] | None = None
    """Your commitment to a nonce (see Fairness)."""
    type: Literal["ready"] = "ready"


@dataclass(frozen=True)
class Reveal(_Command):
    """Reveal the nonce that you have committed to. The game starts with the last one."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.LOBBY,)
    nonce: Annotated[str, Strict(), Field(pattern="^([0-9a-f]{2}){16,32}$")] = field(repr=False)
    """16 to 32 random bytes in lower-case hex. They go into the shuffle."""
    type: Literal["reveal"] = "reveal"


@dataclass(frozen=True)
class Reshuffle(_Command):
    """Give up a shuffle for which people have not revealed their nonces in time."""

    right: ClassVar = Right.SYSTEM
    stages: ClassVar = (Stage.LOBBY,)
    type: Literal["reshuffle"] = "reshuffle"


@dataclass(frozen=True)
class Unready(_Command):
    """Be no longer ready."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.LOBBY,)
    type: Literal["unready"] = "unready"


@dataclass(frozen=True)
class Pick(_Command):
    """Pick a side of your board: of the garden, later of the reward board (R9, R12)."""

    right: ClassVar = Right.CHAIR | Right.SYSTEM
    stages: ClassVar = (Stage.PICKING,)
    side: Annotated[int, Strict(), Field(ge=0, le=1)] = field(repr=False)
    """An index of your board's sides in `setup`."""
    type: Literal["pick"] = "pick"


@dataclass(frozen=True)
class Play(_Command):
    """Play a turn, written as in a record: ``36@2-g3/g3`` (R14)."""

    right: ClassVar = Right.CHAIR | Right.SYSTEM
    stages: ClassVar = (Stage.PLAYING,)
    turn: Annotated[str, Strict(), Field(min_length=6, max_length=20)]
    """Put together from the view's `options`."""
    type: Literal["play"] = "play"


@dataclass(frozen=True)
class TakeBack(_Command):
    """Take back your last turn and the turns after it, if you are the only person at the table."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.PLAYING,)
    type: Literal["take_back"] = "take_back"


@dataclass(frozen=True)
class Concede(_Command):
    """Give up the game."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    type: Literal["concede"] = "concede"


@dataclass(frozen=True)
class StepAway(_Command):
    """Let a stand-in play for you. The game pauses while all people are away."""

    right: ClassVar = Right.CHAIR | Right.CLEANUP
    stages: ClassVar = IN_GAME
    type: Literal["step_away"] = "step_away"


@dataclass(frozen=True)
class Return(_Command):
    """Take your seat back from the stand-in."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    type: Literal["return"] = "return"


@dataclass(frozen=True)
class Vote(_Command):
    """Vote for a stand-in for a person who keeps the others waiting."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    chair: ChairNumber
    """The person's chair, counted from 0."""
    type: Literal["vote"] = "vote"


@dataclass(frozen=True)
class TimeOut(_Command):
    """End the turn of a person whose clock has run out."""

    right: ClassVar = Right.SYSTEM
    stages: ClassVar = IN_GAME
    chair: ChairNumber
    type: Literal["time_out"] = "time_out"


@dataclass(frozen=True)
class Abandon(_Command):
    """Agree to end the game without a result. The owner closes a lobby with it.

    It makes the offer to end the game, or accepts it; made this way, it lapses with any turn.
    """

    right: ClassVar = Right.CHAIR | Right.OWNER
    stages: ClassVar = (Stage.LOBBY, *IN_GAME)
    type: Literal["abandon"] = "abandon"


@dataclass(frozen=True)
class MakeOffer(_Command):
    """Ask the other people to end the game without a result, to pause it, or to take back your last turn.

    It happens once everyone has agreed. Without an answer, the offer lapses with a person's next turn.
    """

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    what: OfferKind
    """What you ask for; the view's `you.offers` lists what is possible now."""
    type: Literal["offer"] = "offer"


@dataclass(frozen=True)
class AcceptOffer(_Command):
    """Agree to the open offer."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    offer: OfferNumber
    """Its number in the view."""
    type: Literal["accept"] = "accept"


@dataclass(frozen=True)
class DeclineOffer(_Command):
    """Decline the open offer, or withdraw your own. It can be made again after a person's next turn."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    offer: OfferNumber
    """Its number in the view."""
    type: Literal["decline"] = "decline"


@dataclass(frozen=True)
class RequestRematch(_Command):
    """Play again at a new table, with the start passed on."""

    type: Literal["rematch"] = "rematch"


@dataclass(frozen=True)
class Rematch(_Command):
    """A requested rematch, with the table that the server has set up for it."""

    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.OVER,)
    table: Annotated[str, Strict()]
    type: Literal["rematch"] = "rematch"


_ClientCommand = (
    Ready
    | Reveal
    | Unready
    | LeaveChair
    | AssignChair
    | ChooseColour
    | Pick
    | Play
    | TakeBack
    | Concede
    | StepAway
    | Return
    | Vote
    | Abandon
    | MakeOffer
    | AcceptOffer
    | DeclineOffer
)
CommandType = Literal[
    "abandon",
    "accept",
    "appoint",
    "concede",
    "decline",
    "offer",
    "pick",
    "play",
    "ready",
    "rematch",
    "return",
    "reveal",
    "rise",
    "step_away",
    "take_back",
    "unready",
    "vote",
    "wear",
]
PermittedCommand = _ClientCommand | Rematch
ClientCommand = _ClientCommand | RequestRematch
"""The commands that clients may send. The server gives the others."""
Command = _ClientCommand | Create | Sit | Reshuffle | TimeOut | Rematch
COMMANDS: dict[str, type[Command]] = {kind.type: kind for kind in get_args(Command)}
UNDO_COMMANDS: tuple[type[Command], ...] = (
    LeaveChair,
    ChooseColour,
    Unready,
    TakeBack,
    StepAway,
    MakeOffer,
)
"""Commands after which something can be done again from a chair. They have a limit, and so has the owner's
``appoint``; every table comes to an end without them."""
_OPTIONAL: dict[type[Command], frozenset[str]] = {
    kind: frozenset(field.name for field in fields(kind) if field.default is None)
    for kind in get_args(Command)
}
"""Arguments that are left out of the log where they are None."""


def write_command(command: Command) -> Json:
    optional = _OPTIONAL[type(command)]
    return {name: value for name, value in vars(command).items() if value is not None or name not in optional}


def parse_command(document: object) -> Command:
    """The command in an event log, or ``UserError``."""
    try:
        return _commands().validate_python(document)
    except ValidationError:
        raise UserError("table.unknown_command") from None  # the error would quote secrets


@cache
def _commands() -> TypeAdapter[Command]:
    return build_validator(Annotated[Command, Field(discriminator="type")])
