"""Installation instructions use the distribution name and extras of pyproject.toml."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME: str = PROJECT["name"]
EXTRAS: set[str] = set(PROJECT["optional-dependencies"])
FOLDERS = ("docs", "src", "web/src", "examples", "benchmarks")
SUFFIXES = {".md", ".py", ".json", ".ts", ".svelte", ".toml", ".pl", ".html"}

_INSTALL = re.compile(
    r"\b(?:(?:pip3?|pipx|uv\s+tool|conda)\s+(?:install|download|run)|(?:uv|poetry)\s+add|uvx)\s+"
    r"((?:\\\n|[^\n`])*)"
)
_INDEX = re.compile(r"pypi\.org/project/([\w.-]+)")
_DEPENDENCIES = re.compile(r"dependencies = \[([^\]]*(?:\[[^\]]*\][^\]]*)*)\]")
_WITH_EXTRA = re.compile(r"(?<![\w./-])(sanssouci[\w.-]*)\[([\w, -]+)\]")
_REQUIREMENT = re.compile(r"(?<![\w./-])(sanssouci[\w-]*)(?![\w./-])", re.IGNORECASE)


def own_texts() -> Iterator[Path]:
    """Every file of the project that people read or programs show, except the tests."""
    yield from ROOT.glob("*.md")
    yield from (ROOT / name for name in ("Makefile", "hatch_build.py"))
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES and path.is_file() and "static" not in path.parts:
                yield path


def wrong_names(text: str) -> list[str]:
    """Mentions of distributions or extras that pyproject.toml does not define."""
    wanted = [found for match in _INSTALL.finditer(text) for found in match.groups() if found]
    wanted += _DEPENDENCIES.findall(text) + _INDEX.findall(text)
    wrong = [name for part in wanted for name in _REQUIREMENT.findall(part) if name != NAME]
    for name, extras in _WITH_EXTRA.findall(text):
        if name != NAME or not set(re.split(r"\s*,\s*", extras)) <= EXTRAS:
            wrong.append(f"{name}[{extras}]")
    return wrong


def test_every_text_names_the_distribution_of_pyproject() -> None:
    """Following the docs or a message never installs an unrelated package."""
    texts = list(own_texts())
    mentions = sum(path.read_text(encoding="utf-8").count(NAME) for path in texts)
    assert len(texts) > 300 and mentions >= 7, "the files are found"
    assert {
        str(path.relative_to(ROOT)): wrong
        for path in texts
        if (wrong := wrong_names(path.read_text(encoding="utf-8")))
    } == {}


@pytest.mark.parametrize(
    "text",
    [
        "pip install sanssouci",
        "python -m pip install --upgrade Sanssouci",
        "pip install 'sanssouci[parquet]'",
        "pip install sanssouci>=1",
        "pipx install sanssouci",
        "uv add sanssouci",
        "poetry add  sanssouci",
        "uvx sanssouci",
        "pip install \\\n  sanssouci",
        "https://pypi.org/project/sanssouci/",
        "pip install sanssouci-boardgame",
        "Parquet needs `sanssouci[parquet]`",
        f"pip install '{NAME}[excel]'",
        'dependencies = ["numpy", "sanssouci"]',
    ],
)
def test_a_wrong_name_is_found(text: str) -> None:
    """The check fails for the former name, for look-alikes and for unknown extras."""
    assert wrong_names(text)


@pytest.mark.parametrize(
    "text",
    [
        f"pip install '{NAME}[parquet]'",
        f"pip install {NAME}",
        "pip install ./sanssouci-eager",
        "pip install -e .",
        "pip uninstall sanssouci",
        f'dependencies = ["{NAME}[parquet]>=1"]',
        "`sanssouci play` opens the game",
    ],
)
def test_a_right_name_is_accepted(text: str) -> None:
    """The name itself, local paths and the command are fine."""
    assert wrong_names(text) == []


def test_the_name_is_not_the_one_of_the_unrelated_package() -> None:
    """On PyPI, `sanssouci` is a statistics package; the command keeps that name all the same."""
    assert NAME != "sanssouci" and list(PROJECT["scripts"]) == ["sanssouci"]
