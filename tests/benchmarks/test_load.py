"""The load generator: it plays on a real server and measures stalls."""

import asyncio
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from benchmarks.load.figures import next_rate
from benchmarks.load.games import SOCKETS, Game, Rotation, Tally
from benchmarks.load.generator import Stretch
from benchmarks.load.light_socket import Socket, seq_of
from benchmarks.load.soak import growth
from benchmarks.load.tables import Prepared, TableFactory
from benchmarks.load.usage import Usage

from ..harness.builders import legal_turn

ROOT = Path(__file__).parents[2]
OPTIONS = {"cards": {"a": [1]}, "spaces": {"1": ["c2"]}, "boar": {}, "stops": {"c2": {"c2": 2}}}


def run(*options: str) -> dict[str, Any]:
    """The figures of a short run."""
    command = [sys.executable, "-m", "benchmarks.load", "--short", "--json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_games_are_played_on_a_real_server() -> None:
    """Every due turn reaches the three other sockets; a short run does not judge the goals."""
    figures = run()
    assert set(figures["ok"].values()) == {None}
    load = figures["load"]
    assert load["sockets"] == 48 and load["kib_per_socket"] > 1
    assert (load["at_rate"]["n"], load["at_rate"]["missing"]) == (80 * 3, 0)
    assert 0 < load["at_rate"]["p50_ms"] <= load["at_rate"]["p99_ms"] <= load["at_rate"]["max_ms"]
    assert load["at_rate"]["server_share"] > 0 and load["at_rate"]["generator_share"] > 0


def test_games_end_and_watchers_change_in_the_soak() -> None:
    """In a soak test, finished games are replaced, watchers come and go, and no event is missed."""
    soak = run("--soak")["soak"]
    assert soak["points"] >= 3 and len(soak["memory_mib"]) >= 5
    assert soak["at_rate"]["missing"] == 0 and soak["at_rate"]["n"] > 300
    assert soak["mib_per_hour"] < soak["mib_per_hour_high"]


class Line:
    """A socket that collects sent messages."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, text: bytes) -> None:
        self.sent.append(orjson.loads(text))


def update(seq: int, to_move: bool, stage: str = "playing") -> bytes:
    view = {"stage": stage, "options": OPTIONS if to_move else None}
    return orjson.dumps({"type": "update", "seq": seq, "events": [], "view": view})


def open_game(
    monkeypatch: pytest.MonkeyPatch, tally: Tally, over: Callable[[Game], None] = lambda _: None
) -> tuple[Game, list[Line], Callable[[Line, bytes], None]]:
    """A game with four fake sockets, and a function that delivers a message to one of them."""
    lines = [Line() for _ in range(SOCKETS)]
    unused = iter(lines)

    async def connect(self: Game, factory: TableFactory, ticket: Any) -> Socket:
        return cast(Socket, next(unused))

    monkeypatch.setattr(Game, "_connect", connect)
    monkeypatch.setattr(TableFactory, "seat_ticket", lambda *_: None)
    monkeypatch.setattr(TableFactory, "watch_ticket", lambda *_: None)
    game = Game(Prepared("", ({}, {}), ""), tally, over)
    asyncio.run(game.open(TableFactory.__new__(TableFactory)))
    return game, lines, lambda line, data: game._receive(cast(Socket, line), data)


def test_latency_counts_from_the_due_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns become due while the server stalls, and each one's latency counts from its due time."""
    tally = Tally()
    game, lines, deliver = open_game(monkeypatch, tally)
    deliver(lines[0], update(7, to_move=True))
    now = time.perf_counter()
    game.play_at(now - 3)
    game.play_at(now - 2)  # queued: the first has not been acknowledged
    assert [message["expected_seq"] for message in lines[0].sent] == [7]
    assert game.outstanding == 2
    for line in lines[1:]:
        deliver(line, update(8, to_move=line is lines[1]))
    deliver(lines[0], update(8, to_move=False))
    assert [message["expected_seq"] for message in lines[1].sent] == [8]
    for line in (lines[0], *lines[2:]):
        deliver(line, update(9, to_move=False))
    assert len(tally.waits) == tally.expected == 6 and game.outstanding == 0
    assert all(3 <= wait < 4 for wait in tally.waits[:3]) and all(2 <= wait < 3 for wait in tally.waits[3:])


def test_the_player_of_a_turn_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only events of the other sockets are measured, each once."""
    tally = Tally()
    game, lines, deliver = open_game(monkeypatch, tally)
    deliver(lines[0], update(0, to_move=True))
    game.play_at(time.perf_counter())
    deliver(lines[0], update(1, to_move=False))
    assert tally.waits == []
    deliver(lines[2], update(1, to_move=False))
    deliver(lines[2], update(1, to_move=False))
    assert len(tally.waits) == 1


def test_a_game_ends_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game ends when every socket has received the end; a late watcher does not end it again."""
    ended: list[Game] = []
    game, lines, deliver = open_game(monkeypatch, Tally(), ended.append)
    deliver(lines[0], update(0, to_move=True))
    game.play_at(time.perf_counter())
    for line in lines[1:]:
        assert ended == []
        deliver(line, update(1, to_move=False, stage="over"))
    assert ended == [game]
    deliver(Line(), update(1, to_move=False, stage="over"))
    assert ended == [game]


def test_a_refusal_stops_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message other than an update or an acknowledgement is an error."""
    tally = Tally()
    _, lines, deliver = open_game(monkeypatch, tally)
    deliver(lines[0], b'{"type":"done","seq":1}')
    tally.check()
    deliver(lines[0], b'{"type":"refused"}')
    with pytest.raises(SystemExit, match="refused"):
        tally.check()


def test_a_turn_is_chosen_from_the_options() -> None:
    """The rotation number selects a turn without or with a noble."""
    assert [legal_turn(OPTIONS, Rotation(number)) for number in range(2)] == ["a@1-c2", "a@1-c2/c2"]


def test_seq_of_reads_the_sequence_number() -> None:
    """The sequence number is read from an update; other messages have none."""
    assert seq_of(update(17, to_move=True)) == 17
    assert seq_of(b'{"type":"done","seq":3}') is None


def stretch(waits: list[float], missing: int) -> Stretch:
    """A stretch with these latencies."""
    usage = Usage(0.0, 0.0, 0), Usage(1.0, 1.0, 0)
    return Stretch(1.0, 100, 3, 1.0, waits, missing, [], usage, usage)


def test_missing_events_have_infinite_latency() -> None:
    """A server that loses one event in fifty has an infinite 99th percentile."""
    waits = [0.001 * place for place in range(98)]
    assert stretch(waits, 0).wait(0.99) == waits[97]
    assert stretch(waits, 2).wait(0.5) == waits[50]
    assert math.isinf(stretch(waits, 2).wait(0.99))


def searched(first: float, limit: float) -> list[float]:
    """The rates tried on a server that can handle ``limit`` turns per second."""
    tried: list[Stretch] = []
    rate: float | None = first
    while rate is not None:
        tried.append(replace(stretch([0.001 if rate <= limit else 0.2], 0), rate=rate))
        rate = next_rate(tried)
    return [step.rate for step in tried]


@pytest.mark.parametrize(("first", "limit"), [(300.0, 1000.0), (300.0, 310.0), (300.0, 90.0)])
def test_the_search_finds_the_highest_rate(first: float, limit: float) -> None:
    """The search brackets the highest sustainable rate within 7 %, starting above or below it."""
    tried = searched(first, limit)
    good, bad = [rate for rate in tried if rate <= limit], [rate for rate in tried if rate > limit]
    assert max(good) < min(bad) < 1.07 * max(good)
    assert len(tried) < 15


def test_the_search_ends_without_a_sustainable_rate() -> None:
    """The search ends even if the server cannot handle any rate."""
    assert 5 < searched(300.0, 0.0)[-1] < 10


def memory(growth_per_hour: float, noise: float) -> list[Usage]:
    """Memory usage over 21 minutes, with noise that alternates each minute."""
    seconds = range(1261)
    return [
        Usage(at, 0.0, int(1048576 * (100 + growth_per_hour * at / 3600 + noise * (-1) ** (at // 60))))
        for at in seconds
    ]


def test_growth_is_a_slope_with_an_upper_bound() -> None:
    """Even growth has its slope as bound; noise raises the upper bound above the slope."""
    even = growth(memory(3.0, 0.0), 60.0)
    assert even.points == 21
    assert even.slope == pytest.approx(3.0, abs=1e-4) and even.bound == pytest.approx(3.0, abs=1e-3)
    shaken = growth(memory(0.0, 0.5), 60.0)
    assert shaken.slope + 1 < shaken.bound < 5
