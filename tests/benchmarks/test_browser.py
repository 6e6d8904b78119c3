"""The figures of the browser benchmark. A short run of it is in tests/browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.browser.bot_latency import waits_of
from benchmarks.browser.figures import Times
from benchmarks.browser.frames import frames_of
from benchmarks.browser.size import measure_size


def test_percentiles_of_times() -> None:
    """Percentiles, the maximum and the share over a threshold are those of the measured times."""
    times = Times.of(range(100, 0, -1))
    assert (len(times), times.at(0.5), times.at(0.95), times.at(0.99), times.worst) == (100, 50, 95, 99, 100)
    assert times.over(33) == 0.67 and Times.of([33.0]).over(33) == 0


def test_no_measurements_are_an_error() -> None:
    """A benchmark without measurements fails instead of looking fast."""
    with pytest.raises(SystemExit, match="nothing was measured"):
        Times.of([])


def test_the_size_counts_compressed_files(tmp_path: Path) -> None:
    """The size counts gzip where it is smaller; what the game imports is apart from pages and typefaces."""
    manifest = {
        "index.html": {"name": "index", "file": "assets/a.js", "imports": ["_b.js"], "dynamicImports": ["r"]},
        "_b.js": {"name": "b", "file": "assets/b.js", "css": ["assets/b.css"]},
        "r": {"name": "Replay", "file": "assets/Replay-x1.js", "imports": ["_b.js"]},
    }
    (tmp_path / "assets").mkdir()
    (tmp_path / ".vite").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "assets" / "a.js").write_bytes(b"garden " * 1000)
    (tmp_path / "assets" / "b.js").write_bytes(b"{};")
    (tmp_path / "assets" / "b.css").write_bytes(b"p{}")
    (tmp_path / "assets" / "Replay-x1.js").write_bytes(b"{}")
    (tmp_path / "assets" / "serif-x1.woff2").write_bytes(b"wOF2!")
    (tmp_path / "made-from.sha256").write_bytes(b"x" * 64)
    (tmp_path / "licences.json").write_bytes(b"[]")
    size = measure_size(tmp_path)
    assert (size.files, size.plain) == (3, 7006)
    assert 6 < size.packed < 200 and (size.other, size.typefaces) == (2, 5)


def test_missing_pages_are_an_error(tmp_path: Path) -> None:
    """Measuring the size fails if the pages are not built."""
    with pytest.raises(SystemExit, match="not built"):
        measure_size(tmp_path)


def arrival(chair: int, at: float, confirmed: float | None) -> dict[str, Any]:
    return {"chair": chair, "at": at, "confirmed": confirmed}


def test_answer_times_count_from_the_confirmation() -> None:
    """An answer counts from the confirming click or the previous turn, never from before a click."""
    arrivals = [
        arrival(2, 50, None),
        arrival(0, 120, 100),
        arrival(1, 130, 100),
        arrival(2, 170, 100),
        arrival(0, 990, 900),
    ]
    assert waits_of(arrivals) == [30, 40]


def event(name: str, at: int, duration: int, thread: int = 1, cpu: int | None = None) -> dict[str, Any]:
    """A trace event as Chromium writes it, in microseconds."""
    spent = duration if cpu is None else cpu
    return {"ph": "X", "name": name, "pid": 1, "tid": thread, "ts": at, "dur": duration, "tdur": spent}


def test_the_work_of_a_frame_is_counted_once() -> None:
    """Layout inside a script counts as layout only; time waiting for the processor does not count."""
    events = [
        event("RunTask", 0, 9000),
        event("FireAnimationFrame", 0, 1000),
        event("RunTask", 10_000, 60_000, cpu=10_000),
        event("FunctionCall", 11_000, 50_000, cpu=8000),
        event("Layout", 12_000, 3000),
        event("RunTask", 20_000, 40_000, thread=2),
        event("RunTask", 71_000, 2000),
        event("FireAnimationFrame", 71_000, 1000),
        event("Paint", 72_000, 500),
    ]
    first, second = frames_of(events)
    assert first == {"script": 1 + 8 - 3, "layout": 3, "other": 9 - 1 + 10 - 8}
    assert sum(first.values()) == 9 + 10
    assert second == {"script": 1.0, "paint": 0.5, "other": 0.5}


def test_a_late_frame_of_an_idle_page_is_not_charged() -> None:
    """A frame that is late while the page is idle is not charged with the work before it."""
    busy = [event("RunTask", 0, 9000), event("FireAnimationFrame", 0, 100), event("RunTask", 10_000, 20_000)]
    assert [sum(frame.values()) for frame in frames_of([*busy, event("RunTask", 31_000, 8000)])] == [37]
    assert [sum(frame.values()) for frame in frames_of([*busy, event("RunTask", 60_000, 8000)])] == [29, 8]


def test_a_trace_without_animation_has_no_frames() -> None:
    """A trace without animation frames gives no frames."""
    assert frames_of([event("RunTask", 0, 10)]) == []
