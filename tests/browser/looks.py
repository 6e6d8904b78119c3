"""How a page looks, measured in the browser: what is cut off, what lies over what, and what axe finds."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_FAULTS = Path(__file__).with_name("faults.js")


def faults(page: Page) -> list[str]:
    """Texts that are cut off or stand outside of their panels, and controls that lie over each other."""
    found: list[str] = page.evaluate(_FAULTS.read_text(encoding="utf-8"))
    return found


@cache
def _axe() -> str:
    return _AXE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 AA, each with the first element that shows it."""
    page.evaluate(_axe())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    result: dict[str, Any] = page.evaluate(
        "tags => axe.run(document, { runOnly: { type: 'tag', values: tags } })", tags
    )
    return [f"{found['id']}: {found['nodes'][0]['html'][:200]}" for found in result["violations"]]
