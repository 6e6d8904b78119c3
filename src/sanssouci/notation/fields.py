"""The parts of a JSON document that somebody else has written: each of the kind wanted, or refused."""

from collections.abc import Callable
from typing import Any, TypeVar

from sanssouci.locale import UserError

from .error import NotationError

T = TypeVar("T")


def field_error(where: str, reason: UserError) -> NotationError:
    """What is wrong, with the field it is wrong in."""
    return NotationError("field.bad", field=where, reason=reason)


def read_field(document: dict[str, Any], name: str, read: Callable[[object, str], T]) -> T:
    """A field that must be there."""
    if name not in document:
        raise NotationError("record.missing_field", name=name)
    return read(document[name], name)


def an_object(value: object, where: str) -> dict[str, Any]:
    """The value, if it is an object."""
    return _typed(value, dict, where, "record.want_object")


def a_list(value: object, where: str) -> list[Any]:
    """The value, if it is a list."""
    return _typed(value, list, where, "record.want_list")


def a_text(value: object, where: str) -> str:
    """The value, if it is a text."""
    return _typed(value, str, where, "record.want_text")


def a_number(value: object, where: str, known: range) -> int:
    """The value, if it is a whole number of a range."""
    if _typed(value, int, where, "record.want_whole_number") not in known:
        raise field_error(where, UserError("field.range", low=known[0], high=known[-1]))
    return int(value)  # type: ignore[call-overload, no-any-return]  # it is one


def a_flag(value: object, where: str) -> bool:
    """The value, if it is true or false."""
    return _typed(value, bool, where, "field.want_flag")


def a_name(value: object, where: str, parse: Callable[[str], T]) -> T:
    """What a text names: a square, a card, a column."""
    try:
        return parse(a_text(value, where))
    except NotationError as error:
        raise error if error.key == "field.bad" else field_error(where, error) from None


def each(value: object, where: str, read: Callable[[object, str], T], size: int | None = None) -> list[T]:
    """All of a list, of a certain length where one is given."""
    items = a_list(value, where)
    if size is not None and len(items) != size:
        raise field_error(where, UserError("field.length", wanted=size, found=len(items)))
    return [read(item, f"{where}[{place}]") for place, item in enumerate(items)]


def or_null(read: Callable[[object, str], T]) -> Callable[[object, str], T | None]:
    """The same, where nothing may stand as well."""
    return lambda value, where: None if value is None else read(value, where)


def _typed(value: object, kind: type[T], where: str, key: str) -> T:
    if type(value) is not kind:  # true is no whole number
        raise field_error(where, UserError(key))
    return value
