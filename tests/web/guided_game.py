"""The recorded game behind the chapters of the tutorial: ``web/src/features/tutorial/game.json``."""

import json
from pathlib import Path
from typing import Any

from sanssouci.notation import Record, parse_record
from sanssouci.rules import State

from ..table.hosted_table import Host

_FILE = Path(__file__).parents[2] / "web/src/features/tutorial/game.json"
GAME: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
CHAPTERS: tuple[str, ...] = tuple(GAME["chapters"])
SEAT: int = GAME["seat"]


def record() -> Record:
    """The record as the browser sends it."""
    seats = [{"name": str(number + 1)} for number, _ in enumerate(GAME["record"]["setup"]["gardens"])]
    return parse_record(json.dumps({**GAME["record"], "seats": seats}).encode())


def shown(chapter: str) -> str:
    """The turn that a chapter demonstrates."""
    return str(GAME["chapters"][chapter]["play"])


def table(chapter: str) -> Host:
    return Host.continuing(record(), GAME["chapters"][chapter]["turn"])


def position(chapter: str) -> State:
    """The state at the start of a chapter."""
    state = table(chapter).state.game
    assert state is not None, "a continued game starts at once"
    return state
