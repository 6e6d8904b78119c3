"""A failing disk under a complete server: temporary refusals, no loss, and recovery."""

import pytest

from .failing import FULL, LIMITED, READ_ONLY, Scenario, missing
from .full_disk import Result, measure
from .planted import Plant


def run(scenario: Scenario, plant: Plant = Plant.NOTHING) -> Result:
    """The result of a scenario, or a skip if this machine cannot run it."""
    reason = missing(scenario)
    if reason is not None:
        pytest.skip(f"not run: {reason}")
    return measure(scenario, plant)


@pytest.mark.parametrize("scenario", [FULL, LIMITED, READ_ONLY], ids=lambda scenario: scenario.name)
def test_a_disk_that_fails_and_recovers(scenario: Scenario) -> None:
    """Commands are refused temporarily by socket and HTTP, reads work, and the commands succeed later."""
    result = run(scenario)
    assert result.wrong == []
    assert result.acknowledged > 20 and result.refused >= 2


def test_ignored_write_errors_are_found() -> None:
    """A server that acknowledges failed writes is found to lose them."""
    result = run(LIMITED, Plant.IGNORES_WRITE_ERRORS)
    assert any("is missing" in wrong for wrong in result.wrong), result.wrong


def test_a_server_that_always_reports_ready_is_found() -> None:
    """A readiness check that ignores the failing disk is found."""
    assert any("reports ready" in wrong for wrong in run(LIMITED, Plant.ALWAYS_READY).wrong)


def test_a_server_that_does_not_recover_is_found() -> None:
    """A store that gives up after one failed write is found."""
    result = run(LIMITED, Plant.NEVER_RECOVERS)
    assert any(wrong.startswith("after the recovery") for wrong in result.wrong), result.wrong
