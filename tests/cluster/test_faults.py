"""Short forms of ``python -m tests.faults cluster``."""

import asyncio
from itertools import count, islice

import pytest
import uvloop

from ..faults.authorisation import at_two_servers
from ..faults.cluster import conflicts, copies, kill, rolling_restarts
from ..faults.database_outages import LONG, OUTAGE, outage
from ..faults.interference.difference import Hidden
from ..faults.interference.leaks import LEAKS, hand_in_view
from ..faults.interference.plan import draw_plan
from ..faults.interference.two_servers import compare_at_two_servers
from ..faults.redis_outages import FAULTS, SILENT, play_without_redis
from ..faults.seeded_random import SeededRandom
from ..harness.process import ServerProcess
from ..server import authorisation_matrix
from ..share import Share
from .clocks import play_with_different_clocks
from .programs import Postgres, missing_redis, postgres


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
        row = runner.run(kill(server, 3, 4, 1, quiet, timed=False))
    assert row.ok, row.measured


def test_restarted_servers_lose_nothing(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three servers is restarted while games are played; nobody loses a turn."""
    monkeypatch.setattr(ServerProcess, "forks", True)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        row = runner.run(rolling_restarts(server, 3, 4, 1, quiet, timed=False))
    assert row.ok, row.measured


def test_the_clocks_of_servers_need_not_agree(server: Postgres) -> None:
    """No turn times out early or late, although the clocks of two servers are five seconds apart."""
    assert play_with_different_clocks(server.new_database("template"), 5) == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.exhaustive if name in LONG else ()) for name in OUTAGE]
)
def test_play_goes_on_when_the_database_is_back(name: str, server: Postgres) -> None:
    """Turns are refused with a sentence while the database is away, and stored after it is back."""
    wrong, _ = asyncio.run(outage(server, name))
    assert not wrong


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.exhaustive if name in SILENT else ()) for name in FAULTS]
)
def test_play_goes_on_without_redis(name: str, server: Postgres) -> None:
    """All turns are stored and announced at the other server, whatever happens to Redis."""
    reason = missing_redis()
    if reason is not None:
        pytest.skip(reason)
    refused, delays = asyncio.run(play_without_redis(server, name, 3))
    assert not refused and len(delays) == 6


@pytest.mark.parametrize(
    "part", [pytest.param(number, marks=pytest.mark.exhaustive if number else ()) for number in range(3)]
)
def test_permissions_hold_at_two_servers(
    part: int, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests go to two servers in turn; each answers every kind of caller as one server does."""
    monkeypatch.setattr(authorisation_matrix, "VISIBILITIES", ("link",))
    names = ("commands_by_http", "commands_by_socket", "refused_requests")
    shares = [Share(number, 50) for number in range(1, 51)]
    share = next(one for one in shares if f"two servers {names[part]} link" in one)
    row = at_two_servers(server, quiet, share)
    assert row.ok and row.n >= 15 * 17, row.measured


@pytest.mark.parametrize("pairs", [2, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_two_servers_reveal_nothing(pairs: int, server: Postgres) -> None:
    """Games that differ in hidden information look the same at two servers that answer in turn."""
    row = compare_at_two_servers(server, range(pairs), 6)
    assert row.ok and row.n == pairs, row.measured


def test_a_leak_is_found_at_two_servers(server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted leak is found there too."""
    hand_in_view(monkeypatch)
    pairs = (number for number in count() if differs(number, LEAKS[hand_in_view]))
    row = compare_at_two_servers(server, list(islice(pairs, 10)), 6)
    assert not row.ok and "1 leaks" in row.measured


def differs(number: int, hidden: Hidden) -> bool:
    return hidden in draw_plan(SeededRandom(6, number)).difference.hidden


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
