"""The record of a hosted game, ``sanssouci-record/1`` as docs/notation.md has it, with what tables add."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import Edition, Expansion, Marks, Missions
from .scalars import Card, ChairNumber, Hash, Nonce, SeatNumber, Square, TableText, TurnText, WireModel

Number = Annotated[int, Field(ge=0)]


class RecordSeat(WireModel):
    """A seat, in turn order."""

    name: Annotated[str, Field(description="Who played there.")]
    player: Annotated[str, Field(description="Which computer player; the field is missing for people.")] = ""
    chair: Annotated[ChairNumber, Field(description="On which chair.")]


class RecordSetup(WireModel):
    """Everything as it was dealt and picked, per seat."""

    gardens: Annotated[list[list[Square]], Field(description="The six printed squares.")]
    rewards: Annotated[
        list[Marks],
        Field(default_factory=list, description="The marks; the field is missing if not played."),
    ]
    missions: Annotated[list[Missions], Field(description="Two columns.")]
    decks: Annotated[list[list[Card]], Field(description="The 18 cards in the order drawn.")]
    tiles: Annotated[
        str, Field(pattern="^[a-i]+$", description="All tiles in the order drawn; ten fill the display.")
    ]


class RecordParts(WireModel):
    """A score by its parts."""

    nobles: Annotated[int, Field(description="For nobles that have moved.")]
    rewards: Annotated[int, Field(description="From the reward board.")]
    boar: Annotated[int, Field(description="From the wild boar.")]
    rows: Annotated[int, Field(description="Complete rows.")]
    columns: Annotated[int, Field(description="Complete columns.")]
    missions: Annotated[int, Field(description="Missions.")]


class RecordResult(WireModel):
    """The result of a game that was played to its end."""

    scores: Annotated[list[int], Field(description="Per seat its points.")]
    gardeners: Annotated[list[Number], Field(description="Per seat its gardeners.")]
    winners: Annotated[list[SeatNumber], Field(description="By the rules; who conceded is not left out.")]
    parts: Annotated[list[RecordParts], Field(description="Per seat its points by part.")]


class RecordFair(WireModel):
    """What proves the shuffle, as docs/chance.md has it."""

    scheme: Literal["fair/1"]
    game: Annotated[TableText, Field(description="The table's id.")]
    commitment: Annotated[Hash, Field(description="The dealer's commitment to the seed.")]
    nonces: Annotated[list[Nonce], Field(description="Per chair its nonce; empty for a computer player.")]
    seed: Annotated[Hash, Field(description="The dealer's seed, in hex.")]


class DealtNumbers(WireModel):
    """Numbers of boards, or of their sides, per seat."""

    gardens: Annotated[list[Number], Field(description="Of the garden boards.")]
    rewards: Annotated[
        list[Number],
        Field(default_factory=list, description="Of reward boards; the field is missing if not played."),
    ]


class RecordBoards(WireModel):
    """Which boards were dealt."""

    name: Annotated[str, Field(description="The set's name.")]
    sha256: Annotated[Hash, Field(description="The hash of its contents.")]
    dealt: Annotated[DealtNumbers, Field(description="Which boards.")]
    sides: Annotated[DealtNumbers, Field(description="Which sides were picked.")]


class RecordOrigin(WireModel):
    """A record that the game went on from."""

    turn: Annotated[Number, Field(description="So many of its turns counted as played.")]


class RecordTable(WireModel):
    """What a table adds to its record."""

    manner: Annotated[Literal["played", "conceded", "abandoned"], Field(description="How the game ended.")]
    winners: Annotated[list[SeatNumber], Field(description="Who won, without those who conceded.")]
    conceded: Annotated[list[SeatNumber], Field(description="Who gave up.")]
    taken_back: Annotated[Number, Field(description="How often a turn was taken back.")]
    start: Annotated[Literal["drawn", "chosen"], Field(description="How it was settled who starts.")]
    origin: Annotated[
        RecordOrigin | None, Field(description="The field is missing for a game that was dealt here.")
    ] = None


class RecordAnswer(WireModel):
    """The record of a game, with everything that was hidden."""

    format: Literal["sanssouci-record/1"]
    edition: Annotated[Edition, Field(description="Which edition.")]
    expansions: Annotated[list[Expansion], Field(description="Those that were played.")]
    seats: Annotated[list[RecordSeat], Field(description="In turn order.")]
    setup: Annotated[RecordSetup, Field(description="As dealt and picked.")]
    turns: Annotated[list[TurnText], Field(description="All turns, in order.")]
    result: Annotated[
        RecordResult | None, Field(description="The field is missing if turns are missing.")
    ] = None
    fair: Annotated[
        RecordFair | None,
        Field(description="What proves the set-up; the field is missing if it came from a record."),
    ] = None
    boards: Annotated[
        RecordBoards | None, Field(description="Which boards; the field is missing if it came from a record.")
    ] = None
    table: Annotated[RecordTable, Field(description="What has no other field.")]
