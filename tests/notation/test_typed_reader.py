"""The typed reader: each fault with its path and a sentence in every language."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired

import pytest
from pydantic import FiniteFloat, with_config
from typing_extensions import TypedDict

from sanssouci.locale import LANGUAGES
from sanssouci.notation import (
    FieldError,
    NotationError,
    build_validator,
    of_length,
    parse_square,
    parsed_by,
    read_typed,
    read_typed_json,
    within,
)
from sanssouci.notation.record import RecordJson


class Inner(TypedDict):
    """A nested type."""

    square: Annotated[str, parsed_by(parse_square)]
    flag: bool


@with_config({"extra": "forbid"})
class Shape(TypedDict):
    """One field of every kind."""

    number: Annotated[int, within(range(3, 6))]
    share: FiniteFloat
    pair: Annotated[list[str], of_length(2)]
    parts: NotRequired[list[Inner]]
    names: NotRequired[dict[Annotated[str, parsed_by(parse_square)], str]]


GOOD: Shape = {"number": 4, "share": 1, "pair": ["x", "y"], "parts": [{"square": "c2", "flag": True}]}


@pytest.mark.parametrize(
    ("change", "where", "key"),
    [
        ({"number": True}, "number", "record.want_whole_number"),
        ({"number": 4.0}, "number", "record.want_whole_number"),
        ({"number": 6}, "number", "field.range"),
        ({"share": "1"}, "share", "field.want_number"),
        ({"share": float("nan")}, "share", "field.want_number"),
        ({"pair": "xy"}, "pair", "record.want_list"),
        ({"pair": ["x"]}, "pair", "field.length"),
        ({"pair": ["x", 1]}, "pair[1]", "record.want_text"),
        ({"parts": [7]}, "parts[0]", "record.want_object"),
        ({"parts": [GOOD["parts"][0], {"flag": True}]}, "parts[1]", "record.missing_field"),
        ({"parts": [{"square": "k9", "flag": True}]}, "parts[0].square", "notation.square"),
        ({"parts": [{"square": "c2", "flag": 1}]}, "parts[0].flag", "field.want_flag"),
        ({"names": {"k9": "x"}}, "names.k9", "notation.square"),
        ({"nomber": 4, "number": "x"}, "", "record.unknown_field"),
    ],
)
def test_faults_have_a_path(change: dict[str, Any], where: str, key: str) -> None:
    """No value is converted, and the sentence starts with the path in every language."""
    with pytest.raises(NotationError) as caught:
        read_typed(Shape, {**GOOD, **change}, "shape")
    error = caught.value
    assert isinstance(error, FieldError)
    assert (error.where, error.key) == (f"shape.{where}".rstrip("."), key)
    for language in LANGUAGES:
        assert error.translate(language).startswith(error.where)


def test_valid_values_are_unchanged() -> None:
    """Valid values are returned unchanged; control characters in an error are escaped."""
    assert read_typed(Shape, GOOD) == GOOD
    with pytest.raises(FieldError) as caught:
        read_typed(Shape, {**GOOD, "names": {"\x1b[2J": "x"}})
    assert str(caught.value).isprintable()


@dataclass(frozen=True)
class Row:
    """A dataclass read from JSON."""

    name: str
    places: tuple[int, ...]


def test_a_line_of_json_becomes_a_dataclass() -> None:
    """JSON text is read into a dataclass with tuples; invalid JSON is refused."""
    assert read_typed_json(Row, '{"name": "x", "places": [1, 2]}') == Row("x", (1, 2))
    for line in ("{", "[]", '{"name": "x", "places": [true]}', '{"name": "\\ud800", "places": []}'):
        with pytest.raises(FieldError):
            read_typed_json(Row, line)


def test_threads_may_build_validators_at_once() -> None:
    """Each parses source code for docstrings. Python 3.11 cannot do that in two threads at once, which
    happens if a callback of the garbage collection gives way to another thread.
    """

    def give_way(*_: object) -> None:
        time.sleep(0.0001)

    gc.callbacks.append(give_way)
    try:
        with ThreadPoolExecutor(4) as threads:
            built = list(threads.map(build_validator, [RecordJson] * 8))
    finally:
        gc.callbacks.remove(give_way)
    assert len(built) == 8
