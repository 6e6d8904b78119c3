"""Types for JSON documents: the base of typed shapes, and the texts and numbers that occur in many of them.

A shape is a ``TypedDict`` next to the function that writes it, and mypy compares the two, so writing costs no
validation. ``typed_reader`` reads shapes, and the server's OpenAPI document describes them; the docstring
after a field is its description there. A shape ``GardenJson`` is called ``Garden`` in OpenAPI.
"""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, Strict, with_config
from typing_extensions import TypedDict

from sanssouci.locale import LANGUAGES
from sanssouci.rules import EDITIONS, EXPANSIONS

from .cards import parse_card
from .squares import parse_column, parse_square
from .typed_reader import one_of, parsed_by


@with_config(ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class JsonObject(TypedDict):
    """The base of typed shapes: unknown fields are refused, and nothing is converted."""


def _text(pattern: str) -> Any:
    return Field(pattern=f"^({pattern})$")


_SQUARE = "[a-i][1-6]"
_CARD = r"[a-i]|2[3-6]|3[4-6]|4[56]|56|\*"

SquareText = Annotated[str, parsed_by(parse_square, pattern=f"^({_SQUARE})$")]
MotifText = Annotated[str, parsed_by(parse_column, pattern="^([a-i])$")]
CardText = Annotated[str, parsed_by(parse_card, pattern=f"^({_CARD})$")]
TileText = Annotated[str, _text(f"{_SQUARE}g?")]
BoarGoalText = Annotated[str, _text(f"{_SQUARE}|x")]
MarkText = Annotated[str, _text(r"\+[123]|g3|-[23]")]
TurnText = Annotated[str, _text(rf"({_CARD})@[0-9]-{_SQUARE}g?(~({_SQUARE}|x))?(/{_SQUARE})?")]
RuleNumber = Annotated[str, _text("R[0-9]{1,2}")]

SpaceNumber = Annotated[int, Field(ge=0, le=9)]
SpaceText = Annotated[str, _text("[0-9]")]
ChairNumber = Annotated[int, Strict(), Field(ge=0, le=3)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
Round = Annotated[int, Field(ge=1, le=18)]
Timestamp = Annotated[float, Field(ge=0)]
Seq = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]

LanguageName = Annotated[str, one_of(LANGUAGES)]
EditionName = Annotated[str, one_of(EDITIONS, "record.unknown_edition")]
ExpansionName = Annotated[str, one_of(EXPANSIONS, "record.bad_expansions")]

DayText = Annotated[str, _text("[0-9]{4}-[0-9]{2}-[0-9]{2}")]
TableId = Annotated[str, _text("[0-9a-f]{16}")]
HashText = Annotated[str, _text("[0-9a-f]{64}")]
NonceText = Annotated[str, _text("|([0-9a-f]{2}){8,32}")]
SecretText = Annotated[str, _text("[A-Za-z0-9_-]{43}")]
