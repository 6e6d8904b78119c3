"""What a worker process does: it answers questions, one after the other, until its parent is gone.

It reads lines of JSON and writes lines of JSON; see ``job``. A thread does nothing but read, so that the end
of the pipe is heard also in the middle of a long turn: then the process ends, and all that it has started.
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

_BEFORE_THE_GAME = 1_000_000
"""The number of the stream for picks; turns use their own number."""
_LONGEST_TRACE = 4000
_KERNEL = ("greedy", "static_eval", "search")
"""What of the kernel the players and hints of this project use."""


def main() -> None:
    """Prepare, say so, and answer."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # what becomes of a worker is for its parent to say
    questions, out = _pipes()
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions, lines), daemon=True).start()
    config = json.loads(lines.get())
    for report in _prepare(config):
        _tell(out, report)
    _tell(out, {"ready": True})
    _hush()
    while True:
        question = json.loads(lines.get())
        if "id" in question:  # else it is to make way, and has
            _tell(out, {"id": question["id"], **answer(question, config, lines.empty)})


def answer(question: Json, config: Json, undisturbed: Callable[[], bool] = lambda: True) -> Json:
    """The answer to a question; a look back goes on only as long as it is undisturbed."""
    if question["ask"] == "look":
        return _review_position(question, undisturbed)
    if question["ask"] == "side":
        setup = parse_setup_view(question["view"])
        guard = _guard(question, config, _BEFORE_THE_GAME, setup.seat)
        return {"side": guard.pick(setup), **_faults(guard)}
    view = parse_view(question["view"])
    if question["ask"] == "fallback":
        return dump_turn(fallback_turn(view))
    if question["ask"] == "hint":
        return {"hint": write_hint(hint(view, bytes.fromhex(question["key"]), config["hint_rollouts"]), view)}
    guard = _guard(question, config, view.turn, view.seat)
    return {**dump_turn(guard.decide(view)), **_faults(guard)}


class _Preempted(Exception):
    """Something else is to be done."""


def _review_position(question: Json, undisturbed: Callable[[], bool]) -> Json:
    def check_cancelled() -> None:
        if not undisturbed():
            raise _Preempted

    states, turns = positions(parse_record(question["record"].encode("utf-8")))
    place = question["turn"]
    try:
        return {
            "look": write_position_review(
                review_position(
                    states[place], turns[place], question["rollouts"], check_cancelled=check_cancelled
                )
            )
        }
    except _Preempted:
        return {"gave_way": True}


def _guard(question: Json, config: Json, number: int, seat: int | None) -> Guard:
    """The player that is asked for, guarded; what it draws follows from key, turn and seat."""
    assert seat is not None, "a player is asked with its own view"
    name = question["player"]
    stream = BulkGame(bytes.fromhex(question["key"]), number).stream(seat)
    try:
        return Guard(_make(name, stream, config), deaf=True)
    except (BrokenPlayer, UnknownPlayer) as user_error:
        return Guard(UnavailablePlayer(user_error), deaf=True)


def _make(name: str, stream: Stream, config: Json) -> Player:
    if name not in config["allowed"] or name.startswith(PREFIX):
        raise BrokenPlayer("workers.not_allowed", name=name, allowed=", ".join(config["allowed"]))
    own = name in LEVELS  # their strength is a number of rollouts, not the speed of this machine
    return make_player(name, stream, Budget() if own else Budget(config["seconds"], config["rollouts"]))


def _faults(guard: Guard) -> Json:
    """What went wrong, for everyone, and where, for the log."""
    if not guard.faults:
        return {}
    (fault,) = guard.faults
    reason = fault.details["reason"]
    key = reason.key if isinstance(reason, UserError) else ""
    return {"fault": public_fault(key), "trace": _trace(fault.__cause__)}


def _trace(error: BaseException | None) -> str:
    """Where it was raised, without what was said: that may quote what only its seat may know."""
    parts: list[str] = []
    while error is not None and len(parts) < 100:
        parts += [*traceback.format_tb(error.__traceback__), f"{type(error).__name__}\n"]
        error = error.__cause__ or error.__context__
    return "".join(parts)[-_LONGEST_TRACE:]


def _prepare(config: Json) -> Iterator[Json]:
    """Let everyone do what takes long the first time; what cannot be prepared is told, and stops nobody."""
    steps: dict[str, Callable[[], None]] = {name: partial(prepare_player, name) for name in config["allowed"]}
    if config["hints"]:
        steps[""] = prepare
    for done, (name, step) in enumerate(steps.items()):
        yield {"preparing": name, "done": done, "of": len(steps)}
        try:
            step()
        except UserError as user_error:
            yield {"broken": name, "reason": str(user_error)}
    if "sanssouci.kernel" in sys.modules:
        _load_kernel()


def _load_kernel() -> None:
    """Compiled code is read from its cache when it is first called: now, not in the first turn."""
    from sanssouci.kernel import COMPILE_UNITS, is_compiled  # noqa: PLC0415 - heavy, and not everyone needs it

    for job in _KERNEL:
        if is_compiled(job):
            COMPILE_UNITS[job]()


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The ways from and to the parent, where neither a player nor a program that it starts will find them."""
    ways = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return ways


def _hush() -> None:
    """From now on views come in, and what a player prints about them is for nobody's log."""
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)


def _listen(questions: IO[bytes], lines: "SimpleQueue[bytes]") -> None:
    for line in questions:
        lines.put(line)
    _end()


def _end() -> None:
    """Now, with all that was started here, and without a word: there is nothing to keep."""
    with suppress(AttributeError, OSError):
        if os.getpgid(0) == os.getpid():
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _tell(out: IO[bytes], document: Json) -> None:
    try:
        out.write(json.dumps(document).encode("ascii") + b"\n")
    except OSError:
        _end()
