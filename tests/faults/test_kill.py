"""A server is killed while games are played on it: what it has acknowledged is there, once."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanssouci.dealer import BulkStream
from sanssouci.server.tables.persistence import append, game_row, store_changes
from sanssouci.store import AddGame, Store
from sanssouci.table import Transition

from ..table.host import SEED, Host, nonce_of
from . import served
from .audit import audit
from .guest import Guest, Sent, Sitter, World
from .kill import Report, measure
from .planted import Plant


def quick(cycles: int, plant: Plant) -> Report:
    """A few kills under a few games."""
    return measure(cycles, 6, 1, plant)


def test_nothing_acknowledged_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk so slow that every kill meets commands half done: each is there once, and all go on."""
    monkeypatch.setattr(served, "FORKS", False)  # what a start uses is measured
    report = quick(2, Plant.SLOW_DISK)
    assert report.sound, (report.findings.examples(), report.user_errors[:5])
    assert report.acknowledged > report.games and len(report.first) == len(report.used) == 2
    assert all(used > 0.1 for used in report.used), "a server cannot start without using a core"
    assert report.repeated > 0, "some commands were carried out by a server that could not say so any more"


def test_an_acknowledgement_before_the_commit_is_caught() -> None:
    """The same server, if it does not wait for the disk, loses what it has promised."""
    report = quick(1, Plant.TOO_EARLY)
    assert report.findings.lost
    assert report.findings.gaps, "and the players have seen what is gone"
    assert not report.row().ok


def test_a_server_that_forgets_commands_is_caught() -> None:
    """One that does not know its commands again refuses what it has carried out."""
    report = quick(1, Plant.FORGETFUL)
    assert report.findings.twice and not report.findings.lost


class Kept:
    """A game of two who have just begun, in a data file, and what the first of them has noted of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tables.db"
        self.table = Host.of(2).start().table
        self.sitter = Sitter(Guest(World(BulkStream(1))), "t", 0)
        self.sitter.told = [telling.to(0) for telling in self.table.public_events(-1)]
        self.ready = Sent("t", 0, "c1", 0, {"type": "ready", "nonce": nonce_of(0)}, acknowledged=1)
        self.journal = [
            self.ready,
            Sent("t", 0, "c9", 2, {"type": "pick", "side": 1}, refused="declined.stale"),
        ]

    def write(self, events: int = 3) -> None:
        """Write the first events."""
        with Store.open(self.path) as store:
            for seq in range(events):
                move = Transition(self.table.event(seq), self.table.history[seq])
                new = (AddGame(game_row(move), SEED), append(move)) if seq == 0 else store_changes(move)
                store.write(*new).result()

    def audit(self) -> str:
        """What is found wrong with it."""
        return str(audit(self.path, self.journal, [self.sitter]))


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """A game and a journal that belong together."""
    return Kept(tmp_path)


def test_a_journal_that_is_right(kept: Kept) -> None:
    """Where the file holds what was acknowledged and told, nothing is found."""
    kept.write()
    assert kept.audit() == "0 lost, 0 applied twice, 0 gaps, 0 corrupt"


@pytest.mark.parametrize(
    "other", [{"acknowledged": 2}, {"command": {"type": "unready"}}, {"chair": 1}, {"command_id": "c8"}]
)
def test_what_was_acknowledged_otherwise(kept: Kept, other: dict[str, Any]) -> None:
    """An event in another place, of another content, from another chair or of another id is a lost one."""
    kept.write()
    kept.journal[0] = replace(kept.ready, **other)
    assert kept.audit() == "1 lost, 0 applied twice, 0 gaps, 0 corrupt"


def test_an_event_that_is_not_there(kept: Kept) -> None:
    """It is lost for who gave the command, and for who was told of it."""
    kept.write(1)
    assert kept.audit() == "1 lost, 0 applied twice, 1 gaps, 0 corrupt"


def test_refused_and_yet_carried_out(kept: Kept) -> None:
    """That is as bad as carried out twice."""
    kept.write()
    kept.journal.append(replace(kept.ready, acknowledged=None, refused="declined.stale"))
    assert kept.audit() == "0 lost, 1 applied twice, 0 gaps, 0 corrupt"


def test_carried_out_twice(kept: Kept) -> None:
    """The same id in two events, here of two chairs."""
    kept.journal[0] = replace(kept.ready, acknowledged=None)
    object.__setattr__(kept.table.event(2), "command_id", "/1:c1")
    kept.write()
    assert kept.audit() == "0 lost, 1 applied twice, 0 gaps, 0 corrupt"


def test_told_otherwise(kept: Kept) -> None:
    """Somebody has heard of something that has not happened."""
    kept.write()
    kept.sitter.told[1] = {**kept.sitter.told[1], "chair": 1}
    assert kept.audit() == "0 lost, 0 applied twice, 1 gaps, 0 corrupt"


def test_a_log_that_was_changed(kept: Kept) -> None:
    """The chain of hashes does not fit any more."""
    kept.write()
    with closing(sqlite3.connect(kept.path)) as connection, connection:
        connection.execute("UPDATE event SET body = replace(body, '0000', '0001') WHERE seq = 1")
    assert "1 corrupt" in kept.audit()


def heard(kept: Kept, *updates: tuple[int, list[int]]) -> list[str]:
    """What somebody notes of updates to a number, with events of these numbers."""
    told, kept.sitter.told = kept.sitter.told, []
    for seq, events in updates:
        view = {"stage": "lobby", "waiting": []}
        kept.sitter.hear({"type": "update", "seq": seq, "events": [told[at] for at in events], "view": view})
    return kept.sitter.world.gaps


def test_gaps_are_heard(kept: Kept) -> None:
    """What comes again is no gap; what is left out, or taken back, is one."""
    assert heard(kept, (0, [0]), (2, [1, 2]), (2, [2])) == []
    assert len(heard(kept, (0, [0]), (2, [2]))) == 2, "it comes out of order, and the update is incomplete"


def test_what_was_taken_back_is_heard(kept: Kept) -> None:
    """A server that has lost an event tells of fewer than before."""
    assert len(heard(kept, (1, [0, 1]), (0, []))) == 1
