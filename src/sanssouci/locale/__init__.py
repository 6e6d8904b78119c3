"""Translations: one catalogue of messages per language, by key with named arguments, and the rule texts.

Other packages pass keys and arguments; here they become sentences.
"""

from .catalogue import LANGUAGES, UserError, printable, translate
from .option_texts import OPTION_TEXTS, OptionText
from .os_errors import os_error_reason
from .rule_texts import RULES, Chapter, Paragraph, RuleText, drawings, rule_chapters, rule_text

__all__ = [
    "LANGUAGES",
    "OPTION_TEXTS",
    "RULES",
    "Chapter",
    "OptionText",
    "Paragraph",
    "RuleText",
    "UserError",
    "drawings",
    "os_error_reason",
    "printable",
    "rule_chapters",
    "rule_text",
    "translate",
]
