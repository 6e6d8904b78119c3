"""What is answered to requests."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import GameView
from .scalars import (
    ChairNumber,
    Edition,
    Hash,
    SeatNumber,
    Secret,
    Seq,
    Square,
    TableText,
    TurnText,
    WireDict,
)
from .socket_messages import CommandIdText
from .table_view import ListedTable, OwnTable

Next = Annotated[
    str | None, Field(description="What `after` says for the next page; null where there is none.")
]


class GuestAnswer(WireDict):
    """You are a guest now."""

    name: str
    """Your name, as others see it."""
    token: Secret | None
    """Your bearer token, this once; null if a cookie was set instead."""


class NameAnswer(WireDict):
    """Who you are."""

    name: str
    """Your name, as others see it."""


class MeAnswer(WireDict):
    """Who you are, if you are somebody."""

    name: str | None
    """Your name, as others see it; null: you are no guest yet."""


class ForgottenAnswer(WireDict):
    """You are forgotten."""

    forgotten: bool
    """Always true."""


class OwnTablesAnswer(WireDict):
    """Your tables."""

    tables: list[OwnTable]
    """At most 200, those that wait for you first."""
    next: Next


class TablesAnswer(WireDict):
    """Open tables."""

    tables: list[ListedTable]
    """At most a hundred, the newest first."""
    next: Next


class SeatAnswer(WireDict):
    """A chair of yours, and the secret of its seat link."""

    chair: ChairNumber
    """Which chair."""
    token: Secret
    """The secret: whoever has it may play there."""


class LinkAnswer(WireDict):
    """The new secret of a link."""

    link: Literal["join", "watch"]
    """Which link."""
    token: Secret
    """The secret; told this once."""


class CreatedAnswer(WireDict):
    """A table was set up. Its secrets are told this once."""

    table: TableText
    """The table's id."""
    commitment: Hash | None
    """The dealer's commitment to the seed; see Fairness. Null if it goes on from a record."""
    seats: list[SeatAnswer]
    """Your chairs, with the secrets of their links."""
    join: Secret
    """The secret of the join link."""
    watch: Secret
    """The secret of the watch link."""


class CommandAnswer(WireDict):
    """A command was carried out, and is kept safely."""

    command_id: CommandIdText
    seq: Seq
    """The event that it has become."""
    repeated: bool
    """Whether it had been carried out before."""


class TicketAnswer(WireDict):
    """A ticket for one socket."""

    ticket: Secret
    """For the socket's hello."""
    chair: ChairNumber | None
    """The chair that the socket will be at; null: as a spectator."""
    seconds: Annotated[int, Field(ge=1)]
    """For how long it is good."""


class Reason(WireDict):
    """Why a turn is good."""

    key: str
    """Which reason, for programs."""
    sentence: str
    """For people, in their language."""
    seat: SeatNumber | None
    """In whose garden the squares are; null: in your own."""
    squares: list[Square]
    """The squares it speaks of."""


class Expectation(WireDict):
    """What is expected of a turn, from imagined games."""

    turn: TurnText
    """The turn."""
    score: float
    """Your points at the end."""
    margin: float
    """Your points over the best other seat's."""
    share: Annotated[float, Field(ge=0, le=1)]
    """Your share of the win: 1 is certain."""
    level: bool
    """Whether it is about as good as the best."""


class HintAnswer(WireDict):
    """The best turn that was found."""

    turn: TurnText
    """The turn."""
    reasons: list[Reason]
    """Why."""
    expected: Expectation
    """What is expected of it."""
    others: list[Expectation]
    """The next best, at most five."""


class PastAnswer(WireDict):
    """The game as you could see it after one of its turns."""

    turn: Annotated[int, Field(ge=0, le=72)]
    """So many turns were played."""
    last: Annotated[int, Field(ge=0, le=72)]
    """So many have been played now."""
    game: GameView
    """The position, as it was told to your place then."""


class HealthAnswer(WireDict):
    """The server answers."""

    ok: bool
    """Always true."""


class ReadyAnswer(WireDict):
    """What works; all of it with 200, not all with 503."""

    store: bool
    """Whether turns can be kept, and what is kept can be read."""
    players: bool
    """Whether computer players can play."""


class PlayerEntry(WireDict):
    """A computer player."""

    player: str
    """What a chair's `player` says."""
    name: str
    """What people call it."""
    about: str
    """What it is like, for people."""


class PlayersAnswer(WireDict):
    """The computer players of this server."""

    players: list[PlayerEntry]
    """Those that may sit at a table."""


class EditionEntry(WireDict):
    """An edition."""

    edition: Edition
    """Its name in the protocol."""
    title: str
    """What is printed on its box."""
    colours: list[str]
    """Of rows 1 to 6, as `#rrggbb`."""
    boards: str
    """The set of boards that is played on if nothing is said."""


class BoardsEntry(WireDict):
    """A set of boards."""

    name: str
    """Its name."""
    sha256: Hash
    """The hash of its contents."""


class EditionsAnswer(WireDict):
    """What can be played on this server."""

    version: str
    """Of the software."""
    protocol: int
    """The version of this protocol: 1."""
    site: str | None
    """How links begin; null: as the address does by which you have found the server."""
    editions: list[EditionEntry]
    """All editions."""
    boards: list[BoardsEntry]
    """All sets of boards supplied."""


class ReachAnswer(WireDict):
    """Where others find the server."""

    extent: Literal["computer", "network", "public"]
    """How far it can be heard: on its own computer only, in the local network, or beyond."""
    urls: list[str]
    """How links for others begin, the likeliest first; told on the server's own computer only. Elsewhere the
    address by which you have found the server does."""
    may_open: bool
    """Whether you may let it listen in the local network, and it does not yet."""


class CheckedAnswer(WireDict):
    """A record is right: every turn is legal, and the result is what the turns give."""

    turns: Annotated[int, Field(ge=0)]
    """How many turns it has."""
    over: bool
    """Whether the game was played to its last turn."""
    proved: bool | None
    """Whether its seed deals what it says was dealt; null if it tells no seed, or has boards that the server
    does not know."""
