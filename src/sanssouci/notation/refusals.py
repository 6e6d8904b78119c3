"""Refusals as sentences: the rule's number, then why, in the reader's language."""

from sanssouci.locale import say
from sanssouci.rules import Refusal

from .cards import write_card
from .squares import write_column, write_square

_WRITERS = {
    "card": write_card,
    "square": write_square,
    "own": write_square,
    "column": write_column,
    "motif": write_column,
}


def write_refusal(refusal: Refusal, language: str = "en") -> str:
    """Why something is not allowed: ``R20: a noble may cross a gardener ...``."""
    args = {name: _WRITERS.get(name, str)(value) for name, value in refusal.args}
    if "seat" in args:
        args["seat"] = str(int(args["seat"]) + 1)
    key = f"refusal.{refusal.code.text}"
    if refusal.code.text.startswith("wrong_") and args:
        key += "." + "_".join(sorted(args))
    return f"{refusal.rule}: {say(key, language, **args)}"
