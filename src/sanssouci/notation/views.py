"""A view as JSON: all that a seat may know, in the words of the record; parsed back it is the same view.

``round``, ``to_move`` and a score's ``total`` follow from the rest; they are written for those who read, and
not looked at when parsed. Fields that are not known are passed over.
"""

from typing import Any

from sanssouci.rules import (
    CARDS_OF_A_SEAT,
    COLUMNS,
    EDITIONS,
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
    Motif,
    Score,
    Square,
    Squares,
    Variant,
    View,
    lay_out,
    members,
    set_of,
    tiles_on,
)

from .cards import parse_card, write_card
from .error import NotationError
from .fields import a_name, a_number, a_text, an_object, each, or_null, read_field
from .rewards import parse_marks, write_marks
from .squares import parse_column, parse_square, write_column, write_square, write_squares

Json = dict[str, Any]

_POINTS = range(-1000, 1001)
"""More than any part of a score can be."""
_TILES = range(10)
"""Of one motif."""


def write_variant(variant: Variant) -> Json:
    """Which game is played, and the cards that every seat has."""
    return {
        "seats": variant.seats,
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "deck": write_cards(variant.deck),
    }


def parse_variant(document: object, where: str = "variant") -> Variant:
    """The game that is played."""
    fields = an_object(document, where)
    edition = read_field(fields, "edition", a_text)
    expansions = read_field(fields, "expansions", lambda value, here: each(value, here, a_text))
    if edition not in EDITIONS:
        raise NotationError("record.unknown_edition", known=", ".join(EDITIONS))
    if not set(expansions) <= set(EXPANSIONS):
        raise NotationError("record.bad_expansions", known=", ".join(EXPANSIONS))
    return Variant(
        read_field(fields, "seats", lambda value, here: a_number(value, here, SEATS)),
        edition,
        REWARDS in expansions,
        WILD_BOAR in expansions,
        read_field(fields, "deck", lambda value, here: parse_cards(value, here, CARDS_OF_A_SEAT)),
    )


def write_view(view: View) -> Json:
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
        "pouch": {write_column(motif): count for motif, count in enumerate(view.pouch)},
        "unplayed": [write_cards(cards) for cards in view.unplayed],
        "scores": [{"total": score.total, **score.parts()} for score in view.scores],
        "gardens": [_write_garden(garden) for garden in view.gardens],
    }


def write_own_view(view: View) -> Json:
    """Of a view only what not everyone sees alike; all other fields are those of a spectator's view."""
    return {
        "seat": view.seat,
        "hand": write_cards(view.hand),
        "missions": [write_missions(missions) for missions in view.missions],
    }


def parse_view(document: object) -> View:
    """The view that a document holds, or ``NotationError``; whether a game can come to it is not asked."""
    fields = an_object(document, "view")
    variant = read_field(fields, "variant", parse_variant)
    seats = variant.seats
    return View(
        variant,
        read_field(fields, "seat", or_null(lambda value, here: a_number(value, here, range(seats)))),
        read_field(fields, "turn", lambda value, here: a_number(value, here, range(variant.turns + 1))),
        tuple(read_field(fields, "gardens", lambda value, here: each(value, here, _garden, seats))),
        tuple(read_field(fields, "scores", lambda value, here: each(value, here, _score, seats))),
        read_field(fields, "display", _display),
        read_field(fields, "pouch", _pouch),
        tuple(read_field(fields, "unplayed", lambda value, here: each(value, here, parse_cards, seats))),
        read_field(fields, "hand", parse_cards),
        tuple(read_field(fields, "missions", lambda value, here: each(value, here, parse_missions, seats))),
    )


def write_cards(cards: Cards) -> list[str]:
    """A set of cards, in their fixed order."""
    return [write_card(card) for card in members(cards)]


def parse_cards(value: object, where: str, size: int | None = None) -> Cards:
    """A set of cards."""
    return set_of(each(value, where, lambda item, here: a_name(item, here, parse_card), size))


def write_missions(missions: Missions | None) -> list[str] | None:
    """The missions of a seat; None where they are not to be seen."""
    return None if missions is None else [write_column(mission) for mission in missions]


def parse_missions(value: object, where: str) -> Missions | None:
    """The missions of a seat."""
    return None if value is None else tuple(each(value, where, _column, 2))


def squares_in(value: object, where: str) -> Squares:
    """A set of squares."""
    return set_of(each(value, where, _square))


def _write_garden(garden: Garden) -> Json:
    boar = members(garden.boar)
    document: Json = {
        "printed": write_squares(garden.printed),
        "built": write_squares(garden.built),
        "gardeners": write_squares(garden.gardeners),
        "nobles": write_squares(garden.nobles),
        "boar": write_square(boar[0]) if boar else None,
    }
    return document | ({"rewards": write_marks(garden.marks)} if garden.marks else {})


def _garden(value: object, where: str) -> Garden:
    fields = an_object(value, where)
    boar = read_field(fields, "boar", or_null(_square))
    marks = {
        square: a_text(mark, where) for square, mark in an_object(fields.get("rewards", {}), where).items()
    }
    return Garden(
        read_field(fields, "printed", squares_in),
        read_field(fields, "built", squares_in),
        read_field(fields, "gardeners", squares_in),
        read_field(fields, "nobles", squares_in),
        0 if boar is None else 1 << boar,
        parse_marks(marks),
    )


def _score(value: object, where: str) -> Score:
    fields = an_object(value, where)
    parts = {
        part: read_field(fields, part, lambda item, here: a_number(item, here, _POINTS)) for part in PARTS
    }
    return Score(**parts)


def _display(value: object, where: str) -> int:
    motifs = each(value, where, or_null(_column), len(SPACES))
    return lay_out(tuple(EMPTY if motif is None else motif for motif in motifs))


def _pouch(value: object, where: str) -> tuple[int, ...]:
    fields = an_object(value, where)
    return tuple(
        read_field(fields, write_column(motif), lambda item, here: a_number(item, here, _TILES))
        for motif in COLUMNS
    )


def _square(value: object, where: str) -> Square:
    return a_name(value, where, parse_square)


def _column(value: object, where: str) -> Motif:
    return a_name(value, where, parse_column)
