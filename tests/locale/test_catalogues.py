"""Translations: no message is missing, unused or untranslated, and all have the same arguments."""

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
from sanssouci.rules import Refusal, RefusalCode
from sanssouci.terminal.commands import Command, read_command, spellings

SOURCE = Path(sanssouci.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]
LOOK_LIKE_KEYS = {
    f"boards.{name}" for name in ("gardens", "rewards", "name", "pairs", "sha256", "sides", "dealt")
}
LOOK_LIKE_KEYS |= {"protocol.md"}
"""Field and file names that look like keys."""
SAME_IN_ALL_LANGUAGES = {
    "cli.in_file",
    "word.motif_card",
    "word.tile",
    "turn_text.space",
    "turn_text.is_structure",
    "perft.line",
    "log.line",
}
"""Messages without words, or equal in some languages."""


def arguments(text: str) -> set[str]:
    """The names of the arguments of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def keys_in_the_source() -> tuple[set[str], set[str]]:
    """Literal keys, and the prefixes of computed ones."""
    namespaces = {key.split(".")[0] for key in catalogue("en")}
    literals, prefixes = set(), set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
                if re.fullmatch(r"[a-z_]+\.", str(first.value)) and str(first.value)[:-1] in namespaces:
                    prefixes.add(str(first.value))
            elif isinstance(node, ast.Constant) and re.fullmatch(r"[a-z_]+\.[a-z_0-9]+", str(node.value)):
                literals.add(str(node.value))
    known = {key for key in literals if key.split(".")[0] in namespaces}
    return known - LOOK_LIKE_KEYS, prefixes


def test_no_message_is_missing_or_unused() -> None:
    """Every key in the source has a message, and every message is used."""
    literals, prefixes = keys_in_the_source()
    keys = set(catalogue("en"))
    assert literals - keys == set()
    assert prefixes == {
        "about.",
        "boards.",
        "player_name.",
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
        key for key in keys if key.startswith(tuple(prefixes - {"boards."}))
    }
    assert keys - literals - built == set()


def test_families_of_keys_are_complete() -> None:
    """Every refusal, command and player has its messages, and there are no others."""
    keys = set(catalogue("en"))
    assert {key for key in keys if key.startswith("refusal.")} == {
        f"refusal.{code.text}" for code in RefusalCode
    }
    commands = {command.value for command in Command} - {"?"}
    assert {key for key in keys if key.startswith("character.")} == {
        f"character.{level}" for level in LEVELS.values()
    }
    assert {key for key in keys if key.startswith("player_name.")} == {
        f"player_name.{name}" for name in player_names() if name not in LEVELS
    }
    assert {key for key in keys if key.startswith("about.")} == {
        f"about.{LEVELS.get(name, name)}" for name in player_names()
    } | {"about.package"}
    assert {key for key in keys if key.startswith("command.")} == {f"command.{name}" for name in commands}
    assert {key for key in keys if key.startswith("help.")} == {
        f"help.{name}" for name in commands | {"rule"}
    }


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_keys_and_arguments(language: str) -> None:
    """Every language has the keys of English, each with the same arguments."""
    assert set(catalogue(language)) == set(catalogue("en"))
    for key, text in catalogue("en").items():
        assert arguments(catalogue(language)[key]) == arguments(text), key


@pytest.mark.parametrize("language", OTHERS)
def test_messages_are_translated(language: str) -> None:
    """A message of several words that equals the English one was not translated."""
    same = {
        key
        for key, text in catalogue("en").items()
        if catalogue(language)[key] == text and len(re.findall(r"[a-z]{3,}", re.sub(r"{\w+}", "", text))) > 1
    }
    assert same <= SAME_IN_ALL_LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_sorted_without_duplicates(language: str) -> None:
    """Keys are sorted and unique, which avoids merge conflicts and lost messages."""
    text = (SOURCE / "locale" / f"{language}.json").read_text(encoding="utf-8")
    keys = [pair[0] for pair in json.loads(text, object_pairs_hook=list)]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_translated(language: str) -> None:
    """Every refusal starts with its rule; invalid numbers are shown as numbers."""
    known = {"card": 0, "space": 1, "square": 9, "own": 10, "column": 2, "seat": 0, "side": 2, "motif": 0}
    known |= {"seats": 5, "found": 1, "wanted": 5, "least": 2, "most": 4}
    for code in RefusalCode:
        names = arguments(catalogue(language)[f"refusal.{code.text}"])
        for args in (
            {name: known[name] for name in names},
            dict.fromkeys(names, 99),
            dict.fromkeys(names, -7),
        ):
            assert write_refusal(Refusal.of(code, **args), language).startswith(f"R{code.rule}: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_are_unambiguous(language: str) -> None:
    """A command word is no card, square or space, and belongs to one command only."""
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


def test_nested_user_errors_are_translated() -> None:
    """A nested error is translated too, and quoted text is short and printable."""
    inner = UserError("notation.square", text="\x1b[2J\n" + "x" * 1000)
    message = UserError("cli.in_file", path="a.json", sentence=inner).translate("de")
    assert message.startswith("a.json: ") and translate("notation.square", "de", text="")[-20:] in message
    assert message.isprintable() and len(message) < 500


def test_names_of_seats_fit_their_columns() -> None:
    """Names of seats fit their column in the table of scores."""
    for language in LANGUAGES:
        assert len(translate("seat.computer", language, number=4)) <= 11
        assert len(translate("seat.person", language, number=4)) <= 11


def test_french_punctuation_has_no_plain_spaces() -> None:
    """French punctuation is never preceded by a breaking space."""
    for key, text in catalogue("fr").items():
        if key.startswith(("arena.", "hint.", "player.", "reason.")):
            assert not re.search(r" [:;!?»]|« ", text), key


def test_false_friends_are_not_used() -> None:
    """Words with another meaning in the target language are not used."""
    assert not [key for key, text in catalogue("de").items() if key[:6] == "arena." and "Verteilung" in text]
    assert "fils" not in translate("cli.bad_threads", "fr", threads=0, most=9)
    assert [translate("bench.goal", language) for language in LANGUAGES] == [
        "goal",
        "Ziel",
        "objectif",
        "objetivo",
    ]
