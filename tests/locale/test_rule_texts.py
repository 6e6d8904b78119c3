"""The rules page: complete, numbered, the same in every language, with the edition's names."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, RULES, RuleText, drawings, rule_chapters, rule_text
from sanssouci.rules import EDITIONS
from sanssouci.terminal.drawing import sketch


def source(language: str) -> str:
    """A text as it is written."""
    return files("sanssouci.locale").joinpath("rules", f"{language}.md").read_text(encoding="utf-8")


def parts(rule: RuleText) -> tuple[list[str], Counter[str], list[str]]:
    """What must be the same in every language: drawings, open names, squares."""
    text = " ".join([rule.title, *(paragraph.text for paragraph in rule.paragraphs)])
    shown = [paragraph.drawing for paragraph in rule.paragraphs]
    return shown, Counter(re.findall(r"\{(\w+)\}", text)), sorted(set(re.findall(r"\b[a-i][1-6]\b", text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_there_in_order(language: str) -> None:
    """R1 to R38, each once, each with a title and a text."""
    rules = [rule for chapter in rule_chapters(language) for rule in chapter.rules]
    assert [rule.number for rule in rules] == list(RULES)
    for rule in rules:
        assert rule.title and any(paragraph.text for paragraph in rule.paragraphs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_says_as_much(language: str) -> None:
    """R1-R38: the same names, squares, drawings and paragraphs as the English."""
    for number in RULES:
        assert parts(rule_text(number, language)) == parts(rule_text(number, "en")), f"R{number}"
    assert len(rule_chapters(language)) == len(rule_chapters("en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_name_is_left_open(language: str, edition: str) -> None:
    """Every open name is one that an edition fills in."""
    words = Words(language, edition)
    text = words.filled(source(language))
    assert "{" not in text and "}" not in text
    assert all({**words.motifs(), **words.rows(), **words.expansions()}.values())
    assert words.motif(7) in text and words.row(6) in text


def test_drawings_are_used_and_can_be_drawn() -> None:
    """Six lines of nine signs; each belongs to a rule."""
    used = {p.drawing for n in RULES for p in rule_text(n, "en").paragraphs if p.drawing}
    assert used == set(drawings())
    for drawing in drawings().values():
        assert [len(line) for line in drawing.split()] == [9] * 6
        lines = str(sketch(drawing, Words("de", "ravensburger"))).split("\n")
        assert len(lines) == 9 and max(map(len, lines)) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_is_not_the_english_one(language: str) -> None:
    """Translated, not copied."""
    if language != "en":
        same = set(source(language).split("\n")) & set(source("en").split("\n"))
        assert {line for line in same if len(line.split()) > 3} == set()
