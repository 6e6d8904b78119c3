"""The disk of a whole server fails: refused for now, nothing lost, and it serves again by itself."""

import pytest

from .failing import FULL, LIMITED, READ_ONLY, Way, missing
from .full_disk import Seen, measure
from .planted import Plant


def watched(way: Way, plant: Plant = Plant.NOTHING) -> Seen:
    """What came of it, on a machine that can do this."""
    reason = missing(way)
    if reason is not None:
        pytest.skip(f"not run: {reason}")
    return measure(way, plant)


@pytest.mark.parametrize("way", [FULL, LIMITED, READ_ONLY], ids=lambda way: way.name)
def test_a_disk_that_fails_and_recovers(way: Way) -> None:
    """By socket and by HTTP one is told to try again; what can be read is read; then the same succeeds."""
    seen = watched(way)
    assert seen.wrong == []
    assert seen.acknowledged > 20 and seen.refused >= 2


def test_a_server_that_does_not_hear_it_is_caught() -> None:
    """One that acknowledges what it could not write is seen to lose it."""
    seen = watched(LIMITED, Plant.DEAF)
    assert any("is not there" in wrong for wrong in seen.wrong), seen.wrong


def test_a_server_that_says_ready_whatever_happens_is_caught() -> None:
    """One that only looks whether its store is open."""
    assert any("said to be ready" in wrong for wrong in watched(LIMITED, Plant.BLITHE).wrong)


def test_a_server_that_does_not_recover_is_caught() -> None:
    """One whose store gives up is seen not to serve again."""
    seen = watched(LIMITED, Plant.BRITTLE)
    assert any(wrong.startswith("afterwards") for wrong in seen.wrong), seen.wrong
