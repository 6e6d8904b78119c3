"""The project keeps its own promises: rules cited, docs run, sentences complete, files short."""

import ast
import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sanssouci
from sanssouci.cli.app import app

ROOT = Path(__file__).parent.parent
SOURCE = Path(sanssouci.__file__).parent
ROOMS = [module.name for module in pkgutil.iter_modules([str(SOURCE)]) if module.ispkg]


def all_tests() -> Iterator[tuple[str, str]]:
    """Every test with its docstring."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{path.name}::{node.name}", ast.get_docstring(node) or ""


def uncited(docstrings: list[str]) -> set[int]:
    """The rules that no docstring cites; a range cites its ends only."""
    cited = {int(number) for text in docstrings for number in re.findall(r"\bR(\d+)\b", text)}
    return set(range(1, 39)) - cited


def test_every_rule_is_cited_by_a_test() -> None:
    """No rule from the first to the last is without a test that names it."""
    docstrings = [text for _, text in all_tests()]
    assert uncited(docstrings) == set()
    assert uncited([text.replace("R31", "") for text in docstrings]) == {31}, "a missing rule is seen"


def test_every_test_reads_as_a_sentence() -> None:
    """A test says in its docstring what it is about."""
    assert [name for name, text in all_tests() if not text] == []


@pytest.mark.parametrize("room", ROOMS)
def test_all_is_exact(room: str) -> None:
    """What a room exports is what it imports into its front page."""
    module = importlib.import_module(f"sanssouci.{room}")
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert set(module.__all__) == imported
    assert len(module.__all__) == len(imported)


@pytest.mark.parametrize("page", ["README.md", "docs/kernel.md", "docs/review.md"])
def test_a_page_with_python_works(page: str) -> None:
    """Its lines of Python give what it says they give."""
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried >= 10 and failed == 0


def options(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every option of a command and of those below it."""
    for name, below in getattr(command, "commands", {}).items():
        yield from options(below, f"{path} {name}".strip())
    if path:
        for parameter in command.params:
            for flag in parameter.opts:
                if flag.startswith("--") and flag != "--help":
                    yield path, flag


def test_every_command_and_option_is_in_the_docs() -> None:
    """docs/commands.md has a section for each command, and names each of its options."""
    import typer.main

    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    found = set(options(typer.main.get_command(app), ""))
    assert len(found) > 20
    for command, flag in found:
        section = text.split(f"## sanssouci {command}\n")
        assert len(section) == 2, command
        assert f"`{flag}" in section[1].split("\n## ")[0], f"{command} {flag}"


def test_documents_link_to_files_that_exist() -> None:
    """No dead link between the project's own pages."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_architecture_names_files_that_exist() -> None:
    """Every path in ARCHITECTURE.md is one of the repository, the package or the browser's sources."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = re.findall(r"`([\w.*-]+/[\w./*-]*)`", text)
    assert len(paths) > 80
    bases = (ROOT, SOURCE, ROOT / "web" / "src")
    assert [path for path in paths if not any(list(base.glob(path)) for base in bases)] == []


def test_no_file_got_away() -> None:
    """A module is one chapter of at most 600 lines."""
    long = [
        path.name
        for folder in ("src", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if len(path.read_text(encoding="utf-8").splitlines()) > 600
    ]
    assert long == []


def test_versions_agree() -> None:
    """One version everywhere, with a line in the changelog."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{sanssouci.__version__}"' in project
    assert f"## {sanssouci.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
