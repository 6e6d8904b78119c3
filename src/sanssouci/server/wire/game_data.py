"""What the library answers: names and rules."""

from .scalars import Language, Rule, WireDict


class WordsAnswer(WireDict):
    """What everything is called in an edition."""

    language: Language
    """Of the names."""
    motifs: dict[str, str]
    """By the letters of their columns, `a` to `i`."""
    rows: dict[str, str]
    """The colours of rows `1` to `6`."""
    expansions: dict[str, str]
    """`rewards` and `wild_boar`."""


class RuleParagraph(WireDict):
    """Some sentences, or a drawing."""

    text: str
    """Empty where there is a drawing."""
    drawing: str | None
    """Six lines of nine signs, the palace above: `.` free, `#` built, `%` gardener, `&` boar, `N` a noble on
    a built square, `T` built, and its noble on the terrace, `*` what the text speaks of, `1 2 3 g - =` marks
    of a reward board."""


class RuleEntry(WireDict):
    """One rule."""

    rule: Rule
    """Its number, as refusals name it."""
    title: str
    """What it is about."""
    paragraphs: list[RuleParagraph]
    """What it says."""


class RuleChapter(WireDict):
    """Rules that belong together."""

    title: str
    """Of the first: that of the whole."""
    introduction: list[RuleParagraph]
    """What comes before its rules."""
    rules: list[RuleEntry]
    """In order."""


class RulesAnswer(WireDict):
    """All rules."""

    language: Language
    """Of the texts."""
    chapters: list[RuleChapter]
    """In order."""
