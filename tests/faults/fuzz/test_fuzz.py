"""Whatever is sent to it, the server does not fail, and nothing changes but by those who may change it."""

import asyncio

import pytest

from sanssouci.server.routes import records

from ...processes import LOOPBACK_NETWORK
from ..lot import Lot
from ..planted import Plant
from . import assault
from .assault import besiege, row
from .malice import Malice
from .schema import Findings, read_and_try
from .shots import RECORD
from .siege import Campaign, Report, await_honest

QUICK = Campaign(messages=1000, quiet=0.5, rate=2000.0, games=4, held=1.0)
SHORT = Campaign(messages=600, quiet=0.2, rate=2000.0, games=3, held=1.0)


@pytest.fixture(scope="module")
def sound() -> Report:
    """What came of a siege of the server as it is."""
    return besiege(QUICK)


@pytest.fixture(scope="module")
def fragile() -> Report:
    """What came of a siege of a server that fails on what it cannot read."""
    return besiege(SHORT, Plant.FRAGILE)


@LOOPBACK_NETWORK
def test_a_siege_changes_nothing(sound: Report) -> None:
    """No answer is a failure, none is missing, and every honest game is what its players have done."""
    assert sound.wrong == []
    assert sound.sent >= QUICK.messages and len(sound.tally) > 40
    assert sound.quiet and sound.attacked, "honest people have played, before and meanwhile"


@LOOPBACK_NETWORK
def test_a_server_that_fails_is_caught(fragile: Report) -> None:
    """Each failure is counted."""
    assert " 500" in " ".join(fragile.wrong)


@LOOPBACK_NETWORK
def test_a_server_that_lets_strangers_in_is_caught() -> None:
    """The tables of others have changed."""
    assert "others' tables: 2" in " ".join(besiege(SHORT, Plant.CREDULOUS).wrong)


@LOOPBACK_NETWORK
def test_a_goal_that_was_missed_is_told(
    monkeypatch: pytest.MonkeyPatch, sound: Report, fragile: Report
) -> None:
    """A row of a server that fails says what was wrong first; one of an honest server is fine."""
    monkeypatch.setattr(assault, "SLOWER", 100.0)  # so short a time says little about times
    fine, failed = (row(report, Findings(requests=7)) for report in (sound, fragile))
    assert fine.ok and fine.n >= QUICK.messages + 7, fine
    assert failed.ok is False and " 500" in failed.measured


def test_the_description_is_tried_out() -> None:
    """Good requests and bad ones to every route: each answer is described, and a no changes nothing."""
    findings = read_and_try(150, seed=1)
    assert findings.wrong == [] and findings.requests >= 150
    statuses = {what.rpartition(": ")[2] for what in findings.tally}
    assert {"200", "201", "400", "401", "403", "404", "422"} <= statuses


def test_a_failure_behind_the_description_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route that fails on what it is sent."""
    monkeypatch.setattr(records, "parse_record", lambda data: data.no_such_thing)
    assert "failed: POST http://127.0.0.1:8017/api/records" in read_and_try(50, seed=1).wrong[0]


def test_a_siege_does_not_wait_for_ever_for_honest_people() -> None:
    """Where none of them gets on, it ends with a sentence that says so."""
    with pytest.raises(AssertionError, match=r"no honest command was answered within 0\.01 seconds"):
        asyncio.run(await_honest(lambda: False, "no honest command was answered", patience=0.01))


def test_malice_is_repeatable_and_various() -> None:
    """The same lot makes the same messages, hardly one of them twice."""
    one, again = (
        [malice.spoilt(RECORD) for _ in range(200)] for malice in (Malice(Lot("a")), Malice(Lot("a")))
    )
    assert one == again and len(set(one)) > 190
