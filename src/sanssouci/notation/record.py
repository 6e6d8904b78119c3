"""The game record ``sanssouci-record/1``: a deal, its turns, and the result."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired

from pydantic import PlainValidator, with_config
from typing_extensions import TypedDict

from sanssouci.locale import UserError
from sanssouci.rules import EXPANSIONS, Deal, Result, Score

from .cards import write_card
from .json_types import EditionName, JsonObject
from .rewards import write_marks
from .squares import LETTERS, write_column, write_squares
from .typed_reader import ListOf, check_range, parsed_by

FORMAT = "sanssouci-record/1"

Json = Mapping[str, Any]


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

    return parsed_by(check, pattern=f"^({pattern})$")


def _number_or_text(value: object) -> object:
    if type(value) not in (int, str):
        raise UserError("record.want_text")
    return value


Hash = Annotated[str, _check_hex("[0-9a-fA-F]{64}")]
Points = Annotated[int, parsed_by(lambda points: check_range(points, range(-1000, 1001)))]
"""More than any part of a score can be."""

_open = with_config({"extra": "allow", "use_attribute_docstrings": True})


class PartsJson(JsonObject):
    """The points of a seat, part by part."""

    nobles: Points
    """For nobles that have moved."""
    rewards: Points
    """From the reward board; may be negative."""
    boar: Points
    """From the wild boar; may be negative."""
    rows: Points
    """Complete rows; 0 until the end."""
    columns: Points
    """Complete columns; 0 until the end."""
    missions: Points
    """Missions; 0 until the end."""


class RecordResultJson(JsonObject):
    """The result of a game that was played to its end, by seat."""

    scores: ListOf[int]
    """Each seat's points."""
    gardeners: ListOf[int]
    """Each seat's gardeners."""
    winners: ListOf[int]
    """The winning seats by the rules, including seats that conceded."""
    parts: ListOf[PartsJson]
    """Each seat's points by part."""


class RecordFairJson(JsonObject):
    """The proof that the set-up was drawn from the seed (docs/chance.md)."""

    scheme: str
    game: Annotated[int | str, PlainValidator(_number_or_text)]
    """The name of the game in the shuffle, for example the table's id."""
    commitment: Hash
    """The dealer's commitment to the seed."""
    deal_commitment: NotRequired[Hash]
    """The commitment to the seed, all nonces and the terms; missing under `fair/1`."""
    nonces: ListOf[Annotated[str, _check_hex("([0-9a-fA-F]{2})*")]]
    """The nonce of each chair; empty for a computer player."""
    seed: Hash
    """The dealer's seed, in hex."""


class RecordBoardsJson(JsonObject):
    """The boards that were dealt."""

    name: str
    """The name of the set."""
    sha256: Hash
    """The hash of its contents."""
    dealt: Any
    """The numbers of each seat's boards: `gardens`, and `rewards` if in play."""
    sides: Any
    """The sides that were picked, in the same form."""


class RecordSetupJson(JsonObject):
    """The set-up as dealt and picked, by seat."""

    gardens: ListOf[ListOf[str]]
    """Each seat's six printed squares."""
    rewards: NotRequired[ListOf[dict[str, str]]]
    """The marks of each seat's reward board; missing if not in play."""
    missions: ListOf[ListOf[str]]
    """Each seat's two columns."""
    decks: ListOf[ListOf[str]]
    """Each seat's 18 cards in the order drawn."""
    tiles: str
    """All tiles in the order drawn; the first ten fill the display."""


@_open
class RecordSeatJson(TypedDict):
    """A seat: its name, and any other fields."""

    name: str
    """The display name."""


@_open
class RecordFields(TypedDict):
    format: str
    edition: EditionName
    """The edition."""
    expansions: Annotated[ListOf[str], parsed_by(check_expansions)]
    """The expansions in play."""
    setup: RecordSetupJson
    turns: ListOf[str]
    """All turns, in order."""
    result: NotRequired[RecordResultJson]
    """Missing if turns are missing."""
    fair: NotRequired[RecordFairJson]
    """Missing if the deal came from a record."""
    boards: NotRequired[RecordBoardsJson]
    """Missing if the deal came from a record."""


class RecordJson(RecordFields):
    """The record of a game, with any other fields (docs/notation.md)."""

    seats: ListOf[RecordSeatJson]
    """In turn order."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game. Turns are kept as text: whether they are legal is for ``replay`` to say."""

    deal: Deal
    seats: tuple[Json, ...]
    """Per seat its ``name`` and whatever else the writer put there."""
    turns: tuple[str, ...]
    result: RecordResultJson | None = None
    fair: RecordFairJson | None = None
    boards: RecordBoardsJson | None = None
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


def write_result(result: Result) -> RecordResultJson:
    """A result as the record holds it."""
    return {
        "scores": [score.total for score in result.scores],
        "gardeners": list(result.gardeners),
        "winners": list(result.winners),
        "parts": [write_parts(score) for score in result.scores],
    }


def write_parts(score: Score) -> PartsJson:
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
    """The names of the seats, without terminal control characters; a number where there is none."""
    return [_shown_name(seat["name"]) or str(number) for number, seat in enumerate(record.seats, start=1)]


def _shown_name(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name[:30]).strip()
