"""Sentences for people: one catalogue per language, keyed, with named arguments; and the rules' texts.

Everything below the edges speaks in keys and arguments; here they become sentences.
"""

from .catalogue import LANGUAGES, Complaint, say, shown
from .option_texts import OPTION_TEXTS, OptionText
from .rule_texts import RULES, Chapter, Paragraph, RuleText, drawings, rule_chapters, rule_text
from .trouble import trouble

__all__ = [
    "LANGUAGES",
    "OPTION_TEXTS",
    "RULES",
    "Chapter",
    "Complaint",
    "OptionText",
    "Paragraph",
    "RuleText",
    "drawings",
    "rule_chapters",
    "rule_text",
    "say",
    "shown",
    "trouble",
]
