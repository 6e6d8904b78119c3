"""The generator only ever adds a generation."""

import pytest

from .generate import main
from .generations import GENERATIONS


def test_a_generation_is_never_written_again() -> None:
    """The files stand for those of users, so the generator refuses before it writes anything."""
    with pytest.raises(SystemExit, match="never written again"):
        main(GENERATIONS[0].name)
