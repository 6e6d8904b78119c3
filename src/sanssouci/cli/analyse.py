"""``sanssouci analyse``: a record turn by turn, what was missed, and what was skill and what was luck."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError

from .game_options import Force, Json, Threads, read_seed, read_threads
from .language import Lang, sentence, speak, spoken
from .output import STOPPED, check_target, err, out, print_json, progress_bar, remark, write_new_file
from .precompile import precompile_review
from .record_reading import read_played

if TYPE_CHECKING:
    from sanssouci.notation import Record
    from sanssouci.review import Analysis

MOST_ROLLOUTS = 1_000_000
"""For a turn: half an hour for a game; beyond that there is nothing left to see."""


def analyse(
    file: Annotated[Path, typer.Argument(help="A game record.", readable=False)],
    html: Annotated[
        Path | None,
        typer.Option(help="Write the analysis as a page with a graph.", metavar="FILE", readable=False),
    ] = None,
    rollouts: Annotated[
        int | None,
        typer.Option(help="How many games are imagined for each turn.", show_default="15000"),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", help="A whole number or 64 hex digits.")] = "0",
    threads: Threads = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Analyse a game record: every turn, the better one where it was missed, skill and luck.

    The same record, seed and rollouts give the same analysis. It takes about half a minute.

    Example: sanssouci analyse game.json --html game.html
    """
    speak(lang)
    if html is not None:
        check_target(html, force)
        _spare(file, html)
    depth, crew, seeded = _read_rollouts(rollouts), read_threads(threads), read_seed(seed)
    analysis = _analyse(_legal_record(file), depth, seeded, crew)
    _hand_over(analysis, html, force, json)


def _spare(file: Path, html: Path) -> None:
    """``UserError`` if the page would take the place of the record, by whatever links."""
    with suppress(OSError):  # one of them does not exist
        if file.samefile(html):
            raise UserError("analyse.same_file", path=html)


def _read_rollouts(rollouts: int | None) -> int:
    """How many games are imagined for a turn."""
    from sanssouci.review import ROLLOUTS_A_TURN

    if rollouts is not None and not 1 <= rollouts <= MOST_ROLLOUTS:
        raise UserError("analyse.bad_rollouts", rollouts=rollouts, most=MOST_ROLLOUTS)
    return ROLLOUTS_A_TURN if rollouts is None else rollouts


def _legal_record(file: Path) -> "Record":
    """A record whose every turn is legal: it is told at once if one is not."""
    from sanssouci.notation import RecordError, verify

    try:
        record = read_played(file)
        verify(record)
    except RecordError as error:
        raise UserError("cli.in_file", path=file, sentence=error) from None
    return record


def _analyse(record: "Record", rollouts: int, seed: bytes, threads: int | None) -> "Analysis":
    """The analysis, with a progress bar; whoever stops it is told so."""
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
        remark(sentence("analyse.interrupted", done=done, wanted=positions))
        raise typer.Exit(STOPPED) from None


def _hand_over(analysis: "Analysis", html: Path | None, force: bool, json: bool) -> None:
    """The page first: who reads the figures may stop reading, and a page that fails must not hide them."""
    from sanssouci.review import analysis_document, provenance, write_analysis
    from sanssouci.terminal import spelled

    from .analysis_text import print_analysis

    try:
        if html is not None:
            write_new_file(html, write_analysis(analysis, spoken()).encode("utf-8"), force)
    finally:
        if json:
            print_json(analysis_document(analysis, spoken()))
        else:
            print_analysis(analysis, out(), spoken())
            remark(spelled(provenance(analysis, spoken()), err().encoding))
