"""Reasons in four languages: correct names, numbers and plurals, and no placeholder left."""

import re
import string
from collections.abc import Iterator

import pytest

from sanssouci.editions import Words, load_edition
from sanssouci.locale import LANGUAGES
from sanssouci.locale.catalogue import catalogue
from sanssouci.review import Detail, Reason, say_reason
from sanssouci.review.reason import THEMES
from sanssouci.rules import EDITIONS, IMPERIAL, motif_on

from .positions import hints

NAMES = ("Ada", "Berta", "Camilo", "Ángela")
POINTS = {
    "en": ("point", "points"),
    "de": ("Siegpunkt", "Siegpunkte"),
    "fr": ("point", "points"),
    "es": ("punto", "puntos"),
}
AND = {"en": " and ", "de": " und ", "fr": " et ", "es": " y "}
OR = {"en": " or ", "de": " oder ", "fr": " ou ", "es": " o "}
FREE_CHOICE = {"en": "free choice", "de": "freie Auswahl", "fr": "libre choix", "es": "elección libre"}
TERRACE = {"en": "terrace", "de": "Terrasse", "fr": "terrasse", "es": "terraza"}
SQUARES = {"en": "squares", "de": "Felder", "fr": "cases", "es": "casillas"}


def square(number: int) -> str:
    return "abcdefghi"[number % 9] + str(number // 9 + 1)


def expected(name: str, detail: Detail, language: str, edition: str) -> str:
    """The text of a detail in a sentence."""
    if isinstance(detail, tuple):
        return _several([square(one) for one in detail], name == "ways", language)
    motifs = [names[language] for names in load_edition(edition).columns]
    one, many = POINTS[language]
    singular = abs(detail) == 1 or (detail == 0 and language == "fr")
    if name in ("noble", "column", "tile"):
        letter, motif = "abcdefghi"[detail], motifs[detail]
        return f"{motif} ({letter})" if name == "tile" else f"{letter} ({motif})"
    found = {
        "card": lambda: _card(detail, motifs, language),
        "less": lambda: f"{detail} {one if singular else many}",
        "place": lambda: str(detail) if detail else TERRACE[language],
        "points": lambda: f"{detail} {one if singular else many}",
        "seat": lambda: NAMES[detail],
        "square": lambda: square(detail),
        "stood": lambda: str(detail) if detail else TERRACE[language],
        "stop": lambda: square(detail),
    }
    return found.get(name, lambda: str(detail))()


def _several(names: list[str], or_: bool, language: str) -> str:
    if len(names) > 5 and not or_:
        return f"{len(names)} {SQUARES[language]}"
    between = OR[language] if or_ else AND[language]
    if language == "es" and not or_ and names[-1][0] == "i":
        between = " e "
    return ", ".join(names[:-1]) + between + names[-1] if len(names) > 1 else names[0]


def _card(card: int, column_names: list[str], language: str) -> str:
    if card < 9:
        return column_names[card]
    pairs = [f"{low}{AND[language]}{high}" for low in range(2, 7) for high in range(low + 1, 7)]
    return FREE_CHOICE[language] if card == 19 else pairs[card - 9]


def check(sentence: str, reason: Reason, language: str, edition: str) -> None:
    """Check that a sentence is complete and contains all details."""
    for name, detail in reason.details:
        end = r"(?!\w)"  # do not find "1 point" in "1 points"
        wanted = re.escape(expected(name, detail, language, edition))
        assert re.search(r"(?<![\w+-])" + wanted + end, sentence), (sentence, name, detail)
    assert sentence.endswith(".") and sentence[0].isupper() and not sentence[0].isdigit()
    assert not re.search(r"[{}]|reason\.|  |None|\bnan\b|\.\.", sentence), sentence
    assert not re.search(r"\*|@|\d\+\d", sentence), sentence  # pieces have names, not signs of the notation
    assert language != "fr" or not re.search(r" [:;!?»%]|« ", sentence), sentence


def test_every_sentence_of_five_hundred_hints() -> None:
    """Every reason of 500 hints is a complete sentence in each language, and none repeats the turn."""
    for state, given in hints():
        edition = state.variant.edition
        for language in LANGUAGES:
            words = Words(language, edition)
            turn = words.turn(
                NAMES[state.to_move], given.turn, motif_on(state.display, given.turn.space), reward=0
            )
            sentences = [say_reason(reason, edition, language, NAMES) for reason in given.reasons]
            for reason, sentence in zip(given.reasons, sentences, strict=True):
                check(sentence, reason, language, edition)
            assert len(set(sentences)) == len(sentences) and not set(sentences) & set(turn)


def reasons_of_every_kind(count: int) -> Iterator[Reason]:
    """A reason of each kind, with small or large numbers."""
    several = tuple(range(20, 20 + count))
    for key in THEMES:
        names = [name for _, name, _, _ in string.Formatter().parse(catalogue("en")[f"reason.{key}"]) if name]
        plural = dict.fromkeys(("squares", "stops", "gaps", "ways"), several)
        yield Reason.of(key, 0, **{name: plural.get(name, min(count, 3)) for name in names})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_kind_of_sentence_with_one_and_with_many(language: str, count: int, edition: str) -> None:
    """Every kind of reason works with zero, one, two and many."""
    for reason in reasons_of_every_kind(max(count, 1)):
        details = dict(reason.details)
        zero = {name: 0 for name, value in details.items() if isinstance(value, int)} if count == 0 else {}
        shown = Reason.of(reason.key, 0, **(details | zero))
        check(say_reason(shown, edition, language, NAMES), shown, language, edition)


def test_reasons_and_messages_match() -> None:
    """Every kind of reason has a message, and every message a kind."""
    messages = {key.removeprefix("reason.") for key in catalogue("en") if key.startswith("reason.")}
    assert messages == set(THEMES)


def test_seats_without_names_are_numbered() -> None:
    """Seats without names are numbered from 1."""
    reason = Reason.of("denies_row", 0, seat=1, row=3, points=7)
    assert say_reason(reason, IMPERIAL).startswith("Player 2 would complete row 3")


def test_a_wrong_sentence_is_seen() -> None:
    """The check finds a wrong number, plural, square or name."""
    reason = Reason.of("row_short", 0, row=3, gaps=(20, 26), points=7)
    right = "Row 3 then needs only c3 and i3; once complete, it brings 7 points at the end."
    check(right, reason, "en", IMPERIAL)
    for wrong in (
        right.replace("7 points", "7 point"),
        right.replace("7", "17"),
        right.replace("c3", "c4"),
        right.replace(" and ", " or "),
        right.replace("Row 3", "Row 2"),
        right.replace("Row", "row"),
        right.replace("only", "{only}"),
    ):
        with pytest.raises(AssertionError):
            check(wrong, reason, "en", IMPERIAL)
