"""The fixtures of the browser tests match the server."""

import pytest

from .make_fixtures import FIXTURES, FOLDER, written


@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures_are_up_to_date(name: str) -> None:
    """Fixtures are current; otherwise run ``python -m tests.web.make_fixtures`` and the browser's tests."""
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == written(name)


def test_there_are_no_other_fixtures() -> None:
    """The folder has no file that ``make_fixtures`` does not write."""
    assert {path.stem for path in FOLDER.glob("*")} == set(FIXTURES)
