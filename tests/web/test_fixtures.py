"""The browser game is tested with what the server really says."""

import pytest

from .make_fixtures import FIXTURES, FOLDER, written


@pytest.mark.parametrize("name", FIXTURES)
def test_a_fixture_is_as_it_would_be_written_now(name: str) -> None:
    """If not: ``python -m tests.web.make_fixtures``, then see what the browser's tests say."""
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == written(name)


def test_every_fixture_is_made_here() -> None:
    """Nothing lies there that nobody writes."""
    assert {path.stem for path in FOLDER.glob("*")} == set(FIXTURES)
