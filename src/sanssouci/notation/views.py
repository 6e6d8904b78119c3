"""A view as JSON: everything that a seat may know, in the notation of the record.

``round``, ``to_move`` and a score's ``total`` follow from the rest: they are written for the reader's
convenience and ignored when a view is parsed, as are unknown fields.
"""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.rules import (
    CARDS_OF_A_SEAT,
    EMPTY,
    EXPANSIONS,
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
from .record import Edition, PartsJson, write_parts
from .rewards import parse_marks, write_marks
from .squares import LETTERS, parse_column, parse_square, write_column, write_square, write_squares
from .typed_reader import check_length, check_range, of_length, parsed_by, read_typed, within

SquareText = Annotated[str, parsed_by(parse_square)]
ColumnText = Annotated[str, parsed_by(parse_column)]
CardText = Annotated[str, parsed_by(parse_card)]
MarksJson = Annotated[dict[str, str], parsed_by(parse_marks)]
"""The marked squares of a reward board's side."""
MissionsJson = Annotated[list[ColumnText], of_length(2)] | None
"""The missions of a seat; null where they are hidden."""
_Tiles = Annotated[int, within(range(10))]
"""Tiles of one motif."""


def _check_expansions(names: list[str]) -> None:
    if not set(names) <= set(EXPANSIONS):
        raise UserError("record.bad_expansions", known=", ".join(EXPANSIONS))


class VariantJson(TypedDict):
    """Which game is played, and the cards that every seat has."""

    seats: Annotated[int, within(SEATS)]
    edition: Edition
    expansions: Annotated[list[str], parsed_by(_check_expansions)]
    deck: Annotated[list[CardText], of_length(CARDS_OF_A_SEAT)]


class GardenJson(TypedDict):
    """A garden; ``rewards`` only where a reward board lies."""

    printed: list[SquareText]
    built: list[SquareText]
    gardeners: list[SquareText]
    nobles: list[SquareText]
    boar: SquareText | None
    rewards: NotRequired[MarksJson]


class ScoreJson(PartsJson):
    """A score so far, part by part."""

    total: NotRequired[int]


class PouchJson(TypedDict):
    """How many tiles of each motif are in the pouch."""

    a: _Tiles
    b: _Tiles
    c: _Tiles
    d: _Tiles
    e: _Tiles
    f: _Tiles
    g: _Tiles
    h: _Tiles
    i: _Tiles


class OwnViewJson(TypedDict):
    """The part of a view that only its seat sees."""

    seat: int | None
    hand: list[CardText]
    missions: list[MissionsJson]


class ViewFields(OwnViewJson):
    """The fields of a view that are read."""

    variant: VariantJson
    turn: int
    display: Annotated[list[ColumnText | None], of_length(len(SPACES))]
    pouch: PouchJson
    unplayed: list[list[CardText]]
    scores: list[ScoreJson]
    gardens: list[GardenJson]


class ViewJson(ViewFields):
    """What one seat, or a spectator, may know of a position."""

    round: int
    to_move: int | None


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
    return read_variant(read_typed(VariantJson, document, "variant"))


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


def write_view(view: View) -> ViewJson:
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
    fields = read_typed(ViewFields, document, "view")
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
