"""``sanssouci strength``: measures the strength of the computer players."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError, printable

from .arena_options import Workers
from .executor_options import On, open_executor
from .game_options import Json
from .language import Lang, sentence, set_language
from .output import STOPPED, out, print_json, print_notice, progress_bar, show_speed
from .precompile import precompile_players

if TYPE_CHECKING:
    from rich.table import Table

    from sanssouci.arena import Estimate, Executor, Standing
    from sanssouci.bench import Contest, Goal, Result


def strength(
    folder: Annotated[
        Path,
        typer.Option(help="The folder that stores the games played so far.", metavar="DIR", readable=False),
    ] = Path("build/strength"),
    long: Annotated[
        bool, typer.Option("--long", help="Play many more games, for narrower intervals.")
    ] = False,
    only: Annotated[str, typer.Option(help="Play only contests whose name contains this.")] = "",
    workers: Workers = None,
    on: On = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Let the computer players compete, and compare the results with their targets.

    Takes two to three hours on two processors, far more with --long. If stopped, run it again to continue.

    Example: sanssouci strength --only level
    """
    from sanssouci.arena import engine_digest
    from sanssouci.bench import CONTESTS, contest_json, select_contests

    set_language(lang)
    contests = select_contests(only)
    if not contests:
        raise UserError("strength.unknown", only=only, known="; ".join(contest.name for contest in CONTESTS))
    results: list[Result] = []
    kept = folder / engine_digest()
    try:
        with open_executor(on, workers) as executor:
            for contest in contests:
                standing = _hold(contest, kept, long, executor)
                results.append((contest.with_base_goal(results), standing))
    except KeyboardInterrupt:
        print_notice(sentence("strength.kept", folder=printable(kept)))
        raise typer.Exit(STOPPED) from None
    finally:
        if json:
            print_json([contest_json(*result) for result in results])
        elif results:
            out().print(_table(results))
            print_notice(sentence("strength.note"))
            if not all(contest.is_precise(standing) for contest, standing in results):
                print_notice(sentence("strength.imprecise"))
    _judge(results)


def _hold(contest: "Contest", folder: Path, long: bool, executor: "Executor") -> "Standing":
    from sanssouci.bench import hold

    tournament = contest.tournament(long)
    precompile_players(tournament.match.players)
    with progress_bar(speed=True) as bar:
        task = bar.add_task(
            sentence("strength.progress", contest=contest.name), total=tournament.games, speed=""
        )
        path = folder / f"{contest.file_name}.jsonl"
        return hold(tournament, path, executor, lambda games: show_speed(bar, task, games))


def _judge(results: "Sequence[Result]") -> None:
    """Report how many goals were reached; a missed goal sets the exit status."""
    reached = [
        goal.reached(figure) for contest, standing in results for _, goal, figure in contest.goals(standing)
    ]
    if all(reached):
        print_notice(sentence("strength.reached", goals=len(reached)))
        return
    print_notice(sentence("strength.missed", missed=reached.count(False), goals=len(reached)))
    raise typer.Exit(1)


def _table(results: "Sequence[Result]") -> "Table":
    from rich.table import Table

    table = Table(show_lines=True)
    table.add_column(sentence("strength.contest"))
    for key in ("strength.games", "strength.wins", "strength.score", "strength.margin", "strength.seconds"):
        table.add_column(sentence(key), justify="right")
    for contest, standing in results:
        table.add_row(
            contest.name,
            str(standing.games),
            _cell(standing.win_share, contest.wins, 100),
            _cell(standing.score, contest.score),
            _cell(standing.margin, contest.margin, mark="" if contest.is_precise(standing) else " *"),
            f"{standing.seconds_per_turn:.3g}",
        )
    return table


def _cell(figure: "Estimate", goal: "Goal | None", unit: int = 1, mark: str = "") -> str:
    """A figure with its interval and a mark, above its goal; missed goals are marked."""
    value, low, high = (unit * (part or 0.0) for part in (figure.value, figure.low, figure.high))
    lines = [f"{value:.1f}", f"{low:.1f}, {high:.1f}{mark}"]
    if goal is not None:
        most = f"-{unit * goal.most:g}" if goal.most < float("inf") else ""
        sign = "" if most else "≥ "
        missed = "" if goal.reached(figure) else " !"
        lines.append(f"{sentence('bench.goal')} {sign}{unit * goal.least:.3g}{most}{missed}")
    return "\n".join(lines)
