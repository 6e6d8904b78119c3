"""Layout checks in the browser: clipped and overlapping text, and violations found by axe."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from .visitors import Size

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = {
    "all": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "colours and sizes": {
        "type": "rule",
        "values": ["color-contrast", "target-size", "scrollable-region-focusable"],
    },
}
_RUN_AXE = "([part, runOnly]) => axe.run(part, { runOnly, resultTypes: ['violations'] })"
_SET_LANGUAGE = """async (language) => {
  const key = "sanssouci.preferences";
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), language }));
  dispatchEvent(new StorageEvent("storage", { key }));
  const latest = performance.now() + 60_000;
  const page = document.documentElement;
  while (page.lang !== language) {
    if (performance.now() > latest) throw new Error(`the page is still in ${page.lang}, not ${language}`);
    await new Promise(requestAnimationFrame);
  }
}"""
"""As if another tab had changed the preference. The page sets ``lang`` when all texts are loaded."""
_REMOVE_ART = """() => {
  const art = "svg[aria-hidden=true]";
  for (const shape of document.querySelectorAll(`${art} :not(text, text *, :has(text))`)) shape.remove();
}"""
NEXT_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
_FAULTS = Path(__file__).with_name("faults.js")


def faults(page: Page) -> list[str]:
    """Texts that are cut off, covered or outside their panels, and overlapping elements."""
    found: list[str] = page.evaluate(_FAULTS.read_text(encoding="utf-8"))
    return found


def resize(page: Page, size: Size) -> None:
    """Resize the window and wait until the page has been laid out and drawn anew.

    Elements that measure their own width, such as charts, follow only in the next frame.
    """
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(NEXT_FRAMES)


def set_language(page: Page, language: str) -> None:
    """Change the language of an open page."""
    page.evaluate(_SET_LANGUAGE, language)


def remove_art(page: Page) -> None:
    """Remove the shapes of decorative images, which are most elements of a page, but not their texts.

    This halves the time for layout, and axe needs only a third.
    """
    page.evaluate(_REMOVE_ART)


def scrolls(page: Page) -> bool:
    """Whether the page is higher than its window."""
    return bool(page.evaluate("document.documentElement.scrollHeight > innerHeight"))


@cache
def _axe() -> str:
    return _AXE.read_text(encoding="utf-8")


def violations(page: Page, within: str = "html", about: str = "all") -> list[str]:
    """Violations of WCAG 2.2 AA in a part of the page, each with the first element concerned.

    ``about`` is ``all``, or ``colours and sizes`` for the rules that depend on theme and window size.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    result: dict[str, Any] = page.evaluate(_RUN_AXE, [within, _RULES[about]])
    return [f"{found['id']}: {found['nodes'][0]['html'][:200]}" for found in result["violations"]]
