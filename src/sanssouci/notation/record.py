"""The game record ``sanssouci-record/1``: a deal, its turns, and the result."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired

from pydantic import PlainValidator, with_config
from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.rules import EDITIONS, EXPANSIONS, Deal, Result, Score

from .cards import write_card
from .rewards import write_marks
from .squares import LETTERS, write_column, write_squares
from .typed_reader import ListOf, parsed_by, within

FORMAT = "sanssouci-record/1"

Json = Mapping[str, Any]


def _check_edition(name: str) -> None:
    if name not in EDITIONS:
        raise UserError("record.unknown_edition", known=", ".join(EDITIONS))


def check_expansions(names: list[str]) -> None:
    """``UserError`` unless they are expansions, sorted, none twice."""
    if names != [name for name in EXPANSIONS if name in names]:
        raise UserError("record.bad_expansions", known=", ".join(EXPANSIONS))


def _check_hex(pattern: str) -> Any:
    """Annotates a text of hex digits."""
    whole = re.compile(pattern)

    def check(text: str) -> None:
        if not whole.fullmatch(text):
            raise UserError("record.want_hex")

    return parsed_by(check)


def _number_or_text(value: object) -> object:
    if type(value) not in (int, str):
        raise UserError("record.want_text")
    return value


Edition = Annotated[str, parsed_by(_check_edition)]
Hash = Annotated[str, _check_hex("[0-9a-fA-F]{64}")]
Points = Annotated[int, within(range(-1000, 1001))]
"""More than any part of a score can be."""

_closed = with_config({"extra": "forbid"})
_open = with_config({"extra": "allow"})


class PartsJson(TypedDict):
    """The parts of a score."""

    nobles: Points
    rewards: Points
    boar: Points
    rows: Points
    columns: Points
    missions: Points


@_closed
class SeatPartsJson(PartsJson):
    """The parts of a final score: all of them, and nothing else."""


@_closed
class ResultJson(TypedDict):
    """How a game ended, seat by seat."""

    scores: ListOf[int]
    gardeners: ListOf[int]
    winners: ListOf[int]
    parts: ListOf[SeatPartsJson]


@_closed
class FairJson(TypedDict):
    """What ``verify --seed`` needs to prove that the set-up was drawn from the seed."""

    scheme: str
    game: Annotated[int | str, PlainValidator(_number_or_text)]
    commitment: Hash
    nonces: ListOf[Annotated[str, _check_hex("([0-9a-fA-F]{2})*")]]
    seed: Hash


@_closed
class BoardsJson(TypedDict):
    """Which set of boards was used, what was dealt from it, and which sides were picked."""

    name: str
    sha256: Hash
    dealt: Any
    sides: Any


@_closed
class SetupJson(TypedDict):
    """The set-up as dealt, seat by seat; what the texts name is checked by the rules for a deal."""

    gardens: ListOf[ListOf[str]]
    rewards: NotRequired[ListOf[dict[str, str]]]
    missions: ListOf[ListOf[str]]
    decks: ListOf[ListOf[str]]
    tiles: str


@_open
class SeatJson(TypedDict):
    """A seat: its name, and any other fields."""

    name: str


@_open
class RecordJson(TypedDict):
    """A record as a document, with any other fields."""

    format: str
    edition: Edition
    expansions: Annotated[ListOf[str], parsed_by(check_expansions)]
    seats: ListOf[SeatJson]
    setup: SetupJson
    turns: ListOf[str]
    result: NotRequired[ResultJson]
    fair: NotRequired[FairJson]
    boards: NotRequired[BoardsJson]


@dataclass(frozen=True, slots=True)
class Record:
    """One game. Turns are kept as text: whether they are legal is for ``replay`` to say."""

    deal: Deal
    seats: tuple[Json, ...]
    """Per seat its ``name`` and whatever else the writer put there."""
    turns: tuple[str, ...]
    result: ResultJson | None = None
    fair: FairJson | None = None
    boards: BoardsJson | None = None
    extra: Json = field(default_factory=dict)
    """Top-level fields that the format does not know."""


def write_record(record: Record) -> bytes:
    """The record as JSON, with line breaks where a reader would look for them."""
    if clash := record.extra.keys() & RecordJson.__annotations__.keys():
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


def write_result(result: Result) -> ResultJson:
    """A result as the record holds it."""
    return {
        "scores": [score.total for score in result.scores],
        "gardeners": list(result.gardeners),
        "winners": list(result.winners),
        "parts": [write_parts(score) for score in result.scores],
    }


def write_parts(score: Score) -> SeatPartsJson:
    """A score, part by part."""
    return {
        "nobles": score.nobles,
        "rewards": score.rewards,
        "boar": score.boar,
        "rows": score.rows,
        "columns": score.columns,
        "missions": score.missions,
    }


def is_complete(record: Record) -> bool:
    """Whether every turn of the game is there."""
    return len(record.turns) == record.deal.variant.turns


def seat_names(record: Record) -> list[str]:
    """The names of the seats, without what a terminal would obey; a number where there is none."""
    return [_shown_name(seat["name"]) or str(number) for number, seat in enumerate(record.seats, start=1)]


def _shown_name(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name[:30]).strip()
