"""The frame of an HTML page: head, colours, and the style of text and tables."""

from collections.abc import Iterable
from html import escape

_STYLE = """
:root { color-scheme: light; --ink: #1d2a22; --paper: #fbfaf5; --rule: #cfd3c8; --quiet: #5b665e; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --ink: #e6eae2; --paper: #171d19;
  --rule: #3b453e; --quiet: #a3ada5; } }
body { margin: 2rem auto; max-width: 48rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h1, p { overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.3rem; }
p { margin: 0.3rem 0; } .quiet { color: var(--quiet); }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font: 15px system-ui, sans-serif; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.6rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child { text-align: left; }
th span { display: inline-block; max-width: 12rem; overflow-wrap: break-word; }
td small { color: var(--quiet); white-space: nowrap; }
""".strip()


def whole_page(title: str, language: str, style: str, parts: Iterable[str]) -> str:
    """A page as text; ``style`` is what it adds to the common one, and empty ``parts`` are left out."""
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(language)}">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}\n{style.strip()}</style></head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            *filter(None, parts),
            "</body></html>\n",
        ]
    )


def paragraph(text: str, quiet: bool = False) -> str:
    """A paragraph, or nothing for an empty text."""
    if not text:
        return ""
    return f'<p class="quiet">{escape(text)}</p>' if quiet else f"<p>{escape(text)}</p>"
