"""Project conventions: rules are cited, docs are correct, tests have docstrings, files are short."""

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
PACKAGES = [module.name for module in pkgutil.iter_modules([str(SOURCE)]) if module.ispkg]


def all_tests() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{path.name}::{node.name}", ast.get_docstring(node) or ""


def uncited(docstrings: list[str]) -> set[int]:
    """The rules that no docstring cites; a range cites its ends only."""
    cited = {int(number) for text in docstrings for number in re.findall(r"\bR(\d+)\b", text)}
    return set(range(1, 39)) - cited


def test_every_rule_is_cited_by_a_test() -> None:
    """Every rule is cited by the docstring of a test."""
    docstrings = [text for _, text in all_tests()]
    assert uncited(docstrings) == set()
    assert uncited([text.replace("R31", "") for text in docstrings]) == {31}, "a missing rule is found"


def test_every_test_has_a_docstring() -> None:
    """Every test has a docstring."""
    assert [name for name, text in all_tests() if not text] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_all_is_exact(package: str) -> None:
    """``__all__`` of a package lists exactly the names that its ``__init__`` imports."""
    if package == "jax":
        pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")
    module = importlib.import_module(f"sanssouci.{package}")
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert set(module.__all__) == imported
    assert len(module.__all__) == len(imported)


@pytest.mark.parametrize("page", ["README.md", "docs/kernel.md", "docs/review.md"])
def test_python_examples_in_docs_work(page: str) -> None:
    """The Python examples on a page give the output that it shows."""
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried >= 10 and failed == 0


def options(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every option of a command and its subcommands."""
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from options(subcommand, f"{path} {name}".strip())
    if path:
        for parameter in command.params:
            for flag in parameter.opts:
                if flag.startswith("--") and flag != "--help":
                    yield path, flag


def parameters(command: Any) -> Iterator[Any]:
    """Every parameter of a command and its subcommands."""
    yield from command.params
    for subcommand in getattr(command, "commands", {}).values():
        yield from parameters(subcommand)


def test_help_describes_only_computed_defaults() -> None:
    """Help shows a fixed default itself: words in its place could describe another one."""
    import typer.main

    described = [
        each for each in parameters(typer.main.get_command(app)) if isinstance(each.show_default, str)
    ]
    assert len(described) > 10
    assert [each.name for each in described if each.default] == []


def test_every_command_and_option_is_in_the_docs() -> None:
    """docs/commands.md has a section for each command and mentions each of its options."""
    import typer.main

    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    found = set(options(typer.main.get_command(app), ""))
    assert len(found) > 20
    for command, flag in found:
        section = text.split(f"## sanssouci {command}\n")
        assert len(section) == 2, command
        assert f"`{flag}" in section[1].split("\n## ")[0], f"{command} {flag}"


def anchors(page: Path) -> set[str]:
    """A page's anchors: its own, and those of headings as GitHub derives them; repeated ones get a number."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found[slug] = found.get(slug, 0) + 1
    headings = {slug if n == 0 else f"{slug}-{n}" for slug, count in found.items() for n in range(count)}
    return headings | set(re.findall(r'<a id="([^"]+)"', text))


def broken_links(page: Path, text: str) -> list[str]:
    """The relative links of a page whose file or anchor does not exist."""
    broken = []
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
        file = page.parent / target if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(f"{target}#{anchor}" if anchor else target)
    return broken


def test_documents_link_to_files_and_headings_that_exist() -> None:
    """Links between the project's documents are not broken, nor are their anchors."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert broken_links(page, page.read_text(encoding="utf-8")) == [], page.name
    sample = "[a](#layers) [b](docs/store.md) [c](#nowhere) [d](docs/hosting.md#nowhere) [e](docs/none.md)"
    assert broken_links(ROOT / "ARCHITECTURE.md", sample) == [
        "#nowhere",
        "docs/hosting.md#nowhere",
        "docs/none.md",
    ]


def test_the_architecture_names_files_that_exist() -> None:
    """Every path in ARCHITECTURE.md exists in the repository, the package or the browser sources."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = re.findall(r"`([\w.*-]+/[\w./*-]*)`", text)
    assert len(paths) > 80
    bases = (ROOT, SOURCE, ROOT / "web" / "src")
    assert [path for path in paths if not any(list(base.glob(path)) for base in bases)] == []


def test_no_module_is_too_long() -> None:
    """A module has at most 600 lines."""
    long = [
        path.name
        for folder in ("src", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if len(path.read_text(encoding="utf-8").splitlines()) > 600
    ]
    assert long == []


def test_versions_agree() -> None:
    """The version is the same in the package and pyproject.toml, and the changelog has a section for it."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{sanssouci.__version__}"' in project
    assert f"## {sanssouci.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_browser_tests_wait_for_functions() -> None:
    """``wait_for_function`` gets a function: the security policy lets it evaluate a string only once."""
    paths = [*(ROOT / "tests" / "browser").rglob("*.py"), *(ROOT / "benchmarks" / "browser").rglob("*.py")]
    string_argument = re.compile(r'wait_for_function\(\s*"(?!\()')
    assert [path.name for path in paths if string_argument.search(path.read_text(encoding="utf-8"))] == []
    assert string_argument.search('page.wait_for_function("heard.length")')


def test_browser_tests_ignore_the_live_region() -> None:
    """``expect`` with a text of a whole page uses ``text_on_screen``: the live region may repeat the text."""
    paths = (ROOT / "tests" / "browser").rglob("*.py")
    whole_page = re.compile(r"expect\(\w+\.get_by_text\(")
    assert [path.name for path in paths if whole_page.search(path.read_text(encoding="utf-8"))] == []
    assert whole_page.search('expect(page.get_by_text("Taken"))')
