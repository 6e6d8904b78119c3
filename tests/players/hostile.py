"""A program that plays by the protocol until its third answer, and then does what its argument says.

It is run as a program of its own and knows nothing of this project.
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
    """Bytes, at once."""
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data) :]


def wait_for_ever() -> NoReturn:
    """And do not be told to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        time.sleep(1)


def leave_children() -> None:
    """Two that hold all pipes, one of them the child of one that has ended; deaf to what is polite."""
    deaf = "trap '' TERM INT HUP; echo $$ >> {}; sleep 1000 & wait"
    for _ in range(2):
        subprocess.Popen(["sh", "-c", deaf.format(MORE[0])])
    while not Path(MORE[0]).exists() or Path(MORE[0]).read_text().count("\n") < 2:
        time.sleep(0.01)


def for_ever(act: Callable[[], object]) -> None:
    """Again and again."""
    while True:
        act()


def close(stream: int) -> None:
    """Stay, but say or hear nothing more."""
    os.close(stream)
    if stream == 0:
        write(json.dumps(right) + "\n")
    wait_for_ever()


def drop_by_drop() -> None:
    """A line that never ends in time."""
    for sign in json.dumps(right):
        write(sign)
        time.sleep(0.05)


def die() -> None:
    """With children that live on."""
    leave_children()
    os._exit(7)


def live_on() -> None:
    """Together with children."""
    leave_children()
    wait_for_ever()


right: dict[str, Any] = {}
"""What the right answer is."""
answers: list[str] = []
"""Those that were given."""
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
DEEDS: dict[str, Callable[[], object]] = {
    "endless-line": lambda: for_ever(lambda: write(b"x" * (1 << 20))),
    "many-lines": lambda: for_ever(lambda: write(b"{}\n" * 100_000)),
    "exit": lambda: sys.exit("out of ideas"),
    "quiet-exit": lambda: os._exit(0),
    "signal": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "closes-output": lambda: close(1),
    "closes-input": lambda: close(0),
    "never": wait_for_ever,
    "children": die,
    "children-never": live_on,
    "drop-by-drop": drop_by_drop,
    "talks-for-ever": lambda: for_ever(lambda: os.write(2, b"thinking\n" * 1000)),
    "loud": lambda: os.write(2, b"all is well\n" * 100_000),
}


def answer(question: dict[str, Any]) -> None:
    """By the protocol; the third time as was asked for."""
    right.update({"type": question["type"], "id": question["id"], "side": 0})
    right["turn"] = first_turn(question["options"]) if question["type"] == "turn" else ""
    answers.append(right["turn"])
    if len(answers) == 3:
        DEEDS.get(MODE, lambda: None)()
        if MODE in LINES:
            line = LINES[MODE]()
            write(line + b"\n" if isinstance(line, bytes) else line.rstrip("\n") + "\n")
            return
    write(json.dumps(right) + "\n")


if MODE == "at-once":
    sys.exit(3)
if MODE == "deaf":
    write('{"type": "hello", "protocol": 1}\n')
    wait_for_ever()
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
            wait_for_ever()
        break
