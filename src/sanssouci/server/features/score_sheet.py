"""Score sheet of a game played with the physical box: request models and scoring."""

from typing import Annotated

from pydantic import Field

from sanssouci.notation import parse_column, parse_marks, parse_square, parse_squares
from sanssouci.rules import (
    NO_CARDS,
    REWARDS,
    ROW_1,
    WILD_BOAR,
    Garden,
    Refused,
    SeatEntry,
    SeatScore,
    Variant,
    built_at_the_end,
    score_sheets,
)

from ..error_responses import error_json
from ..wire.requests import RequestModel
from ..wire.scalars import Edition, Expansion, Mark, Motif, Square
from ..wire.score_sheet import ScoresAnswer
from ..wire.score_sheet import SeatScore as SeatScoreJson

_SQUARES = 54
_MAX_POINTS = 999
_Told = Annotated[int, Field(ge=-_MAX_POINTS, le=_MAX_POINTS)] | None


class SeatBody(RequestModel):
    """One seat: its garden as it lies there, and what the garden does not show."""

    built: Annotated[
        list[Square],
        Field(max_length=_SQUARES, description="All built squares: printed ones, structures, gardeners."),
    ]
    gardeners: Annotated[
        list[Square],
        Field(
            default_factory=list,
            max_length=_SQUARES,
            description="Those of `built` where a gardener lies.",
        ),
    ]
    nobles: Annotated[
        list[Square],
        Field(
            default_factory=list,
            max_length=_SQUARES,
            description="Where nobles stand; all others are on the terrace.",
        ),
    ]
    boar: Annotated[
        Square | None, Field(description="Where the boar is; null: it left, or is not played.")
    ] = None
    rewards: Annotated[
        dict[Square, Mark],
        Field(
            default_factory=dict,
            max_length=_SQUARES,
            description="The marks of the reward board; empty where nobody tells.",
        ),
    ]
    missions: Annotated[
        list[Motif],
        Field(
            default_factory=list,
            max_length=2,
            description="The columns of its missions, as far as they are told.",
        ),
    ]
    track: Annotated[
        int,
        Field(ge=0, le=_MAX_POINTS, description="What the score track shows before the end is counted."),
    ]
    track_rewards: Annotated[
        _Told,
        Field(
            description="What the reward board has brought of it. Null: what the marks under the tiles add up"
            " to, which is more only where a loss met a score near 0 (R32)."
        ),
    ] = None
    track_boar: Annotated[
        _Told, Field(description="What the boar has brought of it (R35, R36); null: nobody knows.")
    ] = None


class ScoreSheetBody(RequestModel):
    """A game that was played, or is being played, with the box."""

    edition: Annotated[Edition, Field(description="Which edition of the game.")]
    expansions: Annotated[
        list[Expansion],
        Field(
            default_factory=list,
            max_length=2,
            description="The wild boar is in the imperial edition only.",
        ),
    ]
    seats: Annotated[list[SeatBody], Field(min_length=2, max_length=4, description="Two to four.")]


class BoardsBody(RequestModel):
    """A boards file of one's own."""

    file: Annotated[str, Field(max_length=12_000, description="Its text (TOML), as docs/boards.md has it.")]


def score_sheet(table: ScoreSheetBody, language: str) -> ScoresAnswer:
    """The scores; ``UserError`` or ``Refused`` if the entry is not a possible table."""
    variant = Variant(
        len(table.seats), table.edition, REWARDS in table.expansions, WILD_BOAR in table.expansions, NO_CARDS
    )
    entries = tuple(_entry(seat) for seat in table.seats)
    verdict, end = score_sheets(variant, entries), built_at_the_end(variant)
    return {
        "seats": [
            _written(seat, entry.garden, language) for seat, entry in zip(verdict.seats, entries, strict=True)
        ],
        "tied": list(verdict.tied),
        "winners": list(verdict.winners),
        "finished": verdict.finished,
        "built_least": end.least,
        "built_most": end.most,
    }


def _entry(seat: SeatBody) -> SeatEntry:
    garden = Garden(
        ROW_1,
        parse_squares(seat.built),
        parse_squares(seat.gardeners),
        parse_squares(seat.nobles),
        0 if seat.boar is None else 1 << parse_square(seat.boar),
        parse_marks(seat.rewards),
    )
    missions = tuple(map(parse_column, seat.missions))
    return SeatEntry(garden, seat.track, missions, seat.track_rewards, seat.track_boar)


def _written(seat: SeatScore, garden: Garden, language: str) -> SeatScoreJson:
    return {
        "total": seat.total,
        "track": seat.track,
        "track_nobles": seat.nobles,
        "track_rewards": seat.rewards,
        "track_boar": seat.boar,
        "rows": seat.end.rows,
        "columns": seat.end.columns,
        "missions": seat.end.missions,
        "boar": seat.end.boar,
        "gardeners": seat.gardeners,
        "built": garden.built.bit_count(),
        "refusals": [error_json(Refused(refusal), language) for refusal in seat.refusals],
    }
