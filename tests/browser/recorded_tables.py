"""Tables recorded from real games (``web/tests/fixtures``), served to a page."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute

from sanssouci.notation import read_record
from sanssouci.table import write_replay

from ..workers.position_reviews import fake_review

FIXTURES = Path(__file__).parents[2] / "web" / "tests" / "fixtures"
RECORDS = Path(__file__).parents[1] / "records"
TABLE = "0" * 16
SECRET = "A" * 43
REVIEW = "R" * 43
NAMES = ("Ada", "Berta", "Camilo", "Dora")

Json = dict[str, Any]
Sockets = list[WebSocketRoute]
"""The sockets that a page has opened, newest last."""


@cache
def recorded(name: str) -> Any:
    """The content of a recorded fixture."""
    return json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))


def game_at(name: str, place: int) -> tuple[Json, list[Json]]:
    """One of the recorded views of a game, and the events up to it."""
    game = recorded(name)
    view = game["views"][place]
    return view, [event for event in game["over"]["events"] if event["seq"] <= view["seq"]]


def open_table(page: Page, view: Json, events: Sequence[Json] = (), chairs: tuple[int, ...] = ()) -> Sockets:
    """Open a table that has this view: on the chair of the view, or on several chairs."""
    own = list(chairs) or [chair for chair in [view["you"]["chair"]] if chair is not None]
    table = {"table": TABLE, "your_chairs": own, "your_turn": True}
    mock_json(page, "**/api/me", {"name": "Ada"})
    mock_json(page, "**/api/me/tables*", {"tables": [table]})
    sockets = serve_table(page, view, events)
    page.goto(f"/table/{TABLE}")
    return sockets


def serve_table(page: Page, view: Json, events: Sequence[Json] = ()) -> Sockets:
    """Serve this view and these events to every socket of the page."""
    update = _update(view, events)
    mock_json(page, "**/tickets", {"ticket": "x", "chair": 0, "seconds": 30})

    sockets: Sockets = []
    answers = {"hello": update, "ping": {"type": "pong"}}

    def connect(socket: WebSocketRoute) -> None:
        def answer(text: str | bytes) -> None:
            kind = json.loads(text)["type"]
            if kind in answers:
                socket.send(json.dumps(answers[kind]))

        sockets.append(socket)
        socket.on_message(answer)

    page.route_web_socket(re.compile("/api/socket"), connect)
    return sockets


def replay(page: Page, name: str, turn: int) -> None:
    """Open a golden record at a turn."""
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(RECORDS / f"{name}.json")
    page.locator(".replay").wait_for()
    page.get_by_role("slider").fill(str(turn))


def send_update(sockets: Sockets, view: Json, events: Sequence[Json]) -> None:
    """Send an update to the page."""
    sockets[-1].send(json.dumps(_update(view, events)))


FULLEST: Json = recorded("refused")[7]["view"]
"""A view before a turn of five steps, in which the boar moves."""


def hint_of(*reasons: tuple[str, str]) -> Json:
    """A hint for the five-step turn: a gardener on e4, the boar to f4. Each reason has its square."""
    best, other = "24@4-e4g~f4/a3", "24@5-i4/h3"
    return {
        "turn": best,
        "expected": {"turn": best, "score": 85.6, "margin": -7.3, "share": 0.09, "level": True},
        "others": [{"turn": other, "score": 88.2, "margin": -7.5, "share": 0.09, "level": True}],
        "reasons": [
            {"key": f"reason-{number}", "sentence": sentence, "seat": None, "squares": [square]}
            for number, (sentence, square) in enumerate(reasons)
        ],
    }


def mock_hint(page: Page, hint: Json) -> None:
    """Answer every request for a hint with this one."""
    mock_json(page, "**/hint", hint)


def _update(view: Json, events: Sequence[Json]) -> Json:
    names = NAMES[: len(view["chairs"])]
    named = [{**chair, "name": name} for chair, name in zip(view["chairs"], names, strict=True)]
    view = {**view, "table": TABLE, "chairs": named}
    return {"type": "update", "seq": view["seq"], "events": list(events), "view": view}


def mock_json(page: Page, address: str, document: Json) -> None:
    """Answer every request to an address with this document."""

    def answer(route: Route) -> None:
        route.fulfill(json=document)

    page.route(address, answer)


def show_review(page: Page, name: str, done: int | None = None) -> None:
    """Open a review in the language of the browser: complete, or with ``done`` positions reviewed."""
    language = page.evaluate("navigator.language")[:2]
    record = RECORDS / f"{name}.json"
    steps: Any = write_replay(read_record(record))
    of = len(steps["steps"])
    state: Json = {"state": "ready", "done": of, "of": of, "own": True}
    state["document"] = fake_review(record, language)
    if done is not None:
        state |= {"state": "working", "done": done, "document": None}
    mock_json(page, f"**/api/reviews/{REVIEW}", state)
    mock_json(page, f"**/api/reviews/{REVIEW}/steps", steps)
    page.goto(f"/review/{REVIEW}")
    page.locator("progress" if done is not None else ".review svg.graph").wait_for()
