"""``sanssouci rules``: prints all rules or a single one."""

import re
from typing import Annotated

import typer

from sanssouci.locale import RULES, UserError

from .game_options import Edition, one_of
from .language import Lang, set_language
from .output import out


def rules(
    rule: Annotated[str, typer.Argument(help="One rule, like R20.", metavar="[RULE]")] = "",
    edition: Edition = "ravensburger",
    lang: Lang = "",
    plain: Annotated[bool, typer.Option("--plain", help="Without drawings.")] = False,
) -> None:
    """Read the complete, numbered rules, with the terms of the edition.

    Example: sanssouci rules R20 --lang de
    """
    from sanssouci.editions import Words
    from sanssouci.locale import rule_text
    from sanssouci.rules import EDITIONS
    from sanssouci.terminal import rule_drawing, rules_page

    language = set_language(lang)
    words = Words(language, one_of("--edition", edition, EDITIONS))
    if rule:
        out().print(rule_drawing(rule_text(_number(rule), language), words, plain))
    else:
        out().print(rules_page(words, plain))


def _number(text: str) -> int:
    found = re.fullmatch(r"[rR]?([0-9]{1,2})", text)
    if found is None or int(found[1]) not in RULES:
        raise UserError("rules.unknown", text=text)
    return int(found[1])
