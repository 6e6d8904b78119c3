"""Hostile messages do not make the server fail or change anything without permission."""

import asyncio
from math import inf

import pytest
from pydantic import ValidationError

from sanssouci.locale import UserError
from sanssouci.notation import parse_json
from sanssouci.server.routes import records
from sanssouci.server.tables import live_table
from sanssouci.server.wire.requests import CommandEnvelope

from ...processes import LOOPBACK_NETWORK
from ..planted import Plant
from ..seeded_random import SeededRandom
from . import attack
from .attack import FuzzPlan, Report, await_honest, row, run_attack
from .attacker import Attack, AttackPlan, Worker
from .hostile_frames import CLOSE, TEXT, HostileFrames
from .hostile_requests import RECORD
from .hostile_values import HostileValues, Target
from .raw_connection import RawSocket
from .schema import Findings, run_schema_tests

QUICK = FuzzPlan(messages=1000, quiet=10, rate=2000.0, games=4, held=1.0)
SHORT = FuzzPlan(messages=600, quiet=3, rate=2000.0, games=3, held=1.0)


@pytest.fixture(scope="module")
def real() -> Report:
    """The report on an attack on the real server."""
    return run_attack(QUICK)


@pytest.fixture(scope="module")
def failing() -> Report:
    """The report on an attack on a server that fails on malformed requests."""
    return run_attack(SHORT, Plant.FAILS_ON_BAD_REQUESTS)


@LOOPBACK_NETWORK
def test_an_attack_changes_nothing(real: Report) -> None:
    """There are no server errors, no missing answers, and honest games are unaffected."""
    assert real.wrong == []
    assert real.sent >= QUICK.messages and len(real.tally) > 40
    assert real.quiet and real.attacked, "honest clients have played before and during the attack"


@LOOPBACK_NETWORK
def test_server_errors_are_found(failing: Report) -> None:
    """A server that answers 500 is found."""
    assert " 500" in " ".join(failing.wrong)


@LOOPBACK_NETWORK
def test_missing_permission_checks_are_found() -> None:
    """A server that lets an attacker change other tables is found."""
    assert "others' tables: 2" in " ".join(run_attack(SHORT, Plant.GRANTS_ALL).wrong)


@LOOPBACK_NETWORK
def test_the_row_reports_a_missed_goal(
    monkeypatch: pytest.MonkeyPatch, real: Report, failing: Report
) -> None:
    """The row of a failing server contains the first problem; that of the real server passes."""
    monkeypatch.setattr(attack, "MAX_RATIO", inf)  # times of a short attack mean little
    fine, failed = (row(report, Findings(requests=7)) for report in (real, failing))
    assert fine.ok and fine.n >= QUICK.messages + 7, fine
    assert failed.ok is False and " 500" in failed.measured


def test_every_documented_route_is_tested() -> None:
    """Answers to valid and invalid requests are documented, and a refusal changes nothing."""
    findings = run_schema_tests(150, seed=1)
    assert findings.wrong == [] and findings.requests >= 150
    statuses = {result.rpartition(": ")[2] for result in findings.tally}
    assert {"200", "201", "400", "401", "403", "404", "422"} <= statuses


def test_a_failing_route_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route that raises an exception is found."""
    monkeypatch.setattr(records, "parse_record", lambda data: data.no_such_thing)
    assert "failed: POST http://localhost:8017/api/records" in run_schema_tests(50, seed=1).wrong[0]


def test_waiting_for_honest_clients_times_out() -> None:
    """An attack fails with a message if no honest client plays."""
    with pytest.raises(AssertionError, match=r"no honest command was answered within 0\.01 seconds"):
        asyncio.run(await_honest(lambda: False, "no honest command was answered", timeout=0.01))


class ClosedSocket(RawSocket):
    """A socket that the server closes without an answer to the last command."""

    def __init__(self, code: int) -> None:
        super().__init__("localhost:8017", "127.0.0.1")
        self._frames = [(TEXT, b'{"type":"done"}'), (CLOSE, code.to_bytes(2, "big"))]

    async def receive(self) -> tuple[int, bytes]:
        if not self._frames:
            raise EOFError
        return self._frames.pop(0)


@pytest.mark.parametrize(
    ("code", "result", "is_failure"),
    [
        (4403, "command, socket closed with 4403: no answer", True),
        (live_table.TOO_SLOW, "command, socket closed with 4008: too slow", False),
    ],
)
def test_commands_without_an_answer_are_found(code: int, result: str, is_failure: bool) -> None:
    """A command without an answer is a failure, unless the attacker was too slow to read the answer."""
    target = Target("localhost:8017", ["0" * 16])
    worker = Worker(Attack(AttackPlan(target, messages=0, rate=1.0, seed=1, held=0.0)), 0)
    worker._unanswered = 2
    asyncio.run(worker._receive(ClosedSocket(code)))
    assert worker._attack.tally == {f"socket: {code}": 1, result: 1}
    assert attack._is_failure(result) is is_failure


def test_an_unreadable_command_is_never_valid() -> None:
    """A corrupted command closes the socket: no corruption makes a valid command of it again."""
    frames = HostileFrames(Target("localhost:8017", ["0" * 16], seq=4), SeededRandom("many", 5))
    texts = [frames.corrupted_command() for _ in range(1000)]
    assert not [text for text in texts if _is_command(text)]


def _is_command(text: bytes) -> bool:
    try:
        CommandEnvelope.model_validate(parse_json(text))
    except (UserError, ValidationError):
        return False
    return True


def test_hostile_values_are_reproducible_and_varied() -> None:
    """The same seed gives the same values, nearly all of them different."""
    one, again = (
        [values.corrupted(RECORD) for _ in range(200)]
        for values in (HostileValues(SeededRandom("a")), HostileValues(SeededRandom("a")))
    )
    assert one == again and len(set(one)) > 190
