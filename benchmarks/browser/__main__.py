"""``python -m benchmarks.browser``, or ``make speed``: prints rows with n, the result and the goal."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser

from tests.browser.conftest import SERVER
from tests.faults.report import Row, write_table
from tests.harness.process import running_process

from .bot_latency import measure_answers
from .clicks import Clicks, measure_clicks
from .clicks_to_first_turn import count_clicks
from .figures import Times
from .frames import LIMIT, Frames, measure_frames
from .opening import measure_openings
from .size import measure_size
from .visits import chromium, company, duel, renderer

KB, MAX_KB, MAX_OTHER_KB, MAX_TYPEFACES_KB = 1000, 170, 120, 90
MAX_OPEN_MS, MAX_ANSWER_MS, MAX_CLICKS = 1000, 1000, 5
MEDIAN_CLICK_MS, MAX_CLICK_MS, MAX_SCRIPT_MS = 40, 56, 10
"""Browsers report the time of a click in steps of 8 ms."""
PARTS = ("size", "opening", "clicks", "frames", "answers", "way")


@dataclass(frozen=True)
class Plan:
    """How often everything is measured."""

    openings: int = 20
    click_turns: int = 10
    frame_turns: int = 17
    """All turns except the last, after which the table is hidden."""
    games: int = 1
    turns: int = 18
    first_turns: int = 10


FULL, SHORT = Plan(), Plan(1, 1, 1, 1, 2, 1)


def main() -> None:
    """Measure the chosen parts. Exits with 1 if a goal is missed."""
    options = _options()
    plan = SHORT if options.short else FULL
    rows: list[Row] = []
    with (
        TemporaryDirectory() as folder,
        running_process(Path(folder, "tables.db"), Path(folder, "log"), SERVER) as server,
        chromium() as browser,
    ):
        machine = _machine(browser)
        bench = _Bench(server.url, browser, plan, machine)
        for part in options.parts or PARTS:
            print(f"{part} …", file=sys.stderr, flush=True)
            rows += bench.rows(part)
    if options.short:
        rows = [Row.not_run(row.test, row.goal, f"too short; {row.measured}") for row in rows]
    if options.json:
        results = {row.test: {"n": row.n, "measured": row.measured, "ok": row.ok} for row in rows}
        print(json.dumps({"machine": machine, "figures": bench.figures, "rows": results}))
    else:
        print(write_table(rows), *(f"{name}: {value}" for name, value in machine.items()), sep="\n")
    sys.exit(any(row.ok is False for row in rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--short", action="store_true", help="measure everything once, as a test")
    parser.add_argument("--json", action="store_true", help="one document instead of a table")
    return parser.parse_args()


def _machine(browser: Browser) -> dict[str, str]:
    """The properties of this machine that affect the figures."""
    load, *_ = os.getloadavg()
    return {
        "browser": f"Chromium {browser.version}, headless",
        "graphics": renderer(browser),
        "processor": f"{os.cpu_count()} cores, load {load:.1f} at the start",
    }


class _Bench:
    """Measures one part after the other."""

    def __init__(self, site: str, browser: Browser, plan: Plan, machine: dict[str, str]) -> None:
        self._site, self._browser, self._plan = site, browser, plan
        self._software_rendering = "SwiftShader" in machine["graphics"] or "none" in machine["graphics"]
        self.figures: dict[str, Any] = {}

    def rows(self, part: str) -> Iterator[Row]:
        measure: dict[str, Any] = {
            "size": self._size,
            "opening": self._opening,
            "clicks": self._clicks,
            "frames": self._frames,
            "answers": self._answers,
            "way": self._way,
        }
        rows: Iterator[Row] = measure[part]()
        return rows

    def _size(self) -> Iterator[Row]:
        size = measure_size()
        self.figures["size"] = {
            "files": size.files,
            "plain": size.plain,
            "packed": size.packed,
            "other": size.other,
            "typefaces": size.typefaces,
        }
        for name, measured, most in (
            ("size of the game", size.packed, MAX_KB),
            ("size of everything loaded later", size.other, MAX_OTHER_KB),
            ("size of the typefaces", size.typefaces, MAX_TYPEFACES_KB),
        ):
            yield Row(
                name, size.files, f"{measured / KB:.1f} kB as served", f"≤ {most} kB", measured <= most * KB
            )

    def _opening(self) -> Iterator[Row]:
        for name, times in measure_openings(self._site, self._browser, self._plan.openings).items():
            self.figures[name] = times.figures()
            yield _row(
                name, times, f"usable within {MAX_OPEN_MS / 1000:.0f} s (worst)", times.worst <= MAX_OPEN_MS
            )

    def _clicks(self) -> Iterator[Row]:
        for kind, clicks in measure_clicks(self._site, self._browser, self._plan.click_turns).items():
            self.figures[f"click: {kind}"] = clicks.shown.figures()
            yield _click_row(kind, clicks)

    def _frames(self) -> Iterator[Row]:
        frames = measure_frames(self._site, self._browser, self._plan.frame_turns)
        self.figures["frames, own work"] = frames.own.figures()
        self.figures["frames, as shown"] = frames.shown.figures()
        yield _own_row(frames)
        yield self._shown_row(frames.shown)

    def _shown_row(self, shown: Times) -> Row:
        """With software rendering, a slow frame says nothing about the page."""
        test, goal = "frames, as shown", "none over 33 ms"
        measured = f"{_describe(shown)}; {shown.over(LIMIT):.2%} over 33 ms"
        ok = shown.worst <= LIMIT
        if self._software_rendering and not ok:
            return Row.not_run(test, goal, f"software rendering; n = {len(shown):,}, {measured}")
        return Row(test, len(shown), measured, goal, ok)

    def _answers(self) -> Iterator[Row]:
        games = {"level:3, 2 seats": duel("level:3"), "level:3, 4 seats, all expansions": company("level:3")}
        for name, preferences in games.items():
            times = measure_answers(
                self._site, self._browser, preferences, self._plan.games, self._plan.turns
            )
            self.figures[name] = times.figures()
            yield _row(
                name,
                times,
                f"answers within {MAX_ANSWER_MS / 1000:.0f} s (worst)",
                times.worst <= MAX_ANSWER_MS,
            )

    def _way(self) -> Iterator[Row]:
        counts = count_clicks(self._site, self._browser, self._plan.first_turns)
        self.figures["clicks to a first turn"] = counts
        measured = f"{min(counts)} to {max(counts)} clicks"
        yield Row(
            "from the open page to a first turn",
            len(counts),
            measured,
            f"≤ {MAX_CLICKS} clicks",
            max(counts) <= MAX_CLICKS,
        )


def _describe(times: Times) -> str:
    shares = ", ".join(f"p{share} {times.at(share / 100):.1f}" for share in (50, 95, 99))
    return f"{shares}, worst {times.worst:.1f} ms"


def _row(test: str, times: Times, goal: str, ok: bool) -> Row:
    return Row(test, len(times), _describe(times), goal, ok)


def _click_row(kind: str, clicks: Clicks) -> Row:
    shown = clicks.shown
    handling = clicks.handling
    measured = f"{_describe(shown)}; own script p95 {handling.at(0.95):.1f}, worst {handling.worst:.1f} ms"
    return Row(
        f"click: {kind}",
        len(shown),
        measured,
        f"p50 ≤ {MEDIAN_CLICK_MS}, p95 ≤ {MAX_CLICK_MS}; own script p95 ≤ {MAX_SCRIPT_MS} ms",
        shown.at(0.5) <= MEDIAN_CLICK_MS
        and shown.at(0.95) <= MAX_CLICK_MS
        and handling.at(0.95) <= MAX_SCRIPT_MS,
    )


def _own_row(frames: Frames) -> Row:
    parts = ", ".join(f"{name} {times.worst:.1f}" for name, times in frames.parts.items())
    measured = f"{_describe(frames.own)} of the page's thread; worst of each: {parts} ms"
    return Row("frames, own work", len(frames.own), measured, "none over 33 ms", frames.own.worst <= LIMIT)


if __name__ == "__main__":
    main()
