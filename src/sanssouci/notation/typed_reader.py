"""Reads untrusted documents as typed data.

A shape is declared once, as a ``TypedDict`` (a dataclass works too), and pydantic checks a document against
it: ``read_typed`` for values that JSON or TOML gave, ``read_typed_json`` for the text itself. Nothing is
converted: ``true`` and ``91.0`` are not whole numbers. The first fault found is raised as ``FieldError``,
which says in four languages where the document is wrong and what belongs there.

::

    class SeatJson(TypedDict):
        name: str
        card: Annotated[str, parsed_by(parse_card)]
        points: Annotated[int, within(range(100))]

    read_typed(SeatJson, {"name": "Ada", "card": "z", "points": 3}, "seat")
    # FieldError: seat.card: “z” is no card
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Annotated, Any, Literal, TypeVar

from pydantic import FailFast, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from sanssouci.locale import UserError, printable, translate

from .error import NotationError

T = TypeVar("T")

Path = tuple[str | int, ...]
"""The names and list places that lead to a value, from the outside in."""

_WANTED = {
    "bool_type": "field.want_flag",
    "dataclass_type": "record.want_object",
    "dict_type": "record.want_object",
    "finite_number": "field.want_number",
    "float_type": "field.want_number",
    "int_type": "record.want_whole_number",
    "list_type": "record.want_list",
    "string_type": "record.want_text",
    "tuple_type": "record.want_list",
}
"""The sentence for each of pydantic's errors that is about a type."""


ListOf = Annotated[list[T], FailFast()]
"""A list of which only the first wrong entry is looked at: a hundred thousand take a second to collect."""


class FieldError(NotationError):
    """A value of a document is missing, not allowed, or not of the kind that belongs there."""

    def __init__(self, path: Path, reason: UserError) -> None:
        """``path`` leads to the value; for a missing or unknown field, to the object around it."""
        super().__init__(reason.key, **reason.details)
        self.path = path

    @property
    def where(self) -> str:
        """The path as a person writes it: ``seats[0].name``."""
        return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path).lstrip(".")

    def translate(self, language: str = "en") -> str:
        """The path, then what is wrong there."""
        parts = (printable(self.where), super().translate(language))
        return translate("word.colon", language).join(part for part in parts if part)


def read_typed(
    kind: type[T], value: object, *path: str | int, extra: Literal["ignore", "forbid"] | None = None
) -> T:
    """The value as a ``kind``, or ``FieldError``; ``path`` says where in a larger document it stands.

    ``extra`` overrides what the shape itself says about unknown fields.
    """
    try:
        found: T = validator(kind).validate_python(value, strict=True, extra=extra)
        return found
    except ValidationError as error:
        raise _field_error(error, path) from None


def read_typed_json(kind: type[T], data: bytes | str, *path: str | int) -> T:
    """The same for a JSON text. It fills tuples and enums too, but lets duplicate keys pass."""
    try:
        found: T = validator(kind).validate_json(data, strict=True)
        return found
    except ValidationError as error:
        raise _field_error(error, path) from None


def check_range(value: int, known: range, *path: str | int) -> None:
    """``FieldError`` unless the number lies in the range."""
    if value not in known:
        raise FieldError(path, UserError("field.range", low=known[0], high=known[-1]))


def check_length(values: list[Any], size: int, *path: str | int) -> None:
    """``FieldError`` unless the list has so many entries."""
    if len(values) != size:
        raise FieldError(path, UserError("field.length", wanted=size, found=len(values)))


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """Annotates a value: a check that raises ``UserError``, and keywords for its JSON schema."""

    check: Callable[[Any], object]
    schema: dict[str, Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(schema) | self.schema

    def _checked(self, value: T) -> T:
        self.check(value)
        return value


def parsed_by(parse: Callable[[Any], object], **schema: Any) -> Checked:
    """Annotates a value that ``parse`` accepts; the value itself stays as it is."""
    return Checked(parse, schema)


def within(known: range) -> Checked:
    """Annotates a whole number of a range."""
    return parsed_by(lambda value: check_range(value, known), minimum=known[0], maximum=known[-1])


def of_length(size: int) -> Checked:
    """Annotates a list of so many entries."""
    return parsed_by(lambda values: check_length(values, size), minItems=size, maxItems=size)


def one_of(names: Iterable[str], error: str = "field.choice") -> Checked:
    """Annotates a text that is one of some names."""
    known = tuple(names)

    def check(name: str) -> None:
        if name not in known:
            raise UserError(error, known=", ".join(known))

    return parsed_by(check, enum=list(known))


def validator(shape: Any) -> TypeAdapter[Any]:
    """Checks untrusted data against a shape. It is built on first use, which takes milliseconds."""
    if shape not in _validators:
        _validators[shape] = build_validator(shape)
    return _validators[shape]


def build_validator(shape: Any) -> TypeAdapter[Any]:
    """A new validator. Only one is built at a time.

    Pydantic parses the source code of a shape for the docstrings of its fields, and Python 3.11 may raise
    ``SystemError`` if two threads parse at once.
    """
    with _building:
        return TypeAdapter(shape)


_validators: dict[Any, TypeAdapter[Any]] = {}
_building = Lock()


def _field_error(error: ValidationError, path: Path) -> FieldError:
    # A misspelt name makes a field unknown and another one missing: the unknown one says more.
    faults = error.errors(include_url=False, include_input=False)
    details = min(faults, key=lambda fault: fault["type"] != "extra_forbidden")
    path += tuple(part for part in details["loc"] if part != "[key]")  # pydantic's mark for a key of a dict
    if details["type"] == "missing":
        return FieldError(path[:-1], UserError("record.missing_field", name=path[-1]))
    if details["type"] == "extra_forbidden":
        return FieldError(path[:-1], UserError("record.unknown_field", name=path[-1]))
    return FieldError(path, _reason(details))


def _reason(details: ErrorDetails) -> UserError:
    context = details.get("ctx", {})
    if isinstance(context.get("error"), UserError):  # raised by one of the annotations above
        return context["error"]  # type: ignore[no-any-return]
    return UserError(_WANTED.get(details["type"], "field.bad"))
