"""An analysis as one page: the graph, where the win came from, the turning points, every turn."""

from html import escape

from sanssouci.locale import translate
from sanssouci.notation import write_turn

from .analysis import Analysis
from .graph import GRAPH_STYLE, graph
from .html_page import paragraph, whole_page
from .report_text import (
    Section,
    account_sections,
    better_line,
    cost_figures,
    headline,
    names_of,
    provenance,
    share_line,
    turning_line,
)
from .skill_and_luck import turning_points
from .turn_review import TurnReview

_STYLE = (
    GRAPH_STYLE
    + """
code { font: 0.95em ui-monospace, monospace; white-space: nowrap; }
tbody th { font-weight: normal; text-align: left; }
ol { margin: 0.3rem 0; padding-left: 1.4rem; } li { margin: 0.2rem 0; }
.turns th, .turns td { text-align: left; padding: 0.25rem 0.5rem; }
.turns td:nth-last-child(-n + 2) { text-align: right; white-space: nowrap; }
.turns thead th:nth-last-child(-n + 2) { text-align: right; }
.turns .name { overflow-wrap: anywhere; min-width: 3.2rem; } .units { font-weight: normal; }
.turns .missed td, .turns .missed th { border-bottom: 0; }
.turns .better td { padding: 0 0.5rem 0.5rem 2rem; color: var(--quiet);
  text-align: left; white-space: normal; }
.sum td { white-space: nowrap; } .sum .part th { font-weight: bold; padding-top: 0.8rem; }
.sum td { min-width: 2.5rem; }
.sum tbody:not(:last-child) tr:last-child > * { font-weight: bold; }
@media (max-width: 30rem) { .turns, .sum { font-size: 0.8rem; }
  .sum th, .sum td, .turns th, .turns td { padding: 0.25rem 0.15rem; }
  .turns thead th { font-size: 0.75rem; vertical-align: bottom; } .turns .better td { padding-left: 1rem; }
  .sum td { white-space: normal; }
  .turns td span { display: block; } .units { display: none; } code { font-size: 0.9em; } }
@media (min-width: 24rem) { .turns .name { min-width: 6em; } }
@media print { tr { break-inside: avoid; } .missed { break-after: avoid; } h2 { break-after: avoid; } }
"""
)


def write_analysis(analysis: Analysis, language: str) -> str:
    """The page as text, in a language."""
    title = translate("analyse.title", language, names=" · ".join(names_of(analysis)))
    parts = [
        paragraph(headline(analysis, language)),
        _heading("analyse.graph", language),
        graph(analysis, language),
        _heading("analyse.sums", language),
        f"<div>{_sums(analysis, language)}</div>",
        _heading("analyse.turning", language),
        _turning(analysis, language),
        _heading("analyse.turns", language),
        paragraph(translate("analyse.reading", language)),
        f"<div>{_turns(analysis, language)}</div>",
        paragraph(translate("analyse.note", language), quiet=True),
        paragraph(provenance(analysis, language), quiet=True),
    ]
    return whole_page(title, language, _STYLE, parts)


def _heading(key: str, language: str) -> str:
    return f"<h2>{escape(translate(key, language))}</h2>"


def _sums(analysis: Analysis, language: str) -> str:
    heads = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for name in names_of(analysis))
    body = "".join(_section(section, analysis.seats) for section in account_sections(analysis, language))
    return f'<table class="sum"><thead><tr><td></td>{heads}</tr></thead>{body}</table>'


def _section(section: Section, seats: int) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, cells in section.rows
    )
    if section.heading:
        head = f'<th scope="rowgroup" colspan="{seats + 1}">{escape(section.heading)}</th>'
        rows = f'<tr class="part">{head}</tr>{rows}'
    return f"<tbody>{rows}</tbody>"


def _turning(analysis: Analysis, language: str) -> str:
    points = turning_points(analysis)
    if not points:
        return paragraph(translate("analyse.no_turning", language))
    items = (f"<li>{escape(turning_line(analysis, point, language))}</li>" for point in points)
    return f"<ol>{''.join(items)}</ol>"


def _turns(analysis: Analysis, language: str) -> str:
    keys = ("analyse.round", "analyse.seat", "analyse.turn", "analyse.share")
    heads = "".join(f'<th scope="col">{escape(translate(key, language))}</th>' for key in keys)
    heads += f'<th scope="col">{_cost_head(language)}</th>'
    rows = "".join(_turn(analysis, number, language) for number in range(len(analysis.turn_reviews)))
    return f'<table class="turns"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _turn(analysis: Analysis, number: int, language: str) -> str:
    """A row for the turn; below it the better one, if there was one."""
    turn_review = analysis.turn_reviews[number]
    name = names_of(analysis)[turn_review.seat]
    missed = ' class="missed"' if turn_review.missed else ""
    row = (
        f'<tr{missed}><th scope="row">{analysis.round(number)}</th><td class="name">{escape(name)}</td>'
        f"<td><code>{escape(write_turn(turn_review.turn))}</code></td>"
        f"<td>{escape(share_line(turn_review, language))}</td><td>{_cost(turn_review, language)}</td></tr>"
    )
    better = better_line(analysis, number, language)
    return row + (f'<tr class="better"><td colspan="5">{escape(better)}</td></tr>' if better else "")


def _cost_head(language: str) -> str:
    """On a narrow page the units are left out: below the table they are explained."""
    cost, units = (escape(translate(key, language)) for key in ("analyse.cost", "analyse.units"))
    return f'{cost} <span class="units">({units})</span>'


def _cost(turn_review: TurnReview, language: str) -> str:
    """Two figures that may stand below each other."""
    return " ".join(f"<span>{figure}</span>" for figure in cost_figures(turn_review, language))
