"""Short forms of ``python -m tests.faults cluster``."""

import asyncio

import pytest
import uvloop

from ..faults.cluster import OUTAGE, conflicts, copies, kill, outage, rolling_restarts
from ..harness.process import ServerProcess
from .programs import Postgres, postgres


def quiet(text: str) -> None:
    """Report no progress."""


def test_three_servers_agree_on_one_winner(server: Postgres) -> None:
    """Conflicting commands and repeats go to three servers at once: one wins, and the log has no gap."""
    report = conflicts(server, 40, 1, quiet)
    assert report.sound, (report.wrong[:3], report.findings.examples())
    assert report.commands["done"] == 40 and report.commands["repeated"] > 0


def test_killed_servers_lose_nothing(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers are killed while games are played; players go on at the others, and nothing is lost."""
    monkeypatch.setattr(ServerProcess, "forks", True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        row = runner.run(kill(server, 3, 4, 1, quiet))
    assert row.ok, row.measured


def test_restarted_servers_lose_nothing(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three servers is restarted while games are played; nobody loses a turn."""
    monkeypatch.setattr(ServerProcess, "forks", True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        row = runner.run(rolling_restarts(server, 3, 4, 1, quiet, timed=False))
    assert row.ok, row.measured


@pytest.mark.parametrize("name", [name for name in OUTAGE if name != "frozen"])  # it takes 15 seconds
def test_play_goes_on_when_the_database_is_back(name: str, server: Postgres) -> None:
    """Turns are refused with a sentence while the database is away, and stored soon after it is back."""
    wrong, took = asyncio.run(outage(server, name))
    assert not wrong and took < 5.0


def test_games_move_there_and_back(server: Postgres) -> None:
    """The exports of both files and of the database are equal, byte for byte."""
    assert copies(server, 20, quiet).ok


def test_turns_survive_a_crash_of_the_database() -> None:
    """With the settings of a real installation, everything that was acknowledged is there after a crash."""
    from sanssouci.store import Store, check_chain

    from ..store.builders import add_games, an_event

    with postgres(durable=True) as durable:
        url = durable.new_database()
        with Store.open(url) as store:
            add_games(store, "g", events=1)
            for seq in range(1, 30):
                store.write(an_event(seq)).result(60)
            durable.stop()
            durable.start()
            assert check_chain(store.events("g"), last=29) is None
