"""The rules text: complete, numbered, equal in all languages, with the names of the edition."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, RULES, RuleText, drawings, rule_chapters, rule_text
from sanssouci.rules import EDITIONS
from sanssouci.terminal.drawing import sketch


def source(language: str) -> str:
    """The text of a language with placeholders."""
    return files("sanssouci.locale").joinpath("rules", f"{language}.md").read_text(encoding="utf-8")


def parts(rule: RuleText) -> tuple[list[str], Counter[str], list[str]]:
    """The parts that are equal in all languages: drawings, placeholders, squares."""
    text = " ".join([rule.title, *(paragraph.text for paragraph in rule.paragraphs)])
    shown = [paragraph.drawing for paragraph in rule.paragraphs]
    return shown, Counter(re.findall(r"\{(\w+)\}", text)), sorted(set(re.findall(r"\b[a-i][1-6]\b", text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_there_in_order(language: str) -> None:
    """R1 to R38 occur once each, in order, with a title and a text."""
    rules = [rule for chapter in rule_chapters(language) for rule in chapter.rules]
    assert [rule.number for rule in rules] == list(RULES)
    for rule in rules:
        assert rule.title and any(paragraph.text for paragraph in rule.paragraphs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_same_parts(language: str) -> None:
    """R1-R38: every language has the same placeholders, squares, drawings and paragraphs."""
    for number in RULES:
        assert parts(rule_text(number, language)) == parts(rule_text(number, "en")), f"R{number}"
    assert len(rule_chapters(language)) == len(rule_chapters("en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_placeholder_is_filled(language: str, edition: str) -> None:
    """Every edition fills every placeholder."""
    words = Words(language, edition)
    text = words.filled(source(language))
    assert "{" not in text and "}" not in text
    assert all({**words.motifs(), **words.rows(), **words.expansions()}.values())
    assert words.motif(7) in text and words.row(6) in text


def test_drawings_are_used_and_can_be_drawn() -> None:
    """Drawings have six lines of nine characters, and each is used by a rule."""
    used = {p.drawing for n in RULES for p in rule_text(n, "en").paragraphs if p.drawing}
    assert used == set(drawings())
    for drawing in drawings().values():
        assert [len(line) for line in drawing.split()] == [9] * 6
        lines = str(sketch(drawing, Words("de", "ravensburger"))).split("\n")
        assert len(lines) == 9 and max(map(len, lines)) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_translated(language: str) -> None:
    """No line of several words equals the English text."""
    if language != "en":
        same = set(source(language).split("\n")) & set(source("en").split("\n"))
        assert {line for line in same if len(line.split()) > 3} == set()
