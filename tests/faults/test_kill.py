"""A server is killed while games are played on it: every acknowledged command is stored exactly once."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanssouci.dealer import FAIR_1, BulkStream
from sanssouci.server.tables.table_registry import append, game_row, store_changes
from sanssouci.store import AddGame, Store
from sanssouci.table import Transition

from ..harness.process import ServerProcess
from ..table.hosted_table import SEED, Host, nonce_of
from .audit import audit
from .journal_clients import Journal, JournalledPlayer, PersistentClient, SentCommand
from .kill import Report, measure
from .planted import Plant


def quick(cycles: int, plant: Plant) -> Report:
    """A few kills with a few games."""
    return measure(cycles, 6, 1, plant)


def test_nothing_acknowledged_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow disk, every kill interrupts commands. Each is stored once, and all games continue."""
    monkeypatch.setattr(ServerProcess, "forks", False)  # the CPU time of a start is measured
    report = quick(2, Plant.SLOW_DISK)
    assert report.sound, (report.findings.examples(), report.wrong_answers[:5])
    assert report.acknowledged > report.games and len(report.first) == len(report.used) == 2
    assert all(used > 0.1 for used in report.used), "starting a server uses CPU time"
    assert report.repeated > 0, "some commands were executed but not acknowledged before a kill"


def test_an_acknowledgement_before_the_commit_is_found() -> None:
    """A server that does not wait for the disk loses acknowledged commands.

    Once is not enough: a commit that is just being written may survive the kill.
    """
    report = quick(3, Plant.TOO_EARLY)
    assert report.findings.lost
    assert report.findings.gaps, "players have received lost events"
    assert not report.row().ok


def test_a_server_that_forgets_command_ids_is_found() -> None:
    """A server that does not recognise repeats refuses commands that it has executed."""
    report = quick(1, Plant.FORGETS_IDS)
    assert report.findings.twice and not report.findings.lost


class StoredGame:
    """A game of two in a data file, and the journal of its first player."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tables.db"
        self.table = Host.of(2, scheme=FAIR_1).start().table
        self.player = JournalledPlayer(PersistentClient(Journal(BulkStream(1))), "t", 0)
        self.player.received = [{**event.to(0)} for event in self.table.public_events(-1)]
        ready = {"type": "ready", "nonce": nonce_of(0)[:16]}
        self.ready = SentCommand("t", 0, "c1", 0, ready, acknowledged=1)
        self.journal = [
            self.ready,
            SentCommand("t", 0, "c9", 2, {"type": "pick", "side": 1}, refused="declined.stale"),
        ]

    def write(self, events: int = 3) -> None:
        """Write the first events."""
        with Store.open(self.path) as store:
            for seq in range(events):
                transition = Transition(self.table.event(seq), self.table.history[seq])
                new = (
                    (AddGame(game_row(transition), SEED), append(transition))
                    if seq == 0
                    else store_changes(transition)
                )
                store.write(*new).result()

    def audit(self) -> str:
        """The findings of the audit."""
        return str(audit(self.path, self.journal, [self.player]))


@pytest.fixture
def stored_game(tmp_path: Path) -> StoredGame:
    """A game and its correct journal."""
    return StoredGame(tmp_path)


def test_a_correct_journal_has_no_findings(stored_game: StoredGame) -> None:
    """If the file matches the journal, the audit finds nothing."""
    stored_game.write()
    assert stored_game.audit() == "0 lost, 0 applied twice, 0 gaps, 0 corrupt"


@pytest.mark.parametrize(
    "other", [{"acknowledged": 2}, {"command": {"type": "unready"}}, {"chair": 1}, {"command_id": "c8"}]
)
def test_a_different_event_counts_as_lost(stored_game: StoredGame, other: dict[str, Any]) -> None:
    """An event with another number, command, chair or id counts as lost."""
    stored_game.write()
    stored_game.journal[0] = replace(stored_game.ready, **other)
    assert stored_game.audit() == "1 lost, 0 applied twice, 0 gaps, 0 corrupt"


def test_a_missing_event_is_found(stored_game: StoredGame) -> None:
    """A missing event is lost for its sender, and a gap for the player that received it."""
    stored_game.write(1)
    assert stored_game.audit() == "1 lost, 0 applied twice, 1 gaps, 0 corrupt"


def test_a_refused_but_executed_command_is_found(stored_game: StoredGame) -> None:
    """A command that was refused but executed counts as applied twice."""
    stored_game.write()
    stored_game.journal.append(replace(stored_game.ready, acknowledged=None, refused="declined.stale"))
    assert stored_game.audit() == "0 lost, 1 applied twice, 0 gaps, 0 corrupt"


def test_a_command_executed_twice_is_found(stored_game: StoredGame) -> None:
    """The same command id in two events is found."""
    stored_game.journal[0] = replace(stored_game.ready, acknowledged=None)
    object.__setattr__(stored_game.table.event(2), "command_id", "/1:c1")
    stored_game.write()
    assert stored_game.audit() == "0 lost, 1 applied twice, 0 gaps, 0 corrupt"


def test_a_different_received_event_is_found(stored_game: StoredGame) -> None:
    """A received event that differs from the stored one is a gap."""
    stored_game.write()
    stored_game.player.received[1] = {**stored_game.player.received[1], "chair": 1}
    assert stored_game.audit() == "0 lost, 0 applied twice, 1 gaps, 0 corrupt"


def test_a_changed_log_is_found(stored_game: StoredGame) -> None:
    """A changed event breaks the hash chain."""
    stored_game.write()
    with closing(sqlite3.connect(stored_game.path)) as connection, connection:
        connection.execute("UPDATE event SET body = replace(body, '0000', '0001') WHERE seq = 1")
    assert "1 corrupt" in stored_game.audit()


def gaps_after(stored_game: StoredGame, *updates: tuple[int, list[int]]) -> list[str]:
    """The gaps that a player notes after updates with these sequence numbers and events."""
    received, stored_game.player.received = stored_game.player.received, []
    for seq, events in updates:
        view = {"stage": "lobby", "waiting": []}
        stored_game.player.receive(
            {"type": "update", "seq": seq, "events": [received[at] for at in events], "view": view}
        )
    return stored_game.player.journal.gaps


def test_gaps_in_updates_are_noted(stored_game: StoredGame) -> None:
    """Repeated events are no gap; missing ones are."""
    assert gaps_after(stored_game, (0, [0]), (2, [1, 2]), (2, [2])) == []
    assert len(gaps_after(stored_game, (0, [0]), (2, [2]))) == 2, "out of order, and the update is incomplete"


def test_a_lost_event_is_noted(stored_game: StoredGame) -> None:
    """An update with fewer events than before is a gap."""
    assert len(gaps_after(stored_game, (1, [0, 1]), (0, []))) == 1
