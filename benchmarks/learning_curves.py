"""Draws the learning curves of examples/ppo_jax.py from its logs, as one SVG.

python -m benchmarks.learning_curves docs/pictures/ppo.svg docs/runs/ppo-*.csv

A curve is named after its file, without ``ppo-``. Dashed lines are the mean scores of built-in players in
docs/benchmark.md, against the next weaker player there.
"""

import argparse
import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path

PLAYERS = {"level:1": 74.1, "level:2": 79.3, "level:3": 87.1, "steward": 90.6}
LOWEST, HIGHEST = 70, 96
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 340, 40, 150, 16, 40
COLOURS = ("#1b6ca8", "#c2571a", "#3f7d3a", "#7a4b9d", "#8a6d1d")
SMOOTHED = 3
"""Each point is the mean of at most this many rows."""

Curve = list[tuple[float, float]]


def read_curve(log: Path) -> Curve:
    """Minutes and mean scores."""
    with log.open(encoding="utf-8", newline="") as file:
        rows = [(float(row["minutes"]), float(row["score"])) for row in csv.DictReader(file)]
    scores = [score for _, score in rows]
    windows = [scores[max(0, place - SMOOTHED + 1) : place + 1] for place in range(len(scores))]
    return [(minutes, sum(window) / len(window)) for (minutes, _), window in zip(rows, windows, strict=True)]


def draw(curves: dict[str, Curve]) -> str:
    longest = max(minutes for curve in curves.values() for minutes, _ in curve)

    def x(minutes: float) -> float:
        return LEFT + minutes / longest * (WIDTH - LEFT - RIGHT)

    def y(score: float) -> float:
        return TOP + (HIGHEST - score) / (HIGHEST - LOWEST) * (HEIGHT - TOP - BOTTOM)

    def text(left: float, top: float, words: str, colour: str = "#555", anchor: str = "start") -> str:
        place = f'x="{left:.0f}" y="{top + 4:.0f}" text-anchor="{anchor}"'
        return f'<text {place} fill="{colour}">{escape(words)}</text>'

    def line(points: Sequence[tuple[float, float]], style: str) -> str:
        places = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
        return f'<polyline points="{places}" fill="none" {style}/>'

    end = WIDTH - RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        line([(LEFT, TOP), (LEFT, y(LOWEST)), (end, y(LOWEST))], 'stroke="#555"'),
        *(text(LEFT - 6, y(score), str(score), anchor="end") for score in range(LOWEST, HIGHEST, 5)),
        *(
            text(x(minute), y(LOWEST) + 14, str(minute), anchor="middle")
            for minute in range(int(longest) + 1)
        ),
        text((LEFT + end) / 2, HEIGHT - 8, "minutes of training", anchor="middle"),
    ]
    for name, score in PLAYERS.items():
        parts.append(line([(LEFT, y(score)), (end, y(score))], 'stroke="#999" stroke-dasharray="4 4"'))
        parts.append(text(end + 6, y(score), name, "#777"))
    for place, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[place % len(COLOURS)]
        points = [(x(minutes), y(score)) for minutes, score in curve]
        parts.append(line(points, f'stroke="{colour}" stroke-width="2"'))
        parts.append(line([(end + 12, TOP + 18 * place + 6), (end + 30, TOP + 18 * place + 6)],
                          f'stroke="{colour}" stroke-width="2"'))  # fmt: skip
        parts.append(text(end + 36, TOP + 18 * place + 6, name, "#222"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("logs", type=Path, nargs="+")
    options = parser.parse_args()
    curves = {log.stem.removeprefix("ppo-"): read_curve(log) for log in options.logs}
    options.picture.write_text(draw(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
