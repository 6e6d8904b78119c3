"""A table as it is sent: its terms, its chairs, what you may do, how it ended; and tables in lists."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from sanssouci.table import ColourName

from .game_view import GameView, Options, SetupView
from .scalars import (
    ChairNumber,
    Day,
    Edition,
    Expansion,
    Hash,
    Moment,
    Nonce,
    SeatNumber,
    Seq,
    TableText,
    WireDict,
)

Stage = Literal["lobby", "picking", "playing", "over"]
CommandType = Literal[
    "abandon",
    "appoint",
    "concede",
    "pick",
    "play",
    "ready",
    "rematch",
    "return",
    "rise",
    "step_away",
    "take_back",
    "unready",
    "vote",
    "wear",
]
Sitter = Literal["open", "person", "computer"]


class ClockTerms(WireDict):
    """How long a person may think about one turn."""

    pace: Literal["none", "turn", "days"]
    """No limit, seconds a turn, or days a turn."""
    amount: Annotated[int, Field(ge=0)]
    """How many seconds or days; 0 for no limit."""


class BoardsTerms(WireDict):
    """The set of boards that is played on."""

    name: str
    """Its name."""
    sha256: Hash
    """The hash of its contents; /api/editions has those supplied."""


class Terms(WireDict):
    """What was agreed when the table was set up."""

    seats: Annotated[int, Field(ge=2, le=4)]
    """How many chairs, and so seats."""
    edition: Edition
    """Which edition."""
    expansions: list[Expansion]
    """Those that are played."""
    boards: BoardsTerms
    """The boards."""
    clock: ClockTerms
    """How long a turn may take; then a stand-in plays."""
    hints: bool
    """Whether hints may be asked for."""
    visibility: Literal["open", "link"]
    """`open`: listed, anyone may join or watch; or `link`."""
    first: ChairNumber | None
    """The chair that starts; null: it is drawn."""
    stand_in: str
    """The computer player that plays for people who are away."""
    daily: NotRequired[Day | None]
    """The day whose deal is played, which is no secret; missing at any other table."""


class ChairView(WireDict):
    """A chair at the table."""

    chair: ChairNumber
    """Its number; the same as its place in the list."""
    seat: SeatNumber | None
    """Its place in turn order; null in the lobby."""
    sitter: Sitter
    """Who sits there: nobody yet, a person, a computer player."""
    name: str
    """For people to read; empty on an open chair."""
    player: str | None
    """Which computer player; null for people."""
    colour: ColourName | None
    """Whose colour nobody else has; null on an open chair. Shapes belong to seats."""
    ready: bool
    """Whether the game may start for this chair."""
    away: bool
    """Whether a stand-in plays for the person."""
    conceded: bool
    """Whether the person has given the game up."""
    votes: list[ChairNumber]
    """The chairs that have voted for a stand-in on this one."""


class You(WireDict):
    """Who you are at this table, and what you may do now."""

    chair: ChairNumber | None
    """Your chair; null for a spectator."""
    seat: SeatNumber | None
    """Your seat in turn order; null without one."""
    owner: bool
    """Whether you have set the table up."""
    may: list[CommandType]
    """The types of commands that would be carried out now (`vote`: from `vote_from` on); every other is
    refused."""


class Fair(WireDict):
    """What proves the shuffle."""

    seed: Hash
    """The dealer's seed, in hex."""
    nonces: list[Nonce]
    """Per chair its nonce; empty for a computer player."""


class GameEnd(WireDict):
    """How a game ended."""

    manner: Literal["played", "conceded", "abandoned"]
    """To the last turn, because others gave up, or without a result."""
    winners: list[SeatNumber]
    """The seats that have won; several share it."""
    fair: Fair | None
    """What proves the shuffle; null if nothing was dealt, or it came from a record."""


class OriginView(WireDict):
    """A record that a table goes on from."""

    turn: Annotated[int, Field(ge=0, le=71)]
    """So many of its turns counted as played."""


class TableView(WireDict):
    """A table as you may see it: everything that can be known from your place."""

    seq: Seq
    """The number of the last event: a command's `expected_seq`."""
    table: TableText
    """The table's id."""
    stage: Stage
    """What the table is about now."""
    terms: Terms
    """What was agreed."""
    commitment: Hash | None
    """The dealer's commitment to the seed; see Fairness. Null if `origin` is not."""
    origin: OriginView | None
    """The record that the game goes on from; null for a game that was dealt here."""
    chairs: list[ChairView]
    """All chairs, by their numbers."""
    waiting: list[ChairNumber]
    """The chairs that are to act now: be ready, pick, or play. Open chairs are not. While all people are away
    nobody acts for them."""
    since: Moment
    """Since when they are awaited."""
    deadline: Moment | None
    """When the clock runs out for people among them who are there; null: never."""
    vote_from: Moment | None
    """From when on `vote` is carried out for people among them; or null."""
    agreed: list[ChairNumber]
    """The chairs that want to abandon the game."""
    taken_back: Annotated[int, Field(ge=0)]
    """How often a turn was taken back."""
    you: You
    """Who you are here, and what you may do."""
    setup: SetupView | None
    """The choices before the first turn, until then."""
    game: GameView | None
    """The game, once the hands are dealt."""
    options: Options | None
    """Your legal turns, when your seat is to move; else null."""
    ending: GameEnd | None
    """How it ended; null until then."""
    rematch: TableText | None
    """The table at which you play again, if so."""


class ListedChair(WireDict):
    """A chair in a list of tables."""

    sitter: Sitter
    """Who sits there."""
    name: str
    """For people to read; empty on an open chair."""
    player: str | None
    """Which computer player; null for people."""
    away: bool
    """Whether a stand-in plays for the person."""


class ListedTable(WireDict):
    """A table in a list: what anyone may know, in short."""

    table: TableText
    """The table's id."""
    stage: Stage
    """What the table is about now."""
    terms: Terms
    """What was agreed."""
    chairs: list[ListedChair]
    """All chairs, by their numbers."""
    round: Annotated[int | None, Field(ge=1, le=18)]
    """The round; null before the first turn."""
    created_at: Moment
    """When it was set up."""
    updated_at: Moment
    """When something happened there last."""


class OwnTable(ListedTable):
    """A table of yours in a list."""

    your_chairs: list[ChairNumber]
    """The chairs that you hold."""
    owner: bool
    """Whether you have set it up."""
    your_turn: bool
    """Whether it waits for one of your chairs, and no stand-in plays there; in a lobby only when no chair is
    open any more."""
    deadline: Moment | None
    """When the clock runs out for people who are awaited; null: never."""
