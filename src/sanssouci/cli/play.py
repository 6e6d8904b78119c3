"""``sanssouci play``: a game in the terminal between people and computer players."""

import secrets
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError, printable

from .game_options import (
    Boards,
    Edition,
    Expansions,
    Force,
    Seats,
    SeedText,
    for_all_seats,
    read_seed,
    read_threads,
    read_variant,
)
from .language import Lang, current_language, sentence, set_language
from .output import check_target, out, print_notice, write_new_file
from .player_options import LIMIT, Limit, read_typed
from .precompile import precompile_players

if TYPE_CHECKING:
    from sanssouci.players import ExternalEngine
    from sanssouci.terminal import PlayerConsole, Seat, Session

GAME = "terminal"
MAX_NAME_LENGTH = 30
_OPPONENTS = ("level:3", "level:2", "level:4")
"""The default opponent."""


def play(
    seats: Seats = None,
    players: Annotated[
        str,
        typer.Option(
            help="Each seat's player, separated by commas: person, a computer player (level:1 … level:6), "
            'or cmd:"…".',
            show_default="a person, then computer players",
        ),
    ] = "",
    names: Annotated[str, typer.Option(help="The names of the seats, separated by commas.")] = "",
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    boards: Boards = "",
    seed: SeedText = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Plain sentences instead of drawings, for screen readers and scripts."),
    ] = False,
    limit: Limit = LIMIT,
    threads: Annotated[int, typer.Option(help="Number of threads for players that search.")] = 1,
    pause: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds to pause after a computer player's turn.")
    ] = 0.6,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the last game.")] = False,
    game: Annotated[
        Path | None,
        typer.Option(
            help="The file the game is saved in.",
            readable=False,
            show_default="a new file in your state folder",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Write the record to a new file at the end.", metavar="FILE", readable=False),
    ] = None,
    force: Force = False,
    lang: Lang = "",
) -> None:
    """Play a game in the terminal, against computer players or with others at the same keyboard.

    The game is saved after every turn; sanssouci play --resume continues it.

    Example: sanssouci play --seats 3 --edition imperial --expansions rewards,wild_boar
    """
    from sanssouci.editions import Words
    from sanssouci.players import Budget
    from sanssouci.terminal import AutoSave, GameLoop, PlayerConsole, QuitGame, read_game

    language = set_language(lang)
    if save is not None:
        check_target(save, force)
    if resume:
        if any((seats, names, expansions, boards, seed)):
            raise UserError("cli.resume_options")
        path = game or _latest()
        session = read_game(path)
        session.seats = _seats_again(session, players, limit)
    else:
        if game is not None:
            check_target(game, force)
            game.unlink(missing_ok=True)
        path = game or _new_path()
        session = _new_session(seats, players, limit, names, edition, expansions, boards, seed)
    session.budget = Budget(threads=read_threads(threads) or 1)
    console = PlayerConsole(out(), Words(language, session.variant.edition), plain)
    keeper = AutoSave(session, path, _warn)
    try:
        precompile_players(tuple(seat.player for seat in session.seats if not seat.is_person))
        keeper.keep()
        GameLoop(session, console, keeper, pause).run()
    except (QuitGame, KeyboardInterrupt):
        keeper.keep()  # marks it as the game that was played last
        command = "sanssouci play --resume" + (f" --game {printable(game)}" if game else "") + _again(session)
        print_notice(
            sentence("terminal.left", command=command) if keeper.kept else sentence("terminal.not_kept")
        )
        return
    finally:
        session.dismiss()
    if save is not None:
        _write_record(session, save, force)
    elif keeper.kept:
        print_notice(sentence("terminal.replay", path=printable(path)))
    _look_back(session, console)
    if save is not None or keeper.kept:
        print_notice(sentence("review.whole", path=printable(save or path)))


def _look_back(session: "Session", console: "PlayerConsole") -> None:
    """Offer the players a short review, after the game is saved."""
    from sanssouci.terminal import offer_review

    people = [place for place, seat in enumerate(session.seats) if seat.is_person]
    if people:
        offer_review(session.record(), people, console)


def _warn(user_error: UserError) -> None:
    print_notice(user_error.translate(current_language()))


def _new_session(
    seats: int | None,
    players: str,
    limit: float,
    names: str,
    edition: str,
    expansions: str,
    boards: str,
    seed: str | None,
) -> "Session":
    from sanssouci.dealer import FairDealer
    from sanssouci.terminal import PERSON, Seat, Session

    who = for_all_seats(read_typed(players, limit, also=(PERSON,)), seats) if players else ()
    wanted = len(who) or (2 if seats is None else seats)
    variant, board_set = read_variant(wanted, edition, expansions, boards)
    who = who or (PERSON, *_OPPONENTS[: variant.seats - 1])
    called = [name.strip() for name in names.split(",")] if names else []
    for name in called:
        if not name.isprintable() or len(name) > MAX_NAME_LENGTH:
            raise UserError("cli.bad_name", longest=MAX_NAME_LENGTH)
    seated = tuple(
        Seat(called[place] if place < len(called) and called[place] else _name(player, place, who), player)
        for place, player in enumerate(who)
    )
    # A given seed must repeat the game, so the seats add no randomness of their own.
    nonces = tuple("" if seed is not None else secrets.token_hex(16) for _ in seated)
    return Session(variant, board_set, seated, FairDealer(read_seed(seed), GAME, nonces))


def _seats_again(session: "Session", players: str, limit: float) -> "tuple[Seat, ...]":
    """The seats of a saved game. A save never runs a program: its command must be typed again."""
    from sanssouci.players import PREFIX
    from sanssouci.terminal import PERSON

    kept = [str(seat.player) for seat in session.seats]
    if players:
        typed = for_all_seats(read_typed(players, limit, also=(PERSON,)), len(kept))
        if [str(player) for player in typed] != kept:
            raise UserError("cli.resume_players", players=",".join(kept))
        return tuple(replace(seat, player=player) for seat, player in zip(session.seats, typed, strict=True))
    if any(player.startswith(PREFIX) for player in kept):
        raise UserError("cli.resume_program", players=",".join(kept))
    return session.seats


def _again(session: "Session") -> str:
    """The options that must be repeated to resume, because a program is run only if it is typed."""
    if all(isinstance(seat.player, str) for seat in session.seats):
        return ""
    return " --players " + shlex.quote(",".join(str(seat.player) for seat in session.seats))


def _name(player: "str | ExternalEngine", place: int, who: "Sequence[str | ExternalEngine]") -> str:
    """Numbers people, and levels that occur twice."""
    from sanssouci.players import LEVELS, character
    from sanssouci.terminal import PERSON

    if player in LEVELS and who.count(player) == 1:
        return character(str(player), current_language())
    return sentence("seat.person" if player == PERSON else "seat.computer", number=place + 1)


def _latest() -> Path:
    from sanssouci.terminal import default_folder, latest_game

    return latest_game(default_folder(), _warn_of_bad_file)


def _warn_of_bad_file(user_error: UserError) -> None:
    print_notice(sentence("save.skipped", reason=user_error.translate(current_language())))


def _new_path() -> Path:
    from sanssouci.terminal import default_folder

    return default_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.json"


def _write_record(session: "Session", path: Path, force: bool) -> None:
    from sanssouci.notation import write_record

    write_new_file(path, write_record(session.record()), force)
    print_notice(sentence("terminal.record", path=path))
