"""The win share of every seat from turn to turn, as an SVG; lines differ by dashes as well as colour."""

from html import escape

from sanssouci.locale import translate

from .analysis import Analysis
from .report_text import misses, names_of, percent, share_line

_WIDTH, _HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 14, 16, 34
_DASHES = ("", "9 5", "2 5", "12 4 2 4")

GRAPH_STYLE = """
:root { --seat0: #2c7a47; --seat1: #b3541e; --seat2: #2a5db0; --seat3: #86388f; }
@media screen and (prefers-color-scheme: dark) { :root { --seat0: #6cc088; --seat1: #eb9a63;
  --seat2: #86b0f5; --seat3: #d595dc; } }
.rule { stroke: var(--rule); } .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.sample { stroke-width: 2.5; } .miss { stroke: var(--ink); stroke-width: 2; fill: var(--paper); }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0.3rem 0; padding: 0;
  list-style: none; }
.legend li { overflow-wrap: anywhere; } .legend svg { width: 2.6rem; height: 0.8rem; margin-right: 0.4rem; }
@media (max-width: 30rem) { svg text { font-size: 22px; } .line { stroke-width: 4; }
  .miss { stroke-width: 3; } }
""" + "\n".join(f".s{seat} {{ stroke: var(--seat{seat}); }}" for seat in range(4))


def graph(analysis: Analysis, language: str) -> str:
    """The drawing, with a legend before it."""
    names = names_of(analysis)
    values = translate("word.semicolon", language).join(
        f"{name} {percent(first, language)} – {percent(last, language)}"
        for name, first, last in zip(
            names, analysis.forecasts[0].shares, analysis.forecasts[-1].shares, strict=True
        )
    )
    missed = [number for seat in range(analysis.seats) for number in misses(analysis, seat)]
    drawing = "".join(
        [
            *(_level(share, language) for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
            _axis(language),
            *(_round(analysis, number) for number in (1, 5, 10, 15)),
            *(_line(analysis, seat) for seat in range(analysis.seats)),
            *(_miss(analysis, number, language) for number in missed),
        ]
    )
    return (
        f"{_legend(names, translate('analyse.missed', language) if missed else '')}\n"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="graph-title graph-text">'
        f'<title id="graph-title">{escape(translate("analyse.graph", language))}</title>'
        f'<desc id="graph-text">{escape(values)}</desc>{drawing}</svg>'
    )


def _legend(names: list[str], ring: str) -> str:
    """A line for each seat; what a ring is, if there is one."""
    items = "".join(
        f'<li><svg viewBox="0 0 52 12" aria-hidden="true"><line class="sample s{seat}" x1="0" x2="52" y1="6" '
        f'y2="6" stroke-dasharray="{_DASHES[seat]}"/></svg>{escape(name)}</li>'
        for seat, name in enumerate(names)
    )
    if ring:
        sign = '<circle class="miss" cx="26" cy="6" r="4.5"/>'
        items += f'<li><svg viewBox="0 0 52 12" aria-hidden="true">{sign}</svg>{escape(ring)}</li>'
    return f'<ul class="legend">{items}</ul>'


def _x(analysis: Analysis, number: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / max(1, len(analysis.forecasts) - 1)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _level(share: float, language: str) -> str:
    y = _y(share)
    label = (
        f'<text x="{_LEFT - 8}" y="{y:.1f}" dy="0.35em" text-anchor="end">{percent(share, language)}</text>'
    )
    line = f'<line class="rule" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + (label if share in (0.0, 0.5, 1.0) else "")


def _axis(language: str) -> str:
    """What the numbers below the drawing are."""
    return f'<text x="0" y="{_HEIGHT - 8}">{escape(translate("analyse.round", language))}</text>'


def _round(analysis: Analysis, number: int) -> str:
    """The number of a round below its first turn."""
    turn = (number - 1) * analysis.seats
    if turn >= len(analysis.forecasts):
        return ""
    x = _x(analysis, turn)
    return f'<text x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{number}</text>'


def _line(analysis: Analysis, seat: int) -> str:
    points = " ".join(
        f"{_x(analysis, number):.1f},{_y(forecast.shares[seat]):.1f}"
        for number, forecast in enumerate(analysis.forecasts)
    )
    return f'<polyline class="line s{seat}" stroke-dasharray="{_DASHES[seat]}" points="{points}"/>'


def _miss(analysis: Analysis, number: int, language: str) -> str:
    """A ring where a better turn was missed."""
    turn_review = analysis.turn_reviews[number]
    x, y = _x(analysis, number), _y(analysis.forecasts[number].shares[turn_review.seat])
    round_of = f"{translate('analyse.round', language)} {analysis.round(number)}"
    title = f"{round_of}, {share_line(turn_review, language)}"
    return (
        f'<circle class="miss s{turn_review.seat}" cx="{x:.1f}" cy="{y:.1f}" r="4.5">'
        f"<title>{escape(title)}</title></circle>"
    )
