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
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from sanssouci.locale import UserError, printable
from sanssouci.notation import (
    FieldError,
    NotationError,
    of_length,
    parse_card,
    parse_marks,
    parse_squares,
    read_file,
    read_typed,
)
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

BOARDS = 4
LARGEST_FILE = 32_768
LONGEST_NAME = 60
_MOST_DOTS = 60
"""In a line."""
SHIPPED = {"parterre": "ravensburger", "bosquet": "imperial", "reference": "reference"}
"""The sets that come with the project, and the data file that holds each."""
_DEFAULT = "parterre"


_closed = with_config({"extra": "forbid"})


@_closed
class GardenSides(TypedDict):
    """The printed squares on the sides of a garden board."""

    front: list[str]
    back: NotRequired[list[str]]


@_closed
class RewardSides(TypedDict):
    """The marked squares on the sides of a reward board."""

    front: dict[str, str]
    back: NotRequired[dict[str, str]]


@_closed
class BoardsTable(TypedDict):
    """The table ``[boards]``."""

    name: str
    pairs: NotRequired[list[str]]
    gardens: Annotated[list[GardenSides], of_length(BOARDS)]
    rewards: NotRequired[Annotated[list[RewardSides], of_length(BOARDS)]]


@_closed
class BoardsFile(TypedDict):
    """A boards file; it may be a copy of an edition's own file, whose other fields are ignored."""

    boards: BoardsTable
    edition: NotRequired[Any]
    title: NotRequired[Any]
    languages: NotRequired[Any]
    rows: NotRequired[Any]
    columns: NotRequired[Any]
    expansions: NotRequired[Any]


class BoardsError(UserError):
    """A boards file is wrong; ``field`` names where."""

    def __init__(self, field: str, key: str, **details: object) -> None:
        super().__init__(key, **details)
        self.field = field

    def translate(self, language: str = "en") -> str:
        """The field, then what is wrong with it."""
        sentence = self.sentence(language)
        return f"{printable(self.field)}: {sentence}" if self.field else sentence

    def sentence(self, language: str = "en") -> str:
        """The message without the field, for places that show it at the field."""
        return super().translate(language)


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


def _not_toml(text: str, error: Exception) -> BoardsError:
    """An error with the position that Python's TOML parser reports; its English text is left out."""
    message = str(error)
    place = re.search(r"\(at line (\d+), column (\d+)\)$", message)
    if place is not None:
        line, column = int(place[1]), int(place[2])
    elif message.endswith("(at end of document)"):
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    else:
        return BoardsError("", "boards.not_toml")
    return BoardsError("", "boards.not_toml_at", line=line, column=column)


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
        raise _not_toml(text, error) from None
    boards, errors = check_document(document)
    if boards is None:
        raise errors[0]
    return boards


def check_document(document: object) -> tuple[BoardSet | None, list[BoardsError]]:
    """The set in the content of a boards file, or all its errors.

    If fields are missing or have the wrong type, only the first of them is reported.
    """
    try:
        table = read_typed(BoardsFile, document)["boards"]
    except FieldError as error:
        return None, [_boards_error(error)]
    errors: list[BoardsError] = []
    name = table["name"]
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        errors.append(BoardsError("boards.name", "boards.bad_name", longest=LONGEST_NAME))
    gardens = tuple(
        GardenBoard(_sides(board, f"boards.gardens.{number}", _printed, errors))
        for number, board in enumerate(table["gardens"], start=1)
    )
    rewards = tuple(
        RewardBoard(_sides(board, f"boards.rewards.{number}", _marks, errors))
        for number, board in enumerate(table.get("rewards", ()), start=1)
    )
    try:
        deck = _deck(table["pairs"]) if "pairs" in table else _default().deck
    except BoardsError as error:
        errors.append(error)
    if errors:
        return None, errors
    return BoardSet(name, gardens, rewards or _default().rewards, deck), []


def _boards_error(error: FieldError) -> BoardsError:
    """A wrong shape in the words of boards files: what belongs in the field that is wrong."""
    path = error.path
    if error.key == "record.unknown_field":
        kind = BoardsFile if not path else BoardsTable if len(path) == 1 else GardenSides
        known = ", ".join(kind.__annotations__)
        return BoardsError(_field(*path, error.details["name"]), "boards.unknown_field", known=known)
    if error.key == "record.missing_field" and len(path) < 2:  # a missing front is said of the board
        path = (*path, str(error.details["name"]))
    key, details = "boards.wrong_marks", {}
    match path:
        case () | ("boards",):
            path, key = ("boards",), "boards.no_table"
        case ("boards", "name"):
            key = "boards.no_name"
        case ("boards", "pairs", *_):
            path, key = path[:2], "boards.wrong_pairs"
        case ("boards", _):
            key, details = "boards.wrong_count", {"wanted": BOARDS}
        case ("boards", _, _):
            key = "boards.no_front"
        case ("boards", "gardens", *_):
            path, key = path[:4], "boards.wrong_printed"
    return BoardsError(_field(*path), key, **details)


def _field(*path: object) -> str:
    """A path as messages write it: boards are counted from 1."""
    return ".".join(str(part + 1 if isinstance(part, int) else part) for part in path)


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


def _sides(
    board: GardenSides | RewardSides, field: str, parse: Callable[[Any], int], errors: list[BoardsError]
) -> tuple[int, ...]:
    """The one or two sides of a board without those that are wrong, whose errors are appended."""
    texts: dict[str, Any] = {**board}
    found = []
    for side in SIDES:
        try:
            if side in texts:
                found.append(parse(texts[side]))
        except NotationError as error:
            errors.append(BoardsError(f"{field}.{side}", error.key, **error.details))
    return tuple(found)


def _printed(texts: list[str]) -> Squares:
    """R2: six different squares of rows 2-6."""
    squares = parse_squares(texts)
    if len(texts) != PRINTED_SQUARES or squares & ~BELOW_ROW_1:
        raise NotationError("boards.wrong_printed")
    return squares


def _marks(texts: dict[str, str]) -> Marks:
    """R29: twelve marked squares of the reward board's sixteen."""
    marks = parse_marks(texts)
    if len(marked_squares(marks)) != MARKED_SQUARES:
        raise NotationError("boards.wrong_marks")
    return marks


def _deck(texts: list[str]) -> Cards:
    """R4: eight different pairs of the rows 2-6."""
    pairs = []
    for text in texts:
        try:
            rows = colour_rows(parse_card(text))
        except NotationError:
            rows = None
        if rows is None or rows in pairs:
            raise BoardsError("boards.pairs", "boards.bad_pair", text=text)
        pairs.append(rows)
    if len(pairs) != PAIRS_OF_A_DECK:
        raise BoardsError("boards.pairs", "boards.wrong_pairs")
    return deck_of(tuple(pairs))


def write_boards(boards: BoardSet) -> str:
    """A boards file that reads back as the same set."""
    layouts = boards.layouts()
    lines = ["[boards]", f"name = {_quoted(boards.name)}", f"pairs = {_listed(layouts['pairs'])}"]
    for garden in layouts["gardens"]:
        lines += ["", "[[boards.gardens]]"]
        lines += [f"{side} = {_listed(squares)}" for side, squares in zip(SIDES, garden, strict=False)]
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
