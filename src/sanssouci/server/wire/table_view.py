"""A table as it is sent: its terms, its chairs, what you may do, how it ended; and tables in lists."""

from typing import Annotated, Literal

from pydantic import Field

from sanssouci.table import ColourName

from .game_view import Edition, Expansion, GameView, Options, SetupView
from .scalars import ChairNumber, Day, Hash, Moment, Nonce, SeatNumber, Seq, TableText, WireModel

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


class ClockTerms(WireModel):
    """How long a person may think about one turn."""

    pace: Annotated[
        Literal["none", "turn", "days"], Field(description="No limit, seconds a turn, or days a turn.")
    ]
    amount: Annotated[int, Field(ge=0, description="How many seconds or days; 0 for no limit.")]


class BoardsTerms(WireModel):
    """The set of boards that is played on."""

    name: Annotated[str, Field(description="Its name.")]
    sha256: Annotated[Hash, Field(description="The hash of its contents; /api/editions has those supplied.")]


class Terms(WireModel):
    """What was agreed when the table was set up."""

    seats: Annotated[int, Field(ge=2, le=4, description="How many chairs, and so seats.")]
    edition: Annotated[Edition, Field(description="Which edition.")]
    expansions: Annotated[list[Expansion], Field(description="Those that are played.")]
    boards: Annotated[BoardsTerms, Field(description="The boards.")]
    clock: Annotated[ClockTerms, Field(description="How long a turn may take; then a stand-in plays.")]
    hints: Annotated[bool, Field(description="Whether hints may be asked for.")]
    visibility: Annotated[
        Literal["open", "link"], Field(description="`open`: listed, anyone may join or watch; or `link`.")
    ]
    first: Annotated[ChairNumber | None, Field(description="The chair that starts; null: it is drawn.")]
    stand_in: Annotated[str, Field(description="The computer player that plays for people who are away.")]
    daily: Annotated[
        Day | None,
        Field(
            default=None,
            description="The day whose deal is played, which is no secret; missing at any other table.",
        ),
    ]


class ChairView(WireModel):
    """A chair at the table."""

    chair: Annotated[ChairNumber, Field(description="Its number; the same as its place in the list.")]
    seat: Annotated[SeatNumber | None, Field(description="Its place in turn order; null in the lobby.")]
    sitter: Annotated[Sitter, Field(description="Who sits there: nobody yet, a person, a computer player.")]
    name: Annotated[str, Field(description="For people to read; empty on an open chair.")]
    player: Annotated[str | None, Field(description="Which computer player; null for people.")]
    colour: Annotated[
        ColourName | None,
        Field(description="Whose colour nobody else has; null on an open chair. Shapes belong to seats."),
    ]
    ready: Annotated[bool, Field(description="Whether the game may start for this chair.")]
    away: Annotated[bool, Field(description="Whether a stand-in plays for the person.")]
    conceded: Annotated[bool, Field(description="Whether the person has given the game up.")]
    votes: Annotated[
        list[ChairNumber], Field(description="The chairs that have voted for a stand-in on this one.")
    ]


class You(WireModel):
    """Who you are at this table, and what you may do now."""

    chair: Annotated[ChairNumber | None, Field(description="Your chair; null for a spectator.")]
    seat: Annotated[SeatNumber | None, Field(description="Your seat in turn order; null without one.")]
    owner: Annotated[bool, Field(description="Whether you have set the table up.")]
    may: Annotated[
        list[CommandType],
        Field(
            description="The types of commands that would be carried out now (`vote`: from `vote_from` on);"
            " every other is refused."
        ),
    ]


class Fair(WireModel):
    """What proves the shuffle."""

    seed: Annotated[Hash, Field(description="The dealer's seed, in hex.")]
    nonces: Annotated[list[Nonce], Field(description="Per chair its nonce; empty for a computer player.")]


class GameEnd(WireModel):
    """How a game ended."""

    manner: Annotated[
        Literal["played", "conceded", "abandoned"],
        Field(description="To the last turn, because others gave up, or without a result."),
    ]
    winners: Annotated[list[SeatNumber], Field(description="The seats that have won; several share it.")]
    fair: Annotated[
        Fair | None,
        Field(description="What proves the shuffle; null if nothing was dealt, or it came from a record."),
    ]


class OriginView(WireModel):
    """A record that a table goes on from."""

    turn: Annotated[int, Field(ge=0, le=71, description="So many of its turns counted as played.")]


class TableView(WireModel):
    """A table as you may see it: everything that can be known from your place."""

    seq: Annotated[Seq, Field(description="The number of the last event: a command's `expected_seq`.")]
    table: Annotated[TableText, Field(description="The table's id.")]
    stage: Annotated[Stage, Field(description="What the table is about now.")]
    terms: Annotated[Terms, Field(description="What was agreed.")]
    commitment: Annotated[
        Hash | None,
        Field(description="The dealer's commitment to the seed; see Fairness. Null if `origin` is not."),
    ]
    origin: Annotated[
        OriginView | None,
        Field(description="The record that the game goes on from; null for a game that was dealt here."),
    ]
    chairs: Annotated[list[ChairView], Field(description="All chairs, by their numbers.")]
    waiting: Annotated[
        list[ChairNumber],
        Field(
            description="The chairs that are to act now: be ready, pick, or play. Open chairs are not. While"
            " all people are away nobody acts for them."
        ),
    ]
    since: Annotated[Moment, Field(description="Since when they are awaited.")]
    deadline: Annotated[
        Moment | None,
        Field(description="When the clock runs out for people among them who are there; null: never."),
    ]
    vote_from: Annotated[
        Moment | None, Field(description="From when on `vote` is carried out for people among them; or null.")
    ]
    agreed: Annotated[list[ChairNumber], Field(description="The chairs that want to abandon the game.")]
    taken_back: Annotated[int, Field(ge=0, description="How often a turn was taken back.")]
    you: Annotated[You, Field(description="Who you are here, and what you may do.")]
    setup: Annotated[SetupView | None, Field(description="The choices before the first turn, until then.")]
    game: Annotated[GameView | None, Field(description="The game, once the hands are dealt.")]
    options: Annotated[
        Options | None, Field(description="Your legal turns, when your seat is to move; else null.")
    ]
    ending: Annotated[GameEnd | None, Field(description="How it ended; null until then.")]
    rematch: Annotated[TableText | None, Field(description="The table at which you play again, if so.")]


class ListedChair(WireModel):
    """A chair in a list of tables."""

    sitter: Annotated[Sitter, Field(description="Who sits there.")]
    name: Annotated[str, Field(description="For people to read; empty on an open chair.")]
    player: Annotated[str | None, Field(description="Which computer player; null for people.")]
    away: Annotated[bool, Field(description="Whether a stand-in plays for the person.")]


class ListedTable(WireModel):
    """A table in a list: what anyone may know, in short."""

    table: Annotated[TableText, Field(description="The table's id.")]
    stage: Annotated[Stage, Field(description="What the table is about now.")]
    terms: Annotated[Terms, Field(description="What was agreed.")]
    chairs: Annotated[list[ListedChair], Field(description="All chairs, by their numbers.")]
    round: Annotated[int | None, Field(ge=1, le=18, description="The round; null before the first turn.")]
    created_at: Annotated[Moment, Field(description="When it was set up.")]
    updated_at: Annotated[Moment, Field(description="When something happened there last.")]


class OwnTable(ListedTable):
    """A table of yours in a list."""

    your_chairs: Annotated[list[ChairNumber], Field(description="The chairs that you hold.")]
    owner: Annotated[bool, Field(description="Whether you have set it up.")]
    your_turn: Annotated[
        bool,
        Field(
            description="Whether it waits for one of your chairs, and no stand-in plays there; in a lobby "
            "only when no chair is open any more."
        ),
    ]
    deadline: Annotated[
        Moment | None, Field(description="When the clock runs out for people who are awaited; null: never.")
    ]
