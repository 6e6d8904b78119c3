"""The load generator: it plays on a real server, and a server that stalls cannot hide it."""

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
from benchmarks.load.games import SOCKETS, Game, Tally, choose
from benchmarks.load.generator import Stretch
from benchmarks.load.host import Usage
from benchmarks.load.soak import growth
from benchmarks.load.tables import Desk, Prepared
from benchmarks.load.wire import Socket, seq_of

ROOT = Path(__file__).parents[2]
OPTIONS = {"cards": {"a": [1]}, "spaces": {"1": ["c2"]}, "boar": {}, "stops": {"c2": {"c2": 2}}}


def run(*options: str) -> dict[str, Any]:
    """What a short run measures."""
    command = [sys.executable, "-m", "benchmarks.load", "--short", "--json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_games_are_played_on_a_real_server() -> None:
    """Every turn that was due reaches the three others; a short run says nothing about the goals."""
    figures = run()
    assert set(figures["ok"].values()) == {None}
    load = figures["load"]
    assert load["sockets"] == 48 and load["kib_per_socket"] > 1
    assert (load["at_rate"]["n"], load["at_rate"]["missing"]) == (80 * 3, 0)
    assert 0 < load["at_rate"]["p50_ms"] <= load["at_rate"]["p99_ms"] <= load["at_rate"]["max_ms"]
    assert load["at_rate"]["server_share"] > 0 and load["at_rate"]["generator_share"] > 0


def test_games_end_and_watchers_change_in_the_soak() -> None:
    """Games that end are replaced, watchers come and go, and no event is missed."""
    soak = run("--soak")["soak"]
    assert soak["points"] >= 3 and len(soak["memory_mib"]) >= 5
    assert soak["at_rate"]["missing"] == 0 and soak["at_rate"]["n"] > 300
    assert soak["mib_per_hour"] < soak["mib_per_hour_high"]


class Line:
    """A socket that keeps what is sent on it."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, text: bytes) -> None:
        """Keep a message."""
        self.sent.append(orjson.loads(text))


def update(seq: int, to_move: bool, stage: str = "playing") -> bytes:
    """An update as the server sends it."""
    view = {"stage": stage, "options": OPTIONS if to_move else None}
    return orjson.dumps({"type": "update", "seq": seq, "events": [], "view": view})


def at_a_table(
    monkeypatch: pytest.MonkeyPatch, tally: Tally, over: Callable[[Game], None] = lambda _: None
) -> tuple[Game, list[Line], Callable[[Line, bytes], None]]:
    """A game with four sockets that nobody answers, and how one of them hears something."""
    lines = [Line() for _ in range(SOCKETS)]
    coming = iter(lines)

    async def connect(self: Game, desk: Desk, ticket: Any) -> Socket:
        return cast(Socket, next(coming))

    monkeypatch.setattr(Game, "_connect", connect)
    monkeypatch.setattr(Desk, "seat_ticket", lambda *_: None)
    monkeypatch.setattr(Desk, "watch_ticket", lambda *_: None)
    game = Game(Prepared("", ("", ""), ""), tally, over)
    asyncio.run(game.open(Desk.__new__(Desk)))
    return game, lines, lambda line, data: game._hear(cast(Socket, line), data)


def test_waiting_counts_from_when_a_turn_was_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a server stalls turns become due all the same, and each is counted from then."""
    tally = Tally()
    game, lines, hear = at_a_table(monkeypatch, tally)
    hear(lines[0], update(7, to_move=True))
    now = time.perf_counter()
    game.play_at(now - 3)
    game.play_at(now - 2)  # the first is on its way, so it cannot be sent
    assert [message["expected_seq"] for message in lines[0].sent] == [7]
    assert game.outstanding == 2
    for line in lines[1:]:
        hear(line, update(8, to_move=line is lines[1]))
    hear(lines[0], update(8, to_move=False))
    assert [message["expected_seq"] for message in lines[1].sent] == [8]
    for line in (lines[0], *lines[2:]):
        hear(line, update(9, to_move=False))
    assert len(tally.waits) == tally.expected == 6 and game.outstanding == 0
    assert all(3 <= wait < 4 for wait in tally.waits[:3]) and all(2 <= wait < 3 for wait in tally.waits[3:])


def test_the_player_of_a_turn_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the others' events are waited for, each once."""
    tally = Tally()
    game, lines, hear = at_a_table(monkeypatch, tally)
    hear(lines[0], update(0, to_move=True))
    game.play_at(time.perf_counter())
    hear(lines[0], update(1, to_move=False))
    assert tally.waits == []
    hear(lines[2], update(1, to_move=False))
    hear(lines[2], update(1, to_move=False))
    assert len(tally.waits) == 1


def test_a_game_ends_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """When all have heard of it; one who comes to a game that is over does not end it again."""
    ended: list[Game] = []
    game, lines, hear = at_a_table(monkeypatch, Tally(), ended.append)
    hear(lines[0], update(0, to_move=True))
    game.play_at(time.perf_counter())
    for line in lines[1:]:
        assert ended == []
        hear(line, update(1, to_move=False, stage="over"))
    assert ended == [game]
    hear(Line(), update(1, to_move=False, stage="over"))
    assert ended == [game]


def test_a_refusal_stops_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no update and no acknowledgement is trouble."""
    tally = Tally()
    _, lines, hear = at_a_table(monkeypatch, tally)
    hear(lines[0], b'{"type":"done","seq":1}')
    tally.check()
    hear(lines[0], b'{"type":"refused"}')
    with pytest.raises(SystemExit, match="refused"):
        tally.check()


def test_a_turn_is_made_of_the_options() -> None:
    """With a noble for one number, without for another."""
    assert [choose(OPTIONS, number) for number in range(2)] == ["a@1-c2", "a@1-c2/c2"]


def test_the_number_of_an_update_is_found_in_its_first_bytes() -> None:
    """Other messages have none."""
    assert seq_of(update(17, to_move=True)) == 17
    assert seq_of(b'{"type":"done","seq":3}') is None


def stretch(waits: list[float], missing: int) -> Stretch:
    """A stretch with these waits."""
    usage = Usage(0.0, 0.0, 0), Usage(1.0, 1.0, 0)
    return Stretch(1.0, 100, 1.0, waits, missing, [], usage, usage)


def test_what_never_came_is_waited_for_without_end() -> None:
    """A server that loses one event in fifty has no 99th percentile."""
    waits = [0.001 * place for place in range(98)]
    assert stretch(waits, 0).wait(0.99) == waits[97]
    assert stretch(waits, 2).wait(0.5) == waits[50]
    assert math.isinf(stretch(waits, 2).wait(0.99))


def searched(first: float, limit: float) -> list[float]:
    """The rates that are tried on a server that keeps up with so many turns a second."""
    tried: list[Stretch] = []
    rate: float | None = first
    while rate is not None:
        tried.append(replace(stretch([0.001 if rate <= limit else 0.2], 0), rate=rate))
        rate = next_rate(tried)
    return [step.rate for step in tried]


@pytest.mark.parametrize(("first", "limit"), [(300.0, 1000.0), (300.0, 310.0), (300.0, 90.0)])
def test_the_highest_rate_is_found_from_above_and_below(first: float, limit: float) -> None:
    """Some rate is good, and one that is hardly higher was too much."""
    tried = searched(first, limit)
    good, bad = [rate for rate in tried if rate <= limit], [rate for rate in tried if rate > limit]
    assert max(good) < min(bad) < 1.07 * max(good)
    assert len(tried) < 15


def test_a_server_that_keeps_up_with_nothing_has_no_highest_rate() -> None:
    """The search ends all the same."""
    assert 5 < searched(300.0, 0.0)[-1] < 10


def memory(growth_per_hour: float, shake: float) -> list[Usage]:
    """Twenty minutes of looking at a memory, with a shake in each minute."""
    seconds = range(1261)
    return [
        Usage(at, 0.0, int(1048576 * (100 + growth_per_hour * at / 3600 + shake * (-1) ** (at // 60))))
        for at in seconds
    ]


def test_growth_is_a_line_with_its_bound() -> None:
    """What grows evenly grows by just that; what shakes too has a bound above it."""
    even = growth(memory(3.0, 0.0), 60.0)
    assert even.points == 21
    assert even.slope == pytest.approx(3.0, abs=1e-4) and even.bound == pytest.approx(3.0, abs=1e-3)
    shaken = growth(memory(0.0, 0.5), 60.0)
    assert shaken.slope + 1 < shaken.bound < 5
