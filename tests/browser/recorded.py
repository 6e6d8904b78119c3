"""Tables that stand as they were recorded from real games (``web/tests/fixtures``), told to a page again."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute

FIXTURES = Path(__file__).parents[2] / "web" / "tests" / "fixtures"
RECORDS = Path(__file__).parents[1] / "records"
TABLE = "0" * 16
SECRET = "A" * 43
NAMES = ("Ada", "Berta", "Camilo", "Dora")

Json = dict[str, Any]
Lines = list[WebSocketRoute]
"""The sockets that a page has opened, for a test that cuts them."""


@cache
def recorded(name: str) -> Any:
    """What was recorded under a name."""
    return json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))


def game_at(name: str, place: int) -> tuple[Json, list[Json]]:
    """A whole game at one of its recorded views, and what has happened until then."""
    game = recorded(name)
    view = game["views"][place]
    return view, [event for event in game["over"]["events"] if event["seq"] <= view["seq"]]


def sit_at(page: Page, view: Json, events: Sequence[Json] = (), chairs: tuple[int, ...] = ()) -> Lines:
    """Sit down at a table that stands as a view has it: on the chair of the view, or on several."""
    own = list(chairs) or [chair for chair in [view["you"]["chair"]] if chair is not None]
    table = {"table": TABLE, "your_chairs": own, "your_turn": True}
    tell(page, "**/api/me", {"name": "Ada"})
    tell(page, "**/api/me/tables*", {"tables": [table]})
    lines = show(page, view, events)
    page.goto(f"/table/{TABLE}")
    return lines


def show(page: Page, view: Json, events: Sequence[Json] = ()) -> Lines:
    """Whoever asks for the table sees it so, and hears no more of it."""
    update = _update(view, events)
    tell(page, "**/tickets", {"ticket": "x", "chair": 0, "seconds": 30})

    lines: Lines = []
    answers = {"hello": update, "ping": {"type": "pong"}}

    def told(socket: WebSocketRoute) -> None:
        def answer(text: str | bytes) -> None:
            said = json.loads(text)["type"]
            if said in answers:
                socket.send(json.dumps(answers[said]))

        lines.append(socket)
        socket.on_message(answer)

    page.route_web_socket("**/api/socket", told)
    return lines


def replay(page: Page, name: str, turn: int) -> None:
    """Open a golden record, and go to a turn of it."""
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(RECORDS / f"{name}.json")
    page.locator(".replay").wait_for()
    page.get_by_role("slider").fill(str(turn))


def go_on(lines: Lines, view: Json, events: Sequence[Json]) -> None:
    """Something has happened at the table: who sees it hears so."""
    lines[-1].send(json.dumps(_update(view, events)))


FULLEST: Json = recorded("refused")[7]["view"]
"""Before a turn of five steps: the boar can be disturbed."""


def hint_of(*reasons: tuple[str, str]) -> Json:
    """A hint for the fullest turn: a gardener on the boar, which goes to f4; reasons with their squares."""
    best, other = "24@4-e4g~f4/a3", "24@5-i4/h3"
    return {
        "turn": best,
        "expected": {"turn": best, "score": 85.6, "share": 0.09, "level": True},
        "others": [{"turn": other, "score": 84.2, "share": 0.081, "level": True}],
        "reasons": [
            {"key": f"reason-{number}", "sentence": sentence, "seat": None, "squares": [square]}
            for number, (sentence, square) in enumerate(reasons)
        ],
    }


def answer_hints(page: Page, hint: Json) -> None:
    """Whoever asks for a hint gets this one."""
    tell(page, "**/hint", hint)


def _update(view: Json, events: Sequence[Json]) -> Json:
    names = NAMES[: len(view["chairs"])]
    named = [{**chair, "name": name} for chair, name in zip(view["chairs"], names, strict=True)]
    view = {**view, "table": TABLE, "chairs": named}
    return {"type": "update", "seq": view["seq"], "events": list(events), "view": view}


def tell(page: Page, address: str, document: Json) -> None:
    """Whoever asks there is answered this."""

    def answer(route: Route) -> None:
        route.fulfill(json=document)

    page.route(address, answer)
