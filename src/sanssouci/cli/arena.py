"""``sanssouci arena``: lets players compete on the same deals, with confidence intervals."""

import os
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sanssouci.locale import UserError, printable

from .arena_options import (
    Field,
    GameCount,
    Page,
    ReferenceBoards,
    Resume,
    Rollouts,
    SeatCount,
    SprtText,
    Time,
    Workers,
    read_budget,
    read_deals,
    read_field,
    read_sprt,
)
from .executor_options import On, open_executor
from .game_options import Edition, Expansions, Force, Json, SeedText, read_seed, read_variant
from .language import Lang, current_language, sentence, set_language
from .output import (
    STOPPED,
    check_target,
    out,
    print_json,
    print_notice,
    progress_bar,
    show_speed,
    write_new_file,
)
from .player_options import LIMIT, Limit
from .precompile import precompile_kernel, precompile_players
from .records import Records, check_folder, open_folder

if TYPE_CHECKING:
    from sanssouci.arena import Executor, Journal, Match, Outcome, Tournament

_FAULT = 1
"""The exit status after a game that could not be played."""


def arena(
    players: Field = "",
    games: GameCount = 100,
    seats: SeatCount = None,
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    time: Time = None,
    rollouts: Rollouts = None,
    limit: Limit = LIMIT,
    seed: SeedText = None,
    boards: ReferenceBoards = "reference",
    sprt: SprtText = "",
    records: Records = None,
    resume: Resume = None,
    html: Page = None,
    workers: Workers = None,
    on: On = None,
    force: Force = False,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Let players compete: every deal is played once in every seating.

    The same seed gives the same games, however many processes play them.

    Example: sanssouci arena --players random,mine --games 1000 --seed 1
    """
    from sanssouci.arena import Match, Tournament

    set_language(lang)
    names, places = read_field(players, limit, seats)
    variant, board_set = read_variant(seats or sum(places) or 2, edition, expansions, boards)
    budget, test = read_budget(time, rollouts), read_sprt(sprt, names)
    if html is not None:
        check_target(html, force)
    with ExitStack() as stack:
        journal = stack.enter_context(_journal(resume)) if resume is not None else None
        match = Match(variant, board_set, names, read_seed(_seed(seed, journal)), budget, places)
        tournament = Tournament(match, read_deals(games, match), test)
        executor = stack.enter_context(open_executor(on, workers))
        _get_ready(tournament, journal, records, force)
        _say_how_many(games, tournament)
        if records is not None:
            _say_what_is_missing(tournament, records)
        ended = _play_all(tournament, executor, journal, records)
    tournament.close()
    _write_results(tournament, html, force, json)
    if ended is not None:
        print_notice(ended[0])
        raise typer.Exit(ended[1])


def _journal(path: Path) -> "Journal":
    from sanssouci.arena import Journal

    if not os.path.exists(path):  # noqa: PTH110 - never raises
        check_target(path, force=False)
    return Journal(path)


def _seed(text: str | None, journal: "Journal | None") -> str | None:
    """The given seed, or else the seed of the run that is resumed."""
    if text is None and journal is not None and journal.settings is not None:
        return str(journal.settings["seed"])
    return text


def _get_ready(
    tournament: "Tournament", journal: "Journal | None", records: Path | None, force: bool
) -> None:
    """Make every check that is possible before the first game, and load the games of earlier runs."""
    _check_players(tournament.match)
    if journal is not None:
        tournament.add_outcomes(journal.outcomes(tournament.match))
    _open_files(tournament, journal, records, force)


def _check_players(match: "Match") -> None:
    """Report a player that cannot be created before the first game, and before anything is written."""
    from sanssouci.dealer import BulkGame
    from sanssouci.players import make_player, stop_engines

    precompile_kernel("greedy")  # it replaces a player that fails
    precompile_players(match.players)
    stop_engines()  # the checks have started them; the processes that play start their own
    for name in match.players:
        make_player(name, BulkGame(match.seed, 0).stream(0), match.budget)


def _open_files(
    tournament: "Tournament", journal: "Journal | None", records: Path | None, force: bool
) -> None:
    """Open the journal only if the records can be written too."""
    keep = journal is not None and journal.settings is not None
    if records is not None:
        check_folder(records, force, keep)
    try:
        if journal is not None:
            journal.begin(tournament.match)
        if records is not None:
            open_folder(records, force, keep)
    except UserError:
        if journal is not None:
            journal.discard()
        raise


def _say_how_many(games: int, tournament: "Tournament") -> None:
    seatings = len(tournament.match.seatings)
    if tournament.games != games:
        print_notice(
            sentence(
                "arena.rounded",
                asked=games,
                games=tournament.games,
                deals=tournament.deals,
                seatings=seatings,
            )
        )
    if tournament.finished:
        print_notice(sentence("arena.resumed", done=tournament.finished, wanted=tournament.games))


def _say_what_is_missing(tournament: "Tournament", records: Path) -> None:
    names = map(tournament.match.record_name, tournament.taken_up)
    if missing := sum(not (records / name).exists() for name in names):
        print_notice(sentence("arena.no_records", count=missing, path=printable(records)))


def _play_all(
    tournament: "Tournament", executor: "Executor", journal: "Journal | None", records: Path | None
) -> tuple[str, int] | None:
    """Play, record and log the games; returns the reason and exit status of an early end."""
    from sanssouci.arena import ExecutorFault

    try:
        with (
            progress_bar(speed=True) as bar,
            closing(tournament.play(executor, records is not None)) as played,
        ):
            task = bar.add_task(sentence("simulate.progress"), total=tournament.games, speed="")
            bar.update(task, completed=tournament.finished)
            for outcome, record in played:
                if records is not None:
                    _write_game(tournament.match, outcome, record, records)
                if journal is not None:
                    journal.write(outcome)
                show_speed(bar, task, 1)
    except KeyboardInterrupt:
        return sentence("cli.interrupted", done=tournament.finished, wanted=tournament.games), STOPPED
    except ExecutorFault as fault:
        return fault.translate(current_language()), _FAULT
    return None


def _write_game(match: "Match", outcome: "Outcome", record: bytes, folder: Path) -> None:
    write_new_file(folder / match.record_name(outcome.game), record, force=True)
    for name, transcript in match.transcripts(outcome):
        write_new_file(folder / name, transcript, force=True)


def _write_results(tournament: "Tournament", html: Path | None, force: bool, json: bool) -> None:
    """Write the page first, because printing may end early; an error there must not hide the figures."""
    from sanssouci.arena import write_page

    if not tournament.standings.games:
        return
    try:
        if html is not None:
            write_new_file(html, write_page(tournament, current_language()).encode("utf-8"), force)
    finally:
        _show(tournament, json)


def _show(tournament: "Tournament", json: bool) -> None:
    from sanssouci.arena import lost_lines, reason_lines, sprt_verdict
    from sanssouci.dealer import write_seed

    from .arena_table import arena_table

    if json:
        print_json(tournament.to_json())
    else:
        out().print(arena_table(tournament))
        print_notice(sentence("simulate.seed", seed=write_seed(tournament.match.seed)))
    if tournament.sprt is not None:
        print_notice(sprt_verdict(tournament, current_language()))
    for line in [
        *(lost_lines(tournament, current_language()) if json else []),
        *reason_lines(tournament, current_language()),
    ]:
        print_notice(line)
