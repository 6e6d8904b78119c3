"""The rules in the project's own words: one text per language, the examples as drawings they share.

Names of motifs, rows and expansions are left open, as ``{c}``, ``{3}``, ``{rewards}``; an edition fills them.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

RULES = range(1, 39)

_HEADING = re.compile(r"### R(\d+) (.+)")
_DRAWING = re.compile(r"\[drawing: ([a-z-]+)\]")


@dataclass(frozen=True)
class Paragraph:
    """Some sentences, or a drawing by its name."""

    text: str = ""
    drawing: str = ""


@dataclass(frozen=True)
class RuleText:
    """One rule: its number, what it is about, and what it says."""

    number: int
    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Chapter:
    """Rules that belong together; the first chapter has the title of the whole and an introduction."""

    title: str
    introduction: tuple[Paragraph, ...]
    rules: tuple[RuleText, ...]


@cache
def rule_chapters(language: str) -> tuple[Chapter, ...]:
    """All rules of a language, in order."""
    text = files("sanssouci.locale").joinpath("rules", f"{language}.md").read_text(encoding="utf-8")
    parts = re.split(r"^#{1,2} ", text, flags=re.MULTILINE)[1:]
    return tuple(_chapter(part) for part in parts)


@cache
def rule_text(number: int, language: str) -> RuleText:
    """One rule in a language."""
    rules = {rule.number: rule for chapter in rule_chapters(language) for rule in chapter.rules}
    return rules[number]


@cache
def drawings() -> dict[str, str]:
    """The drawings by name: six lines of nine signs; the file explains the signs."""
    text = files("sanssouci.locale").joinpath("rules", "drawings.toml").read_text(encoding="utf-8")
    return {name: table["garden"].strip() for name, table in tomllib.loads(text).items()}


def _chapter(part: str) -> Chapter:
    title, _, body = part.partition("\n")
    introduction, *rules = re.split(r"^(?=### )", body, flags=re.MULTILINE)
    return Chapter(title.strip(), _paragraphs(introduction), tuple(_rule(rule) for rule in rules))


def _rule(part: str) -> RuleText:
    heading, _, body = part.partition("\n")
    found = _HEADING.fullmatch(heading.strip())
    if found is None:
        raise ValueError(f"no heading of a rule: {heading}")
    return RuleText(int(found[1]), found[2], _paragraphs(body))


def _paragraphs(body: str) -> tuple[Paragraph, ...]:
    # Only line breaks are folded: French keeps its no-break spaces.
    blocks = [block.strip().replace("\n", " ") for block in body.strip().split("\n\n") if block.strip()]
    return tuple(_paragraph(block) for block in blocks)


def _paragraph(block: str) -> Paragraph:
    drawing = _DRAWING.fullmatch(block)
    return Paragraph(drawing=drawing[1]) if drawing else Paragraph(block)
