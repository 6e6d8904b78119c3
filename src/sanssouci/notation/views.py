"""A view as JSON: everything that a seat may know, in the notation of the record.

``round``, ``to_move`` and a score's ``total`` follow from the rest: they are written for the reader's
convenience and ignored when a view is parsed, as are unknown fields.
"""

from typing import Annotated, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from sanssouci.rules import (
    CARDS_OF_A_SEAT,
    EMPTY,
    PARTS,
    REWARDS,
    SEATS,
    SPACES,
    WILD_BOAR,
    Cards,
    Garden,
    Missions,
    Score,
    Squares,
    Variant,
    View,
    lay_out,
    members,
    set_of,
    tiles_on,
)

from .cards import parse_card, write_card
from .json_types import (
    CardText,
    EditionName,
    ExpansionName,
    JsonObject,
    MotifText,
    Round,
    SeatNumber,
    SquareText,
)
from .record import PartsJson, write_parts
from .rewards import parse_marks, write_marks
from .squares import LETTERS, parse_column, parse_square, write_column, write_square, write_squares
from .typed_reader import check_length, check_range, of_length, parsed_by, read_typed, within

_MARKS = {
    "type": "object",
    "patternProperties": {"^([a-i][1-6])$": {"type": "string", "pattern": r"^(\+[123]|g3|-[23])$"}},
    "description": "Twelve squares with their marks: `+1`, `+2`, `+3`, `-2` or `-3` points, or `g3`:"
    " 3 points for a gardener.",
}
MarksJson = Annotated[dict[str, str], parsed_by(parse_marks), WithJsonSchema(_MARKS)]
"""The marked squares of a reward board's side."""
MissionsJson = Annotated[list[MotifText], of_length(2)] | None
"""The missions of a seat; null where they are hidden."""
_Tiles = Annotated[int, within(range(10))]
"""Tiles of one motif."""


class VariantJson(JsonObject):
    """The variant of a game."""

    seats: Annotated[int, within(SEATS)]
    """The number of seats."""
    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""
    deck: Annotated[list[CardText], of_length(CARDS_OF_A_SEAT)]
    """The 18 cards that every seat has."""


class GardenJson(JsonObject):
    """A seat's garden."""

    printed: list[SquareText]
    """Built from the start: row 1 and six printed squares."""
    built: list[SquareText]
    """All built squares, including printed ones."""
    gardeners: list[SquareText]
    """The built squares with a gardener."""
    nobles: list[SquareText]
    """The squares with a noble. The noble of every other column is on the terrace."""
    boar: SquareText | None
    """The boar's square; null if it has left or is not in play."""
    rewards: NotRequired[MarksJson]
    """The marks of the reward board; missing if it is not in play."""


class ScoreJson(PartsJson):
    """A seat's points so far."""

    total: int
    """The sum of all parts."""


class PouchJson(TypedDict):
    a: _Tiles
    b: _Tiles
    c: _Tiles
    d: _Tiles
    e: _Tiles
    f: _Tiles
    g: _Tiles
    h: _Tiles
    i: _Tiles


_POUCH = {"type": "object", "patternProperties": {"^([a-i])$": {"type": "integer"}}}


class OwnViewJson(JsonObject):
    """The part of a view that only its seat sees."""

    seat: SeatNumber | None
    """Your seat; null for a spectator."""
    hand: list[CardText]
    """Your cards; empty for a spectator."""
    missions: list[MissionsJson]
    """Each seat's two columns; null for other seats until the last turn is played."""


class _ViewFields(OwnViewJson):
    variant: VariantJson
    turn: Annotated[int, within(range(73))]
    """The number of turns played."""
    display: Annotated[list[MotifText | None], of_length(len(SPACES))]
    """The tile on each of the ten spaces, or null."""
    pouch: Annotated[PouchJson, WithJsonSchema(_POUCH)]
    """The number of tiles of each motif left to be drawn."""
    unplayed: list[list[CardText]]
    """Each seat's cards that are not played yet, in hand and pile together."""
    gardens: list[GardenJson]
    """Each seat's garden."""


class _ReadView(_ViewFields):
    scores: list[PartsJson]


class GameViewJson(_ViewFields):
    """A game as one seat, or a spectator, may see it."""

    round: Round
    """The round, from 1."""
    to_move: SeatNumber | None
    """The seat to move; null after the last turn."""
    scores: list[ScoreJson]
    """Each seat's points so far."""


def write_variant(variant: Variant) -> VariantJson:
    """Which game is played, and the cards that every seat has."""
    return {
        "seats": variant.seats,
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "deck": write_cards(variant.deck),
    }


def parse_variant(document: object) -> Variant:
    """The game that is played, or ``FieldError``."""
    return read_variant(read_typed(VariantJson, document, "variant", extra="ignore"))


def read_variant(fields: VariantJson) -> Variant:
    """The variant of a document that is known to be well-formed."""
    expansions = fields["expansions"]
    return Variant(
        fields["seats"],
        fields["edition"],
        REWARDS in expansions,
        WILD_BOAR in expansions,
        _cards(fields["deck"]),
    )


def write_view(view: View) -> GameViewJson:
    """What one seat, or a spectator, may know."""
    return {
        "variant": write_variant(view.variant),
        "seat": view.seat,
        "turn": view.turn,
        "round": view.round,
        "to_move": None if view.over else view.to_move,
        "hand": write_cards(view.hand),
        "missions": [write_missions(missions) for missions in view.missions],
        "display": [None if motif is None else write_column(motif) for motif in tiles_on(view.display)],
        "pouch": dict(zip(LETTERS, view.pouch, strict=True)),  # type: ignore[typeddict-item]  # a to i
        "unplayed": [write_cards(cards) for cards in view.unplayed],
        "scores": [{"total": score.total, **write_parts(score)} for score in view.scores],
        "gardens": [_write_garden(garden) for garden in view.gardens],
    }


def write_own_view(view: View) -> OwnViewJson:
    """The fields of a view that only its seat sees; all others are those of a spectator's view."""
    return {
        "seat": view.seat,
        "hand": write_cards(view.hand),
        "missions": [write_missions(missions) for missions in view.missions],
    }


def parse_view(document: object) -> View:
    """The view that a document holds, or ``FieldError``; whether a game can reach it is not checked."""
    fields = read_typed(_ReadView, document, "view", extra="ignore")
    variant = read_variant(fields["variant"])
    check_seat(fields["seat"], variant)
    check_range(fields["turn"], range(variant.turns + 1), "view", "turn")
    for name in ("gardens", "scores", "unplayed", "missions"):
        check_length(fields[name], variant.seats, "view", name)
    return View(
        variant,
        fields["seat"],
        fields["turn"],
        tuple(map(_garden, fields["gardens"])),
        tuple(Score(**{part: score[part] for part in PARTS}) for score in fields["scores"]),  # type: ignore[literal-required]
        lay_out(tuple(EMPTY if motif is None else parse_column(motif) for motif in fields["display"])),
        tuple(fields["pouch"][letter] for letter in LETTERS),  # type: ignore[literal-required]
        tuple(map(_cards, fields["unplayed"])),
        _cards(fields["hand"]),
        tuple(map(read_missions, fields["missions"])),
    )


def check_seat(seat: int | None, variant: Variant) -> None:
    """``FieldError`` unless a view's seat, if it has one, is one of the variant."""
    if seat is not None:
        check_range(seat, range(variant.seats), "view", "seat")


def write_cards(cards: Cards) -> list[str]:
    """A set of cards, in their fixed order."""
    return [write_card(card) for card in members(cards)]


def _cards(texts: list[str]) -> Cards:
    return set_of(map(parse_card, texts))


def write_missions(missions: Missions | None) -> list[str] | None:
    """The missions of a seat; None where they are hidden."""
    return None if missions is None else [write_column(mission) for mission in missions]


def read_missions(texts: list[str] | None) -> Missions | None:
    """The missions that column letters name; None where they are hidden."""
    return None if texts is None else tuple(map(parse_column, texts))


def read_squares(texts: list[str]) -> Squares:
    """The set of squares that texts name."""
    return set_of(map(parse_square, texts))


def _write_garden(garden: Garden) -> GardenJson:
    boar = members(garden.boar)
    document: GardenJson = {
        "printed": write_squares(garden.printed),
        "built": write_squares(garden.built),
        "gardeners": write_squares(garden.gardeners),
        "nobles": write_squares(garden.nobles),
        "boar": write_square(boar[0]) if boar else None,
    }
    if garden.marks:
        document["rewards"] = write_marks(garden.marks)
    return document


def _garden(fields: GardenJson) -> Garden:
    boar = fields["boar"]
    return Garden(
        read_squares(fields["printed"]),
        read_squares(fields["built"]),
        read_squares(fields["gardeners"]),
        read_squares(fields["nobles"]),
        0 if boar is None else 1 << parse_square(boar),
        parse_marks(fields.get("rewards", {})),
    )
