"""An edition: what rows, columns and expansions are called in each language, and their colours."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sanssouci.rules import EDITIONS

from .boards import BoardSet
from .boards_file import parse_boards

Names = dict[str, str]
"""A name by language: en, de, fr, es."""


@dataclass(frozen=True)
class RowLook:
    """How an edition shows a row."""

    names: Names
    colour: str
    """As ``#rrggbb``."""


@dataclass(frozen=True)
class Edition:
    """One edition of the game."""

    id: str
    title: str
    languages: tuple[str, ...]
    """The languages of its rulebooks; in the others the names are ours."""
    rows: tuple[RowLook, ...]
    """Rows 1 to 6 at places 0 to 5."""
    columns: tuple[Names, ...]
    motifs: tuple[str, ...]
    """The canonical id of each column's motif: the same in every edition."""
    expansions: dict[str, Names]
    boards: BoardSet


@cache
def load_edition(name: str) -> Edition:
    """An edition by its id."""
    if name not in EDITIONS:
        raise ValueError(f"there is no edition {name!r}; there are {', '.join(EDITIONS)}")
    source = files("sanssouci.editions").joinpath("data", f"{name}.toml").read_bytes()
    data: dict[str, Any] = tomllib.loads(source.decode("utf-8"))
    return Edition(
        id=data["edition"],
        title=data["title"],
        languages=tuple(data["languages"]),
        rows=tuple(RowLook(row["names"], row["colour"]) for row in data["rows"]),
        columns=tuple(column["names"] for column in data["columns"]),
        motifs=tuple(column["motif"] for column in data["columns"]),
        expansions=data["expansions"],
        boards=parse_boards(source),
    )
