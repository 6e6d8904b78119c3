"""``sanssouci analyse``: analyses every turn of a record, and separates skill from luck."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError

from .game_options import Force, Json, Threads, read_seed, read_threads
from .language import Lang, current_language, sentence, set_language
from .output import STOPPED, check_target, err, out, print_json, print_notice, progress_bar, write_new_file
from .precompile import precompile_review
from .records import read_played

if TYPE_CHECKING:
    from sanssouci.notation import Record
    from sanssouci.review import Analysis

MAX_ROLLOUTS = 1_000_000
"""Per turn, about half an hour for a game; more do not change the result."""


def analyse(
    file: Annotated[Path, typer.Argument(help="A game record.", readable=False)],
    html: Annotated[
        Path | None,
        typer.Option(help="Write the analysis as a page with a graph.", metavar="FILE", readable=False),
    ] = None,
    rollouts: Annotated[
        int | None,
        typer.Option(help="Number of simulated games per turn.", show_default="2000"),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", help="An integer or 64 hex digits.")] = "0",
    threads: Threads = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Analyse a game record: every turn, better turns that were missed, skill and luck.

    The same record, seed and rollouts give the same analysis. It takes about ten seconds.

    Example: sanssouci analyse game.json --html game.html
    """
    set_language(lang)
    if html is not None:
        check_target(html, force)
        _check_not_record(file, html)
    depth, crew, seeded = _read_rollouts(rollouts), read_threads(threads), read_seed(seed)
    analysis = _analyse(_legal_record(file), depth, seeded, crew)
    _write_results(analysis, html, force, json)


def _check_not_record(file: Path, html: Path) -> None:
    """``UserError`` if the page would overwrite the record, also through links."""
    with suppress(OSError):  # one of them does not exist
        if file.samefile(html):
            raise UserError("analyse.same_file", path=html)


def _read_rollouts(rollouts: int | None) -> int:
    """Rollouts for each turn."""
    from sanssouci.review import ROLLOUTS_A_TURN

    if rollouts is not None and not 1 <= rollouts <= MAX_ROLLOUTS:
        raise UserError("analyse.bad_rollouts", rollouts=rollouts, most=MAX_ROLLOUTS)
    return ROLLOUTS_A_TURN if rollouts is None else rollouts


def _legal_record(file: Path) -> "Record":
    """Read and replay the record, so that an illegal turn is reported before the analysis starts."""
    from sanssouci.notation import RecordError, verify

    try:
        record = read_played(file)
        verify(record)
    except RecordError as error:
        raise UserError("cli.in_file", path=file, sentence=error) from None
    return record


def _analyse(record: "Record", rollouts: int, seed: bytes, threads: int | None) -> "Analysis":
    """The analysis, with a progress bar; Ctrl-C ends it with a message."""
    from sanssouci.review import analyse as analysed

    positions = len(record.turns) + 1
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        bar.advance(task)

    try:
        precompile_review()
        with progress_bar() as bar:
            task = bar.add_task(sentence("analyse.progress"), total=positions)
            return analysed(record, seed, rollouts, threads, advance)
    except KeyboardInterrupt:
        print_notice(sentence("analyse.interrupted", done=done, wanted=positions))
        raise typer.Exit(STOPPED) from None


def _write_results(analysis: "Analysis", html: Path | None, force: bool, json: bool) -> None:
    """Write the page first, because printing may end early; an error there must not hide the figures."""
    from sanssouci.review import analysis_document, provenance, write_analysis
    from sanssouci.terminal import spelled

    from .analysis_text import print_analysis

    try:
        if html is not None:
            write_new_file(html, write_analysis(analysis, current_language()).encode("utf-8"), force)
    finally:
        if json:
            print_json(analysis_document(analysis, current_language()))
        else:
            print_analysis(analysis, out(), current_language())
            print_notice(spelled(provenance(analysis, current_language()), err().encoding))
