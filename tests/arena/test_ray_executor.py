"""Running games on Ray: the same results as here, whatever is lost; a stand-in for Ray makes faults happen.

``tests/arena/test_ray.py`` does the same with Ray itself.
"""

import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from sanssouci.arena import ExecutorFault, Match, Series, Simulation, Summary, Tournament
from sanssouci.arena import ray_executor as module
from sanssouci.arena.ray_executor import LOCAL, RayExecutor
from sanssouci.arena.signals import Interruption
from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.rules import Variant

from ..cli.command import usage_error
from ..helpers import user_error

BOARDS, SEED = shipped_boards("reference"), parse_seed("5")
MATCH = Match(Variant(2), BOARDS, ("random", "random"), SEED)


class RayError(Exception):
    """The base of the stand-in's errors."""


class RayTaskError(RayError):
    """An exception in a task."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


LOST = [
    type(name, (RayError,), {})
    for name in ("WorkerCrashedError", "NodeDiedError", "ObjectLostError", "OutOfMemoryError")
]


@dataclass(eq=False)
class Reference:
    """A task in flight; its arguments are pickled, as they would be."""

    call: bytes


@dataclass
class FakeRay:
    """Runs a task when its result is fetched, the newest first; ``fault`` may raise instead."""

    fault: Callable[[int, list[Any]], None] = lambda number, items: None
    processors: int = 2
    batches: list[list[Any]] = field(default_factory=list)
    most_in_flight: int = 0
    cancelled: int = 0
    running: bool = False
    exceptions: Any = field(
        default_factory=lambda: SimpleNamespace(
            RayError=RayError, RayTaskError=RayTaskError, **{kind.__name__: kind for kind in LOST}
        )
    )

    def init(self, address: str, **options: Any) -> None:
        self.running = True

    def shutdown(self) -> None:
        self.running = False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.processors)}

    def remote(self, **options: Any) -> Callable[[Any], Any]:
        return lambda function: SimpleNamespace(
            remote=lambda *call: Reference(pickle.dumps((function, call)))
        )

    def wait(self, references: Sequence[Reference], **options: Any) -> tuple[list[Any], list[Any]]:
        self.most_in_flight = max(self.most_in_flight, len(references))
        return [references[-1]], [*references[:-1]]

    def get(self, reference: Reference) -> Any:
        function, call = pickle.loads(reference.call)
        self.batches.append(call[-1])
        self.fault(len(self.batches), call[-1])
        return pickle.loads(pickle.dumps(function(*call)))

    def cancel(self, reference: Reference, force: bool) -> None:
        self.cancelled += 1


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRay]:
    """A stand-in instead of Ray, and no environment variable left behind."""
    stand_in = FakeRay()
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.setenv(name, "set")
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    monkeypatch.setattr(module, "_prepared", set())
    yield stand_in
    assert not stand_in.running, "the connection is closed"


def lose(*lost: int) -> Callable[[int, list[Any]], None]:
    """Lose the batches with these numbers, each for another reason."""

    def fault(number: int, items: list[Any]) -> None:
        if number in lost:
            raise LOST[number % len(LOST)]

    return fault


def standings(tournament: Tournament) -> dict[str, Any]:
    tournament.close()
    document = tournament.to_json()
    for player in document["players"]:
        del player["seconds_per_turn"]
    return document


def play(executor: RayExecutor, deals: int) -> Tournament:
    tournament = Tournament(MATCH, deals)
    for _ in tournament.play(executor, records=False):
        pass
    return tournament


def test_lost_work_is_repeated(fake: FakeRay) -> None:
    """Whatever batches are lost, every game is counted once, and the standings are the same."""
    expected = Tournament(MATCH, 12)
    expected.add_outcomes(MATCH.play((deal, place))[0] for deal in range(1, 13) for place in (0, 1))
    fake.fault = lose(1, 2, 5, 7, 8)
    with RayExecutor(LOCAL) as executor:
        assert standings(play(executor, 12)) == standings(expected)
    assert any(len(batch) > 1 for batch in fake.batches)


def test_a_series_is_in_order(fake: FakeRay) -> None:
    """Portions that finish in any order are returned in order, with the same totals, results and records."""
    simulation = Simulation(Variant(3), BOARDS, ("random",) * 3, SEED)
    fake.fault = lose(2, 3, 6)
    with RayExecutor(LOCAL) as executor:
        for series in (
            Series(simulation, 30_000, Summary, results=True),
            Series(simulation, 12, Summary, results=True, records=True),
        ):
            here, there = list(series.play()), list(series.play_on(executor))
            assert [record for part in here for record in part.records] == [
                record for part in there for record in part.records
            ]
            ours, theirs = ([chunk for part in parts for chunk in part.chunks] for parts in (here, there))
            assert [(one.first, one.results.tobytes()) for one in ours] == [
                (one.first, one.results.tobytes()) for one in theirs
            ]
            assert sum(part.games for part in there) == series.games


def test_batches_grow(fake: FakeRay) -> None:
    """The first batches have one item; a batch is at most four times as large as the one before."""
    assert sorted(item for batch in count(1000) for item in batch) == [*range(1000)]
    assert [*map(len, fake.batches)][:4] == [1, 4, 16, 64] and max(map(len, fake.batches)) == 100
    assert fake.most_in_flight == 4, "one batch waits for each that runs"


def test_the_oldest_batch_is_waited_for(fake: FakeRay) -> None:
    """While the oldest batch is unfinished, only a limited number of others is submitted."""
    fake.processors = 1
    order = [batch[0] for batch in count(1000, most_items=1)]
    assert order.index(0) == module._AHEAD and sorted(order) == [*range(1000)]


def count(items: int, most_items: int = 100) -> list[list[int]]:
    """The batches of a task that does nothing, as they finish."""
    with RayExecutor(LOCAL) as executor, Interruption() as interruption:
        return list(executor.run(Counting(most_items), range(items), interruption))


@dataclass(frozen=True)
class Counting:
    """A task that returns its items."""

    most_items: int

    def prepare(self) -> None:
        pass

    def run(self, items: Sequence[int]) -> list[int]:
        return [*items]

    def crash_fault(self, item: int) -> ExecutorFault:
        return ExecutorFault("simulate.game_kills_worker", game=item, times=3)


def test_a_game_that_keeps_crashing_is_named(fake: FakeRay) -> None:
    """A batch is halved until the deadly game is alone; after three crashes it ends the run, by name."""

    def deadly(number: int, items: list[Any]) -> None:
        if (9, 1) in items:
            raise LOST[0]

    fake.fault = deadly
    tournament = Tournament(MATCH, 12)
    with RayExecutor(LOCAL) as executor, user_error("arena.game_kills_worker", deal=9, times=3):
        for _ in tournament.play(executor, records=False):
            pass
    assert fake.batches.count([(9, 1)]) == 3 and tournament.finished > 0


def test_ctrl_c_cancels_what_is_running(fake: FakeRay) -> None:
    """Ctrl-C ends a run between two batches, and the batches in flight are cancelled."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    fake.fault = lambda number, items: signal.raise_signal(signal.SIGINT) if number == 3 else None
    tournament = Tournament(MATCH, 12)
    try:
        with RayExecutor(LOCAL) as executor, pytest.raises(KeyboardInterrupt):
            for _ in tournament.play(executor, records=False):
                pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert 2 <= tournament.finished < 24 and fake.cancelled > 0


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (ConnectionError("gone"), "ray.lost"),
        (RayError("gone"), "ray.lost"),
        (RayTaskError(ImportError("no module")), "ray.task_failed"),
    ],
)
def test_a_lost_cluster_ends_the_run(fake: FakeRay, error: Exception, key: str) -> None:
    """A lost connection or a broken node ends the run with a sentence; the finished games count."""

    def fault(number: int, items: list[Any]) -> None:
        if number == 3:
            raise error

    fake.fault = fault
    tournament = Tournament(MATCH, 12)
    with RayExecutor(LOCAL) as executor, user_error(key):
        for _ in tournament.play(executor, records=False):
            pass
    assert tournament.finished >= 2


def test_a_node_needs_the_same_version_and_players(fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version on a node, or a player that it does not have, ends the run before a game is played."""
    unknown = Match(Variant(2), BOARDS, ("random", "chess"), SEED)
    with RayExecutor(LOCAL) as executor, user_error("player.unknown", name="chess"):
        list(Tournament(unknown, 1).play(executor, records=False))
    with RayExecutor(LOCAL) as executor, user_error("ray.other_version"):
        digests = iter(["ours", "theirs"])
        monkeypatch.setattr(module, "engine_digest", lambda: next(digests))
        list(Tournament(MATCH, 1).play(executor, records=False))


@pytest.mark.parametrize(
    "address",
    ["", "spark", "ray:", "ray://", "ray://host", "ray://host:0", "ray://host:70000", "ray://host:1/x"],
)
def test_a_bad_address_is_refused(address: str) -> None:
    """An address that is not ray or ray://HOST:PORT is refused, whether or not Ray is installed."""
    with user_error("ray.bad_address", address=address):
        RayExecutor(address)


def test_a_cluster_that_cannot_be_used(fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed port, a cluster of another version and a cluster that does not start: one error each."""
    with user_error("ray.unreachable", address="ray://127.0.0.1:1"):
        RayExecutor("ray://127.0.0.1:1")

    def refuse(address: str, **options: Any) -> None:
        raise RuntimeError("Version mismatch:\nmore")

    fake.init = refuse  # type: ignore[method-assign]
    monkeypatch.setattr(module, "_check_port", lambda address: None)
    with user_error("ray.unreachable", reason="Version mismatch:"):
        RayExecutor("ray://127.0.0.1:1")
    with user_error("ray.not_started"):
        RayExecutor(LOCAL)


def test_a_cluster_that_is_starting_is_tried_again(fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that refuses at first is tried again, three times in all."""
    tries = 0

    def refuse(address: str, **options: Any) -> None:
        nonlocal tries
        tries += 1
        if tries != 3:
            raise ConnectionAbortedError("Initialization failure:\nTraceback\nRuntimeError: not yet")

    fake.init = refuse  # type: ignore[method-assign]
    monkeypatch.setattr(module, "_check_port", lambda address: None)
    monkeypatch.setattr(module, "_JOIN_PAUSES", (0.0, 0.0))
    RayExecutor("ray://127.0.0.1:1")
    assert tries == 3
    with user_error("ray.unreachable", reason="RuntimeError: not yet"):
        RayExecutor("ray://127.0.0.1:1")
    assert tries == 6


def test_a_missing_extra_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Ray the sentence says what to install."""
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.setenv(name, "set")
    monkeypatch.setitem(sys.modules, "ray", None)
    with user_error("ray.missing"):
        RayExecutor(LOCAL)


@pytest.mark.parametrize(
    "words",
    [
        ["simulate"],
        ["boards", "balance"],
        ["arena", "--players", "random,greedy"],
        ["strength", "--only", "level:2"],
    ],
)
def test_every_command_takes_an_address(words: list[str]) -> None:
    """All four commands refuse a bad address with one sentence and exit status 2."""
    assert "--on: “spark” is not valid" in usage_error(*words, "--on", "spark")
