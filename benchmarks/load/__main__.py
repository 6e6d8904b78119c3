"""``python -m benchmarks.load``, or ``make load``: prints rows with n, the result and the goal."""

import argparse
import json
import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.faults.report import Row, write_table
from tests.harness.process import ServerProcess, running_process

from .figures import Load, Plan, is_doubtful, measure_load
from .games import PLAYERS
from .generator import Stretch
from .soak import Soak, SoakPlan, measure_soak

LOAD, MEMORY, HIGHEST, SOAK = "load", "memory of a socket", "highest rate", "soak"
GOALS = {
    LOAD: "2,000 sockets, 500 games, 300 turns/s: p99 ≤ 50 ms",
    MEMORY: "≤ 30 KiB",
    HIGHEST: "p99 ≤ 100 ms",
    SOAK: "20 minutes: upper 95 % bound ≤ 2 MiB an hour",
}
MAX_WAIT, MAX_KIB, MAX_GROWTH = 0.050, 30.0, 2.0
FULL = (Plan(), SoakPlan())
SHORT = (
    Plan(games=12, rate=40.0, seconds=2.0, step_seconds=0.0),
    SoakPlan(games=6, rate=30.0, warm_up=1.0, seconds=5.0, block=1.0),
)


def main() -> None:
    """Run the load test or the soak. Exits with 1 if a goal is missed."""
    options = _options()
    plan, soak_plan = SHORT if options.short else FULL
    plan = _chosen(plan, options)
    rows, figures = _not_run(), {}
    with TemporaryDirectory() as folder, _server(Path(folder), options.short) as server:
        if options.soak:
            soak = measure_soak(server, soak_plan, _print_progress)
            rows[SOAK], figures["soak"] = _soak_row(soak, options.short), _soak_figures(soak)
        else:
            load = measure_load(server, plan, _print_progress)
            rows |= _load_rows(load, options.short)
            figures["load"] = _load_figures(load)
    if options.json:
        print(json.dumps({**figures, "ok": {name: row.ok for name, row in rows.items()}}))
    else:
        print(write_table(rows.values()))
    sys.exit(any(row.ok is False for row in rows.values()))


def _server(folder: Path, short: bool) -> AbstractContextManager[ServerProcess]:
    """A server whose computer players are ready, unless the run is short."""
    path = "/health" if short else "/ready"
    sockets = {"SANSSOUCI_SOCKETS": "100000"}
    return running_process(folder / "tables.db", folder / "log", sockets, path)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--soak", action="store_true", help="play for a long time instead: 25 minutes")
    parser.add_argument("--short", action="store_true", help="a few seconds, as a test")
    parser.add_argument("--tables", type=int, help="tables that are played at the same time")
    parser.add_argument("--sockets", type=int, help="sockets at each table: two players, and spectators")
    parser.add_argument("--rate", type=float, help="turns per second at all tables; no other rates are tried")
    parser.add_argument("--seconds", type=float, help="how long to play at this rate")
    parser.add_argument("--json", action="store_true", help="one document instead of a table")
    return parser.parse_args()


def _chosen(plan: Plan, options: argparse.Namespace) -> Plan:
    """The plan with the sizes and the rate of the command line."""
    if options.sockets is not None and options.sockets < PLAYERS:
        sys.exit("--sockets: two players need a socket each")
    chosen = {
        "games": options.tables,
        "sockets_per_game": options.sockets,
        "rate": options.rate,
        "seconds": options.seconds,
        "step_seconds": None if options.rate is None else 0.0,
    }
    return replace(plan, **{name: value for name, value in chosen.items() if value is not None})


def _print_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _not_run() -> dict[str, Row]:
    return {name: Row.not_run(name, goal, "not chosen") for name, goal in GOALS.items()}


def _row(test: str, n: int, measured: str, ok: bool, short: bool) -> Row:
    """A row without a verdict if the run is short."""
    if short:
        return Row.not_run(test, GOALS[test], f"too short; {measured}")
    return Row(test, n, measured, GOALS[test], ok)


def _load_rows(load: Load, short: bool) -> dict[str, Row]:
    plan, at_rate = load.plan, load.at_rate
    n = len(at_rate.waits) + at_rate.missing
    measured = f"{plan.sockets:,} sockets, {plan.games} games, {_describe(at_rate)}"
    kib = load.kib_per_socket
    rows = {
        LOAD: _row(LOAD, n, measured, at_rate.wait(0.99) <= MAX_WAIT, short),
        MEMORY: _row(MEMORY, plan.sockets, f"{kib:.1f} KiB", kib <= MAX_KIB, short),
    }
    if plan.step_seconds:
        best, steps = load.highest, sum(len(step.waits) for step in load.steps)
        result = "none" if best is None else _describe(best)
        rows[HIGHEST] = _row(HIGHEST, steps or n, result, best is not None, short)
    return rows


def _describe(stretch: Stretch) -> str:
    server, own = stretch.shares
    doubt = "; the generator may have been the bottleneck" if is_doubtful(stretch) else ""
    return (
        f"{stretch.rate:.0f} turns/s requested, {stretch.reached:.0f} reached: "
        f"p50 {_ms(stretch.wait(0.5))}, p99 {_ms(stretch.wait(0.99))}, max {_ms(stretch.wait(1.0))} ms; "
        f"server {server:.0%} of a core ({_ms(stretch.cpu_per_turn)} ms a turn), "
        f"generator {own:.0%}, lag {_ms(stretch.lag)} ms (p99){doubt}"
    )


def _soak_row(soak: Soak, short: bool) -> Row:
    found = soak.growth
    measured = (
        f"{found.slope:+.2f} MiB an hour, at most {found.bound:.2f}; "
        f"{found.first:.1f} to {found.last:.1f} MiB; {_describe(soak.stretch)}"
    )
    return _row(SOAK, found.points, measured, found.bound <= MAX_GROWTH, short)


def _load_figures(load: Load) -> dict[str, Any]:
    highest = load.highest
    return {
        "games": load.plan.games,
        "sockets": load.plan.sockets,
        "kib_per_socket": load.kib_per_socket,
        "at_rate": _stretch_figures(load.at_rate),
        "steps": [_stretch_figures(step) for step in load.steps],
        "highest_rate": None if highest is None else highest.rate,
    }


def _soak_figures(soak: Soak) -> dict[str, Any]:
    found = soak.growth
    return {
        "mib_per_hour": found.slope,
        "mib_per_hour_high": found.bound,
        "points": found.points,
        "memory_mib": [round(usage.memory / (1 << 20), 3) for usage in soak.memory],
        "at_rate": _stretch_figures(soak.stretch),
    }


def _stretch_figures(stretch: Stretch) -> dict[str, Any]:
    server, own = stretch.shares
    return {
        "rate": stretch.rate,
        "reached": stretch.reached,
        "n": len(stretch.waits),
        "missing": stretch.missing,
        "p50_ms": 1e3 * stretch.wait(0.5),
        "p99_ms": 1e3 * stretch.wait(0.99),
        "max_ms": 1e3 * stretch.waits[-1],
        "lag_p99_ms": 1e3 * stretch.lag,
        "server_share": server,
        "generator_share": own,
        "server_ms_per_turn": 1e3 * stretch.cpu_per_turn,
    }


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.1f}"


if __name__ == "__main__":
    main()
