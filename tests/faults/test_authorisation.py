"""The row of the matrix of rights: a server that gives way in one cell has missed the goal."""

import pytest

from sanssouci.server.tables import membership

from ..server import matrix, rights
from .authorisation import rows
from .planted import PLANTS, Plant


@pytest.fixture(autouse=True)
def one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands by HTTP at a table of links; ``tests/server/test_authorisation.py`` tries all parts."""
    monkeypatch.setattr(matrix, "PARTS", (matrix.commands_by_http,))
    monkeypatch.setattr(matrix, "VISIBILITIES", ("link",))


def test_each_cell_is_counted() -> None:
    """Fourteen commands by seventeen kinds of caller, and how far it is."""
    told: list[str] = []
    (row,) = rows(told.append)
    assert row.ok and row.n == 14 * 17
    assert row.measured == "0 wrong; 14 routes and commands × 17 kinds of caller"
    assert told == ["238 cells, 0 wrong; by HTTP, link"]


def test_who_is_let_in_and_should_not_be_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that believes everyone."""
    monkeypatch.setattr(
        membership.Membership, "_read_access", membership.Membership._read_access
    )  # as it was, afterwards
    PLANTS[Plant.CREDULOUS]()
    (row,) = rows(lambda text: None)
    assert row.ok is False
    assert "by HTTP, link: ready by nobody: . is meant, - was found" in row.measured


def test_what_nobody_has_spoken_of_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route that is in no table."""
    monkeypatch.setattr(rights, "OF_NO_TABLE", rights.OF_NO_TABLE.replace("GET    /metrics", "GET /figures"))
    (row,) = rows(lambda text: None)
    assert row.ok is False
    assert "2 wrong" in row.measured and "GET /metrics is not meant" in row.measured
