"""How a page looks, measured in the browser: what is cut off, what lies over what, and what axe finds."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_ASK_AXE = """([part, about]) => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const colours = "color-contrast";
  if (about === "colours") return axe.run(part, { runOnly: { type: "rule", values: [colours] } });
  const rules = { [colours]: { enabled: about === "all" } };
  return axe.run(part, { runOnly: { type: "tag", values: tags }, rules });
}"""
_FAULTS = Path(__file__).with_name("faults.js")


def faults(page: Page) -> list[str]:
    """Texts that are cut off, covered or outside of their panels, and what lies over each other."""
    found: list[str] = page.evaluate(_FAULTS.read_text(encoding="utf-8"))
    return found


def scrolls(page: Page) -> bool:
    """Whether the page is higher than its window."""
    return bool(page.evaluate("document.documentElement.scrollHeight > innerHeight"))


@cache
def _axe() -> str:
    return _AXE.read_text(encoding="utf-8")


def violations(page: Page, within: str = "html", about: str = "all") -> list[str]:
    """What axe finds against WCAG 2.2 AA in a part of the page, each with the first element that shows it.

    ``about`` is ``all``, or only the ``colours``, or ``shapes``: all but the colours, which take long.
    """
    page.evaluate(_axe())
    result: dict[str, Any] = page.evaluate(_ASK_AXE, [within, about])
    return [f"{found['id']}: {found['nodes'][0]['html'][:200]}" for found in result["violations"]]
