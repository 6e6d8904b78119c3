"""Every sentence in every language: none missing, unused or untranslated, all with the same arguments."""

import ast
import json
import re
import string
from pathlib import Path

import pytest

import sanssouci
from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, UserError, translate
from sanssouci.locale.catalogue import catalogue
from sanssouci.notation import NotationError, parse_card, parse_square, write_refusal
from sanssouci.players import LEVELS, player_names
from sanssouci.rules import Code, Refusal
from sanssouci.terminal.commands import Command, read_command, spellings

SOURCE = Path(sanssouci.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]
FIELDS = {f"boards.{name}" for name in ("gardens", "rewards", "name", "pairs", "sha256", "sides", "dealt")}
FIELDS |= {"protocol.md"}
"""Fields and names of files that look like keys."""
SAME = {
    "cli.in_file",
    "word.motif_card",
    "word.tile",
    "tell.space",
    "tell.is_structure",
    "perft.line",
    "log.line",
}
"""Sentences without a word of any language, or the same in some."""


def arguments(text: str) -> set[str]:
    """The names of a sentence's arguments."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def keys_in_the_source() -> tuple[set[str], set[str]]:
    """Keys that are written out, and the beginnings of those that are put together."""
    namespaces = {key.split(".")[0] for key in catalogue("en")}
    written, begun = set(), set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
                if re.fullmatch(r"[a-z_]+\.", str(first.value)) and str(first.value)[:-1] in namespaces:
                    begun.add(str(first.value))
            elif isinstance(node, ast.Constant) and re.fullmatch(r"[a-z_]+\.[a-z_0-9]+", str(node.value)):
                written.add(str(node.value))
    known = {key for key in written if key.split(".")[0] in namespaces}
    return known - FIELDS, begun


def test_every_key_in_the_source_has_a_sentence_and_every_sentence_a_key() -> None:
    """Nothing missing, nothing unused."""
    written, begun = keys_in_the_source()
    keys = set(catalogue("en"))
    assert written - keys == set()
    assert begun == {
        "about.",
        "boards.",
        "calling.",
        "character.",
        "command.",
        "declined.",
        "help.",
        "lesson.",
        "part.",
        "reason.",
        "refusal.",
    }
    built = {"boards.front", "boards.back"} | {
        key for key in keys if key.startswith(tuple(begun - {"boards."}))
    }
    assert keys - written - built == set()


def test_families_of_keys_are_whole() -> None:
    """Every refusal and every command has its sentence; no sentence belongs to none."""
    keys = set(catalogue("en"))
    assert {key for key in keys if key.startswith("refusal.")} == {f"refusal.{code.text}" for code in Code}
    commands = {command.value for command in Command} - {"?"}
    assert {key for key in keys if key.startswith("character.")} == {
        f"character.{level}" for level in LEVELS.values()
    }
    assert {key for key in keys if key.startswith("calling.")} == {
        f"calling.{name}" for name in player_names() if name not in LEVELS
    }
    assert {key for key in keys if key.startswith("about.")} == {
        f"about.{LEVELS.get(name, name)}" for name in player_names()
    } | {"about.package"}
    assert {key for key in keys if key.startswith("command.")} == {f"command.{name}" for name in commands}
    assert {key for key in keys if key.startswith("help.")} == {
        f"help.{name}" for name in commands | {"rule"}
    }


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_sentence_with_the_same_arguments(language: str) -> None:
    """A missing key, an argument too many or too few would fail at the worst moment."""
    assert set(catalogue(language)) == set(catalogue("en"))
    for key, text in catalogue("en").items():
        assert arguments(catalogue(language)[key]) == arguments(text), key


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_translated(language: str) -> None:
    """A sentence of several words that is the same in two languages was forgotten."""
    same = {
        key
        for key, text in catalogue("en").items()
        if catalogue(language)[key] == text and len(re.findall(r"[a-z]{3,}", re.sub(r"{\w+}", "", text))) > 1
    }
    assert same <= SAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_sorted_and_without_doubles(language: str) -> None:
    """So that two people adding a sentence rarely meet, and none is lost."""
    text = (SOURCE / "locale" / f"{language}.json").read_text(encoding="utf-8")
    keys = [pair[0] for pair in json.loads(text, object_pairs_hook=list)]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said(language: str) -> None:
    """Whatever is refused is told with the rule in front; numbers that name nothing stay numbers."""
    known = {"card": 0, "space": 1, "square": 9, "own": 10, "column": 2, "seat": 0, "side": 2, "motif": 0}
    known |= {"seats": 5, "found": 1, "wanted": 5, "least": 2, "most": 4}
    for code in Code:
        names = arguments(catalogue(language)[f"refusal.{code.text}"])
        for args in (
            {name: known[name] for name in names},
            dict.fromkeys(names, 99),
            dict.fromkeys(names, -7),
        ):
            assert write_refusal(Refusal.of(code, **args), language).startswith(f"R{code.rule}: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_command_can_be_mistaken(language: str) -> None:
    """A word for a command is no card, no square, no space, and stands for one command only."""
    words = Words(language, "imperial")
    seen: dict[str, Command] = {}
    for command in Command:
        for word in spellings(command, words):
            assert seen.setdefault(word, command) is command
            assert read_command(word, words) == (command, "")
            assert not word.isdecimal() and word not in ("x", "-", "*")
            for parse in (parse_card, parse_square):
                with pytest.raises(NotationError):
                    parse(word)


def test_a_user_error_within_another_speaks_the_same_language() -> None:
    """And what it quotes is one line, not too long, nothing a terminal would obey."""
    inner = UserError("notation.square", text="\x1b[2J\n" + "x" * 1000)
    said = UserError("cli.in_file", path="a.json", sentence=inner).translate("de")
    assert said.startswith("a.json: ") and translate("notation.square", "de", text="")[-20:] in said
    assert said.isprintable() and len(said) < 500


def test_names_of_seats_fit_their_columns() -> None:
    """The words for a person and a computer are not cut in the table of scores."""
    for language in LANGUAGES:
        assert len(translate("seat.computer", language, number=4)) <= 11
        assert len(translate("seat.person", language, number=4)) <= 11


def test_french_signs_are_not_torn_off() -> None:
    """What stands before a sign in two parts stays on its line."""
    for key, text in catalogue("fr").items():
        if key.startswith(("arena.", "hint.", "player.", "reason.")):
            assert not re.search(r" [:;!?»]|« ", text), key


def test_words_that_mean_something_else_are_not_used() -> None:
    """A deal is no distribution, a thread no son, a goal no aim of life."""
    assert not [key for key, text in catalogue("de").items() if key[:6] == "arena." and "Verteilung" in text]
    assert "fils" not in translate("cli.bad_threads", "fr", threads=0, most=9)
    assert [translate("bench.goal", language) for language in LANGUAGES] == [
        "goal",
        "Ziel",
        "objectif",
        "objetivo",
    ]
