"""``sanssouci perft``: counts legal turns to a depth, and compares the counts with a file."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError

from .game_options import Json
from .language import Lang, current_language, sentence, set_language
from .output import print_json, print_line, print_notice

if TYPE_CHECKING:
    from sanssouci.notation import Record
    from sanssouci.rules import State


def perft(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Records; counting starts after their last turn.", metavar="FILE…", readable=False
        ),
    ],
    depth: Annotated[
        int | None,
        typer.Option(
            min=1, max=6, help="Number of turns to look ahead.", show_default="what the file says, or 2"
        ),
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count under each first turn.")] = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Count the ways to play a few turns from a position, using the tiles and cards of the record.

    A file may list its counts for depths 1, 2, ... as “perft”; the exit status is 1 if one differs.
    """
    set_language(lang)
    counts: list[dict[str, Any]] = []
    bad = 0
    for path in files:
        try:
            record, state = _position(path)
        except UserError as user_error:
            bad += 1
            print_notice(user_error.translate(current_language()))
            continue
        expected = record.extra.get("perft")
        for level in [depth] if depth else range(1, len(expected or (0, 0)) + 1):
            wanted = expected[level - 1] if expected and level <= len(expected) else None
            count = _count(path, record, state, level, wanted)
            if divide or count["matches"] is False:
                count["divide"] = _divide(record, state, level)
            counts.append(count)
            if not json:
                _report(count)
    if json:
        print_json(counts)
    raise typer.Exit(1 if bad or any(count["matches"] is False for count in counts) else 0)


def _position(path: Path) -> "tuple[Record, State]":
    from sanssouci.notation import RecordError, read_record, verify

    try:
        record = read_record(path)
        state = verify(record)
    except RecordError as error:
        raise UserError("cli.in_file", path=path, sentence=error) from None
    counts = record.extra.get("perft", [])
    if not isinstance(counts, list) or not all(type(count) is int for count in counts):
        raise UserError("cli.bad_perft", path=path)
    return record, state


def _count(path: Path, record: "Record", state: "State", depth: int, wanted: int | None) -> dict[str, Any]:
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


def _report(count: dict[str, Any]) -> None:
    line = sentence("perft.line", **count)
    if count["wanted"] is not None:
        line += "  " + sentence("perft.right" if count["matches"] else "perft.wrong", **count)
    print_line(line)
    for turn, below in count.get("divide", {}).items():
        print_line(f"  {turn}: {below}")


def _divide(record: "Record", state: "State", depth: int) -> dict[str, int]:
    from sanssouci.notation import write_turn
    from sanssouci.rules import divide

    return {write_turn(turn): count for turn, count in divide(state, record.deal, depth).items()}
