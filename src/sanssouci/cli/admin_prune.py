"""``sanssouci admin prune``: deletes abandoned tables and inactive guests."""

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sanssouci.locale import UserError, printable

from . import plurals
from .data_file import opened, report_damaged
from .game_options import Json
from .language import Lang, sentence, set_language
from .output import err, print_json, print_line, print_notice
from .setting_options import Data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sanssouci.store import Change, GameRow, Store

DAY = 86_400
MAX_DAYS = 36_500

Lobbies = Annotated[
    int, typer.Option(help="Delete tables that have not started, after this many idle days.", metavar="DAYS")
]
Games = Annotated[
    int, typer.Option(help="Delete unfinished games after this many idle days.", metavar="DAYS")
]
Finished = Annotated[
    int | None,
    typer.Option(
        help="Also delete finished games and reviews after this many days.",
        metavar="DAYS",
        show_default="never",
    ),
]
Guests = Annotated[
    int, typer.Option(help="Delete guests without a table, if not seen for this many days.", metavar="DAYS")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be deleted.")]
Yes = Annotated[bool, typer.Option("--yes", help="Delete without asking.")]


@dataclass(frozen=True, slots=True)
class _RetentionPolicy:
    """Days without activity after which a table may be deleted, by its phase; None means never."""

    lobbies: int
    games: int
    finished: int | None
    guests: int

    def __post_init__(self) -> None:
        for option, days in (
            ("--lobbies", self.lobbies),
            ("--games", self.games),
            ("--finished", self.finished),
            ("--guests", self.guests),
        ):
            if days is not None and not 0 <= days <= MAX_DAYS:
                raise UserError("admin.bad_days", option=option, days=days, most=MAX_DAYS)

    def is_over(self, game: "GameRow", now: float) -> bool:
        """Whether a table may be deleted. One with a running clock is active: a stand-in will play."""
        days = {"lobby": self.lobbies, "full": self.lobbies, "over": self.finished}.get(
            game.phase, self.games
        )
        awaited = game.deadline is not None and game.deadline > now
        return days is not None and not awaited and game.updated_at < now - days * DAY


def prune(
    lobbies: Lobbies = 7,
    games: Games = 90,
    finished: Finished = None,
    guests: Guests = 90,
    dry_run: DryRun = False,
    yes: Yes = False,
    data: Data = None,
    json: Json = False,
    lang: Lang = "",
) -> None:
    """Delete idle tables, and guests without a table who have not been seen for a while.

    Finished games and reviews stay unless --finished sets a number of days. Back up first.

    Example: sanssouci admin prune --dry-run
    """
    set_language(lang)
    policy = _RetentionPolicy(lobbies, games, finished, guests)
    from sanssouci.store import DropReview, reporting

    with opened(data) as store, reporting(store, report_damaged):
        now = time.time()
        abandoned = [game for game in store.idle_games(now) if policy.is_over(game, now)]
        tables = [game.id for game in abandoned]
        gone = store.idle_guests(now - policy.guests * DAY, without=frozenset(tables))
        old = [] if finished is None else store.old_reviews(now - finished * DAY)
        count = {
            "tables": plurals.tables(len(tables)),
            "guests": plurals.guests(len(gone)),
            "reviews": plurals.reviews(len(old)),
        }
        if not json:
            _list(abandoned)
        wanted = not dry_run and bool(tables or gone or old) and (yes or _confirmed(count))
        if wanted:
            # Tables first: a guest is deleted only if no table is left.
            store.write_steps(_delete_tables(store, abandoned, now))
            store.write_steps(_delete_guests(store, gone, now - policy.guests * DAY))
            store.write_steps([DropReview(review)] for review in old)
    if json:
        shown_tables = [_document(game) for game in abandoned]
        document = {"deleted": wanted, "tables": shown_tables, "guests": len(gone), "reviews": len(old)}
        print_json(document)
    else:
        print_notice(sentence("admin.deleted" if wanted else "admin.kept", **count))


def _delete_tables(store: "Store", games: "list[GameRow]", now: float) -> "Iterator[list[Change]]":
    """Delete the tables at which nothing has happened since they were listed."""
    from sanssouci.store import ExpireGame

    for game in games:
        if store.game(game.id) == game:
            yield [ExpireGame(game.id, now, game.seq)]


def _delete_guests(store: "Store", guests: list[str], before: float) -> "Iterator[list[Change]]":
    """Delete the guests who have not come back since they were listed."""
    from sanssouci.store import ForgetGuest

    for guest in guests:
        row = store.guest(guest)
        if row is not None and row.seen_at < before and not store.games_of(guest, limit=1):
            yield [ForgetGuest(guest)]


def _list(games: "list[GameRow]") -> None:
    for game in games:
        day = time.strftime("%Y-%m-%d", time.gmtime(game.updated_at))
        print_line(f"{printable(game.id):<16}  {printable(game.phase):<8}  {day}")


def _confirmed(count: dict[str, str]) -> bool:
    """Ask for confirmation; without a terminal it must have been given as an option."""
    if not sys.stdin.isatty():
        raise UserError("admin.needs_yes")
    err().print(sentence("admin.confirm", **count), markup=False, end=" ")
    return sys.stdin.readline().strip().lower() in {"yes", "y", *sentence("command.yes").split()}


def _document(game: "GameRow") -> dict[str, Any]:
    return {"table": game.id, "stage": game.phase, "updated_at": game.updated_at}
