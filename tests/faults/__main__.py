"""Runs all fault tests at full length and prints their table.

Run as ``python -m tests.faults [NAME …]``, or ``make faults``. ``cluster:kill`` runs one part of a test that
has parts. ``--share 3/5`` runs a fifth of each. Times are always reported, but only a full run can miss a
goal about time. A module of this folder takes part by defining a ``FAULT``. Expected tests that are missing,
and tests that were not chosen, are listed as *not run*.
"""

import argparse
import importlib
import logging
import pkgutil
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..share import WHOLE, Share
from .report import Fault, Progress, Row, write_table

EXPECTED = {
    "kill": ("kill -9 under load", "0 lost, 0 twice, 0 gaps; first turn ≤ 2 s after restart"),
    "power": ("power loss", "nothing acknowledged lost, nothing corrupt"),
    "conflicts": ("conflicts", "exactly one wins, repeats are answered once"),
    "interference": ("non-interference", "byte-identical for every viewer; ten planted leaks caught"),
    "fuzz": ("fuzz", "no 5xx, no change of state, honest clients' p99 < 2 ×"),
    "authorisation": ("authorisation", "each route and message type × every kind of caller"),
    "flips": ("flipped bits", "0 leaks, only documented statuses, other games go on"),
    "cluster": (
        "several servers",
        "one winner each; nothing acknowledged lost; 503 and recovery ≤ 5 s; equal copies",
    ),
    "disk": ("disk", "clear retryable refusal, nothing acknowledged lost, serves again when space is back"),
}
"""The test and goal of each expected row, in order."""


def discover() -> dict[str, Fault]:
    """All fault tests of this folder, by name."""
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = [
        importlib.import_module(f"{__package__}.{name}")
        for name in names
        if not name.startswith(("test_", "__", "conftest"))
    ]
    faults = [module.FAULT for module in modules if hasattr(module, "FAULT")]
    return {fault.name: fault for fault in faults}


def run(
    faults: Mapping[str, Fault], chosen: Collection[str], progress: Progress, share: Share = WHOLE
) -> list[Row]:
    """The rows of all tests, whether they were chosen or not. Ctrl-C keeps the rows that are finished."""
    rows: list[Row] = []
    for name in dict.fromkeys((*EXPECTED, *faults)):
        try:
            rows += _rows(name, faults.get(name), name in chosen, progress, share)
        except KeyboardInterrupt:
            rows.append(faults[name].not_run("stopped"))
            chosen = ()
    return rows


def _rows(name: str, fault: Fault | None, chosen: bool, progress: Progress, share: Share) -> Sequence[Row]:
    if fault is None:
        return [Row.not_run(*EXPECTED[name], "there is no such test here")]
    if not chosen:
        return [fault.not_run("not chosen")]
    try:
        return list(fault.rows(lambda text: progress(f"{name}: {text}"), share))
    except Exception as error:  # the other tests still run
        return [Row(fault.test, 0, f"crashed: {error!r}", fault.goal, False)]


def choose_parts(faults: Mapping[str, Fault], names: Iterable[str]) -> dict[str, Fault]:
    """The tests, limited to those parts that are named as ``cluster:kill``."""
    chosen: dict[str, list[str]] = {}
    for name, _, part in (name.partition(":") for name in names):
        if part:
            chosen.setdefault(name, []).append(part)

    def limited(fault: Fault, parts: list[str]) -> Fault:
        return replace(
            fault,
            rows=lambda progress, share: [
                row for part in parts for row in fault.parts[part](progress, share)
            ],
        )

    return {name: limited(fault, chosen[name]) if name in chosen else fault for name, fault in faults.items()}


def missed(rows: Iterable[Row]) -> bool:
    """Whether a row that was run has missed its goal."""
    return any(row.ok is False for row in rows)


class ProgressLine:
    """A progress line that is overwritten in a terminal, and printed line by line elsewhere."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def show(self, text: str) -> None:
        line = f"{time.monotonic() - self._started:6.0f} s  {text}"
        end, begin = ("", "\r\x1b[K") if sys.stderr.isatty() else ("\n", "")
        print(f"{begin}{line}", end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line in a terminal."""
        if sys.stderr.isatty():
            print(file=sys.stderr)


def main() -> int:
    """Print the table. Returns 1 if a goal was missed."""
    faults = discover()
    parts = [f"{fault.name}:{part}" for fault in faults.values() for part in fault.parts]
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join((*faults, *parts))}; all if none is named"
    )
    parser.add_argument("--share", default="1/1", help="such as 3/5: the third of five shares of each")
    options = parser.parse_args()
    names = options.names or list(faults)
    try:
        share = Share.parse(options.share)
    except ValueError as error:
        parser.error(str(error))
    unknown = set(names) - {*faults, *parts, *EXPECTED}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join((*faults, *parts))}")
    faults = choose_parts(faults, names)
    names = [name.partition(":")[0] for name in names]
    from ..harness import server  # heavy, and not needed for --help

    server.log_level = logging.WARNING
    progress = ProgressLine()
    rows = run(faults, names, progress.show, share)
    progress.end()
    print(write_table(rows))
    return int(missed(rows))


if __name__ == "__main__":
    sys.exit(main())
