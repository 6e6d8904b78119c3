"""What guests have noted is compared with what the data file holds, event by event."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from sanssouci.locale import UserError
from sanssouci.server.tables.persistence import read_events
from sanssouci.store import GameExport, Store, check_file, check_games
from sanssouci.table import Event, Table, parse_command

from .guest import Sent, Sitter


@dataclass
class Findings:
    """What is wrong, one sentence each."""

    lost: list[str] = field(default_factory=list)
    """Acknowledged, and not there as it was acknowledged."""
    twice: list[str] = field(default_factory=list)
    """Carried out more than once, or refused and yet carried out."""
    gaps: list[str] = field(default_factory=list)
    """Not told to somebody, or told otherwise than it was."""
    corrupt: list[str] = field(default_factory=list)
    """What no server could have written."""

    def __bool__(self) -> bool:
        return bool(self.lost or self.twice or self.gaps or self.corrupt)

    def __str__(self) -> str:
        return (
            f"{len(self.lost)} lost, {len(self.twice)} applied twice, {len(self.gaps)} gaps, "
            f"{len(self.corrupt)} corrupt"
        )

    def examples(self, most: int = 5) -> list[str]:
        """The first of each kind."""
        return [one for some in (self.lost, self.twice, self.gaps, self.corrupt) for one in some[:most]]


def audit(data: Path, journal: Iterable[Sent], sitters: Iterable[Sitter]) -> Findings:
    """Look through a data file that no server has open."""
    findings = Findings()
    with Store.open(data, create=False) as store:
        tables = _replayed(store, findings)
    _check_journal(tables, journal, findings)
    for sitter in sitters:
        _check_told(tables.get(sitter.table), sitter, findings)
    return findings


def _replayed(store: Store, findings: Findings) -> dict[str, Table]:
    """Every game, by the rules; its chain of hashes is checked before."""
    tables: dict[str, Table] = {}

    def examine(parcel: GameExport) -> None:
        tables[parcel.game.id] = Table(parcel.game.id, read_events(list(parcel.events)))

    try:
        check_file(store)
    except UserError as user_error:
        findings.corrupt.append(str(user_error))
    for game, wrong in check_games(store, examine):
        if wrong is not None:
            findings.corrupt.append(f"{game.id}: {wrong}")
    return tables


def _check_journal(tables: dict[str, Table], journal: Iterable[Sent], findings: Findings) -> None:
    kept: dict[str, list[tuple[str, Event]]] = {}
    for table in tables.values():
        for event in map(table.event, range(table.seq + 1)):
            kept.setdefault(event.command_id.rpartition(":")[2], []).append((table.id, event))
    for sent in journal:
        found = kept.get(sent.command_id, [])
        if len(found) > 1 or (found and sent.refused):
            findings.twice.append(f"{sent} is carried out {len(found)} times")
        if sent.acknowledged is not None and not any(_is_it(sent, *one) for one in found):
            findings.lost.append(f"{sent} is not there: {found}")


def _is_it(sent: Sent, table: str, event: Event) -> bool:
    """Whether an event is what was acknowledged."""
    place = (table, event.chair, event.seq) == (sent.table, sent.chair, sent.acknowledged)
    return place and event.command == parse_command(sent.command)


def _check_told(table: Table | None, sitter: Sitter, findings: Findings) -> None:
    """What somebody was told is what has happened, from the first event on."""
    happened = (
        [] if table is None else [_as_sent(telling.to(sitter.chair)) for telling in table.public_events(-1)]
    )
    if sitter.told != happened[: len(sitter.told)]:
        findings.gaps.append(f"{sitter.table}, chair {sitter.chair}: was told what has not happened")
    if sitter.over and len(sitter.told) != len(happened):
        findings.gaps.append(f"{sitter.table}, chair {sitter.chair}: was not told everything")


def _as_sent(telling: dict[str, Any]) -> Any:
    return json.loads(orjson.dumps(telling))
