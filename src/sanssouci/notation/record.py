"""The game record ``sanssouci-record/1``: a deal, its turns, and the result."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sanssouci.rules import Deal, Result

from .cards import write_card
from .rewards import write_marks
from .squares import LETTERS, write_column, write_squares

FORMAT = "sanssouci-record/1"

_OWN_FIELDS = ("format", "edition", "expansions", "seats", "setup", "turns", "result", "fair", "boards")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """One game. Turns are kept as text: whether they are legal is for ``replay`` to say."""

    deal: Deal
    seats: tuple[Json, ...]
    """Per seat its ``name`` and whatever else the writer put there."""
    turns: tuple[str, ...]
    result: Json | None = None
    fair: Json | None = None
    boards: Json | None = None
    extra: Json = field(default_factory=dict)
    """Top-level fields that the format does not know."""


def write_record(record: Record) -> bytes:
    """The record as a document: one line for each thing a person would look for."""
    if clash := set(record.extra) & set(_OWN_FIELDS):
        raise ValueError(f"the format has fields of its own called {sorted(clash)}")
    fields = [f'  "{name}": {text}' for name, text in _fields(record)]
    return ("{\n" + ",\n".join(fields) + "\n}\n").encode("utf-8")


def _fields(record: Record) -> list[tuple[str, str]]:
    deal = record.deal
    fields = [
        ("format", _text(FORMAT)),
        ("edition", _text(deal.variant.edition)),
        ("expansions", _text(deal.variant.expansions)),
        ("seats", _lines([_text(seat) for seat in record.seats], "  ")),
        ("setup", _setup(deal)),
        ("turns", _turns(record.turns, deal.variant.seats)),
    ]
    optional = {"result": record.result, "fair": record.fair, "boards": record.boards}
    fields += [(name, _text(value)) for name, value in optional.items() if value is not None]
    return fields + [(json.dumps(name)[1:-1], _text(value)) for name, value in record.extra.items()]


def _setup(deal: Deal) -> str:
    fields = {"gardens": _lines([_text(write_squares(squares)) for squares in deal.printed], "    ")}
    if deal.variant.rewards:
        fields["rewards"] = _lines([_text(write_marks(marks)) for marks in deal.marks], "    ")
    missions = [[write_column(mission) for mission in missions] for missions in deal.missions]
    fields["missions"] = _text(missions)
    decks = [_text([write_card(card) for card in deck]) for deck in deal.decks]
    fields["decks"] = _lines(decks, "    ")
    fields["tiles"] = _text("".join(LETTERS[motif] for motif in deal.tiles))
    return "{\n" + ",\n".join(f'    "{name}": {text}' for name, text in fields.items()) + "\n  }"


def _turns(turns: tuple[str, ...], seats: int) -> str:
    """One round a line."""
    rounds = [turns[at : at + seats] for at in range(0, len(turns), seats)]
    return _lines([_text(turns)[1:-1] for turns in rounds], "  ") if rounds else "[]"


def _lines(texts: list[str], indent: str) -> str:
    inner = ",\n".join(f"{indent}  {text}" for text in texts)
    return f"[\n{inner}\n{indent}]"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write_result(result: Result) -> dict[str, Any]:
    """A result as the record holds it."""
    return {
        "scores": [score.total for score in result.scores],
        "gardeners": list(result.gardeners),
        "winners": list(result.winners),
        "parts": [score.parts() for score in result.scores],
    }


def is_complete(record: Record) -> bool:
    """Whether every turn of the game is there."""
    return len(record.turns) == record.deal.variant.turns


def seat_names(record: Record) -> list[str]:
    """The names of the seats, without what a terminal would obey; a number where there is none."""
    return [_shown_name(seat["name"]) or str(number) for number, seat in enumerate(record.seats, start=1)]


def _shown_name(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name[:30]).strip()
