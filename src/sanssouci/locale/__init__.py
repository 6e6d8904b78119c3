"""Sentences for people: one catalogue per language, keyed, with named arguments.

Everything below the edges speaks in keys and arguments; here they become sentences.
"""

from .catalogue import LANGUAGES, Complaint, say

__all__ = ["LANGUAGES", "Complaint", "say"]
