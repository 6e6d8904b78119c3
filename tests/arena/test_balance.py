"""The balance of board sides: no side of a set is worth more than the others."""

import json
from pathlib import Path

import numpy as np
import pytest

from sanssouci.arena import Balance, Simulation
from sanssouci.editions import shipped_boards
from sanssouci.kernel import BOARD_FIELD, NO_BOARD, RESULT_FIELDS
from sanssouci.rules import IMPERIAL, RAVENSBURGER, Variant

from ..cli.command import run, usage_error

LARGEST_DIFFERENCE = 1.5
GAMES = 8_000
ROOT = Path(__file__).parents[2]


def test_every_side_has_the_mean_of_its_own_seats() -> None:
    """Scores are averaged per board and side, with each side counting only the seats that played it."""
    results = np.full((2, 4, RESULT_FIELDS), NO_BOARD, np.int64)
    results[:, :, :BOARD_FIELD] = 0
    results[:, 0, [0, BOARD_FIELD, BOARD_FIELD + 1]] = [[10, 3, 0], [20, 3, 0]]
    results[:, 1, [0, BOARD_FIELD, BOARD_FIELD + 1]] = [[30, 3, 1], [30, 3, 1]]
    balance = Balance(2)
    balance.add(results[:1])
    balance.add(results[1:])
    front, back = balance.sides("gardens")
    assert (front.board, front.side, front.seats, front.mean, front.spread) == (3, 0, 2, 15, 5)
    assert (back.mean, back.spread, balance.mean("gardens"), balance.sides("rewards")) == (30, 0, 22.5, [])
    assert [side["difference"] for side in balance.to_json()] == [-7.5, 7.5]
    merged, other = Balance(2), Balance(2)
    merged.add(results[:1])
    other.add(results[1:])
    merged.merge(other)
    assert merged.to_json() == balance.to_json() and merged.games == balance.games


@pytest.mark.parametrize("player", ["greedy", "steward"])
@pytest.mark.parametrize("rewards", [False, True])
@pytest.mark.parametrize(
    ("name", "edition", "boar"),
    [("parterre", RAVENSBURGER, False), ("bosquet", IMPERIAL, False), ("bosquet", IMPERIAL, True)],
)
def test_no_shipped_side_is_better_than_the_others(
    name: str, edition: str, boar: bool, rewards: bool, player: str
) -> None:
    """R9, R29: all sides of a shipped set are worth the same, within 1.5 points and the uncertainty."""
    variant = Variant(2, edition, rewards, boar)
    balance = Balance(2)
    for chunk in Simulation(variant, shipped_boards(name), (player,) * 2, bytes(32)).chunks(GAMES):
        balance.add(chunk.results)
    sides = balance.to_json()
    assert len(sides) == (16 if rewards else 8)
    for side in sides:
        assert abs(side["difference"]) <= LARGEST_DIFFERENCE + side["uncertainty"], side


def test_boards_balance_reports_an_unbalanced_side(tmp_path: Path) -> None:
    """``boards balance`` reads any boards file and reports a garden with a nearly full column as too good."""
    assert run("boards", "new", "mine.toml", cwd=tmp_path).returncode == 0
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("front = ["))
    (tmp_path / "mine.toml").write_text(
        text.replace(first, 'front = ["a2", "a3", "a4", "a5", "a6", "b2"]', 1), encoding="utf-8"
    )
    call = ["boards", "balance", "mine.toml", "--games", 2000, "--seed", 1]
    document = json.loads(run(*call, "--json", cwd=tmp_path).stdout)
    assert document["games"] == 2000 and len(document["sides"]) == 8
    assert document["sides"][0]["difference"] > 5 > document["sides"][0]["uncertainty"]
    table = run(*call, cwd=tmp_path).stdout
    assert "boards.gardens.1.front" in table and "boards.gardens.4.back" in table
    assert max(map(len, table.splitlines())) <= 80
    assert "R1: " in usage_error("boards", "balance", "--seats", 5)
    assert "0" in usage_error("boards", "balance", "--games", 0)


def test_docs_list_the_hashes_of_shipped_sets() -> None:
    """docs/boards.md lists the hash of each shipped set: a published set is never edited."""
    page = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    for name in ("parterre", "bosquet", "reference"):
        assert shipped_boards(name).sha256 in page
