"""What was compiled is kept, and is never older than the rules it was compiled from."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sanssouci
from sanssouci.kernel import COMPILE_UNITS, COMPILES, compiler, precompilation
from sanssouci.kernel.trial import Trial

compiled = pytest.mark.skipif(not COMPILES, reason="there is no compiled kernel here")

SCRIPT = """
import json
from dataclasses import replace

from sanssouci.dealer import StackedDealer, prepare
from sanssouci.editions import shipped_boards
from sanssouci.kernel.compiler import CACHE
from sanssouci.kernel.layout import flatten
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import score_the_end
from sanssouci.rules import Variant, set_of
from sanssouci.rules.state import final_score
import numpy as np
import sanssouci

deal, _ = prepare(Variant(2), shipped_boards("reference"), StackedDealer(), lambda seat, view: 0)
state = deal.start()
full = set_of(range(27))  # the rows 1 to 3, hence two complete rows
state = replace(state, gardens=(replace(state.gardens[0], built=full), *state.gardens[1:]))
flat = flatten(state)
found = {
    "where": sanssouci.__file__,
    "cache": str(CACHE),
    "turns": len(state.options()),
    "turns in the kernel": int(list_turns(flat, np.empty(0, np.int64), 0)),
    "rows": final_score(state.gardens[0], state.scores[0], state.missions[0]).rows,
}
score_the_end(flat)
found["rows in the kernel"] = int(flat[8 + 14])
found["hits"] = sum(score_the_end.stats.cache_hits.values()) + sum(list_turns.stats.cache_hits.values())
print(json.dumps(found))
"""
"""Asks rules and kernel for the options of a seat and for its points of complete rows."""


class House:
    """A copy of the sources that can be edited, and a cache that all its runs share."""

    def __init__(self, folder: Path) -> None:
        self.source, self.cache = folder / "src" / "sanssouci", folder / "cache"
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(sanssouci.__file__).parent, self.source, ignore=skipped)

    def edit(self, name: str, old: str, new: str) -> None:
        """Change one place of a source."""
        path = self.source / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self) -> dict[str, Any]:
        """What kernel and rules of the copy say."""
        environment = {"XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.source.parent)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | environment,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        assert Path(found["where"]).parent == self.source
        return found


@compiled
def test_an_edited_rule_reaches_the_kernel(tmp_path: Path) -> None:
    """R20, R25: after an edit of the rules the kernel follows; undone, the first code serves again."""
    house = House(tmp_path)
    first = house.run()
    assert (first["rows"], first["rows in the kernel"]) == (8 + 7, 8 + 7)
    assert first["turns"] == first["turns in the kernel"] and first["hits"] == 0
    house.edit("rules/scoring.py", "points += 10 - row", "points += 20 - row")
    house.edit(
        "rules/walk.py", "return connected & ~gardeners & ~passed(nobles)", "return connected & ALL >> 45"
    )
    edited = house.run()
    assert (edited["rows"], edited["rows in the kernel"]) == (18 + 17, 18 + 17)
    assert edited["turns"] == edited["turns in the kernel"] < first["turns"]
    assert edited["cache"] != first["cache"]
    house.edit("rules/scoring.py", "points += 20 - row", "points += 10 - row")
    house.edit(
        "rules/walk.py", "return connected & ALL >> 45", "return connected & ~gardeners & ~passed(nobles)"
    )
    again = house.run()
    assert again.pop("hits") == 2, "nothing was compiled anew"
    assert again == {name: value for name, value in first.items() if name != "hits"}


@compiled
def test_every_source_that_is_compiled_names_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A new line in any module of rules or kernel, or a module more, is another folder."""
    rooms = Path(sanssouci.__file__).parent
    for room in ("rules", "kernel", "dealer"):
        shutil.copytree(rooms / room, tmp_path / room)
    monkeypatch.setattr(compiler, "__file__", str(tmp_path / "kernel" / "compiler.py"))
    seen = {compiler.source_digest()}
    paths = [*(tmp_path / "rules").glob("*.py"), *(tmp_path / "kernel").glob("*.py")]
    paths += [tmp_path / "dealer" / "bulk.py"]  # its constants are compiled too
    assert len(paths) > 30
    for path in (*paths, tmp_path / "rules" / "another.py"):
        with path.open("a") as file:
            file.write("#\n")
        seen.add(compiler.source_digest())
    assert len(seen) == len(paths) + 2
    assert all(len(digest) == 16 for digest in seen)


def test_a_cache_that_cannot_be_written_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file where the folder should be: nothing is kept, and nobody is troubled."""
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert compiler.cache_folder() is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    folder = compiler.cache_folder()
    assert folder is not None and folder.is_dir() and folder.name.startswith(compiler.source_digest())


@compiled
def test_a_job_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Warming up does a job and notes it beside the code; the next time there is nothing to do."""
    done: list[str] = []

    def elsewhere(job: str) -> bool:
        done.append(f"{job} elsewhere")
        return job == "greedy"

    monkeypatch.setattr(precompilation, "CACHE", tmp_path)
    monkeypatch.setattr(precompilation, "_compile_in_subprocess", elsewhere)
    monkeypatch.setitem(COMPILE_UNITS, "perft", lambda: done.append("perft here"))
    assert not precompilation.is_compiled("greedy")
    for job in ("greedy", "greedy", "perft", "perft"):
        precompilation.precompile(job)
    assert done == ["greedy elsewhere", "perft elsewhere", "perft here"], "here only if it must be"
    assert (
        precompilation.is_compiled("greedy")
        and precompilation.is_compiled("perft")
        and not precompilation.is_compiled("series")
    )


def test_a_warm_search_has_tried_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The imagined games take longest to compile: the first real search must not be the one to do it."""
    tried: list[int] = []
    play = Trial.play

    def counted(trial: Trial, games: int) -> None:
        tried.append(games)
        play(trial, games)

    monkeypatch.setattr(Trial, "play", counted)
    COMPILE_UNITS["search"]()
    assert tried


@compiled
def test_compiling_elsewhere_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that does not know the job is noticed; Ctrl-C ends the process at once."""
    assert not precompilation._compile_in_subprocess("no such job")
    started: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            if self not in started:
                started.append(self)
                raise KeyboardInterrupt
            return super().wait(timeout)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        precompilation._compile_in_subprocess("rollouts")
    assert started[0].returncode == -signal.SIGKILL


@pytest.mark.parametrize("job", COMPILE_UNITS)
def test_every_job_can_be_done(job: str) -> None:
    """What is to be compiled ahead can be called."""
    COMPILE_UNITS[job]()
