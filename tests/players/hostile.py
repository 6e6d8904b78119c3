"""An engine that follows the protocol until its third answer, and then misbehaves as its argument says.

It runs as a separate program and imports nothing of this project.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

MODE, *MORE = sys.argv[1:]


def first_turn(options: dict[str, Any]) -> str:
    """The first turn of the tables."""
    card, spaces = next(iter(options["cards"].items()))
    tile = options["spaces"][str(spaces[0])][0]
    boar = options["boar"].get(tile)
    return f"{card}@{spaces[0]}-{tile}" + (f"~{boar[0]}" if boar else "")


def write(text: str | bytes) -> None:
    """Write to standard output without buffering."""
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data) :]


def wait_forever() -> NoReturn:
    """Ignore SIGTERM and SIGINT."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        time.sleep(1)


def leave_children() -> None:
    """Start two processes that keep all pipes open and ignore signals, and wait for their pids."""
    ignoring = "trap '' TERM INT HUP; echo $$ >> {}; sleep 1000 & wait"
    for _ in range(2):
        subprocess.Popen(["sh", "-c", ignoring.format(MORE[0])])
    while not Path(MORE[0]).exists() or Path(MORE[0]).read_text().count("\n") < 2:
        time.sleep(0.01)


def repeat(act: Callable[[], object]) -> None:
    while True:
        act()


def close(stream: int) -> None:
    """Close a stream and stay alive."""
    os.close(stream)
    if stream == 0:
        write(json.dumps(right) + "\n")
    wait_forever()


def write_slowly() -> None:
    """Write the answer so slowly that it never ends in time."""
    for sign in json.dumps(right):
        write(sign)
        time.sleep(0.05)


def die() -> None:
    """Exit with child processes still running."""
    leave_children()
    os._exit(7)


def live_on() -> None:
    """Stay alive with child processes."""
    leave_children()
    wait_forever()


right: dict[str, Any] = {}
"""The correct answer."""
answers: list[str] = []
"""The answers given."""
LINES: dict[str, Callable[[], str | bytes]] = {
    "garbage": lambda: "I play the card with the rose",
    "binary": lambda: bytes(range(256)),
    "deep": lambda: "[" * 60_000,
    "huge-number": lambda: '{"type": "turn", "id": ' + "9" * 5000 + "}",
    "not-a-number": lambda: '{"type": "turn", "id": NaN}',
    "twice-a-key": lambda: '{"type": "turn", "type": "turn"}',
    "a-list": lambda: json.dumps([right]),
    "no-type": lambda: json.dumps({"id": right["id"]}),
    "no-id": lambda: json.dumps({"type": "turn", "turn": right["turn"]}),
    "true-id": lambda: json.dumps(right | {"id": True}),
    "old-id": lambda: json.dumps(right | {"id": right["id"] - 1}),
    "other-type": lambda: json.dumps({"type": "pick", "id": right["id"], "side": 0}),
    "no-turn": lambda: json.dumps({"type": "turn", "id": right["id"]}),
    "no-text": lambda: json.dumps(right | {"turn": ["a"]}),
    "no-notation": lambda: json.dumps(right | {"turn": "pass"}),
    "stale": lambda: json.dumps(right | {"turn": answers[-2]}),
    "illegal": lambda: json.dumps(right | {"turn": right["turn"] + "/a6"}),
    "error": lambda: json.dumps({"type": "error", "id": right["id"], "message": "I am\nlost"}),
    "twice": lambda: (json.dumps(right) + "\n") * 2,
    "early": lambda: json.dumps(right) + "\n" + json.dumps(right | {"id": right["id"] + 1}),
}
ACTIONS: dict[str, Callable[[], object]] = {
    "endless-line": lambda: repeat(lambda: write(b"x" * (1 << 20))),
    "many-lines": lambda: repeat(lambda: write(b"{}\n" * 100_000)),
    "exit": lambda: sys.exit("out of ideas"),
    "quiet-exit": lambda: os._exit(0),
    "signal": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "closes-output": lambda: close(1),
    "closes-input": lambda: close(0),
    "never": wait_forever,
    "children": die,
    "children-never": live_on,
    "drop-by-drop": write_slowly,
    "talks-for-ever": lambda: repeat(lambda: os.write(2, b"thinking\n" * 1000)),
    "loud": lambda: os.write(2, b"all is well\n" * 100_000),
}


def answer(question: dict[str, Any]) -> None:
    """Answer by the protocol; the third time as ``MODE`` says."""
    right.update({"type": question["type"], "id": question["id"], "side": 0})
    right["turn"] = first_turn(question["options"]) if question["type"] == "turn" else ""
    answers.append(right["turn"])
    if len(answers) == 3:
        ACTIONS.get(MODE, lambda: None)()
        if MODE in LINES:
            line = LINES[MODE]()
            write(line + b"\n" if isinstance(line, bytes) else line.rstrip("\n") + "\n")
            return
    write(json.dumps(right) + "\n")


if MODE == "at-once":
    sys.exit(3)
if MODE == "deaf":
    write('{"type": "hello", "protocol": 1}\n')
    wait_forever()
if MODE == "before-hello":
    write('{"type": "hello", "protocol": 1}\n{"type": "turn", "id": 1, "turn": "a@0-a2"}\n')
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        write(json.dumps({"type": "hello", "protocol": 1 + (MODE == "protocol-2"), "unknown": [{}]}) + "\n")
    elif message["type"] in ("pick", "turn"):
        answer(message)
    elif message["type"] == "quit":
        if MODE == "good-bye":
            Path(MORE[0]).touch()
        if MODE == "stays":
            wait_forever()
        break
