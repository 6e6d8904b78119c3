"""The books of a server after a siege: every game is whole, and nothing happened that nobody did."""

from pathlib import Path

from sanssouci.server.features.audit import audit
from sanssouci.server.tables.persistence import read_events
from sanssouci.store import Store, check_file, check_guests
from sanssouci.table import Event, parse_command

from .honest import Company, Said

_OF_THE_HOUSE = ("create", "sit")
"""Events for which no honest person has chosen an id."""


def check_books(data: Path, company: Company, guests: int, games: int) -> list[str]:
    """What is wrong with a data file, where attackers have made so many guests and games."""
    with Store.open(data, create=False) as store:
        check_file(store)
        kept = list(store.all_games())
        wrong = [str(fault.user_error()) for game in kept for fault in audit(store, game)[1]]
        (found, faults), honest = check_guests(store), range(len(company.tables), company.asked + 1)
        wrong += map(str, faults)
        if found != company.guests + guests:
            wrong.append(f"there are {found} guests, not {company.guests} and {guests}")
        if len(kept) - games not in honest:
            wrong.append(f"there are {len(kept)} games, not {len(company.tables)} and {games}")
        for table in company.tables:
            said = [one for one in company.journal if one.table == table]
            wrong += _compare(table, read_events(list(store.events(table))), said)
    return wrong


def _compare(table: str, events: list[Event], said: list[Said]) -> list[str]:
    """An honest game is what the two have done; the last command may have been cut off."""
    told = sorted(said, key=lambda one: one.seq)
    done = [(one.seq, one.chair, one.command_id, parse_command(one.command)) for one in told]
    kept = [_as_said(event) for event in events if event.command.type not in _OF_THE_HOUSE]
    return [] if kept[: len(done)] == done and len(kept) <= len(done) + 1 else [f"{table} has changed"]


def _as_said(event: Event) -> tuple[int, int | None, str, object]:
    return event.seq, event.chair, event.command_id.rpartition(":")[2], event.command
