"""A review of a golden record as a server would tell it; what was found in it is made up."""

from playwright.sync_api import Page

from sanssouci.notation import read_record
from sanssouci.table import write_replay

from ..workers.position_reviews import made_up_review
from .recorded import RECORDS, Json, tell

REVIEW = "R" * 43


def show_review(page: Page, name: str, done: int | None = None) -> None:
    """Open a review in the language of the browser: a ready one, or with so many positions looked at."""
    language = page.evaluate("navigator.language")[:2]
    record = RECORDS / f"{name}.json"
    steps = write_replay(read_record(record))
    of = len(steps["steps"])
    state: Json = {"state": "ready", "done": of, "of": of, "own": True}
    state["document"] = made_up_review(record, language)
    if done is not None:
        state |= {"state": "working", "done": done, "document": None}
    tell(page, f"**/api/reviews/{REVIEW}", state)
    tell(page, f"**/api/reviews/{REVIEW}/steps", steps)
    page.goto(f"/review/{REVIEW}")
    page.locator("progress" if done is not None else ".review svg.graph").wait_for()
