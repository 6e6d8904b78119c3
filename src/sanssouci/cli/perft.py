"""``sanssouci perft``: count legal turns to a depth, and compare with what a file says."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import Complaint

from .game_options import Json
from .language import Lang, sentence, speak
from .output import print_json, print_line, remark

if TYPE_CHECKING:
    from sanssouci.notation import Record
    from sanssouci.rules import State


def perft(
    files: Annotated[
        list[Path],
        typer.Argument(help="Records; the position is the one after their last turn.", metavar="FILE…"),
    ],
    depth: Annotated[
        int | None,
        typer.Option(min=1, max=6, help="How many turns.", show_default="what the file says, or 2"),
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count under each first turn.")] = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Count the ways to play a few turns from a position, chance answering as the record deals.

    A file may carry its counts for the depths 1, 2, ... as “perft”; the exit status is 1 if one differs.
    """
    speak(lang)
    counts = []
    for path in files:
        record, state = _position(path)
        expected = _expected(path, record)
        for level in [depth] if depth else range(1, len(expected or [0, 0]) + 1):
            wanted = expected[level - 1] if expected and level <= len(expected) else None
            counts.append(_count(path, record, state, level, wanted))
            if not json:
                _report(counts[-1])
            if divide or counts[-1]["matches"] is False:
                _divide(record, state, level)
    if json:
        print_json(counts)
    raise typer.Exit(1 if any(count["matches"] is False for count in counts) else 0)


def _position(path: Path) -> "tuple[Record, State]":
    from sanssouci.notation import RecordError, read_record, verify

    try:
        record = read_record(path)
        return record, verify(record)
    except RecordError as error:
        raise Complaint("cli.in_file", path=path, sentence=str(error)) from None


def _expected(path: Path, record: "Record") -> list[int] | None:
    counts = record.extra.get("perft")
    if counts is not None and not (isinstance(counts, list) and all(type(count) is int for count in counts)):
        raise Complaint("cli.bad_perft", path=path)
    return counts


def _count(path: Path, record: "Record", state: "State", depth: int, wanted: int | None) -> dict[str, object]:
    from sanssouci.rules import perft as count_turns

    started = time.perf_counter()
    count = count_turns(state, record.deal, depth)
    return {
        "file": str(path),
        "depth": depth,
        "count": count,
        "wanted": wanted,
        "matches": None if wanted is None else count == wanted,
        "seconds": time.perf_counter() - started,
    }


def _report(count: dict[str, object]) -> None:
    line = sentence("perft.line", **count)
    if count["wanted"] is not None:
        line += "  " + sentence("perft.right" if count["matches"] else "perft.wrong", **count)
    print_line(line)


def _divide(record: "Record", state: "State", depth: int) -> None:
    from sanssouci.notation import write_turn
    from sanssouci.rules import divide

    for turn, count in divide(state, record.deal, depth).items():
        remark(f"  {write_turn(turn)}: {count}")
