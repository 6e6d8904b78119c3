"""What can be asked of a table. One command is one event, or none.

Each says by which right it is given: of who sits on a chair, of who owns the table, of who may join, or of
the house itself, which speaks for computer players and clocks.
"""

from dataclasses import MISSING, asdict, dataclass, field, fields
from enum import Flag, auto
from types import GenericAlias, UnionType
from typing import Any, ClassVar, get_args, get_type_hints

from sanssouci.locale import UserError

from .table_state import IN_GAME, Stage

Json = dict[str, Any]


class Right(Flag):
    """By which right a command is given."""

    JOIN = auto()
    CHAIR = auto()
    OWNER = auto()
    SYSTEM = auto()
    CLEANUP = auto()
    """Of the house too, for a person who is gone."""


@dataclass(frozen=True, slots=True)
class Create:
    """Set up a table: its terms, who sits where at first, and the dealer's commitment.

    One that goes on from a record has that instead of a commitment.
    """

    type: ClassVar = "create"
    right: ClassVar = Right.SYSTEM
    stages: ClassVar = ()
    terms: Json
    chairs: list[Any]
    commitment: str | None
    origin: Json | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an open chair, in a colour of one's own or in one that is left."""

    type: ClassVar = "sit"
    right: ClassVar = Right.JOIN
    stages: ClassVar = (Stage.LOBBY,)
    chair: int
    name: str
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class LeaveChair:
    """Leave the chair before the game starts."""

    type: ClassVar = "rise"
    right: ClassVar = Right.CHAIR | Right.CLEANUP
    stages: ClassVar = (Stage.LOBBY,)


@dataclass(frozen=True, slots=True)
class AssignChair:
    """Give a chair to a computer player, or open it for a person; who sat there has to go."""

    type: ClassVar = "appoint"
    right: ClassVar = Right.OWNER
    stages: ClassVar = (Stage.LOBBY,)
    chair: int
    player: str | None
    name: str


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """Take another colour for the own chair, or as the owner for a computer player's."""

    type: ClassVar = "wear"
    right: ClassVar = Right.CHAIR | Right.OWNER
    stages: ClassVar = (Stage.LOBBY,)
    chair: int
    colour: str


@dataclass(frozen=True, slots=True)
class Ready:
    """The game may start; the nonce goes into the shuffle. When all are ready it does."""

    type: ClassVar = "ready"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.LOBBY,)
    nonce: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unready:
    """Not yet."""

    type: ClassVar = "unready"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.LOBBY,)


@dataclass(frozen=True, slots=True)
class Pick:
    """Pick a side of the own garden or reward board (R9, R12)."""

    type: ClassVar = "pick"
    right: ClassVar = Right.CHAIR | Right.SYSTEM
    stages: ClassVar = (Stage.PICKING,)
    side: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class Play:
    """Play a turn, written as in a record (R14)."""

    type: ClassVar = "play"
    right: ClassVar = Right.CHAIR | Right.SYSTEM
    stages: ClassVar = (Stage.PLAYING,)
    turn: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the own last turn, where only one person plays."""

    type: ClassVar = "take_back"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.PLAYING,)


@dataclass(frozen=True, slots=True)
class Concede:
    """Give the game up."""

    type: ClassVar = "concede"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME


@dataclass(frozen=True, slots=True)
class StepAway:
    """Let a stand-in play."""

    type: ClassVar = "step_away"
    right: ClassVar = Right.CHAIR | Right.CLEANUP
    stages: ClassVar = IN_GAME


@dataclass(frozen=True, slots=True)
class Return:
    """Take the seat back from the stand-in."""

    type: ClassVar = "return"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME


@dataclass(frozen=True, slots=True)
class Vote:
    """Want a stand-in for someone who keeps the others waiting."""

    type: ClassVar = "vote"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = IN_GAME
    chair: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The clock of a chair has run out."""

    type: ClassVar = "time_out"
    right: ClassVar = Right.SYSTEM
    stages: ClassVar = IN_GAME
    chair: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """Agree to end the game without a result; the owner may close a lobby."""

    type: ClassVar = "abandon"
    right: ClassVar = Right.CHAIR | Right.OWNER
    stages: ClassVar = (Stage.LOBBY, *IN_GAME)


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again at a new table, with the start passed on."""

    type: ClassVar = "rematch"
    right: ClassVar = Right.CHAIR
    stages: ClassVar = (Stage.OVER,)
    table: str


Command = (
    Create
    | Sit
    | LeaveChair
    | AssignChair
    | ChooseColour
    | Ready
    | Unready
    | Pick
    | Play
    | TakeBack
    | Concede
    | StepAway
    | Return
    | Vote
    | TimeOut
    | Abandon
    | Rematch
)
COMMANDS: dict[str, type[Command]] = {kind.type: kind for kind in get_args(Command)}
UNDO_COMMANDS: tuple[type[Command], ...] = (LeaveChair, ChooseColour, Unready, TakeBack, StepAway)
"""What makes something be done again from a chair. Without these, and an owner who appoints, a table comes to
its end, whatever people do."""
SIDE_COMMANDS: tuple[type[Command], ...] = (StepAway, Return, Vote, Concede, Abandon)
"""What leaves garden, display and hands as they are: a turn that was thought of before is still the same."""
_ARGUMENTS: dict[type[Command], dict[str, Any]] = {
    kind: {field.name: get_type_hints(kind)[field.name] for field in fields(kind)}
    for kind in get_args(Command)
}
"""The arguments of each kind of command, and their types."""
_OPTIONAL: dict[type[Command], frozenset[str]] = {
    kind: frozenset(field.name for field in fields(kind) if field.default is not MISSING)
    for kind in get_args(Command)
}
"""Those that are left out where they say nothing."""


def write_command(command: Command) -> Json:
    """A command as JSON: its type and its arguments."""
    optional = _OPTIONAL[type(command)]
    said = {
        name: value for name, value in asdict(command).items() if value is not None or name not in optional
    }
    return {"type": command.type, **said}


def parse_command(document: Json) -> Command:
    """The command that a log holds, or ``UserError``."""
    kind = COMMANDS.get(document.get("type", ""))
    arguments = {name: value for name, value in document.items() if name != "type"}
    if kind is None or not _fit(arguments, kind):
        raise UserError("table.unknown_command")
    return kind(**arguments)


def _fit(arguments: Json, kind: type[Command]) -> bool:
    """Whether these are the arguments of a kind of command, each of its type."""
    wanted, optional = _ARGUMENTS[kind], _OPTIONAL[kind]
    return wanted.keys() - optional <= arguments.keys() <= wanted.keys() and all(
        _is_a(value, wanted[name]) for name, value in arguments.items()
    )


def _is_a(value: object, kind: Any) -> bool:
    if isinstance(kind, UnionType):
        return any(_is_a(value, one) for one in get_args(kind))
    plain: Any = kind.__origin__ if isinstance(kind, GenericAlias) else kind
    return isinstance(value, plain) and not isinstance(value, bool)
