"""The code on the pages for researchers and hosts runs as it stands, each block by itself."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sanssouci.notation import write_record
from sanssouci.rules import ROUNDS

from ..arena.test_simulation import simulation
from ..helpers import VARIANTS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("environments.md", "jax.md", "dataset.md")
NEEDED = {
    "sanssouci_v1": "pettingzoo",
    "import gymnasium": "gymnasium",
    "import pyspiel": "pyspiel",
    "sanssouci.jax": "jax",
    "sanssouci.env.dataset": "pyarrow",
    "import polars": "polars",
    "import duckdb": "duckdb",
}
"""What a block imports, and the package that it needs."""


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


def run_block(code: str) -> dict[str, Any]:
    """The names that a block defines; skipped if a package that it needs is not installed."""
    for words, package in NEEDED.items():
        if words in code:
            pytest.importorskip(package, reason=f"{package} is not installed")
    found: dict[str, Any] = {}
    exec(code, found)
    return found


@pytest.mark.parametrize("number", range(len(blocks("environments.md"))))
def test_the_blocks_about_environments_run(number: int) -> None:
    """docs/environments.md: games in every dialect, with random legal actions."""
    found = run_block(blocks("environments.md")[number])
    if "state" in found:
        assert found["state"].is_terminal()
    elif "envs" in found:
        assert not (found["rewards"] < 0).any(), "no action was illegal"
    else:
        last = found["info"] or found["observation"]
        assert not last["action_mask"].any(), "the game was played to its end"


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(len(blocks("jax.md"))))
def test_the_blocks_about_jax_run(number: int) -> None:
    """docs/jax.md: games with random legal actions, a variant, and whole random games; compiling is slow."""
    found = run_block(blocks("jax.md")[number])
    if "step" in found:
        assert found["state"].terminated.all() and not (found["state"].rewards.sum(1) < 0).any()


@pytest.mark.parametrize("number", range(len(blocks("dataset.md"))))
def test_the_blocks_about_datasets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """docs/dataset.md: arrays, legal turns by round in polars, and cards played in DuckDB."""
    pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    from sanssouci.env.dataset import TURNS, read_table, write_dataset

    from .test_dataset import simulation as games_of

    folder = tmp_path / "data" / "steward"
    write_dataset(folder, games_of("steward", "steward"), 2)
    monkeypatch.chdir(tmp_path)
    found = run_block(blocks("dataset.md")[number])
    turns = read_table(folder, TURNS).to_pylist()
    if "observations" in found:
        assert found["observations"].shape == (len(turns), 1194)
    elif "cards" in found:
        assert found["cards"] == sorted(Counter(row["card"] for row in turns).items())
    else:
        first = [row["legal_turns"] for row in turns if row["round"] == 1]
        assert found["rounds"].rows()[0] == (1, pytest.approx(sum(first) / len(first)))
        assert found["rounds"].height == ROUNDS


def test_every_page_has_blocks() -> None:
    """All blocks are found, and each says what it needs."""
    found = {page: len(blocks(page)) for page in PAGES}
    assert found == {"environments.md": 4, "jax.md": 3, "dataset.md": 3}
    assert all(any(words in code for words in NEEDED) for page in PAGES for code in blocks(page))


def test_records_of_all_variants_become_one_parquet_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/scaling.md: DuckDB reads a folder of records."""
    folder = tmp_path / "finished"
    folder.mkdir()
    for number, variant in enumerate(VARIANTS):
        series = simulation(variant)
        (folder / f"table-{number}.json").write_bytes(write_record(series.record(1, series.play(1))))
    monkeypatch.chdir(tmp_path)
    [block] = blocks("scaling.md")
    assert run_block(block)["longest"] == [(max(variant.seats for variant in VARIANTS) * ROUNDS,)]
