"""The authorisation row: a server with one wrong permission fails."""

import pytest

from sanssouci.server.tables import membership

from ..server import authorisation_matrix, permission_table
from ..share import Share
from .authorisation import rows
from .planted import PLANTS, Plant


@pytest.fixture(autouse=True)
def one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the matrix to commands by HTTP at a table with links; tests/server tries all parts."""
    monkeypatch.setattr(authorisation_matrix, "PARTS", (authorisation_matrix.commands_by_http,))
    monkeypatch.setattr(authorisation_matrix, "VISIBILITIES", ("link",))


def test_every_cell_is_counted() -> None:
    """The row counts 18 commands by 17 kinds of caller, and progress is reported."""
    progress: list[str] = []
    (row,) = rows(progress.append)
    assert row.ok and row.n == 18 * 17
    assert row.measured == "0 wrong; 18 routes and commands × 17 kinds of caller"
    assert progress == ["306 cells, 0 wrong; by HTTP, link"]


def test_a_share_without_cells_was_not_run() -> None:
    """Nothing was tried, so nothing is claimed."""
    shares = [Share(number, 40) for number in range(1, 41)]
    found = [rows(lambda text: None, share)[0] for share in shares if "commands_by_http link" not in share]
    assert len(found) == 39 and all(row.ok is None for row in found)


def test_a_missing_permission_check_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that grants everyone all rights fails, and the row lists an example."""
    monkeypatch.setattr(
        membership.Membership, "_read_access", membership.Membership._read_access
    )  # restored afterwards
    PLANTS[Plant.GRANTS_ALL]()
    (row,) = rows(lambda text: None)
    assert row.ok is False
    assert "by HTTP, link: ready by nobody: expected ., found -" in row.measured


def test_an_unlisted_route_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route that is missing in the permission table fails."""
    monkeypatch.setattr(
        permission_table,
        "OF_NO_TABLE",
        permission_table.OF_NO_TABLE.replace("GET    /metrics", "GET /figures"),
    )
    (row,) = rows(lambda text: None)
    assert row.ok is False
    assert "2 wrong" in row.measured and "GET /metrics is not in the permission table" in row.measured
