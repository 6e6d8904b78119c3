"""A training run: checkpoints, continuing, and the file at the end."""

from pathlib import Path
from typing import Any

import pytest

from sanssouci.network import read_network

from ..helpers import user_error

torch = pytest.importorskip("torch", reason="training needs PyTorch, the extra learning")

from sanssouci.learning.run import CHECKPOINT, Plan, Run  # noqa: E402

TINY: dict[str, Any] = {
    "hidden": 32,
    "batch": 64,
    "store": 20_000,
    "steward_positions": 3600,
    "contest_deals": 2,
    "steward_reuse": 0.2,
    "reuse": 0.2,
    "sampled_games": 1,
}


def test_a_run_continues_where_it_stopped(tmp_path: Path) -> None:
    """The second run has the games and steps of the first, and goes on with more seconds."""
    rows: list[dict[str, Any]] = []
    run = Run(Plan(seconds=1.0, **TINY), tmp_path, "cpu", 1)
    run.train(rows.append)
    assert rows and (tmp_path / CHECKPOINT).exists()
    again = Run(Plan(seconds=1.5, **TINY), tmp_path, "cpu", 1)
    assert again.progress == run.progress and again.trainer.steps == run.trainer.steps
    again.train(rows.append)
    assert again.progress.games >= run.progress.games and len(again.progress.curve) == len(rows)
    network = read_network(again.write_network().read_bytes(), "network")
    assert network.seats == (2,) and network.origin["games"] == again.progress.games
    assert network.layers.weights.shape[0] == again.layers().weights.shape[0]


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    """A checkpoint of another width, or no checkpoint at all, is refused."""
    Run(Plan(**TINY), tmp_path, "cpu", 1).save()
    with user_error("train.other_run"):
        Run(Plan(**TINY | {"hidden": 64}), tmp_path, "cpu", 1)
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with user_error("train.damaged"):
        Run(Plan(**TINY), tmp_path, "cpu", 1)


def test_a_network_learns_what_is_there_to_learn(tmp_path: Path) -> None:
    """The error on positions with a simple target falls."""
    run = Run(Plan(**TINY), tmp_path, "cpu", 1)
    words = torch.randint(0, 1 << 40, (512, run.plan.words))
    words[:, 0] = 1 | 1 << 18 | 1 << 21
    targets = torch.stack(((words[:, 5] & 1) * 20.0, (words[:, 6] & 1) * 20.0, (words[:, 7] & 1) * 1.0), 1)
    for _ in range(5):
        run.trainer.step(words, targets, 3e-3)
    first = run.trainer.losses()
    for _ in range(150):
        run.trainer.step(words, targets, 3e-3)
    run.trainer.losses()
    run.trainer.step(words, targets, 3e-3)
    last = run.trainer.losses()
    assert last.own < first.own / 2 and last.other < first.other / 2 and last.win < first.win
