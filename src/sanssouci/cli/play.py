"""``sanssouci play``: a whole game in the terminal, people and computer players mixed."""

import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import Complaint, shown

from .game_options import (
    Boards,
    Edition,
    Expansions,
    Force,
    Seats,
    SeedText,
    read_players,
    read_seed,
    read_variant,
)
from .language import Lang, sentence, speak, spoken
from .output import check_target, out, remark, write_new_file
from .preparing import prepare_players

if TYPE_CHECKING:
    from sanssouci.terminal import Desk, Session

GAME = "terminal"
LONGEST_NAME = 30
_OPPONENT = "steward"
"""Who plays against a person if nothing is said."""


def play(
    seats: Seats = None,
    players: Annotated[
        str,
        typer.Option(
            help="Who sits at each seat, with commas: person, or a computer player (steward, planner …).",
            show_default="a person, then computer players",
        ),
    ] = "",
    names: Annotated[str, typer.Option(help="The names of the seats, with commas between.")] = "",
    edition: Edition = "ravensburger",
    expansions: Expansions = "",
    boards: Boards = "",
    seed: SeedText = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain sentences, no drawings: for screen readers and scripts.")
    ] = False,
    pause: Annotated[float, typer.Option(min=0, max=60, help="Seconds after a computer's turn.")] = 0.6,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last game.")] = False,
    game: Annotated[
        Path | None, typer.Option(help="The file that keeps the game.", show_default="a new one of your own")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the record to a new file at the end.", metavar="FILE")
    ] = None,
    force: Force = False,
    lang: Lang = "",
) -> None:
    """Play a game in the terminal, against computer players or with others at the same keyboard.

    The game is kept after every turn: whatever happens, sanssouci play --resume goes on with it.

    Example: sanssouci play --seats 3 --edition imperial --expansions rewards,wild_boar
    """
    from sanssouci.editions import Words
    from sanssouci.terminal import Desk, Host, Keeper, Leave, read_game

    language = speak(lang)
    if save is not None:
        check_target(save, force)
    if resume:
        if any((seats, players, names, expansions, boards, seed)):
            raise Complaint("cli.resume_options")
        path = game or _latest()
        session = read_game(path)
    else:
        if game is not None:
            check_target(game, force)
            game.unlink(missing_ok=True)
        path = game or _new_path()
        session = _new_session(seats, players, names, edition, expansions, boards, seed)
    desk = Desk(out(), Words(language, session.variant.edition), plain)
    keeper = Keeper(session, path, _warn)
    keeper.keep()
    try:
        prepare_players(tuple(seat.player for seat in session.seats if not seat.is_person))
        Host(session, desk, keeper, pause).run()
    except (Leave, KeyboardInterrupt):
        keeper.keep()  # so that this is the game that was played last
        command = "sanssouci play --resume" + (f" --game {shown(game)}" if game else "")
        remark(sentence("host.left", command=command) if keeper.kept else sentence("host.not_kept"))
        return
    if save is not None:
        _write_record(session, save, force)
    elif keeper.kept:
        remark(sentence("host.replay", path=shown(path)))
    _look_back(session, desk)
    if save is not None or keeper.kept:
        remark(sentence("review.whole", path=shown(save or path)))


def _look_back(session: "Session", desk: "Desk") -> None:
    """A short review for the people who played; when it is offered the game is safe already."""
    from sanssouci.terminal import offer_review

    people = [place for place, seat in enumerate(session.seats) if seat.is_person]
    if people:
        offer_review(session.record(), people, desk)


def _warn(complaint: Complaint) -> None:
    remark(complaint.say(spoken()))


def _new_session(
    seats: int | None,
    players: str,
    names: str,
    edition: str,
    expansions: str,
    boards: str,
    seed: str | None,
) -> "Session":
    from sanssouci.dealer import FairDealer
    from sanssouci.terminal import PERSON, Seat, Session

    who = (
        read_players(players, seats, also=(PERSON,))
        if players
        else (PERSON, *[_OPPONENT] * ((seats or 2) - 1))
    )
    variant, board_set = read_variant(len(who), edition, expansions, boards)
    called = [name.strip() for name in names.split(",")] if names else []
    for name in called:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise Complaint("cli.bad_name", longest=LONGEST_NAME)
    seated = tuple(
        Seat(called[place] if place < len(called) and called[place] else _name(player, place), player)
        for place, player in enumerate(who)
    )
    # A seed that is given is asked to repeat the game, so then the seats add nothing of their own.
    nonces = tuple("" if seed is not None else secrets.token_hex(16) for _ in seated)
    return Session(variant, board_set, seated, FairDealer(read_seed(seed), GAME, nonces))


def _name(player: str, place: int) -> str:
    from sanssouci.terminal import PERSON

    return sentence("seat.person" if player == PERSON else "seat.computer", number=place + 1)


def _latest() -> Path:
    from sanssouci.terminal import default_folder, latest_game

    return latest_game(default_folder(), _warn_of_bad_file)


def _warn_of_bad_file(complaint: Complaint) -> None:
    remark(sentence("save.skipped", reason=complaint.say(spoken())))


def _new_path() -> Path:
    from sanssouci.terminal import default_folder

    return default_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.json"


def _write_record(session: "Session", path: Path, force: bool) -> None:
    from sanssouci.notation import write_record

    write_new_file(path, write_record(session.record()), force)
    remark(sentence("host.record", path=path))
