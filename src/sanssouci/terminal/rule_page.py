"""The rules page: texts with an edition's names, and the examples as drawings."""

from rich.console import Group, RenderableType
from rich.text import Text

from sanssouci.editions import Words
from sanssouci.locale import Paragraph, RuleText, drawings, rule_chapters, rule_text

from .drawing import sketch
from .text_wrap import WrappedText


def rule_lines(number: int, words: Words) -> list[str]:
    """A rule as plain lines, without drawings."""
    rule = rule_text(number, words.language)
    texts = [words.filled(paragraph.text) for paragraph in rule.paragraphs if paragraph.text]
    return [f"R{number} {words.filled(rule.title)}", *texts]


def rule_drawing(rule: RuleText, words: Words, plain: bool) -> RenderableType:
    """A rule with its examples drawn."""
    parts: list[RenderableType] = [Text(f"R{rule.number}  {words.filled(rule.title)}", style="bold")]
    parts += [_paragraph(paragraph, words, plain) for paragraph in rule.paragraphs]
    return Group(*parts, Text(""))


def rules_page(words: Words, plain: bool) -> RenderableType:
    parts: list[RenderableType] = []
    for chapter in rule_chapters(words.language):
        parts += [Text(words.filled(chapter.title).upper(), style="bold underline"), Text("")]
        parts += [_paragraph(paragraph, words, plain) for paragraph in chapter.introduction]
        parts += [Text("")] if chapter.introduction else []
        parts += [rule_drawing(rule, words, plain) for rule in chapter.rules]
    return Group(*parts)


def _paragraph(paragraph: Paragraph, words: Words, plain: bool) -> RenderableType:
    if not paragraph.drawing:
        return WrappedText(words.filled(paragraph.text))
    if plain:
        return Text("")
    return Group(
        Text(""),
        sketch(drawings()[paragraph.drawing], words),
        WrappedText(words.translate("rules.legend")),
        Text(""),
    )
