"""The example of a tree search plays legal games."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "ismcts.py"


def lead(*words: str) -> float:
    """The mean lead that the example reports."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *words], capture_output=True, encoding="utf-8", check=True
    )
    return float(done.stdout.splitlines()[-1].split("mean lead ")[1].split()[0])


def test_the_tree_search_beats_a_random_player() -> None:
    """A game with both seatings, with a tenth of the usual iterations, is won clearly."""
    assert lead("--games", "2", "--iterations", "30", "--opponent", "random") > 5


@pytest.mark.exhaustive
def test_the_tree_search_beats_random_in_many_games() -> None:
    """With its usual iterations it wins by many points."""
    assert lead("--games", "10", "--opponent", "random") > 20
