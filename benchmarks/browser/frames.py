"""How evenly the table moves while others' turns are played: every frame, and what it was spent on.

The milliseconds between frames are those of this machine: where there is no graphics card, the processor
paints too. So Chromium's tracing is asked as well for what the page itself has done in each of them: script,
style, layout and lists of what to paint, in the time of the page's own thread.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from tests.browser.hands import Hand

from .figures import Times
from .visits import company, probed, seated, visit

LIMIT = 33.4
"""Two frames of a screen with sixty a second: one was left out."""
_IDLE = 16_667
"""Microseconds in which a frame could have been shown."""
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
"""What a page does, by what Chromium calls it."""


@dataclass(frozen=True)
class Frames:
    """What was seen of them."""

    shown: Times
    """Between one and the next."""
    own: Times
    """What the page itself did for each, in the time of its thread."""
    parts: dict[str, Times]
    """Of that: script, style, layout, paint."""


def measure_frames(site: str, browser: Browser, turns: int) -> Frames:
    """The fullest table there is; only the time in which others play is counted."""
    shown: list[float] = []
    own: list[dict[str, float]] = []
    with visit(site, browser, company("level:1")) as page:
        hand = seated(page)
        while hand.played < turns and hand.wait_for_turn():
            hand.stage()
            browser.start_tracing(page=page, categories=_CATEGORIES)
            shown += _watch(hand)
            own += frames_of(json.loads(browser.stop_tracing())["traceEvents"])
    names = sorted(set(_PARTS.values()))
    return Frames(
        Times.of(shown),
        Times.of(sum(frame.values()) for frame in own),
        {name: Times.of(frame.get(name, 0.0) for frame in own) for name in names},
    )


def _watch(hand: Hand) -> list[float]:
    """Confirm, and see the others play; the driver looks on as little as it can, for that takes time."""
    page = hand.page
    probed(page, "startFrames()")
    page.keyboard.press("c")
    hand.played += 1
    page.wait_for_function("() => !document.querySelector('.turn')", polling=100)
    page.wait_for_function("() => document.querySelector('.turn, .end')", polling=250)
    frames: list[float] = probed(page, "stopFrames()")
    return frames


Event = dict[str, Any]


def frames_of(events: Iterable[Event]) -> list[dict[str, float]]:
    """The milliseconds of each frame by what they were spent on, in the thread that had the most frames."""
    whole = sorted(
        (event for event in events if event.get("ph") == "X" and "dur" in event),
        key=lambda event: event["ts"],
    )
    threads = Counter((event["pid"], event["tid"]) for event in whole if event["name"] == _FRAME)
    if not threads:
        return []
    thread, _ = threads.most_common(1)[0]
    mine = [event for event in whole if (event["pid"], event["tid"]) == thread]
    return _by_frames(mine)


def _by_frames(events: list[Event]) -> list[dict[str, float]]:
    """From one task that shows a frame to the next; what was before the first is no frame's.

    Where the page was idle for the length of a frame and none was shown, the page was not what delayed it:
    what it does then counts for itself.
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
    """Each task of the thread, with all that was done in it."""
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
    """The milliseconds of a task by parts: what is inside of something else is taken from it."""
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
