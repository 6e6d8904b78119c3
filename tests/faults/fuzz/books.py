"""The books of a server after a siege: every game is whole, and nothing happened that nobody did."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import text

from sanssouci.server.ledger import events_of
from sanssouci.store import EventRow, GameRow, Store, inspect_file, inspect_games
from sanssouci.table import Event, Table, parse_command

from .honest import Company, Said

_OF_THE_HOUSE = ("create", "sit")
"""Events for which no honest person has chosen an id."""


def check_books(data: Path, company: Company, guests: int, games: int) -> list[str]:
    """What is wrong with a data file, where attackers have made so many guests and games."""
    tables: dict[str, Table] = {}

    def examine(game: GameRow, rows: Sequence[EventRow]) -> None:
        tables[game.id] = Table(game.id, events_of(list(rows)))

    with Store.open(data, create=False) as store:
        inspect_file(store)
        wrong = [f"{game.id}: {fault}" for game, fault in inspect_games(store, examine) if fault is not None]
        with store.snapshot() as view:
            found = view.execute(text("SELECT count(*) FROM guest")).scalar_one()
    if found != company.guests + guests:
        wrong.append(f"there are {found} guests, and {company.guests} + {guests} have come")
    if len(tables) != len(company.tables) + games:
        wrong.append(f"there are {len(tables)} games, and {len(company.tables)} + {games} were set up")
    for table in company.tables:
        said = [one for one in company.journal if one.table == table]
        wrong += _compare(tables[table], said)
    return wrong


def _compare(table: Table, said: list[Said]) -> list[str]:
    """An honest game is what the two have done; the last command may have been cut off."""
    kept = [
        event for event in map(table.event, range(table.seq + 1)) if event.command.type not in _OF_THE_HOUSE
    ]
    done = sorted((one.seq, one.chair, one.command_id, parse_command(one.command)) for one in said)
    happened = [_as_said(event) for event in kept]
    return (
        []
        if happened[: len(done)] == done and len(happened) <= len(done) + 1
        else [f"{table.id} has changed"]
    )


def _as_said(event: Event) -> tuple[int, int | None, str, object]:
    return event.seq, event.chair, event.command_id.rpartition(":")[2], event.command
