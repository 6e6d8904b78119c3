"""The words of the notation: squares, cards, turns, places and moments, each with the texts it can be."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

from sanssouci.locale import LANGUAGES
from sanssouci.rules import EDITIONS, EXPANSIONS


@with_config(ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class WireDict(TypedDict):
    """The base of everything that the server sends.

    Writers return plain dictionaries, which mypy checks against these definitions: sending costs no
    validation. The docstring after a field is its description in OpenAPI.
    """


@cache
def validator(shape: Any) -> TypeAdapter[Any]:
    """Check untrusted data against a definition. It is built on first use, which takes milliseconds."""
    return TypeAdapter(shape)


@dataclass(frozen=True, slots=True)
class OneOf:
    """Restricts a text to names that the rules or the catalogues define."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return core_schema.literal_schema(list(self.names))


def _text(pattern: str) -> object:
    return Field(pattern=f"^({pattern})$")


_SQUARE = "[a-i][1-6]"
_CARD = r"[a-i]|2[3-6]|3[4-6]|4[56]|56|\*"

Square = Annotated[str, _text(_SQUARE)]
Motif = Annotated[str, _text("[a-i]")]
Card = Annotated[str, _text(_CARD)]
Tile = Annotated[str, _text(f"{_SQUARE}g?")]
BoarGoal = Annotated[str, _text(f"{_SQUARE}|x")]
Mark = Annotated[str, _text(r"\+[123]|g3|-[23]")]
TurnText = Annotated[str, _text(rf"({_CARD})@[0-9]-{_SQUARE}g?(~({_SQUARE}|x))?(/{_SQUARE})?")]
Rule = Annotated[str, _text("R[0-9]{1,2}")]

SpaceNumber = Annotated[int, Field(ge=0, le=9)]
SpaceText = Annotated[str, _text("[0-9]")]
ChairNumber = Annotated[int, Field(ge=0, le=3)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
Side = Annotated[int, Field(ge=0, le=1)]
Moment = Annotated[float, Field(ge=0)]
Seq = Annotated[int, Field(ge=0)]

Language = Annotated[str, OneOf(LANGUAGES)]
Edition = Annotated[str, OneOf(EDITIONS)]
Expansion = Annotated[str, OneOf(EXPANSIONS)]

Day = Annotated[str, _text("[0-9]{4}-[0-9]{2}-[0-9]{2}")]
TableText = Annotated[str, _text("[0-9a-f]{16}")]
Hash = Annotated[str, _text("[0-9a-f]{64}")]
Nonce = Annotated[str, _text("|([0-9a-f]{2}){8,32}")]
Secret = Annotated[str, _text("[A-Za-z0-9_-]{43}")]
