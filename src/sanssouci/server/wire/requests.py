"""What is said to the server: the bodies of requests and the messages of a socket, checked at the edge.

A field that is not known is refused, and so is a number written as text: nothing is guessed.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sanssouci.table import ClientCommand, ColourName

PROTOCOL = 1
"""The version of the protocol: another one if something comes to mean something else."""

CommandId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="Drawn at random by the client, new for each command; the same again only to repeat it.",
    ),
]
ExpectedSeq = Annotated[
    int,
    Field(
        ge=-1,
        le=1_000_000,
        description="The table's `seq` as you know it. If it is another one, the command is refused.",
    ),
]
Place = Annotated[int, Field(ge=0, le=3, description="A chair, counted from 0.")]
OwnPlace = Annotated[
    Annotated[int, Field(ge=0, le=3)] | None,
    Field(description="One of your chairs; needed only if you hold several at this table."),
]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="Cleaned of signs that cannot be seen, and cut after 24 characters.",
    ),
]
PlayerName = Annotated[
    str, Field(min_length=1, max_length=60, description="One of those that /api/players lists.")
]


class RequestModel(BaseModel):
    """What all messages have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


AnyCommand = Annotated[ClientCommand, Field(discriminator="type", description="The command.")]


# bodies of requests


class GuestBody(RequestModel):
    """A guest chooses a name. With ``cookie`` the answer sets one; without, it holds the token as text."""

    name: Name
    cookie: Annotated[
        bool, Field(description="Programs say false and get the token as text; browsers get a cookie.")
    ] = True


class NameBody(RequestModel):
    """A guest chooses another name."""

    name: Name


class ClockBody(RequestModel):
    """How long a person may think about a turn: no limit, so many seconds, or so many days."""

    pace: Annotated[
        Literal["none", "turn", "days"], Field(description="No limit, seconds a turn, or days a turn.")
    ] = "none"
    amount: Annotated[
        int, Field(ge=0, le=100_000, description="0 for none, 5 to 21600 seconds, 1 to 30 days.")
    ] = 0


class ChairBody(RequestModel):
    """Who sits on a chair at first. People who are named here play at your screen: the chairs are yours."""

    sitter: Annotated[
        Literal["person", "computer", "open"],
        Field(description="A person (the chair is yours), a computer player, or open for whoever joins."),
    ]
    name: Annotated[
        str,
        Field(
            max_length=200,
            description="Cleaned as yours is; for an open chair it is ignored. Empty: a computer player has"
            " its own name; the first person without one gets yours, unless another person was given it here,"
            " and the others are `Player 2` and so on, in your language.",
        ),
    ] = ""
    player: Annotated[
        PlayerName | None, Field(description="Which computer player; needed for one, ignored for others.")
    ] = None
    colour: Annotated[
        ColourName | None,
        Field(description="No two chairs may have the same; null is one that is left, in their order."),
    ] = None


class OriginBody(RequestModel):
    """A record to go on from: the game is as it was after a turn, and the rest is drawn as the record has it.

    Edition, expansions and who starts are the record's, whatever else is said; chairs are its seats. One
    person plays at most, against computer players, and the game begins at once.
    """

    record: Annotated[
        dict[str, Any],
        Field(
            description="As docs/notation.md has it; fields that the format does not need can be left out."
        ),
    ]
    turn: Annotated[int, Field(ge=0, le=71, description="So many of its turns count as played.")]


class TableBody(RequestModel):
    """A table is set up."""

    chairs: Annotated[
        list[ChairBody], Field(min_length=2, max_length=4, description="Two to four, in their order.")
    ]
    edition: Annotated[
        Literal["ravensburger", "imperial"], Field(description="Which edition of the game.")
    ] = "ravensburger"
    expansions: Annotated[
        list[Literal["rewards", "wild_boar"]],
        Field(max_length=2, description="The wild boar is in the imperial edition only."),
    ] = []
    boards: Annotated[
        str | None,
        Field(max_length=60, description="A set that /api/editions names; null is the edition's own."),
    ] = None
    boards_file: Annotated[
        str | None,
        Field(
            max_length=12_000, description="The text of a boards file of your own (TOML), instead of that."
        ),
    ] = None
    clock: Annotated[ClockBody, Field(description="How long a person may think about a turn.")] = ClockBody()
    hints: Annotated[bool, Field(description="Whether hints may be asked for.")] = True
    visibility: Annotated[
        Literal["open", "link"],
        Field(description="Listed, and anyone may join or watch; or only who has a link."),
    ] = "link"
    first: Annotated[Place | None, Field(description="The chair that starts; null draws it.")] = None
    origin: Annotated[
        OriginBody | None, Field(alias="from", description="A record to go on from; null is a new game.")
    ] = None


class JoinBody(RequestModel):
    """Take an open chair: that one, or the first."""

    name: Annotated[Name | None, Field(description="Your name at this table; null is your own.")] = None
    chair: Annotated[Place | None, Field(description="A chair that is open; null is the first.")] = None
    colour: Annotated[
        ColourName | None,
        Field(description="A colour that no person at the table has; null is one that is left."),
    ] = None


class CommandBody(RequestModel):
    """A command by HTTP."""

    command_id: CommandId
    expected_seq: ExpectedSeq
    command: AnyCommand
    chair: OwnPlace = None


class TicketBody(RequestModel):
    """A ticket opens one socket, once, within half a minute."""

    chair: OwnPlace = None
    watch: Annotated[bool, Field(description="Leave your own chair aside and see what spectators see.")] = (
        False
    )


class HintBody(RequestModel):
    """A hint for one of your chairs."""

    chair: OwnPlace = None


# what is said on a socket


class Hello(RequestModel):
    """The first message on a socket."""

    type: Literal["hello"]
    ticket: Annotated[str, Field(min_length=1, max_length=100, description="Fresh from /api/…/tickets.")]
    seq: Annotated[
        int, Field(ge=-1, le=1_000_000, description="The last event that you have; -1 if you have none.")
    ] = -1
    language: Annotated[
        Literal["en", "de", "fr", "es"], Field(description="Of the sentences in refusals.")
    ] = "en"


class SocketCommand(RequestModel):
    """A command. It is answered by ``done`` or ``refused`` with the same id."""

    type: Literal["command"]
    command_id: CommandId
    expected_seq: ExpectedSeq
    command: AnyCommand


class Ping(RequestModel):
    """A question whether the line still holds. It is answered by ``pong``."""

    type: Literal["ping"]


class CommandHead(RequestModel):
    """What a message must have to be answered, whatever else is wrong with it."""

    model_config = ConfigDict(extra="ignore")
    type: Literal["command"]
    command_id: CommandId
