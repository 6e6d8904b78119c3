"""Compares the journal of clients with the data file, event by event."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from sanssouci.locale import UserError
from sanssouci.server.tables.table_registry import read_events
from sanssouci.store import GameExport, Store, check_file, check_games
from sanssouci.table import Event, Table, parse_command

from .journal_clients import JournalledPlayer, SentCommand


@dataclass
class Findings:
    """Everything that is wrong, one sentence each."""

    lost: list[str] = field(default_factory=list)
    """Acknowledged commands that are missing or different in the file."""
    twice: list[str] = field(default_factory=list)
    """Commands executed more than once, or refused but executed."""
    gaps: list[str] = field(default_factory=list)
    """Events that a client has missed, or received differently."""
    corrupt: list[str] = field(default_factory=list)
    """Damaged games and files."""

    def __bool__(self) -> bool:
        return bool(self.lost or self.twice or self.gaps or self.corrupt)

    def __str__(self) -> str:
        return (
            f"{len(self.lost)} lost, {len(self.twice)} applied twice, {len(self.gaps)} gaps, "
            f"{len(self.corrupt)} corrupt"
        )

    def examples(self, most: int = 5) -> list[str]:
        """The first findings of each kind."""
        return [text for found in (self.lost, self.twice, self.gaps, self.corrupt) for text in found[:most]]


def audit(data: Path, journal: Iterable[SentCommand], players: Iterable[JournalledPlayer]) -> Findings:
    """Compare a data file that no server has open with the journal and the events that players received."""
    findings = Findings()
    with Store.open(data, create=False) as store:
        tables = _replayed(store, findings)
    _check_journal(tables, journal, findings)
    for player in players:
        _check_received(tables.get(player.table), player, findings)
    return findings


def _replayed(store: Store, findings: Findings) -> dict[str, Table]:
    """Replay every game by the rules, after checking its hash chain."""
    tables: dict[str, Table] = {}

    def check_export(export: GameExport) -> None:
        tables[export.game.id] = Table(export.game.id, read_events(list(export.events)))

    try:
        check_file(store)
    except UserError as user_error:
        findings.corrupt.append(str(user_error))
    for game, wrong in check_games(store, check_export):
        if wrong is not None:
            findings.corrupt.append(f"{game.id}: {wrong}")
    return tables


def _check_journal(tables: dict[str, Table], journal: Iterable[SentCommand], findings: Findings) -> None:
    stored_events: dict[str, list[tuple[str, Event]]] = {}
    for table in tables.values():
        for event in map(table.event, range(table.seq + 1)):
            stored_events.setdefault(event.command_id.rpartition(":")[2], []).append((table.id, event))
    for sent in journal:
        found = stored_events.get(sent.command_id, [])
        if len(found) > 1 or (found and sent.refused):
            findings.twice.append(f"{sent} was executed {len(found)} times")
        if sent.acknowledged is not None and not any(_matches(sent, *stored) for stored in found):
            findings.lost.append(f"{sent} is missing: {found}")


def _matches(sent: SentCommand, table: str, event: Event) -> bool:
    """Whether an event is the acknowledged one."""
    place = (table, event.chair, event.seq) == (sent.table, sent.chair, sent.acknowledged)
    return place and event.command == parse_command(sent.command)


def _check_received(table: Table | None, player: JournalledPlayer, findings: Findings) -> None:
    """Check that a player received exactly the events of the table, from the first on."""
    expected = (
        [] if table is None else [_as_sent(event.to(player.chair)) for event in table.public_events(-1)]
    )
    if player.received != expected[: len(player.received)]:
        findings.gaps.append(f"{player.table}, chair {player.chair}: received an event that did not happen")
    if player.over and len(player.received) != len(expected):
        findings.gaps.append(f"{player.table}, chair {player.chair}: did not receive all events")


def _as_sent(event: object) -> Any:
    return json.loads(orjson.dumps(event))
