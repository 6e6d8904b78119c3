"""The mutants are valid: each patch applies, and its tests exist. ``make mutants`` runs them."""

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
    *("browser", "words", "players", "network", "review", "arena", "cli", "terminal"),
}
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


@needs_git
def test_every_patch_applies() -> None:
    """Every patch applies to the current source."""
    assert apply_errors([mutant.path for mutant in all_mutants()]) == {}


def test_every_named_test_exists() -> None:
    """The tests named in the headers exist."""
    missing = [
        f"{one.name}: {target}" for one in all_mutants() for target in one.targets if not target.exists()
    ]
    assert missing == []


def test_every_area_has_mutants() -> None:
    """There are at least 100 mutants, and some in every area."""
    mutants = all_mutants()
    assert len(mutants) >= 100
    assert {mutant.area for mutant in mutants} >= AREAS


def test_a_mutant_is_small() -> None:
    """A mutant changes a few lines of the source, and no tests."""
    for mutant in all_mutants():
        text = mutant.path.read_text(encoding="utf-8")
        changed = [line for line in text.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert 1 <= len(changed) <= 8, mutant.name
        assert all(path.startswith(("src/", "web/src/")) for path in mutant.touched), mutant.name


def test_a_header_is_read(tmp_path: Path) -> None:
    """A header has a description and at least one target of any kind."""
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
    assert first == Target(Kind.PYTEST, "tests/x.py::test_y", "a") and not first.exists()
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
    """Targets are grouped into few runs, and keywords of the same test are joined."""
    mutants = all_mutants()
    runs = [target for group in groups(mutants) for target in group]
    names = {target.name for mutant in mutants for target in mutant.targets}
    assert {target.name for target in runs} == names
    with_keywords = [target.name for target in runs if target.keyword]
    assert len(with_keywords) == len(set(with_keywords))


@needs_git
def test_a_mutant_is_reverted(tmp_path: Path) -> None:
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
