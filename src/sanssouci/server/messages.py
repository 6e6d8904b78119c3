"""What is said to the server: the bodies of requests and the messages of a socket, checked at the edge.

A field that is not known is refused, and so is a number written as text: nothing is guessed.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sanssouci.table import Command, Rematch, parse_command

CommandId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Chosen by the client, new for each command.")
]
Place = Annotated[int, Field(ge=0, le=3, description="A chair, counted from 0.")]
Name = Annotated[str, Field(min_length=1, max_length=200)]
PlayerName = Annotated[
    str, Field(min_length=1, max_length=60, description="One of those that /api/players lists.")
]


class Message(BaseModel):
    """What all messages have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# commands


class ReadyCommand(Message):
    """The game may start. The nonce goes into the shuffle: draw it at random, having seen the commitment."""

    type: Literal["ready"]
    nonce: Annotated[str, Field(pattern="^([0-9a-f]{2}){8,32}$")]


class AppointCommand(Message):
    """The owner gives a chair to a computer player, or (null) opens it; a person who sat there has to go."""

    type: Literal["appoint"]
    chair: Place
    player: PlayerName | None
    name: Annotated[str, Field(max_length=200)] = ""


class PickCommand(Message):
    """Pick a side of the own board, 0 or 1: of the garden, later of the reward board (R9, R12)."""

    type: Literal["pick"]
    side: Annotated[int, Field(ge=0, le=1)]


class PlayCommand(Message):
    """Play a turn, written as in a record: ``36@2-g3/g3`` (R14)."""

    type: Literal["play"]
    turn: Annotated[str, Field(min_length=6, max_length=20)]


class VoteCommand(Message):
    """Vote for a stand-in for a person who keeps the others waiting."""

    type: Literal["vote"]
    chair: Place


class PlainCommand(Message):
    """A command without arguments.

    - ``unready``: not ready after all; ``rise``: leave the chair before the game starts
    - ``take_back``: take back the own last turn and what followed, where only one person plays
    - ``step_away``: let a stand-in play; ``return``: take the seat back
    - ``concede``: give the game up; ``abandon``: agree to end it without a result (the owner: close a lobby)
    - ``rematch``: play again at a new table, with the start passed on; the view then names it
    """

    type: Literal["unready", "rise", "take_back", "step_away", "return", "concede", "abandon", "rematch"]


AnyCommand = Annotated[
    ReadyCommand | AppointCommand | PickCommand | PlayCommand | VoteCommand | PlainCommand,
    Field(discriminator="type"),
]


def to_command(message: AnyCommand) -> Command:
    """The table's command that a message names: it has the same fields."""
    if message.type == "rematch":
        return Rematch("")  # which table it will be the server says
    return parse_command(message.model_dump())


# bodies of requests


class NewGuest(Message):
    """A guest chooses a name. With ``cookie`` the answer sets one; without, it holds the token as text."""

    name: Name
    cookie: bool = True


class NewName(Message):
    """A guest chooses another name."""

    name: Name


class NewClock(Message):
    """How long a person may think about a turn: no limit, so many seconds, or so many days."""

    pace: Literal["none", "turn", "days"] = "none"
    amount: Annotated[int, Field(ge=0, le=100_000)] = 0


class NewChair(Message):
    """Who sits on a chair at first. People who are named here play at your screen: the chairs are yours."""

    sitter: Literal["person", "computer", "open"]
    name: Annotated[str, Field(max_length=200)] = ""
    player: PlayerName | None = None


class NewTable(Message):
    """A table is set up."""

    chairs: Annotated[list[NewChair], Field(min_length=2, max_length=4)]
    edition: Literal["ravensburger", "imperial"] = "ravensburger"
    expansions: Annotated[list[Literal["rewards", "wild_boar"]], Field(max_length=2)] = []
    boards: Annotated[
        str | None, Field(max_length=60, description="A set by name; null is the edition's own.")
    ] = None
    boards_file: Annotated[
        str | None, Field(max_length=12_000, description="A boards file of your own, instead.")
    ] = None
    clock: NewClock = NewClock()
    hints: bool = True
    visibility: Literal["open", "link"] = "link"
    first: Place | None = None


class Join(Message):
    """Take an open chair: that one, or the first."""

    name: Name | None = None
    chair: Place | None = None


class GiveCommand(Message):
    """A command by HTTP. ``chair`` says for which of your chairs, if you hold several."""

    command_id: CommandId
    expected_seq: Annotated[int, Field(ge=-1, le=1_000_000, description="The last event you have seen.")]
    command: AnyCommand
    chair: Place | None = None


class AskTicket(Message):
    """A ticket opens one socket, once, within half a minute; ``watch`` leaves the own chair aside."""

    chair: Place | None = None
    watch: bool = False


class AskHint(Message):
    """A hint for one of your chairs."""

    chair: Place | None = None


# what is said on a socket


class Hello(Message):
    """The first message on a socket: the ticket, and the last event that you have (-1: none)."""

    type: Literal["hello"]
    ticket: Annotated[str, Field(min_length=1, max_length=100)]
    seq: Annotated[int, Field(ge=-1, le=1_000_000)] = -1
    language: Literal["en", "de", "fr", "es"] = "en"


class SocketCommand(Message):
    """A command. It is answered by ``done`` or ``refused`` with the same id."""

    type: Literal["command"]
    command_id: CommandId
    expected_seq: Annotated[int, Field(ge=-1, le=1_000_000)]
    command: AnyCommand
