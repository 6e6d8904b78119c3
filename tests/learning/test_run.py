"""A training run: checkpoints, continuing, and the file at the end."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from sanssouci.learning import quantise
from sanssouci.learning.quantise import hidden_values
from sanssouci.learning.self_play import Played, Policy, sample_positions
from sanssouci.network import judge_words, read_network, shipped_network, words_of
from sanssouci.rules import ROUNDS

from ..helpers import user_error

torch = pytest.importorskip("torch", reason="training needs PyTorch, the extra learning")
torch.set_num_threads(1)
pytestmark = pytest.mark.exhaustive
"""``make exhaustive`` installs PyTorch, ``make test`` does not."""

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
    "calibration_games": 2,
}


def train_until_played(run: Run) -> dict[str, Any]:
    """Train for as long as this machine needs to play some games; returns the last row."""
    rows: list[dict[str, Any]] = []
    seconds = 0.5
    while not run.progress.games:
        run.train(rows.append, seconds)
        seconds *= 2
    return rows[-1]


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


class Stopped(Exception):
    """Somebody has pressed Ctrl-C."""


class StewardGames:
    """Takes the place of ``SelfPlay``: equal positions at once, and a stop after some of them."""

    stop_after = 12
    policies: ClassVar[list[bool]] = []
    """Whether the network played, whenever games were taken."""

    def __init__(self, seats: tuple[int, ...], policy: Policy | None, *rest: object) -> None:
        self.policy = policy
        self.taken = 0

    def take(self) -> list[Played]:
        self.taken += 1
        if self.taken > self.stop_after:
            raise Stopped
        if self.policy is None:
            return []
        self.policies.append(self.policy.by_network)
        words = np.ones((720, words_of(2)), np.int64)
        return [Played(words, np.zeros((720, 3), np.float32), 20)]

    def stop(self) -> None:
        pass


def test_a_run_that_stops_in_stewards_games_goes_on_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go on until the network has been trained on as many as in one piece."""
    monkeypatch.setattr("sanssouci.learning.run.SelfPlay", StewardGames)
    plan = Plan(seconds=1000, **TINY | {"steward_positions": 14_400})
    played = []
    for _ in range(4):
        StewardGames.policies.clear()
        run = Run(plan, tmp_path, "cpu", 1)
        with pytest.raises(Stopped):
            run.train(lambda row: None)
        played.append(list(StewardGames.policies))
    assert not any(played[0]) and not played[1][0], "the second run goes on with steward's games"
    assert all(played[-1]), "the last one has learned from them"
    steward = sum(not by_network for pieces in played for by_network in pieces)
    assert 20 <= steward <= 24, "the few that were not trained on before a stop are played again"


def test_a_run_begins_with_a_finished_network(tmp_path: Path) -> None:
    """A wider one judges as the finished one at first, plays at once, and its file names its origin."""
    narrow = shipped_network(2)
    width = len(narrow.layers.bias)
    wide = Run(Plan(**TINY | {"hidden": width + 32}), tmp_path / "wide", "cpu", 1, narrow)
    words = sample_positions((2,), narrow.layers, 1, 1)[0]
    for place in (0, len(words) // 2):
        known, found = (
            np.array(judge_words(layers, words[place], 4 * (place // 2))) / 2 ** int(layers.shift[0])
            for layers in (narrow.layers, wide.layers())
        )
        assert found[:2] == pytest.approx(known[:2], abs=0.02)
        assert found[2] == pytest.approx(known[2], abs=0.3), "calibration has scaled every bucket"
    assert wide.progress.start == narrow.origin
    train_until_played(wide)
    again = Run(Plan(**TINY | {"hidden": width + 32}), tmp_path / "wide", "cpu", 1)
    assert again.progress.start == narrow.origin
    with user_error("train.other_start"):
        Run(Plan(**TINY), tmp_path / "narrow", "cpu", 1, narrow)
    with user_error("train.other_start"):
        Run(Plan(**TINY | {"seats": (3, 4), "hidden": width}), tmp_path / "seats", "cpu", 1, narrow)


def test_new_units_are_active(tmp_path: Path) -> None:
    """Every unit is active in some positions and idle in others, so that it can learn."""
    run = Run(Plan(**TINY | {"hidden": 256}), tmp_path, "cpu", 1)
    words = torch.from_numpy(sample_positions((2,), shipped_network(2).layers, 20, 1)[0])
    run.trainer.step(words, torch.zeros((len(words), 3)), 1e-6)
    active = (hidden_values(quantise(run.trainer.averaged()), words.numpy()) > 0).mean(axis=0)
    assert active.min() > 0.05 and active.max() < 0.95


def test_every_round_trains_its_own_outputs(tmp_path: Path) -> None:
    """Positions of one round change the output biases of that round only, on every device there is."""
    for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
        for number in range(ROUNDS):
            run = Run(Plan(**TINY), tmp_path, device, 1)
            words = torch.zeros((8, run.plan.words), dtype=torch.int64, device=device)
            words[:, 0] = 1 << number
            run.trainer.step(words, torch.full((8, 3), 0.7, device=device), 1e-2)
            changed = np.flatnonzero(run.trainer.averaged()["output_bias"].any(axis=1))
            assert changed.tolist() == [4 * number], (device, number)


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
    seeded = torch.Generator().manual_seed(1)
    one, two = (torch.randint(0, 1 << 40, (512, run.plan.words), generator=seeded) for _ in range(2))
    words = one & two  # about as many inputs as a position sets
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


def test_a_run_against_a_fixed_opponent(tmp_path: Path) -> None:
    """Only the learner's positions are kept, contests are with the opponent, and the folder remembers it."""
    known = shipped_network(2)
    plan = Plan(**TINY | {"hidden": len(known.layers.bias)})
    run = Run(plan, tmp_path, "cpu", 1, start=known, opponent=known)
    row = train_until_played(run)
    assert run.progress.positions == 18 * run.progress.games
    assert abs(row["margin 2"]) < 5, "steward would lose by 9"
    again = Run(plan, tmp_path, "cpu", 1, opponent=known)
    assert again.progress == run.progress
    with user_error("train.other_run"):
        Run(plan, tmp_path, "cpu", 1)
    with user_error("train.other_opponent"):
        Run(plan, tmp_path / "seats", "cpu", 1, opponent=shipped_network(3))
