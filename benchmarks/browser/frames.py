"""Frame times while other players' turns are animated, and the work of the page in each frame.

The times between frames depend on the machine: without a graphics card, the CPU renders too. So Chromium's
tracing also measures the page's own work in each frame: script, style, layout and paint, in CPU time of its
thread.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from tests.browser.page_player import PagePlayer

from .figures import Times
from .visits import company, probed, seated, visit

LIMIT = 33.4
"""Two frames at 60 Hz: one was dropped."""
_IDLE = 16_667
"""The length of a frame at 60 Hz, in microseconds."""
_CATEGORIES = ["-*", "__metadata", "devtools.timeline", "disabled-by-default-devtools.timeline"]
_TASK, _FRAME = "RunTask", "FireAnimationFrame"
_PARTS = {
    "FunctionCall": "script",
    "EvaluateScript": "script",
    "RunMicrotasks": "script",
    "FireAnimationFrame": "script",
    "TimerFire": "script",
    "EventDispatch": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
    "MinorGC": "garbage",
    "MajorGC": "garbage",
}
"""The kind of work of each trace event."""


@dataclass(frozen=True)
class Frames:
    """The measured frames."""

    shown: Times
    """Times between frames."""
    own: Times
    """The page's own work for each frame, in CPU time."""
    parts: dict[str, Times]
    """The parts of this work: script, style, layout, paint."""


def measure_frames(site: str, browser: Browser, turns: int) -> Frames:
    """Measure the fullest table, only while other players' turns are shown."""
    shown: list[float] = []
    own: list[dict[str, float]] = []
    with visit(site, browser, company("level:1")) as page:
        player = seated(page)
        while player.played < turns and player.wait_for_turn():
            player.stage()
            browser.start_tracing(page=page, categories=_CATEGORIES)
            shown += _watch(player)
            own += frames_of(json.loads(browser.stop_tracing())["traceEvents"])
    names = sorted(set(_PARTS.values()))
    return Frames(
        Times.of(shown),
        Times.of(sum(frame.values()) for frame in own),
        {name: Times.of(frame.get(name, 0.0) for frame in own) for name in names},
    )


def _watch(player: PagePlayer) -> list[float]:
    """Confirm a turn and wait for the others' turns, polling rarely, as that takes time too."""
    page = player.page
    probed(page, "startFrames()")
    page.keyboard.press("c")
    player.played += 1
    page.wait_for_function("() => !document.querySelector('.turn')", polling=100)
    page.wait_for_function("() => document.querySelector('.turn, .end')", polling=250)
    frames: list[float] = probed(page, "stopFrames()")
    return frames


Event = dict[str, Any]


def frames_of(events: Iterable[Event]) -> list[dict[str, float]]:
    """The milliseconds of each frame by kind of work, in the thread with the most frames."""
    whole = sorted(
        (event for event in events if event.get("ph") == "X" and "dur" in event),
        key=lambda event: event["ts"],
    )
    threads = Counter((event["pid"], event["tid"]) for event in whole if event["name"] == _FRAME)
    if not threads:
        return []
    thread, _ = threads.most_common(1)[0]
    own = [event for event in whole if (event["pid"], event["tid"]) == thread]
    return _by_frames(own)


def _by_frames(events: list[Event]) -> list[dict[str, float]]:
    """Group tasks by frame. Tasks before the first frame are ignored.

    If the page was idle for the length of a frame, it did not delay the next one, so later work counts
    separately.
    """
    frames: list[dict[str, float]] = []
    idle_since = 0
    for task in _tasks(events):
        shows = any(event["name"] == _FRAME for event in task)
        if shows or (frames and task[0]["ts"] - idle_since >= _IDLE):
            frames.append(defaultdict(float))
        if frames:
            for part, time in _spent(task).items():
                frames[-1][part] += time
        idle_since = _end(task[0])
    return frames


def _tasks(events: list[Event]) -> Iterator[list[Event]]:
    """Each task of the thread, with all its events."""
    task: list[Event] = []
    for event in events:
        if task and event["ts"] >= _end(task[0]):
            yield task
            task = []
        if task or event["name"] == _TASK:
            task.append(event)
    if task:
        yield task


def _spent(task: list[Event]) -> dict[str, float]:
    """The milliseconds of a task by kind of work. Nested work is subtracted from the outer."""
    spent: dict[str, float] = defaultdict(float)
    around: list[tuple[Event, str]] = []
    for event in task:
        part = _PARTS.get(event["name"], "other" if event["name"] == _TASK else None)
        if part is None:
            continue
        while around and _end(around[-1][0]) <= event["ts"]:
            around.pop()
        time = float(event["tdur"] if "tdur" in event else event["dur"]) / 1000
        spent[part] += time
        if around:
            spent[around[-1][1]] -= time
        around.append((event, part))
    return spent


def _end(event: Event) -> int:
    return int(event["ts"] + event["dur"])
