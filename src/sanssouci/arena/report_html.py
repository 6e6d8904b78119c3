"""The standings of an arena as one page.

Each figure is a row of bars from nought to its value, with a whisker for its interval.
"""

from collections.abc import Callable, Sequence
from html import escape

from sanssouci.dealer import write_seed
from sanssouci.locale import translate
from sanssouci.review.html_page import paragraph, whole_page

from .intervals import Estimate
from .report_text import budget_text, lost_lines, match_title, reason_lines, seconds_text, sprt_verdict
from .standings import Standing
from .tournament import Tournament

_WIDTH, _NAMES, _VALUES, _ROW = 720, 170, 90, 34
"""Sizes in the drawing: total width, width of the names, width of the values, height of a bar."""

_STYLE = """
:root { --bar: #5d8f6b; --whisker: #1d2a22; }
@media screen and (prefers-color-scheme: dark) { :root { --bar: #5f9a70; --whisker: #f2f4ee; } }
.bar { fill: var(--bar); } .zero { stroke: var(--rule); }
.whisker { stroke: var(--whisker); stroke-width: 2; }
"""

_Figure = tuple[str, Callable[[Standing], Estimate], str]


def write_page(tournament: Tournament, language: str) -> str:
    """The page as HTML."""
    title = translate("arena.page", language, players=" · ".join(map(str, tournament.match.players)))
    standings = tournament.standings.figures()
    parts = [
        paragraph(match_title(tournament, language)),
        paragraph(budget_text(tournament, language)),
        paragraph(sprt_verdict(tournament, language)),
        *(_chart(figure, standings, language) for figure in _figures(language)),
        f"<h2>{escape(translate('arena.table', language))}</h2>",
        f"<div>{_table(standings, language)}</div>",
        paragraph(translate("arena.interval", language), quiet=True),
        *(paragraph(text) for text in lost_lines(tournament, language)),
        *(paragraph(text, quiet=True) for text in reason_lines(tournament, language)),
        paragraph(_provenance(tournament, language), quiet=True),
    ]
    return whole_page(title, language, _STYLE, parts)


def _figures(language: str) -> tuple[_Figure, ...]:
    return (
        (translate("arena.win_share", language), lambda standing: standing.win_share, "{:.1%}"),
        (translate("arena.score", language), lambda standing: standing.score, "{:.1f}"),
        (translate("arena.margin", language), lambda standing: standing.margin, "{:+.1f}"),
    )


def _provenance(tournament: Tournament, language: str) -> str:
    match = tournament.match
    seed = translate("simulate.seed", language, seed=write_seed(match.seed))
    return f"{seed} · {match.boards.name} sha256 {match.boards.sha256}"


def _chart(figure: _Figure, standings: Sequence[Standing], language: str) -> str:
    """One figure of all players, as a drawing with a text alternative."""
    name, of, form = figure
    estimates = [of(standing) for standing in standings]
    values = "; ".join(
        f"{standing.player} {form.format(estimate.value)}"
        for standing, estimate in zip(standings, estimates, strict=True)
    )
    at = _scale(estimates)
    rows = "".join(
        _bar(standing.player, estimate, form, at, place * _ROW)
        for place, (standing, estimate) in enumerate(zip(standings, estimates, strict=True))
    )
    label = translate("arena.chart", language, figure=name, values=values)
    height = len(standings) * _ROW
    zero = f'<line class="zero" x1="{at(0):.1f}" x2="{at(0):.1f}" y1="0" y2="{height}"/>'
    return (
        f"<h2>{escape(name)}</h2>\n"
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(label)}">'
        f"{zero}{rows}</svg>"
    )


def _scale(estimates: Sequence[Estimate]) -> Callable[[float], float]:
    """The horizontal scale of the drawing; it always includes 0."""
    ends = [0.0]
    for estimate in estimates:
        ends += [end for end in (estimate.value, estimate.low, estimate.high) if end is not None]
    low, high = min(ends), max(ends)
    width = _WIDTH - _NAMES - _VALUES
    return lambda value: _NAMES + width * (value - low) / ((high - low) or 1.0)


def _bar(player: str, estimate: Estimate, form: str, at: Callable[[float], float], top: int) -> str:
    left, right = sorted((at(0), at(estimate.value)))
    short = player if len(player) <= 20 else player[:19] + "…"
    base = top + _ROW * 0.65
    return (
        f'<text x="0" y="{base:.1f}">{escape(short)}</text>'
        f'<rect class="bar" x="{left:.1f}" y="{top + 6}" width="{right - left:.1f}" height="{_ROW - 12}"/>'
        f"{_whisker(estimate, at, top + _ROW // 2)}"
        f'<text x="{_WIDTH}" y="{base:.1f}" text-anchor="end">{escape(form.format(estimate.value))}</text>'
    )


def _whisker(estimate: Estimate, at: Callable[[float], float], middle: int) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = at(estimate.low), at(estimate.high)
    lines = (
        (low, high, middle, middle),
        (low, low, middle - 6, middle + 6),
        (high, high, middle - 6, middle + 6),
    )
    return "".join(
        f'<line class="whisker" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1}" y2="{y2}"/>' for x1, x2, y1, y2 in lines
    )


def _table(standings: Sequence[Standing], language: str) -> str:
    figures = _figures(language)
    names = [
        translate("arena.player", language),
        translate("arena.games", language),
        *(name for name, _, _ in figures),
    ]
    names += ["Elo", translate("arena.seconds", language), translate("arena.faults", language)]
    heads = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = []
    for standing in standings:
        cells = [str(standing.games), *(_cell(of(standing), form) for _, of, form in figures)]
        cells += [f"{standing.elo:+.0f}", seconds_text(standing.seconds_per_turn), str(standing.faults)]
        rows.append(
            f"<tr><th><span>{escape(standing.player)}</span></th>"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + "</tr>"
        )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(estimate: Estimate, form: str) -> str:
    if estimate.low is None or estimate.high is None:
        return form.format(estimate.value)
    ends = f"{form.format(estimate.low)}, {form.format(estimate.high)}"
    return f"{form.format(estimate.value)}<br><small>{ends}</small>"
