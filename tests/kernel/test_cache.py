"""Compiled code is cached, and never older than the rules from which it was compiled."""

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
"""Compares the options and the points for complete rows between rules and kernel."""


class SourceCopy:
    """An editable copy of the sources, and a cache that all its runs share."""

    def __init__(self, folder: Path) -> None:
        self.source, self.cache = folder / "src" / "sanssouci", folder / "cache"
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(sanssouci.__file__).parent, self.source, ignore=skipped)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.source / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self) -> dict[str, Any]:
        """The results of rules and kernel in the copy."""
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
    """R20, R25: an edit of the rules reaches the kernel; after undoing it, the first cache is used again."""
    copy = SourceCopy(tmp_path)
    first = copy.run()
    assert (first["rows"], first["rows in the kernel"]) == (8 + 7, 8 + 7)
    assert first["turns"] == first["turns in the kernel"] and first["hits"] == 0
    copy.edit("rules/scoring.py", "points += 10 - row", "points += 20 - row")
    copy.edit(
        "rules/walk.py", "return connected & ~gardeners & ~passed(nobles)", "return connected & ALL >> 45"
    )
    edited = copy.run()
    assert (edited["rows"], edited["rows in the kernel"]) == (18 + 17, 18 + 17)
    assert edited["turns"] == edited["turns in the kernel"] < first["turns"]
    assert edited["cache"] != first["cache"]
    copy.edit("rules/scoring.py", "points += 20 - row", "points += 10 - row")
    copy.edit(
        "rules/walk.py", "return connected & ALL >> 45", "return connected & ~gardeners & ~passed(nobles)"
    )
    again = copy.run()
    assert again.pop("hits") == 2, "nothing was compiled again"
    assert again == {name: value for name, value in first.items() if name != "hits"}


@compiled
def test_the_cache_depends_on_every_compiled_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Changing or adding any module of rules, kernel or network changes the cache folder."""
    packages = Path(sanssouci.__file__).parent
    for package in ("rules", "kernel", "network", "dealer", "env"):
        shutil.copytree(packages / package, tmp_path / package)
    monkeypatch.setattr(compiler, "__file__", str(tmp_path / "kernel" / "compiler.py"))
    seen = {compiler.source_digest()}
    paths = [path for package in ("rules", "kernel", "network") for path in (tmp_path / package).glob("*.py")]
    # The constants of the dealer and of the specification are compiled too.
    paths += [tmp_path / name for name in ("dealer/bulk.py", "env/compiled.py", "env/spec.py")]
    assert len(paths) > 30
    for path in (*paths, tmp_path / "rules" / "another.py"):
        with path.open("a") as file:
            file.write("#\n")
        seen.add(compiler.source_digest())
    assert len(seen) == len(paths) + 2
    assert all(len(digest) == 16 for digest in seen)


@compiled
def test_a_unit_is_compiled_for_each_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A copy of the same sources, or the same files written again, needs compilation: Numba says so."""
    monkeypatch.setattr(precompilation, "CACHE", tmp_path)
    monkeypatch.setattr(precompilation, "_compile_in_subprocess", lambda unit: True)
    for name in ("one", "two"):
        kernel = tmp_path / name / "kernel"
        for package in ("rules", "kernel", "network", "dealer", "env"):
            shutil.copytree(Path(sanssouci.__file__).parent / package, tmp_path / name / package)
        monkeypatch.setattr(compiler, "__file__", str(kernel / "compiler.py"))
        assert not precompilation.is_compiled("greedy")
        precompilation.precompile("greedy")
        assert precompilation.is_compiled("greedy")
        os.utime(kernel / "play.py", (1, 1))
        assert not precompilation.is_compiled("greedy")


def test_an_unwritable_cache_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If the cache folder cannot be created, nothing is cached and nothing fails."""
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert compiler.cache_folder() is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    folder = compiler.cache_folder()
    assert folder is not None and folder.is_dir() and folder.name.startswith(compiler.source_digest())


@compiled
def test_a_unit_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Precompiling leaves a mark next to the cached code, so that the next call does nothing."""
    done: list[str] = []

    def compile_in_subprocess(job: str) -> bool:
        done.append(f"{job} in subprocess")
        return job == "greedy"

    monkeypatch.setattr(precompilation, "CACHE", tmp_path)
    monkeypatch.setattr(precompilation, "_compile_in_subprocess", compile_in_subprocess)
    monkeypatch.setitem(COMPILE_UNITS, "perft", lambda: done.append("perft here"))
    assert not precompilation.is_compiled("greedy")
    for job in ("greedy", "greedy", "perft", "perft"):
        precompilation.precompile(job)
    assert done == ["greedy in subprocess", "perft in subprocess", "perft here"], "here only as fallback"
    assert (
        precompilation.is_compiled("greedy")
        and precompilation.is_compiled("perft")
        and not precompilation.is_compiled("series")
    )


def test_precompiling_the_search_plays_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rollouts take longest to compile, so precompiling the search must play some."""
    tried: list[int] = []
    play = Trial.play

    def counting_play(trial: Trial, games: int) -> None:
        tried.append(games)
        play(trial, games)

    monkeypatch.setattr(Trial, "play", counting_play)
    COMPILE_UNITS["search"]()
    assert tried


@compiled
def test_compiling_in_a_subprocess_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A subprocess with an unknown unit fails; Ctrl-C kills the subprocess at once."""
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
def test_every_unit_can_be_compiled(job: str) -> None:
    """Every compile unit can be called."""
    COMPILE_UNITS[job]()
