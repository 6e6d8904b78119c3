"""For owners of the physical game: the score sheet, boards files and drafts of boards. Nothing is stored."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from sanssouci import rules
from sanssouci.editions import (
    SHIPPED,
    SIDES,
    BoardSet,
    boar_can_start,
    check_document,
    parse_boards,
    shipped_boards,
    write_boards,
)
from sanssouci.locale import UserError
from sanssouci.notation import MarksJson, parse_column, parse_marks, parse_square, parse_squares
from sanssouci.notation.json_types import (
    CardText,
    EditionName,
    ExpansionName,
    HashText,
    JsonObject,
    MarkText,
    MotifText,
    SeatNumber,
    SquareText,
)
from sanssouci.rules import (
    NO_CARDS,
    REWARDS,
    ROW_1,
    WILD_BOAR,
    Garden,
    Refused,
    SeatEntry,
    Variant,
    built_at_the_end,
    score_sheets,
)

from ..auth.principal import CurrentUser
from ..error_responses import error_json, json_response
from ..middleware.errors import ErrorBody
from ..wire.requests import RequestModel
from ..wire.route_docs import Audience, described, router_of

_SQUARES = 54
_MAX_POINTS = 999
_MAX_BOARDS = 8
_Text = Annotated[str, Field(max_length=8)]
_PrintedSides = Annotated[
    list[Annotated[list[_Text], Field(max_length=_SQUARES)]], Field(max_length=len(SIDES))
]
_MarkedSides = Annotated[
    list[Annotated[dict[_Text, _Text], Field(max_length=_SQUARES)]], Field(max_length=len(SIDES))
]
_Squares = Annotated[list[SquareText], Field(max_length=_SQUARES)]
_Told = Annotated[int, Field(ge=-_MAX_POINTS, le=_MAX_POINTS)] | None
_Points = Annotated[
    int | None, Field(description="Part of the track; null if it cannot be determined separately.")
]


class SeatScore(JsonObject):
    """The points of a seat."""

    total: int
    """The track and final scoring together."""
    track: int
    """The points on the score track, as entered."""
    track_nobles: _Points
    track_rewards: _Points
    track_boar: _Points
    rows: int
    """Complete rows (R25)."""
    columns: int
    """Complete columns (R26)."""
    missions: int
    """The missions that were entered (R27)."""
    boar: int
    """The cost of the boar at the end (R37): 0 or less."""
    gardeners: int
    """They break a tie (R28)."""
    built: int
    """The number of built squares."""
    refusals: list[ErrorBody]
    """Impossible entries, each with its rule; the points are computed anyway."""


class ScoresAnswer(JsonObject):
    """The scores of a physical game."""

    seats: list[SeatScore]
    """In the order in which they were entered."""
    tied: list[SeatNumber]
    """The seats with the most points."""
    winners: list[SeatNumber]
    """R28: of those, the seats with the most gardeners; several share the victory. Empty while something is
    refused."""
    finished: bool
    """Whether these can be the gardens at the end of a game, and all missions were entered; if not, the
    points are those of a game that would end now."""
    built_least: int
    """The least number of built squares at the end of a game."""
    built_most: int
    """The greatest; they differ only if a reward board hides some."""


class BoardsAnswer(JsonObject):
    """The contents of a set of boards."""

    name: str
    """Its name."""
    sha256: HashText
    """The hash of its contents."""
    boar_can_start: bool
    """Whether the wild boar can be played without rewards: e4 is free (R34)."""
    pairs: list[CardText]
    """The eight colour cards that every seat has."""
    gardens: list[list[list[SquareText]]]
    """The printed squares of rows 2-6 of each board, by side."""
    rewards: list[list[MarksJson]]
    """The marks of each reward board, by side."""


class BoardsProblem(JsonObject):
    """Why a draft is not complete."""

    field: str
    """Where, as in messages about a file: `boards.gardens.2.back`."""
    sentence: str
    """For people, in their language, without the field."""


class DraftAnswer(JsonObject):
    """Whether a draft of boards is complete."""

    problems: list[BoardsProblem]
    """Everything that is missing or wrong; empty if the draft is complete."""
    boards: BoardsAnswer | None
    """The complete set; null if there are problems."""
    file: str | None
    """The boards file (TOML) of the complete set; null if there are problems."""


class SeatBody(RequestModel):
    """A seat of a physical game: its garden, and what the garden does not show."""

    built: _Squares
    """All built squares: printed ones, structures and gardeners."""
    gardeners: _Squares = Field(default_factory=list)
    """The built squares with a gardener."""
    nobles: _Squares = Field(default_factory=list)
    """The squares with a noble; all other nobles are on the terrace."""
    boar: SquareText | None = None
    """The boar's square; null if it has left or is not in play."""
    rewards: Annotated[dict[SquareText, MarkText], Field(max_length=_SQUARES, default_factory=dict)]
    """The marks of the reward board; empty if unknown."""
    missions: Annotated[list[MotifText], Field(max_length=2, default_factory=list)]
    """The columns of its missions, as far as they are known."""
    track: Annotated[int, Field(ge=0, le=_MAX_POINTS)]
    """The score track before final scoring."""
    track_rewards: _Told = None
    """The part of the track from the reward board. Null for the sum of the marks under the tiles, which is
    more only where a loss met a score near 0 (R32)."""
    track_boar: _Told = None
    """The part of the track from the boar (R35, R36); null if unknown."""


class ScoreSheetBody(RequestModel):
    """A finished or running game with the physical box."""

    edition: EditionName
    """The edition."""
    expansions: Annotated[list[ExpansionName], Field(max_length=2, default_factory=list)]
    """The wild boar needs the imperial edition."""
    seats: Annotated[list[SeatBody], Field(min_length=2, max_length=4)]
    """Two to four."""


class BoardsBody(RequestModel):
    """A boards file."""

    file: Annotated[str, Field(max_length=12_000)]
    """Its text (TOML), as in docs/boards.md."""


class DraftBody(RequestModel):
    """A set of boards that is being entered; it may be incomplete."""

    name: Annotated[str, Field(max_length=200)]
    """Its name."""
    pairs: Annotated[list[_Text], Field(max_length=_SQUARES)] | None = None
    """The colour cards of a seat; null for the usual ones."""
    gardens: Annotated[list[_PrintedSides], Field(max_length=_MAX_BOARDS)]
    """The printed squares of rows 2-6 of each board, by side."""
    rewards: Annotated[list[_MarkedSides], Field(max_length=_MAX_BOARDS)] | None = None
    """The marks of each reward board, by side; null for the usual ones."""


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


def _written(seat: rules.SeatScore, garden: Garden, language: str) -> SeatScore:
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


router = router_of("scores")


@router.post("/api/scores", **described("Score a physical game", Audience.ANYONE, ScoresAnswer, 400, 422))
async def scores(table: ScoreSheetBody, principal: CurrentUser) -> Response:
    """Points by category, totals and winners of a game played with the box, and impossible entries."""
    return json_response(score_sheet(table, principal.language))


@router.post("/api/boards", **described("Check a boards file", Audience.ANYONE, BoardsAnswer, 400, 422))
async def check_boards_file(boards: BoardsBody) -> Response:
    """The contents of a boards file, or its first error and where it is."""
    return json_response(_held(parse_boards(boards.file.encode("utf-8"))))


@router.post("/api/boards/draft", **described("Check a draft of boards", Audience.ANYONE, DraftAnswer, 400))
async def check_draft(draft: DraftBody, principal: CurrentUser) -> Response:
    """Everything that is wrong in boards being entered; if they are complete, their file."""
    boards, errors = check_document({"boards": _table_of(draft)})
    return json_response(
        DraftAnswer(
            problems=[
                {"field": error.field, "sentence": error.sentence(principal.language)} for error in errors
            ],
            boards=None if boards is None else _held(boards),
            file=None if boards is None else write_boards(boards),
        )
    )


@router.get("/api/boards/{boards}", **described("Get a set of boards", Audience.ANYONE, BoardsAnswer, 422))
async def named_boards(boards: str) -> Response:
    """The contents of a set of boards that comes with the game."""
    if boards not in SHIPPED:
        raise UserError("boards.missing", known=", ".join(SHIPPED))
    return json_response(_held(shipped_boards(boards)))


def _table_of(draft: DraftBody) -> dict[str, object]:
    """A draft in the form of a boards file; what is null is left out."""
    table: dict[str, object] = {"name": draft.name, "gardens": _named_sides(draft.gardens)}
    if draft.pairs is not None:
        table["pairs"] = draft.pairs
    if draft.rewards is not None:
        table["rewards"] = _named_sides(draft.rewards)
    return table


def _named_sides(boards: Sequence[Sequence[object]]) -> list[dict[str, object]]:
    return [dict(zip(SIDES, sides, strict=False)) for sides in boards]


def _held(boards: BoardSet) -> BoardsAnswer:
    return {
        "name": boards.name,
        "sha256": boards.sha256,
        "boar_can_start": boar_can_start(boards),
        **boards.layouts(),
    }
