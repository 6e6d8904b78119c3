"""The record of a hosted game, ``sanssouci-record/1`` as docs/notation.md has it, with what tables add."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from .game_view import Marks, Missions
from .scalars import (
    Card,
    ChairNumber,
    Edition,
    Expansion,
    Hash,
    Nonce,
    SeatNumber,
    Square,
    TableText,
    TurnText,
    WireDict,
)

Number = Annotated[int, Field(ge=0)]


class RecordSeat(WireDict):
    """A seat, in turn order."""

    name: str
    """Who played there."""
    player: NotRequired[str]
    """Which computer player; the field is missing for people."""
    chair: ChairNumber
    """On which chair."""


class RecordSetup(WireDict):
    """Everything as it was dealt and picked, per seat."""

    gardens: list[list[Square]]
    """The six printed squares."""
    rewards: NotRequired[list[Marks]]
    """The marks; the field is missing if not played."""
    missions: list[Missions]
    """Two columns."""
    decks: list[list[Card]]
    """The 18 cards in the order drawn."""
    tiles: Annotated[str, Field(pattern="^[a-i]+$")]
    """All tiles in the order drawn; ten fill the display."""


class RecordParts(WireDict):
    """A score by its parts."""

    nobles: int
    """For nobles that have moved."""
    rewards: int
    """From the reward board."""
    boar: int
    """From the wild boar."""
    rows: int
    """Complete rows."""
    columns: int
    """Complete columns."""
    missions: int
    """Missions."""


class RecordResult(WireDict):
    """The result of a game that was played to its end."""

    scores: list[int]
    """Per seat its points."""
    gardeners: list[Number]
    """Per seat its gardeners."""
    winners: list[SeatNumber]
    """By the rules; who conceded is not left out."""
    parts: list[RecordParts]
    """Per seat its points by part."""


class RecordFair(WireDict):
    """What proves the shuffle, as docs/chance.md has it."""

    scheme: Literal["fair/1"]
    game: TableText
    """The table's id."""
    commitment: Hash
    """The dealer's commitment to the seed."""
    nonces: list[Nonce]
    """Per chair its nonce; empty for a computer player."""
    seed: Hash
    """The dealer's seed, in hex."""


class DealtNumbers(WireDict):
    """Numbers of boards, or of their sides, per seat."""

    gardens: list[Number]
    """Of the garden boards."""
    rewards: NotRequired[list[Number]]
    """Of reward boards; the field is missing if not played."""


class RecordBoards(WireDict):
    """Which boards were dealt."""

    name: str
    """The set's name."""
    sha256: Hash
    """The hash of its contents."""
    dealt: DealtNumbers
    """Which boards."""
    sides: DealtNumbers
    """Which sides were picked."""


class RecordOrigin(WireDict):
    """A record that the game went on from."""

    turn: Number
    """So many of its turns counted as played."""


class RecordTable(WireDict):
    """What a table adds to its record."""

    manner: Literal["played", "conceded", "abandoned"]
    """How the game ended."""
    winners: list[SeatNumber]
    """Who won, without those who conceded."""
    conceded: list[SeatNumber]
    """Who gave up."""
    taken_back: Number
    """How often a turn was taken back."""
    start: Literal["drawn", "chosen"]
    """How it was settled who starts."""
    origin: NotRequired[RecordOrigin | None]
    """The field is missing for a game that was dealt here."""


class RecordAnswer(WireDict):
    """The record of a game, with everything that was hidden."""

    format: Literal["sanssouci-record/1"]
    edition: Edition
    """Which edition."""
    expansions: list[Expansion]
    """Those that were played."""
    seats: list[RecordSeat]
    """In turn order."""
    setup: RecordSetup
    """As dealt and picked."""
    turns: list[TurnText]
    """All turns, in order."""
    result: NotRequired[RecordResult | None]
    """The field is missing if turns are missing."""
    fair: NotRequired[RecordFair | None]
    """What proves the set-up; the field is missing if it came from a record."""
    boards: NotRequired[RecordBoards | None]
    """Which boards; the field is missing if it came from a record."""
    table: RecordTable
    """What has no other field."""
