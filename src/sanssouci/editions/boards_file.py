"""Boards files: TOML, read and checked field by field, and written.

::

    [boards]
    name = "my box"
    pairs = ["24", "25", "26", "34", "35", "36", "46", "56"]

    [[boards.gardens]]                       # four of these; the back may be left out
    front = ["a3", "a5", "c2", "g2", "h4", "i3"]
    back = ["b2", "d2", "f3", "a4", "i4", "i5"]

    [[boards.rewards]]                       # four of these; the back may be left out
    front = { e3 = "+1", d4 = "g3", ... }    # twelve marked squares

``pairs`` and ``rewards`` may be left out: the project's own are used then.
"""

import json
import re
import tomllib
from codecs import BOM_UTF8
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from sanssouci.locale import UserError, printable
from sanssouci.notation import NotationError, parse_card, parse_marks, parse_squares, read_file
from sanssouci.rules import (
    BELOW_ROW_1,
    BOAR_START,
    MARKED_SQUARES,
    PAIRS_OF_A_DECK,
    PRINTED_SQUARES,
    Cards,
    GardenBoard,
    Marks,
    RewardBoard,
    Squares,
    Variant,
    colour_rows,
    deck_of,
    marked_squares,
)

from .boards import SIDES, BoardSet

T = TypeVar("T")

BOARDS = 4
LARGEST_FILE = 32_768
LONGEST_NAME = 60
_MOST_DOTS = 60
"""In a line."""
EDITION_FIELDS = ("edition", "title", "languages", "rows", "columns", "expansions")
"""What an edition's own file holds besides; a user's file may be a copy of one."""
SHIPPED = {"parterre": "ravensburger", "bosquet": "imperial", "reference": "reference"}
"""The sets that come with the project, and the data file that holds each."""
_DEFAULT = "parterre"


class BoardsError(UserError):
    """A boards file is wrong; ``field`` names where."""

    def __init__(self, field: str, key: str, **details: object) -> None:
        super().__init__(key, **details)
        self.field = field

    def translate(self, language: str = "en") -> str:
        """The field, then what is wrong with it."""
        return (
            f"{printable(self.field)}: {super().translate(language)}"
            if self.field
            else super().translate(language)
        )


@cache
def shipped_boards(name: str) -> BoardSet:
    """A set that comes with the project."""
    data = files("sanssouci.editions").joinpath("data", f"{SHIPPED[name]}.toml").read_bytes()
    return parse_boards(data)


def find_boards(name_or_path: str) -> BoardSet:
    """A shipped set by its name, else the set in a file."""
    if name_or_path in SHIPPED:
        return shipped_boards(name_or_path)
    try:
        return read_boards(Path(name_or_path))
    except BoardsError as error:
        if error.key != "file.missing":
            raise
        raise BoardsError("", "boards.missing", known=", ".join(SHIPPED)) from None


def read_boards(path: Path) -> BoardSet:
    """The set of boards in a file, or ``BoardsError``."""
    try:
        data = read_file(path, LARGEST_FILE)
    except UserError as error:
        raise BoardsError("", error.key, **error.details) from None
    return parse_boards(data)


def _not_toml(said: str) -> BoardsError:
    """What Python's reader of TOML has to say, with the place in the words of every language."""
    place = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", said, re.DOTALL)
    if place is None:
        return BoardsError("", "boards.not_toml", reason=said)
    return BoardsError("", "boards.not_toml_at", reason=place[1], line=place[2], column=place[3])


def parse_boards(data: bytes) -> BoardSet:
    """The set of boards in the bytes of a file, or ``BoardsError``."""
    if len(data) > LARGEST_FILE:
        raise BoardsError("", "file.too_large", limit=LARGEST_FILE)
    if data.startswith(BOM_UTF8):
        raise BoardsError("", "json.byte_order_mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BoardsError("", "file.not_utf8") from None
    _check_key_lengths(text)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, or a number that Python refuses
        raise _not_toml(str(error)) from None
    _only(document, "", ("boards", *EDITION_FIELDS))
    table = _typed(document.get("boards"), dict, "boards", "boards.no_table")
    _only(table, "boards", ("name", "pairs", "gardens", "rewards"))
    name = _typed(table.get("name"), str, "boards.name", "boards.no_name")
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise BoardsError("boards.name", "boards.bad_name", longest=LONGEST_NAME)
    gardens = _boards(table.get("gardens"), "boards.gardens")
    rewards = _boards(table["rewards"], "boards.rewards") if "rewards" in table else None
    return BoardSet(
        name,
        tuple(
            GardenBoard(tuple(_printed(side, field) for field, side in board.items())) for board in gardens
        ),
        _default().rewards
        if rewards is None
        else tuple(
            RewardBoard(tuple(_marks(side, field) for field, side in board.items())) for board in rewards
        ),
        _deck(table["pairs"]) if "pairs" in table else _default().deck,
    )


def _check_key_lengths(text: str) -> None:
    """A key of very many parts takes very long to read; none that is needed has more than two.

    A line ends where TOML ends it, and nowhere else: a key may hold Unicode's other line breaks in quotes.
    """
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise BoardsError("", "json.too_deep", limit=_MOST_DOTS)


def boar_can_start(boards: BoardSet) -> bool:
    """R34: whether the boar's square is free on every garden side."""
    return _side_with_boar_square(boards) is None


def check_boards(boards: BoardSet, variant: Variant) -> None:
    """``BoardsError`` if a variant cannot be played on a set: the boar without rewards needs e4 (R34)."""
    field = _side_with_boar_square(boards)
    if variant.wild_boar and not variant.rewards and field is not None:
        raise BoardsError(field, "boards.boar_square")


def _side_with_boar_square(boards: BoardSet) -> str | None:
    for number, board in enumerate(boards.gardens, start=1):
        for side, squares in zip(SIDES, board.sides, strict=False):
            if squares >> BOAR_START & 1:
                return f"boards.gardens.{number}.{side}"
    return None


def _default() -> BoardSet:
    return shipped_boards(_DEFAULT)


def _boards(value: object, field: str) -> list[dict[str, Any]]:
    """Per board its sides by field name: one or two of them."""
    boards = _typed(value, list, field, "boards.wrong_count", wanted=BOARDS)
    if len(boards) != BOARDS:
        raise BoardsError(field, "boards.wrong_count", wanted=BOARDS)
    found = []
    for number, board in enumerate(boards, start=1):
        here = f"{field}.{number}"
        sides = _typed(board, dict, here, "boards.no_front")
        _only(sides, here, SIDES)
        if "front" not in sides:
            raise BoardsError(here, "boards.no_front")
        found.append({f"{here}.{side}": sides[side] for side in SIDES if side in sides})
    return found


def _printed(value: object, field: str) -> Squares:
    """R2: six different squares of rows 2-6."""
    texts = _typed(value, list, field, "boards.wrong_printed")
    try:
        squares = parse_squares([_typed(text, str, field, "boards.wrong_printed") for text in texts])
    except NotationError as error:
        raise BoardsError(field, error.key, **error.details) from None
    if len(texts) != PRINTED_SQUARES or squares & ~BELOW_ROW_1:
        raise BoardsError(field, "boards.wrong_printed")
    return squares


def _marks(value: object, field: str) -> Marks:
    """R29: twelve marked squares of the reward board's sixteen."""
    texts = _typed(value, dict, field, "boards.wrong_marks")
    for square, text in texts.items():
        _typed(text, str, f"{field}.{square}", "boards.wrong_marks")
    try:
        marks = parse_marks(texts)
    except NotationError as error:
        raise BoardsError(field, error.key, **error.details) from None
    if len(marked_squares(marks)) != MARKED_SQUARES:
        raise BoardsError(field, "boards.wrong_marks")
    return marks


def _deck(value: object) -> Cards:
    """R4: eight different pairs of the rows 2-6."""
    field = "boards.pairs"
    pairs = []
    for text in _typed(value, list, field, "boards.wrong_pairs"):
        try:
            rows = colour_rows(parse_card(_typed(text, str, field, "boards.wrong_pairs")))
        except NotationError:
            rows = None
        if rows is None or rows in pairs:
            raise BoardsError(field, "boards.bad_pair", text=text)
        pairs.append(rows)
    if len(pairs) != PAIRS_OF_A_DECK:
        raise BoardsError(field, "boards.wrong_pairs")
    return deck_of(tuple(pairs))


def _typed(value: object, kind: type[T], field: str, key: str, **details: object) -> T:
    if not isinstance(value, kind):
        raise BoardsError(field, key, **details)
    return value


def _only(table: dict[str, Any], field: str, known: tuple[str, ...]) -> None:
    for name in table:
        if name not in known:
            where = f"{field}.{name}" if field else name
            raise BoardsError(where, "boards.unknown_field", known=", ".join(known))


def write_boards(boards: BoardSet) -> str:
    """A boards file that reads back as the same set."""
    layouts = boards.layouts()
    lines = ["[boards]", f"name = {_quoted(boards.name)}", f"pairs = {_listed(layouts['pairs'])}"]
    for board in layouts["gardens"]:
        lines += ["", "[[boards.gardens]]"]
        lines += [f"{side} = {_listed(squares)}" for side, squares in zip(SIDES, board, strict=False)]
    for board in layouts["rewards"]:
        lines += ["", "[[boards.rewards]]"]
        lines += [f"{side} = {_mapped(marks)}" for side, marks in zip(SIDES, board, strict=False)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # JSON's texts are TOML's too


def _listed(texts: list[str]) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"


def _mapped(texts: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {_quoted(text)}" for key, text in texts.items()) + " }"
