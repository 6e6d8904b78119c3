"""Request bodies, and the messages that clients send on a socket.

Unknown fields are refused, and so is a number written as text. ``parse_json`` has made an integer of ``1.0``.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sanssouci.notation.json_types import ChairNumber
from sanssouci.table import ChairName, ClientCommand, ColourName, PlayerName

PROTOCOL = 2
"""The version of the protocol; it changes when the meaning of a message does."""

CommandId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="A random id, new for each command; the same again only to repeat the command.",
    ),
]
ExpectedSeq = Annotated[
    int,
    Field(
        ge=-1,
        le=1_000_000,
        description="The `seq` of the table as you know it; the command is refused if an event that matters"
        " for it has happened since.",
    ),
]
OwnChair = Annotated[
    ChairNumber | None,
    Field(description="One of your chairs; needed only if you hold several at this table."),
]
OwnName = Annotated[
    ChairName,
    Field(
        min_length=1,
        description="Invisible characters are removed, and the rest is cut after 24 characters.",
    ),
]
AnyCommand = Annotated[ClientCommand, Field(discriminator="type", description="The command.")]


class RequestModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# Bodies.


class GuestBody(RequestModel):
    """Choose a name and become a guest."""

    name: OwnName
    cookie: bool = True
    """Browsers get a cookie. Programs send false and get the token as text."""


class NameBody(RequestModel):
    """Choose another name."""

    name: OwnName


class ClockBody(RequestModel):
    """The time limit of a person's turn."""

    pace: Literal["none", "turn", "days"] = "none"
    """No limit, seconds per turn, or days per turn."""
    amount: Annotated[int, Field(ge=0, le=100_000)] = 0
    """0 for no limit, 5 to 21600 seconds, or 1 to 30 days."""


class ChairBody(RequestModel):
    """A chair of a new table. Chairs of people belong to you; they play at your screen."""

    sitter: Literal["person", "computer", "open"]
    """A person, a computer player, or open for anyone who joins."""
    name: ChairName = ""
    """Cleaned like your own; ignored for an open chair. If empty, a computer player has its usual name, the
    first person without a name gets yours unless another person has it, and others are `Player 2` and so on,
    in your language."""
    player: PlayerName | None = None
    """A player that /api/players lists; ignored for other chairs."""
    colour: ColourName | None = None
    """Unique at the table; null for the first free one."""


class OriginBody(RequestModel):
    """A record to continue from a turn; later chance follows the record.

    Edition, expansions and the first seat are those of the record, and the chairs are its seats. At most one
    person plays, against computer players, and the game starts at once.
    """

    record: dict[str, Any]
    """A record as in docs/notation.md; optional fields may be left out."""
    turn: Annotated[int, Field(ge=0, le=71)]
    """The number of its turns that count as played."""


class TableBody(RequestModel):
    """Create a table."""

    chairs: Annotated[list[ChairBody], Field(min_length=2, max_length=4)]
    """Two to four chairs."""
    edition: Literal["ravensburger", "imperial"] = "ravensburger"
    """The edition."""
    expansions: Annotated[list[Literal["rewards", "wild_boar"]], Field(max_length=2)] = []
    """The wild boar needs the imperial edition."""
    boards: Annotated[str | None, Field(max_length=60)] = None
    """A set of boards that /api/editions lists; null for that of the edition."""
    boards_file: Annotated[str | None, Field(max_length=12_000)] = None
    """The text of your own boards file (TOML), instead of `boards`."""
    clock: ClockBody = ClockBody()
    """The time limit of a person's turn."""
    hints: bool = True
    """Whether hints are allowed."""
    visibility: Literal["open", "link"] = "link"
    """`open`: listed, and anyone may join or watch; `link`: only with a link."""
    first: ChairNumber | None = None
    """The chair that starts; null to draw it."""
    origin: Annotated[OriginBody | None, Field(alias="from")] = None
    """A record to continue; null for a new game."""


class JoinBody(RequestModel):
    """Take an open chair."""

    name: OwnName | None = None
    """Your name at this table; null for your own."""
    chair: ChairNumber | None = None
    """An open chair; null for the first."""
    colour: ColourName | None = None
    """A colour that no person at the table has; null for a free one."""


class CommandBody(RequestModel):
    """A command by HTTP."""

    command_id: CommandId
    expected_seq: ExpectedSeq
    command: AnyCommand
    chair: OwnChair = None


class TicketBody(RequestModel):
    """Request a ticket, which opens one socket within half a minute."""

    chair: OwnChair = None
    watch: bool = False
    """Watch as a spectator even if you hold a chair."""


class HintBody(RequestModel):
    """Request a hint for one of your chairs."""

    chair: OwnChair = None


# Messages on a socket.


class Hello(RequestModel):
    """The first message on a socket."""

    type: Literal["hello"]
    ticket: Annotated[str, Field(min_length=1, max_length=100)]
    """A new ticket."""
    seq: Annotated[int, Field(ge=-1, le=1_000_000)] = -1
    """The last event that you have; -1 for none."""
    language: Literal["en", "de", "fr", "es"] = "en"
    """The language of sentences in refusals."""
    presence: bool = False
    """Whether to send `presence` and `nudge` messages."""


class SocketCommand(RequestModel):
    """A command, answered by `done` or `refused` with the same id."""

    type: Literal["command"]
    command_id: CommandId
    expected_seq: ExpectedSeq
    command: AnyCommand


class Ping(RequestModel):
    """A heartbeat, answered by `pong`."""

    type: Literal["ping"]


class Nudge(RequestModel):
    """Remind a person that the others wait.

    It is ignored unless the table has waited 20 seconds for this person. For 30 seconds after a nudge,
    another one reaches nobody; only its sender gets the first one again.
    """

    type: Literal["nudge"]
    chair: ChairNumber
    """The person's chair."""


class CommandEnvelope(RequestModel):
    """The fields that are needed to refuse a malformed command."""

    model_config = ConfigDict(extra="ignore")
    type: Literal["command"]
    command_id: CommandId
