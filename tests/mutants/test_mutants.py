"""The mutants are well formed: each patch applies, and names tests that exist. ``make mutants`` runs them."""

import shutil
from pathlib import Path

import pytest

from .__main__ import groups
from .mutant import FOLDER, Kind, Mutant, Target, all_mutants, select
from .workspace import Broken, Workspace, apply_errors

AREAS = {
    *(
        "rules",
        "kernel",
        "dealer",
        "notation",
        "editions",
        "table",
        "store",
        "server",
        "authorisation",
        "leaks",
    ),
    *("browser", "words", "players", "review", "arena", "cli", "terminal"),
}
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


@needs_git
def test_every_patch_applies() -> None:
    """A patch that no longer fits the source is named."""
    assert apply_errors([mutant.path for mutant in all_mutants()]) == {}


def test_every_named_test_exists() -> None:
    """A test that was moved or renamed is followed by the header of its patches."""
    missing = [
        f"{one.name}: {target}" for one in all_mutants() for target in one.targets if not target.is_there()
    ]
    assert missing == []


def test_there_are_many_and_every_area_has_some() -> None:
    """So that a smaller test suite cannot hide behind fewer mutants."""
    mutants = all_mutants()
    assert len(mutants) >= 100
    assert {mutant.area for mutant in mutants} >= AREAS


def test_a_mutant_is_small() -> None:
    """One fault each: a few changed lines, in the program and not in its tests."""
    for mutant in all_mutants():
        text = mutant.path.read_text(encoding="utf-8")
        changed = [line for line in text.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert 1 <= len(changed) <= 8, mutant.name
        assert all(path.startswith(("src/", "web/src/")) for path in mutant.touched), mutant.name


def test_a_header_is_read(tmp_path: Path) -> None:
    """A description and at least one target, of any kind."""
    path = tmp_path / "rules" / "one.patch"
    path.parent.mkdir()
    diff = "--- a/src/sanssouci/rules/walk.py\n+++ b/src/sanssouci/rules/walk.py\n"
    path.write_text(
        f"What is wrong.\nTests: tests/x.py::test_y -k a\nTests: vitest: web/src/x.test.ts\n{diff}",
        encoding="utf-8",
    )
    mutant = Mutant.read(path)
    assert (mutant.name, mutant.description, mutant.is_compiled) == ("rules/one", "What is wrong.", True)
    first, second = mutant.targets
    assert first == Target(Kind.PYTEST, "tests/x.py::test_y", "a") and not first.is_there()
    assert second == Target(Kind.VITEST, "web/src/x.test.ts") and str(second) == "vitest: web/src/x.test.ts"
    path.write_text(f"Tests: tests/x.py\n{diff}", encoding="utf-8")
    with pytest.raises(ValueError, match="description"):
        Mutant.read(path)


def test_mutants_are_selected_by_name_or_area() -> None:
    """An unknown name is an error, not an empty run."""
    mutants = all_mutants()
    assert select(mutants, (), ()) == mutants
    assert {mutant.area for mutant in select(mutants, (), ("store",))} == {"store"}
    one = mutants[0]
    assert select(mutants, (one.path.stem,), ()) == select(mutants, (one.name,), ()) == [one]
    with pytest.raises(ValueError, match="no such mutant or area: nowhere"):
        select(mutants, (), ("nowhere",))


def test_every_target_is_run_once_without_a_fault() -> None:
    """Targets are grouped into few runs; those with a keyword are joined."""
    mutants = all_mutants()
    runs = [target for group in groups(mutants) for target in group]
    names = {target.name for mutant in mutants for target in mutant.targets}
    assert {target.name for target in runs} == names
    in_part = [target.name for target in runs if target.keyword]
    assert len(in_part) == len(set(in_part))


@needs_git
def test_a_planted_fault_is_taken_out_again(tmp_path: Path) -> None:
    """The file is restored; a patch that does not apply raises ``Broken``."""
    mutant = next(mutant for mutant in all_mutants() if len(mutant.touched) == 1)
    file = mutant.touched[0]
    source = FOLDER.parents[1] / file
    workspace = Workspace(1, tmp_path)
    target = workspace.tree / file
    target.parent.mkdir(parents=True)
    shutil.copy2(source, target)
    with workspace.planted(mutant):
        assert target.read_bytes() != source.read_bytes()
    assert target.read_bytes() == source.read_bytes()
    target.write_bytes(b"")
    with pytest.raises(Broken, match="does not apply"), workspace.planted(mutant):
        pass
    assert target.read_bytes() == source.read_bytes()
