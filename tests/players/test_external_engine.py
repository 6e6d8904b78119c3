"""External engines as players: any fault loses the game with a reason, and no process is left."""

import json
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from sanssouci.arena import Match, Outcome
from sanssouci.dealer import parse_seed
from sanssouci.editions import shipped_boards
from sanssouci.players import (
    BrokenPlayer,
    Budget,
    ExternalEngine,
    UnknownPlayer,
    check_player,
    make_player,
    prepare_player,
    stop_engines,
)
from sanssouci.players.engine_process import LONGEST_LINE
from sanssouci.rules import IMPERIAL, Variant

from ..cli.command import wait_for
from ..helpers import stream
from ..processes import is_running

HOSTILE = Path(__file__).parent / "hostile.py"
ALL = Variant(2, IMPERIAL, rewards=True, wild_boar=True)


def hostile(mode: str, *more: object, limit: float = 20.0) -> ExternalEngine:
    """A hostile engine with a mode."""
    return ExternalEngine((sys.executable, "-S", str(HOSTILE), mode, *map(str, more)), limit)


def match(external_engine: ExternalEngine, variant: Variant = Variant(2), budget: Budget = Budget()) -> Match:  # noqa: B008
    """A match of the engine against random."""
    boards = shipped_boards("reference" if variant == Variant(2) else "parterre")
    return Match(variant, boards, ("random", external_engine), parse_seed("7"), budget)


def children() -> set[int]:
    """The child processes of this process, including zombies."""
    return {child.pid for child in psutil.Process().children()}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Check that a test leaves no child process."""
    before = children()
    yield
    stop_engines()
    assert children() <= before


def lost(external_engine: ExternalEngine) -> tuple[Outcome, list[dict[str, Any]]]:
    """A game that the engine loses by a fault, and the lines of its transcript."""
    outcome, game = match(external_engine).play((1, 0))
    assert game.state.over and outcome.winners == (0,) and outcome.at_fault == {1}
    (loss,) = outcome.losses
    lines = [json.loads(line) for line in loss.transcript.splitlines()]
    assert lines[-1] == {"fault": {"seat": 1, "turn": loss.fault.turn, "reason": loss.fault.why()}}
    return outcome, lines


def wait_until_gone(pids: list[int]) -> None:
    wait_for(lambda: not any(map(is_running, pids)))


FAULTS = {
    "garbage": "turn 6: the program wrote “I play the card with the rose”, which is not a message: this",
    "binary": "which is not a message: this is not valid JSON",
    "endless-line": f"the program wrote a line of more than {LONGEST_LINE} bytes",
    "many-lines": "the program wrote “{}”, which is not a message: the field “type” is missing",
    "deep": "which is not a message: this is nested more than 20",
    "huge-number": "which is not a message: a number has more than 300 digits",
    "not-a-number": "which is not a message: NaN is not a finite number",
    "twice-a-key": "which is not a message: the key “type” appears twice",
    "a-list": "which is not a message: must be an object",
    "no-type": "which is not a message: the field “type” is missing",
    "no-id": "answered question None instead of question 3",
    "true-id": "answered question True instead of question 3",
    "old-id": "answered question 2 instead of question 3",
    "other-type": "answered with “pick” instead of “turn”",
    "no-turn": "the program answered “None”: the field “turn” is missing",
    "no-text": "the program answered “['a']”: turn: must be a text",
    "no-notation": "the program answered “pass”: this is not a turn: write card@space-square",
    "stale": "turn 6: R14: ",
    "illegal": "turn 6: R20: ",
    "error": "the program reported an error: 'I am\\nlost'",
    "exit": "the program exited with status 1; its last output on standard error: “out of ideas”",
    "quiet-exit": "turn 6: the program exited with status 0",
    "signal": "the program was killed by SIGSEGV",
    "closes-output": "the program closed its standard input or output",
    "twice": 'turn 8: the program wrote “{"type": "turn", "id": 3',
    "early": 'turn 8: the program wrote “{"type": "turn", "id": 4',
    "closes-input": "turn 8: the program closed its standard input or output",
    "at-once": "turn 2: the program exited with status 3",
    "before-hello": 'the program wrote “{"type": "turn", "id": 1',
    "protocol-2": "version 2 of the engine protocol is not supported, only 1",
}


@pytest.mark.parametrize(("mode", "message"), FAULTS.items(), ids=FAULTS)
def test_every_fault_loses_with_a_reason(mode: str, message: str) -> None:
    """R14, R20: a fault gives one sentence with seat, turn and reason; greedy finishes the game."""
    outcome, lines = lost(hostile(mode))
    sentence = str(outcome.losses[0].fault)
    assert sentence.startswith("seat 2, ") and message in sentence
    assert sentence.isprintable() and len(sentence) < 700
    assert lines[0]["to"]["type"] == "hello" and all(line["at"] >= 0 for line in lines if "at" in line)


@pytest.mark.parametrize("mode", ["never", "deaf", "drop-by-drop", "talks-for-ever", "children-never"])
def test_an_engine_that_does_not_answer_in_time_loses(tmp_path: Path, mode: str) -> None:
    """Neither partial lines nor output on standard error extend the time limit."""
    outcome, _ = lost(hostile(mode, tmp_path / "pids", limit=0.6))
    assert "the program did not answer within 0.6 s" in str(outcome.losses[0].fault)
    if mode == "children-never":
        wait_until_gone([int(pid) for pid in (tmp_path / "pids").read_text().split()])


def test_child_processes_of_an_engine_are_killed(tmp_path: Path) -> None:
    """Child processes that ignore signals and keep the pipes open are killed too."""
    outcome, _ = lost(hostile("children", tmp_path / "pids"))
    assert "turn 6: the program exited with status 7" in str(outcome.losses[0].fault)
    wait_until_gone([int(pid) for pid in (tmp_path / "pids").read_text().split()])


def test_a_transcript_is_complete() -> None:
    """A transcript has all messages with times, invalid lines, standard error and the fault."""
    _, lines = lost(hostile("exit"))
    kinds = [
        (name, line[name]["type"])
        for line in lines
        for name in ("to", "from")
        if isinstance(line.get(name), dict)
    ]
    assert kinds[:4] == [("to", "hello"), ("from", "hello"), ("to", "new_game"), ("to", "turn")]
    assert kinds[-1] == ("to", "turn") and lines[-2] == {"stderr": "out of ideas"}
    _, lines = lost(hostile("garbage"))
    assert lines[-2]["from_text"] == "I play the card with the rose"
    times = [line["at"] for line in lines if "at" in line]
    assert times == sorted(times)


def test_an_engine_process_is_reused(tmp_path: Path) -> None:
    """R9, R29: one process plays all games with picks, and receives quit at the end."""
    for external_engine in (hostile("good-bye", tmp_path / "heard"), hostile("loud")):
        games = match(external_engine, ALL, Budget(rollouts=5))
        outcomes = [games.play((deal, place))[0] for deal in (1, 2) for place in (0, 1)]
        assert not any(outcome.losses for outcome in outcomes)
        assert all(outcome.turns == (18, 18) for outcome in outcomes)
        from sanssouci.players import external_engine as module

        assert [len(waiting) for waiting in module._idle.values()] == [1]
        stop_engines()
    assert (tmp_path / "heard").exists()


def test_an_engine_that_ignores_quit_is_killed() -> None:
    """An engine that ignores quit is killed after a grace period."""
    prepare_player(hostile("stays"))
    started = time.monotonic()
    stop_engines()
    assert time.monotonic() - started < 60


def test_an_engine_that_cannot_start_is_reported_first(tmp_path: Path) -> None:
    """A missing or invalid program, or one without hello, is reported before the game."""
    (tmp_path / "text").write_text("hello")
    for external_engine, message in (
        (
            ExternalEngine(("no-such-program-here",)),
            "“cmd:no-such-program-here” cannot be created: no-such-program-here",
        ),
        (ExternalEngine((str(tmp_path / "text"),)), "cannot be started: "),
        (ExternalEngine(("a\0b",)), "cannot be started: "),
        (hostile("at-once"), "exited with status 3"),
        (hostile("protocol-2"), "version 2"),
        (ExternalEngine(("true",)), "exited with status 0|closed"),
    ):
        with pytest.raises(BrokenPlayer, match=message):
            prepare_player(external_engine)


def test_a_name_never_starts_an_engine(tmp_path: Path) -> None:
    """Only ``ExternalEngine`` starts a program, never a player name; it can be pickled."""
    created = tmp_path / "created"
    for name in (f"cmd:touch {created}", f'cmd:"touch {created}"', f"cmd:{sys.executable}"):
        with pytest.raises(UnknownPlayer, match="is only a name here"):
            check_player(name)
        with pytest.raises(UnknownPlayer, match="is only a name here"):
            make_player(name, stream(1))
    with pytest.raises(UnknownPlayer):
        Match(Variant(2), shipped_boards("reference"), ("random", f"cmd:touch {created}"), bytes(32)).play(
            (1, 0)
        )
    assert not created.exists()
    external_engine = hostile("never")
    assert pickle.loads(pickle.dumps(external_engine)) == external_engine and str(external_engine).startswith(
        "cmd:"
    )


def test_ctrl_c_ends_a_thinking_engine() -> None:
    """Ctrl-C while an engine thinks ends the game and the engine at once."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            match(hostile("never")).play((1, 0))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
