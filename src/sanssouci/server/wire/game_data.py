"""What the library answers: names and rules."""

from typing import Annotated

from pydantic import Field

from .scalars import Language, Rule, WireModel


class WordsAnswer(WireModel):
    """What everything is called in an edition."""

    language: Annotated[Language, Field(description="Of the names.")]
    motifs: Annotated[dict[str, str], Field(description="By the letters of their columns, `a` to `i`.")]
    rows: Annotated[dict[str, str], Field(description="The colours of rows `1` to `6`.")]
    expansions: Annotated[dict[str, str], Field(description="`rewards` and `wild_boar`.")]


class RuleParagraph(WireModel):
    """Some sentences, or a drawing."""

    text: Annotated[str, Field(description="Empty where there is a drawing.")]
    drawing: Annotated[
        str | None,
        Field(
            description="Six lines of nine signs, the palace above: `.` free, `#` built, `%` gardener,"
            " `&` boar, `N` a noble on a built square, `T` built, and its noble on the terrace, `*` what the"
            " text speaks of, `1 2 3 g - =` marks of a reward board."
        ),
    ]


class RuleEntry(WireModel):
    """One rule."""

    rule: Annotated[Rule, Field(description="Its number, as refusals name it.")]
    title: Annotated[str, Field(description="What it is about.")]
    paragraphs: Annotated[list[RuleParagraph], Field(description="What it says.")]


class RuleChapter(WireModel):
    """Rules that belong together."""

    title: Annotated[str, Field(description="Of the first: that of the whole.")]
    introduction: Annotated[list[RuleParagraph], Field(description="What comes before its rules.")]
    rules: Annotated[list[RuleEntry], Field(description="In order.")]


class RulesAnswer(WireModel):
    """All rules."""

    language: Annotated[Language, Field(description="Of the texts.")]
    chapters: Annotated[list[RuleChapter], Field(description="In order.")]
