"""The main loop of a worker process: answers requests, one at a time, until its parent is gone.

It reads and writes lines of JSON; see ``job``. A separate thread does nothing but read, so that it sees the
end of the pipe even in the middle of a long turn. It then kills the process and all of its children.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import IO

from sanssouci.dealer import BulkGame, Stream
from sanssouci.locale import UserError
from sanssouci.notation import parse_record, parse_setup_view, parse_view
from sanssouci.players import (
    LEVELS,
    PREFIX,
    BrokenPlayer,
    Budget,
    Guard,
    Player,
    UnavailablePlayer,
    UnknownPlayer,
    fallback_turn,
    make_player,
    prepare_player,
)
from sanssouci.review import hint, positions, prepare, review_position, write_position_review

from .answer import Json, public_fault
from .hint_result import write_hint
from .job import dump_turn

_PICK_STREAM = 1_000_000
"""The number of the random stream for picks; turns use their own number."""
_MAX_TRACE = 4000
_KERNEL = ("greedy", "static_eval", "search")
"""The compile units that the players and hints of this project use."""


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the parent decides when a worker ends
    questions, out = _pipes()
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_lines, args=(questions, lines), daemon=True).start()
    config = json.loads(lines.get())
    try:
        for report in _prepare(config):
            _send(out, report)
    except Exception as error:
        _send(out, {"failed": type(error).__name__, "trace": _trace(error)})
        os._exit(1)  # not slowly: the parent kills a worker whose pipe is closed, and would see that
    _send(out, {"ready": True})
    _silence_output()
    while True:
        question = json.loads(lines.get())
        if "id" in question:  # else it is a late request to give up a job that is already answered
            _send(out, {"id": question["id"], **answer(question, config, lines.empty)})


def answer(question: Json, config: Json, should_continue: Callable[[], bool] = lambda: True) -> Json:
    """The response to a request; a review is given up as soon as ``should_continue`` returns False."""
    if question["ask"] == "review":
        return _review_position(question, should_continue)
    if question["ask"] == "side":
        setup = parse_setup_view(question["view"])
        guard = _guard(question, config, _PICK_STREAM, setup.seat)
        return {"side": guard.pick(setup), **_faults(guard)}
    view = parse_view(question["view"])
    if question["ask"] == "fallback":
        return dump_turn(fallback_turn(view))
    if question["ask"] == "hint":
        return {"hint": write_hint(hint(view, bytes.fromhex(question["key"]), config["hint_rollouts"]))}
    guard = _guard(question, config, view.turn, view.seat)
    return {**dump_turn(guard.decide(view)), **_faults(guard)}


class _Preempted(Exception):
    """A more urgent job is waiting."""


def _review_position(question: Json, should_continue: Callable[[], bool]) -> Json:
    def check_cancelled() -> None:
        if not should_continue():
            raise _Preempted

    states, turns = positions(parse_record(question["record"].encode("utf-8")))
    place = question["turn"]
    try:
        return {
            "review": write_position_review(
                review_position(
                    states[place], turns[place], question["rollouts"], check_cancelled=check_cancelled
                )
            )
        }
    except _Preempted:
        return {"preempted": True}


def _guard(question: Json, config: Json, number: int, seat: int | None) -> Guard:
    """The requested player, guarded; its random numbers follow from key, turn and seat."""
    assert seat is not None, "a player is asked with its own view"
    name = question["player"]
    stream = BulkGame(bytes.fromhex(question["key"]), number).stream(seat)
    try:
        return Guard(_make(name, stream, config), ignores_interrupt=True)
    except (BrokenPlayer, UnknownPlayer) as user_error:
        return Guard(UnavailablePlayer(user_error), ignores_interrupt=True)


def _make(name: str, stream: Stream, config: Json) -> Player:
    if name not in config["allowed"] or name.startswith(PREFIX):
        raise BrokenPlayer("workers.not_allowed", name=name, allowed=", ".join(config["allowed"]))
    own = name in LEVELS  # their strength is a number of rollouts, independent of the speed of the machine
    return make_player(name, stream, Budget() if own else Budget(config["seconds"], config["rollouts"]))


def _faults(guard: Guard) -> Json:
    """The kind of the fault for everyone, and a stack trace for the log."""
    if not guard.faults:
        return {}
    (fault,) = guard.faults
    reason = fault.details["reason"]
    key = reason.key if isinstance(reason, UserError) else ""
    return {"fault": public_fault(key), "trace": _trace(fault.__cause__)}


def _trace(error: BaseException | None) -> str:
    """The stack trace without messages, which may quote hidden information."""
    parts: list[str] = []
    while error is not None and len(parts) < 100:
        parts += [*traceback.format_tb(error.__traceback__), f"{type(error).__name__}\n"]
        error = error.__cause__ or error.__context__
    return "".join(parts)[-_MAX_TRACE:]


def _prepare(config: Json) -> Iterator[Json]:
    """Prepare all players, so that no first turn is slow; a player that fails is reported and skipped."""
    steps: dict[str, Callable[[], None]] = {name: partial(prepare_player, name) for name in config["allowed"]}
    if config["hints"]:
        steps[""] = prepare
    for done, (name, step) in enumerate(steps.items()):
        yield {"preparing": name, "done": done, "of": len(steps)}
        try:
            step()
        except UserError as user_error:
            yield {"broken": name, "fault": user_error.key, "trace": _trace(user_error.__cause__)}
    if "sanssouci.network" in sys.modules:
        from sanssouci.network import network_faults  # noqa: PLC0415 - heavy, and not every worker needs it

        yield from ({"unusable": str(fault)} for fault in network_faults())
    if "sanssouci.kernel" in sys.modules:
        _load_kernel()


def _load_kernel() -> None:
    """Load compiled code from its cache now, because otherwise the first turn would."""
    from sanssouci.kernel import COMPILE_UNITS, is_compiled  # noqa: PLC0415 - heavy, and not every worker needs it

    for job in _KERNEL:
        if is_compiled(job):
            COMPILE_UNITS[job]()


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Move the pipes to the parent away from stdin and stdout, where a player could use them by accident."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return pipes


def _silence_output() -> None:
    """Discard output of players from now on: it could quote views, and must not reach a log."""
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)


def _read_lines(questions: IO[bytes], lines: "SimpleQueue[bytes]") -> None:
    for line in questions:
        lines.put(line)
    _exit()


def _exit() -> None:
    """Kill the process group at once; a worker has nothing to save."""
    with suppress(AttributeError, OSError):
        if os.getpgid(0) == os.getpid():
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _send(out: IO[bytes], document: Json) -> None:
    try:
        out.write(json.dumps(document).encode("ascii") + b"\n")
    except OSError:
        _exit()
