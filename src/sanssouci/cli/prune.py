"""``sanssouci admin prune``: tables that nobody comes back to are deleted."""

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import Complaint, shown

from . import counts
from .data_file import opened
from .game_options import Json
from .language import Lang, sentence, speak
from .output import err, print_json, print_line, remark
from .setting_options import Data

if TYPE_CHECKING:
    from sanssouci.store import GameRow, Store

DAY = 86_400
MOST_DAYS = 36_500

Lobbies = Annotated[
    int, typer.Option(help="Delete tables that have not started, after so many quiet days.", metavar="DAYS")
]
Games = Annotated[
    int, typer.Option(help="Delete unfinished games, after so many quiet days.", metavar="DAYS")
]
Finished = Annotated[
    int | None,
    typer.Option(
        help="Also delete finished games, after so many days.", metavar="DAYS", show_default="never"
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@dataclass(frozen=True, slots=True)
class _Patience:
    """For how many quiet days a table is kept, by what it is about; None is for ever."""

    lobbies: int
    games: int
    finished: int | None

    def __post_init__(self) -> None:
        for option, days in (
            ("--lobbies", self.lobbies),
            ("--games", self.games),
            ("--finished", self.finished),
        ):
            if days is not None and not 0 <= days <= MOST_DAYS:
                raise Complaint("admin.bad_days", option=option, days=days, most=MOST_DAYS)

    def is_over(self, game: "GameRow", now: float) -> bool:
        """Whether a table may go. Where a clock runs it does not stand still: a stand-in will play."""
        days = {"lobby": self.lobbies, "over": self.finished}.get(game.phase, self.games)
        awaited = game.deadline is not None and game.deadline > now
        return days is not None and not awaited and game.updated_at < now - days * DAY


def prune(
    lobbies: Lobbies = 7,
    games: Games = 90,
    finished: Finished = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    data: Data = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Delete tables at which nothing has happened for long, with all that belongs to them.

    Finished games stay, unless --finished says after how many days they go. Back up first.

    Example: sanssouci admin prune --dry-run
    """
    speak(lang)
    patience = _Patience(lobbies, games, finished)
    with opened(data) as store:
        abandoned = _abandoned(store, patience)
        if not json:
            _list(abandoned)
        wanted = not dry_run and bool(abandoned) and (yes or _confirmed(len(abandoned)))
        if wanted:
            store.delete_games([game.id for game in abandoned])
    if json:
        print_json({"deleted": wanted, "tables": [_document(game) for game in abandoned]})
    else:
        _tell(len(abandoned), wanted)


def _abandoned(store: "Store", patience: _Patience) -> "list[GameRow]":
    now = time.time()
    return [game for game in store.idle_games(now) if patience.is_over(game, now)]


def _list(games: "list[GameRow]") -> None:
    for game in games:
        day = time.strftime("%Y-%m-%d", time.gmtime(game.updated_at))
        print_line(f"{shown(game.id):<16}  {shown(game.phase):<8}  {day}")


def _confirmed(tables: int) -> bool:
    """Ask whoever sits at the terminal; where nobody does, it must have been said before."""
    if not sys.stdin.isatty():
        raise Complaint("admin.needs_yes")
    err().print(sentence("admin.confirm", tables=counts.tables(tables)), markup=False, end=" ")
    return sys.stdin.readline().strip().lower() in {"yes", "y", *sentence("command.yes").split()}


def _tell(tables: int, deleted: bool) -> None:
    if deleted:
        remark(sentence("admin.deleted", tables=counts.tables(tables)))
    else:
        remark(sentence("admin.kept", tables=counts.tables(tables)))


def _document(game: "GameRow") -> dict[str, Any]:
    return {"table": game.id, "stage": game.phase, "updated_at": game.updated_at}
