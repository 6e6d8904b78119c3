"""A training run: self-play and gradient steps side by side, checkpoints, and a curve of playing strength."""

import math
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import torch

from sanssouci.arena import Executor
from sanssouci.locale import UserError
from sanssouci.network import BITS, Layers, Network, network_name, words_of, write_network
from sanssouci.network.games import Style

from .boards import shipped_setup, variants
from .calibration import calibrated
from .quantise import dequantise, quantise, without_idle_units
from .self_play import Policy, SelfPlay, Strength, sample_positions, strength
from .trainer import Losses, Store, Trainer

CHECKPOINT = "checkpoint.pt"
CHECKPOINT_VERSION = 1
LEAST_STORE = 2_000_000
"""Positions to begin with: a few would be learned by heart."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The configuration of a run; it is kept in the checkpoint and in the network's file."""

    seats: tuple[int, ...] = (2,)
    hidden: int = 1024
    seconds: float = 480
    """Training time of the whole run; with more seconds a finished run goes on."""
    batch: int = 16384
    store: int = 24_000_000
    """Positions that are kept."""
    reuse: float = 16
    """How often a position is trained on, on average."""
    rate: float = 5e-4
    """At 0.001 most hidden units became idle within minutes."""
    last_rate: float = 1e-5
    decay: float = 0.8
    noise: tuple[float, float] = (0.3, 0.15)
    """At the start and at the end of the run; see ``Style``."""
    blunders: tuple[float, float] = (0.023, 0.003)
    cut: float = 0.3
    steward_positions: int = 10_000_000
    """Positions of steward's games that the first weights are trained on."""
    steward_reuse: float = 3
    refresh: float = 6
    """Seconds between two updates of the network that plays."""
    contest: float = 60
    """Seconds between two contests with steward, or with the fixed opponent."""
    contest_deals: int = 512
    sampled_games: int = 60
    """Games of each variant in which the units of the finished network are watched."""
    calibration_games: int = 2000
    """Games of each variant to which the finished network's chances to win are fitted."""
    seed: int = 1
    against: str = ""
    """The hash of the fixed network that plays the other seats; empty in self-play."""

    @property
    def words(self) -> int:
        """The inputs cover the largest game."""
        return words_of(max(self.seats))


@dataclass(slots=True)
class Progress:
    """What a run has done so far."""

    seconds: float = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)
    start: dict[str, Any] = field(default_factory=dict)
    """The origin of the network that the run began with, if it did not begin with random weights."""


OnRow = Callable[[dict[str, Any]], None]
"""Called with every new row of the curve."""


class Run:
    """One run in one folder; ``train`` may be called again in another process, and goes on."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        device: str | None = None,
        threads: int | None = None,
        start: Network | None = None,
        opponent: Network | None = None,
        cluster: Executor | None = None,
    ) -> None:
        """Continue the run of the folder, or begin one: with ``start``, a finished network, or at random.

        With an ``opponent`` the run learns only to beat that network, which stays as it is. A ``cluster``
        plays the games instead of threads of this process.
        """
        if opponent is not None:
            _check_opponent(plan, opponent)
            plan = replace(plan, against=_digest(opponent))
        self._opponent = None if opponent is None else opponent.layers
        self.plan, self.folder = plan, folder
        self.progress = Progress()
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._cluster = cluster
        torch.backends.cuda.matmul.allow_tf32 = True
        self.trainer = Trainer(plan.words, plan.hidden, self._device)
        self._store = Store(plan.store, plan.words, self._device)
        self._credit = 0.0
        """Positions that may still be trained on before new ones are needed."""
        self._steward_end = 0.0
        """The number of positions with which steward's games end."""
        self._least_store = max(plan.batch, min(LEAST_STORE, plan.store // 12, plan.steward_positions))
        if (folder / CHECKPOINT).exists():
            self._load()
        elif start is not None:
            self._take_over(start)

    @property
    def device(self) -> str:
        """Where gradients are computed."""
        return str(self._device)

    def train(self, on_row: OnRow, seconds: float = math.inf, every: float = 120) -> None:
        """Train to the end of the plan, at most ``seconds`` now; a checkpoint ``every`` so many seconds."""
        strength(shipped_setup(variants(2)[0]), self.layers(), 1, 1)  # compiles, before the clock starts
        begun, before = monotonic(), self.progress.seconds
        by_network = bool(self.progress.start) or self._begin_steward_games()
        policy = Policy(self.layers(), by_network, self._style(), self._opponent)
        seed = self.plan.seed + self.trainer.steps
        play = SelfPlay(self.plan.seats, policy, self._threads, seed, self._cluster)
        contests = ThreadPoolExecutor(1)
        saved = refreshed = begun
        contest: Future[dict[str, Strength]] | None = None
        judged = begun
        try:
            while (now := monotonic()) - begun < seconds and self.progress.seconds < self.plan.seconds:
                self.progress.seconds = before + now - begun
                self._collect(play, self.plan.reuse if by_network else self.plan.steward_reuse)
                if not by_network:
                    by_network = self._learn_from_steward(play)
                elif now - refreshed >= self.plan.refresh:
                    play.policy, refreshed = self._policy(), now
                if contest is not None and contest.done():
                    self._add_row(contest.result(), on_row)
                    contest = None
                if contest is None and now - judged >= self.plan.contest and by_network:
                    contest = contests.submit(self._contest, self.layers(), self.plan.contest_deals)
                    judged = now
                if now - saved >= every:
                    self.save()
                    saved = now
                self._steps()
        finally:
            play.stop()
            contests.shutdown(cancel_futures=True)
            self.save()
        more = 1 if self._opponent is None else 8  # whether the opponent can be beaten is a small difference
        self._add_row(self._contest(self.layers(), more * self.plan.contest_deals), on_row)
        self.save()

    def layers(self) -> Layers:
        """The averaged weights as integers."""
        return quantise(self.trainer.averaged())

    def save(self) -> None:
        """Write the checkpoint; a reader never sees half of it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f"{CHECKPOINT}.partial"
        torch.save(
            {
                "version": CHECKPOINT_VERSION,
                "plan": asdict(self.plan),
                "progress": asdict(self.progress),
                "trainer": self.trainer.state(),
            },
            partial,
        )
        partial.replace(self.folder / CHECKPOINT)

    def write_network(self) -> Path:
        """Write the file that players use, without idle units, next to the checkpoint; returns its path."""
        origin = {"commit": _commit(), "plan": asdict(self.plan)} | asdict(self.progress)
        origin.pop("curve")
        layers = self.layers()
        samples = sample_positions(self.plan.seats, layers, self.plan.sampled_games, self.plan.seed)
        layers = calibrated(
            without_idle_units(layers, samples), self.plan.seats, self.plan.calibration_games, self.plan.seed
        )
        network = Network(layers, self.plan.seats, origin)
        path = self.folder / network_name(max(self.plan.seats))
        path.write_bytes(write_network(network))
        return path

    def _load(self) -> None:
        try:
            found = torch.load(self.folder / CHECKPOINT, map_location="cpu", weights_only=True)
            progress, seats = Progress(**found["progress"]), tuple(found["plan"]["seats"])
            hidden, against = found["plan"]["hidden"], found["plan"].get("against", "")
        except Exception as error:  # torch raises whatever its unpickler does
            raise UserError("train.damaged", folder=self.folder) from error
        if (seats, hidden, against) != (self.plan.seats, self.plan.hidden, self.plan.against):
            raise UserError("train.other_run", folder=self.folder, found=f"{_listed(seats)}, {hidden}")
        self.progress = progress
        self.trainer.load(found["trainer"])

    def _take_over(self, start: Network) -> None:
        inputs, hidden = start.layers.weights.shape
        if start.seats != self.plan.seats or inputs != BITS * self.plan.words or hidden > self.plan.hidden:
            raise UserError("train.other_start", seats=_listed(start.seats), hidden=hidden)
        self.trainer.take_over(dequantise(start.layers))
        self.progress.start = start.origin or {"commit": ""}

    def _begin_steward_games(self) -> bool:
        """Whether the network has learned from all of steward's games; if not, decides how many are missing.

        A checkpoint has no positions. Those that were not trained on before it are played again.
        """
        plan = self.plan
        untrained = plan.steward_positions - self.trainer.steps * plan.batch / plan.steward_reuse
        stored = self._credit / plan.steward_reuse
        needed = max(untrained - stored, self._least_store - self._store.size)
        self._steward_end = self.progress.positions + needed
        return untrained < plan.batch / plan.steward_reuse

    def _learn_from_steward(self, play: SelfPlay) -> bool:
        """Whether the network has learned from all of steward's games, and plays from now on."""
        if self.progress.positions < self._steward_end:
            return False
        play.policy = None  # the cores rest until the network is worth playing
        if self._credit >= self.plan.batch:
            return False
        play.policy = self._policy()
        return True

    def _collect(self, play: SelfPlay, reuse: float) -> None:
        for played in play.take():
            self._store.add(played.words, played.targets)
            self.progress.games += played.games
            self.progress.positions += len(played.words)
            self._credit += reuse * len(played.words)

    def _steps(self) -> None:
        """A few gradient steps, if there are enough new positions for them."""
        if self._store.size < self._least_store or self._credit < self.plan.batch:
            sleep(0.002)
            return
        rate = self._rate()
        for _ in range(min(8, int(self._credit // self.plan.batch))):
            self.trainer.step(*self._store.sample(self.plan.batch), rate)
            self._credit -= self.plan.batch
        if self._device.type == "cuda":
            torch.cuda.synchronize()  # the queue of the device would hide how far the training is
        self.progress.steps = self.trainer.steps

    def _done(self) -> float:
        return min(self.progress.seconds / self.plan.seconds, 1.0)

    def _rate(self) -> float:
        """Cosine decay; the first steps are smaller."""
        wave = (1 + math.cos(math.pi * self._done())) / 2
        rate = self.plan.last_rate + (self.plan.rate - self.plan.last_rate) * wave
        return rate * min(1.0, (1 + self.trainer.steps) / 200)

    def _style(self) -> Style:
        done = self._done()
        noise, blunders = self.plan.noise, self.plan.blunders
        return Style(
            noise[0] + (noise[1] - noise[0]) * done,
            blunders[0] + (blunders[1] - blunders[0]) * done,
            self.plan.decay,
            self.plan.cut,
        )

    def _policy(self) -> Policy:
        return Policy(self.layers(), True, self._style(), self._opponent)

    def _contest(self, layers: Layers, deals: int) -> dict[str, Strength]:
        found = {}
        for seats in self.plan.seats:
            base, *_, both = variants(seats)
            found[f"{seats}"] = strength(shipped_setup(base), layers, deals, 7, self._opponent)
            found[f"{seats} both"] = strength(shipped_setup(both), layers, deals // 2, 7, self._opponent)
        return found

    def _add_row(self, contests: dict[str, Strength], on_row: OnRow) -> None:
        losses: Losses = self.trainer.losses()
        row: dict[str, Any] = {
            "seconds": round(self.progress.seconds),
            "games": self.progress.games,
            "positions": self.progress.positions,
            "steps": self.progress.steps,
            "own": round(losses.own, 3),
            "other": round(losses.other, 3),
            "win": round(losses.win, 4),
        }
        for name, found in contests.items():
            row |= {f"wins {name}": round(found.wins, 3), f"margin {name}": round(found.margin, 2)}
            row[f"error {name}"] = round(found.error, 2)
        self.progress.curve.append(row)
        on_row(row)


def _check_opponent(plan: Plan, opponent: Network) -> None:
    if not set(plan.seats) <= set(opponent.seats):
        raise UserError("train.other_opponent", seats=_listed(opponent.seats))


def _digest(network: Network) -> str:
    return sha256(write_network(network)).hexdigest()[:16]


def _listed(seats: tuple[int, ...]) -> str:
    """As the option ``--seats`` takes them."""
    return ",".join(map(str, seats))


def _commit() -> str:
    """The commit of the sources, if they are in a checkout."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
