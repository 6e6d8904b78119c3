"""What is answered to requests."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import Edition, GameView
from .scalars import ChairNumber, Hash, SeatNumber, Secret, Seq, Square, TableText, TurnText, WireModel
from .socket_messages import CommandIdText, ErrorBody
from .table_view import ListedTable, OwnTable

Next = Annotated[
    str | None, Field(description="What `after` says for the next page; null where there is none.")
]


class ErrorAnswer(WireModel):
    """A request was refused; nothing has changed."""

    error: Annotated[ErrorBody, Field(description="Why.")]


class GuestAnswer(WireModel):
    """You are a guest now."""

    name: Annotated[str, Field(description="Your name, as others see it.")]
    token: Annotated[
        Secret | None, Field(description="Your bearer token, this once; null if a cookie was set instead.")
    ]


class NameAnswer(WireModel):
    """Who you are."""

    name: Annotated[str, Field(description="Your name, as others see it.")]


class MeAnswer(WireModel):
    """Who you are, if you are somebody."""

    name: Annotated[str | None, Field(description="Your name, as others see it; null: you are no guest yet.")]


class ForgottenAnswer(WireModel):
    """You are forgotten."""

    forgotten: Annotated[bool, Field(description="Always true.")]


class OwnTablesAnswer(WireModel):
    """Your tables."""

    tables: Annotated[list[OwnTable], Field(description="At most 200, those that wait for you first.")]
    next: Next


class TablesAnswer(WireModel):
    """Open tables."""

    tables: Annotated[list[ListedTable], Field(description="At most a hundred, the newest first.")]
    next: Next


class SeatAnswer(WireModel):
    """A chair of yours, and the secret of its seat link."""

    chair: Annotated[ChairNumber, Field(description="Which chair.")]
    token: Annotated[Secret, Field(description="The secret: whoever has it may play there.")]


class LinkAnswer(WireModel):
    """The new secret of a link."""

    link: Annotated[Literal["join", "watch"], Field(description="Which link.")]
    token: Annotated[Secret, Field(description="The secret; told this once.")]


class CreatedAnswer(WireModel):
    """A table was set up. Its secrets are told this once."""

    table: Annotated[TableText, Field(description="The table's id.")]
    commitment: Annotated[
        Hash | None,
        Field(
            description="The dealer's commitment to the seed; see Fairness. Null if it goes on from a record."
        ),
    ]
    seats: Annotated[list[SeatAnswer], Field(description="Your chairs, with the secrets of their links.")]
    join: Annotated[Secret, Field(description="The secret of the join link.")]
    watch: Annotated[Secret, Field(description="The secret of the watch link.")]


class CommandAnswer(WireModel):
    """A command was carried out, and is kept safely."""

    command_id: CommandIdText
    seq: Annotated[Seq, Field(description="The event that it has become.")]
    repeated: Annotated[bool, Field(description="Whether it had been carried out before.")]


class TicketAnswer(WireModel):
    """A ticket for one socket."""

    ticket: Annotated[Secret, Field(description="For the socket's hello.")]
    chair: Annotated[
        ChairNumber | None, Field(description="The chair that the socket will be at; null: as a spectator.")
    ]
    seconds: Annotated[int, Field(ge=1, description="For how long it is good.")]


class Reason(WireModel):
    """Why a turn is good."""

    key: Annotated[str, Field(description="Which reason, for programs.")]
    sentence: Annotated[str, Field(description="For people, in their language.")]
    seat: Annotated[
        SeatNumber | None, Field(description="In whose garden the squares are; null: in your own.")
    ]
    squares: Annotated[list[Square], Field(description="The squares it speaks of.")]


class Expectation(WireModel):
    """What is expected of a turn, from imagined games."""

    turn: Annotated[TurnText, Field(description="The turn.")]
    score: Annotated[float, Field(description="Your points at the end.")]
    margin: Annotated[float, Field(description="Your points over the best other seat's.")]
    share: Annotated[float, Field(ge=0, le=1, description="Your share of the win: 1 is certain.")]
    level: Annotated[bool, Field(description="Whether it is about as good as the best.")]


class HintAnswer(WireModel):
    """The best turn that was found."""

    turn: Annotated[TurnText, Field(description="The turn.")]
    reasons: Annotated[list[Reason], Field(description="Why.")]
    expected: Annotated[Expectation, Field(description="What is expected of it.")]
    others: Annotated[list[Expectation], Field(description="The next best, at most five.")]


class PastAnswer(WireModel):
    """The game as you could see it after one of its turns."""

    turn: Annotated[int, Field(ge=0, le=72, description="So many turns were played.")]
    last: Annotated[int, Field(ge=0, le=72, description="So many have been played now.")]
    game: Annotated[GameView, Field(description="The position, as it was told to your place then.")]


class HealthAnswer(WireModel):
    """The server answers."""

    ok: Annotated[bool, Field(description="Always true.")]


class ReadyAnswer(WireModel):
    """What works; all of it with 200, not all with 503."""

    store: Annotated[bool, Field(description="Whether turns can be kept, and what is kept can be read.")]
    players: Annotated[bool, Field(description="Whether computer players can play.")]


class PlayerEntry(WireModel):
    """A computer player."""

    player: Annotated[str, Field(description="What a chair's `player` says.")]
    name: Annotated[str, Field(description="What people call it.")]
    about: Annotated[str, Field(description="What it is like, for people.")]


class PlayersAnswer(WireModel):
    """The computer players of this server."""

    players: Annotated[list[PlayerEntry], Field(description="Those that may sit at a table.")]


class EditionEntry(WireModel):
    """An edition."""

    edition: Annotated[Edition, Field(description="Its name in the protocol.")]
    title: Annotated[str, Field(description="What is printed on its box.")]
    colours: Annotated[list[str], Field(description="Of rows 1 to 6, as `#rrggbb`.")]
    boards: Annotated[str, Field(description="The set of boards that is played on if nothing is said.")]


class BoardsEntry(WireModel):
    """A set of boards."""

    name: Annotated[str, Field(description="Its name.")]
    sha256: Annotated[Hash, Field(description="The hash of its contents.")]


class EditionsAnswer(WireModel):
    """What can be played on this server."""

    version: Annotated[str, Field(description="Of the software.")]
    protocol: Annotated[int, Field(description="The version of this protocol: 1.")]
    site: Annotated[
        str | None,
        Field(description="How links begin; null: as the address does by which you have found the server."),
    ]
    editions: Annotated[list[EditionEntry], Field(description="All editions.")]
    boards: Annotated[list[BoardsEntry], Field(description="All sets of boards supplied.")]


class ReachAnswer(WireModel):
    """Where others find the server."""

    extent: Annotated[
        Literal["computer", "network", "public"],
        Field(
            description="How far it can be heard: on its own computer only, in the local network, or beyond."
        ),
    ]
    urls: Annotated[
        list[str],
        Field(
            description="How links for others begin, the likeliest first; told on the server's own computer"
            " only. Elsewhere the address by which you have found the server does."
        ),
    ]
    may_open: Annotated[
        bool, Field(description="Whether you may let it listen in the local network, and it does not yet.")
    ]


class CheckedAnswer(WireModel):
    """A record is right: every turn is legal, and the result is what the turns give."""

    turns: Annotated[int, Field(ge=0, description="How many turns it has.")]
    over: Annotated[bool, Field(description="Whether the game was played to its last turn.")]
    proved: Annotated[
        bool | None,
        Field(
            description="Whether its seed deals what it says was dealt; null if it tells no seed, or has"
            " boards that the server does not know."
        ),
    ]
