"""The shipped lessons: real positions, every turn rated, clear solutions, explained in all languages."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from sanssouci.lessons import (
    CLEAR,
    LEVEL,
    PARTS,
    THEMES,
    Lesson,
    UnknownLesson,
    check_answer,
    find_lesson,
    learning_order,
    lessons,
    parse_lessons,
    write_lessons,
)
from sanssouci.lessons.collection import FILE
from sanssouci.locale import LANGUAGES, translate
from sanssouci.notation import RecordError, parse_turn, write_turn
from sanssouci.review import gain, reasons, say_reason
from sanssouci.rules import EDITIONS, IMPERIAL, Refused

PUBLISHED = {
    "boar": 2,
    "cards": 1,
    "end": 3,
    "gardeners": 1,
    "lines": 3,
    "missions": 3,
    "nobles": 2,
    "ways": 1,
}
"""Themes of the first collection, and how many lessons each had."""
EACH = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


def test_number_of_lessons_and_file_size() -> None:
    """There are 12 to 30 lessons on at least six themes, in less than 100 kB."""
    found = lessons()
    assert 12 <= len(found) <= 30 and len({lesson.id for lesson in found}) == len(found)
    themes = [lesson.theme for lesson in found]
    assert set(themes) <= set(THEMES) and len(set(themes)) >= 6
    assert max(Counter(themes).values()) <= 4
    assert FILE.stat().st_size < 100_000


def test_lessons_go_from_the_base_game_to_expansions_and_from_easy_to_hard() -> None:
    """The base game for two comes first, as in the tutorial; then themes and expansions in learning order."""
    found = lessons()
    first = found[0].view.variant
    assert (first.seats, first.expansions) == (2, ())
    assert list(found) == sorted(found, key=learning_order)
    parts = [PARTS.index(lesson.view.variant.expansions) for lesson in found]
    assert parts == sorted(parts) and set(parts) == set(range(len(PARTS)))
    assert learning_order(found[-1]) > learning_order(found[0])


@EACH
def test_a_lesson_in_the_readers_edition(lesson: Lesson) -> None:
    """R34: a lesson is the same in both editions; only the boar needs the Imperial edition."""
    for edition in EDITIONS:
        shown = find_lesson(lesson.id, edition)
        variant = shown.view.variant
        assert variant.edition == (IMPERIAL if variant.wild_boar else edition)
        assert replace(shown.view, variant=lesson.view.variant) == lesson.view
        assert check_answer(shown, lesson.best.turn).solved


def test_positions_are_unique() -> None:
    """No two lessons have the same position."""
    assert len({lesson.view for lesson in lessons()}) == len(lessons())


@EACH
def test_every_legal_turn_of_a_lesson_is_rated(lesson: Lesson) -> None:
    """R14: the record replays, and exactly the legal turns are rated."""
    assert not lesson.state.over
    assert {worth.turn for worth in lesson.worths} == set(lesson.view.options())
    assert all(worth.cost >= 0 and 0 <= worth.share <= 1 for worth in lesson.worths)
    assert lesson.best.cost == 0


@EACH
def test_solutions_are_clear(lesson: Lesson) -> None:
    """No turn is between solving and missing, and at most eight solve a lesson."""
    solving = [worth for worth in lesson.worths if worth.solves]
    assert not [worth for worth in lesson.worths if LEVEL < worth.cost < CLEAR]
    assert 1 <= len(solving) <= 8 < len(lesson.worths)


@EACH
def test_the_best_turn_is_not_the_obvious_one(lesson: Lesson) -> None:
    """No turn that scores most at once solves a lesson; the tempting turn is one of these."""
    options, score = lesson.view.options(), lesson.view.scores[lesson.view.to_move]
    gains = {turn: gain(options, score, turn) for turn in options}
    most = {turn for turn, points in gains.items() if points == max(gains.values())}
    assert lesson.tempting in most
    assert not [turn for turn in most if lesson.worth(turn).cost < 2]
    assert lesson.worth(lesson.tempting).share < lesson.best.share


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_is_explained(lesson: Lesson, language: str) -> None:
    """Title, hint and reasons against the tempting turn exist in every language."""
    texts = [
        translate(f"lesson.{lesson.theme}", language),
        translate(f"lesson.{lesson.theme}_look", language),
    ]
    edition = lesson.view.variant.edition
    found = check_answer(lesson, lesson.tempting).reasons
    texts += [say_reason(reason, edition, language) for reason in found]
    assert len(found) >= 1 and all(texts) and len(set(texts)) == len(texts)


def test_the_verdict_on_each_kind_of_turn() -> None:
    """The best turn and an equally good one solve a lesson; a worse one and no turn do not."""
    lesson = max(lessons(), key=lambda one: sum(worth.solves for worth in one.worths))
    level = next(worth for worth in lesson.worths[1:] if worth.solves)
    assert check_answer(lesson, lesson.best.turn).solved and check_answer(lesson, level.turn).solved
    missed = check_answer(lesson, lesson.tempting)
    assert not missed.solved and missed.chosen == lesson.worth(lesson.tempting)
    shown = check_answer(lesson, None)
    assert not shown.solved and shown.chosen is None and shown.best == lesson.best


@EACH
def test_a_verdict_explains_the_best_turn(lesson: Lesson) -> None:
    """The first reason is not true of the chosen turn; the other listed turns are good."""
    found = check_answer(lesson, lesson.tempting)
    assert found.reasons[0] in reasons(lesson.view, lesson.best.turn, instead_of=lesson.tempting)
    assert all(other.cost <= 2 and other.turn != found.best.turn for other in found.others)


def test_a_turn_that_is_not_legal_is_refused() -> None:
    """R14: a card that is not in hand is refused by the rules."""
    lesson = lessons()[0]
    missing = next(card for card in range(18) if not lesson.view.hand >> card & 1)
    with pytest.raises(Refused):
        lesson.worth(replace(lesson.best.turn, card=missing))


def test_lessons_are_found_by_their_ids() -> None:
    """A lesson is found by its id; an unknown id is an error."""
    assert find_lesson(lessons()[-1].id) is lessons()[-1]
    with pytest.raises(UnknownLesson, match="no such lesson"):
        find_lesson("ways-99")


def test_a_file_can_be_written_and_read_again() -> None:
    """Writing the lessons gives the shipped file."""
    text = FILE.read_text(encoding="utf-8")
    assert write_lessons(parse_lessons(text)) == text


def test_ids_of_replaced_lessons_are_not_used_again() -> None:
    """Browsers store the ids of solved lessons: a new lesson must not look solved."""
    retired = parse_lessons(FILE.read_text(encoding="utf-8")).retired
    assert len(retired) == len(set(retired)) and not {*retired} & {lesson.id for lesson in lessons()}
    published = {f"{theme}-{number}" for theme, last in PUBLISHED.items() for number in range(1, last + 1)}
    assert published <= {*retired, *(lesson.id for lesson in lessons())}


def _tampered(**changes: object) -> str:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    document["lessons"][0] |= changes
    return json.dumps(document)


def test_a_tampered_file_is_refused() -> None:
    """Missing costs, another best turn, an illegal turn and another format are refused."""
    first = lessons()[0]
    record = json.loads(_tampered())["lessons"][0]["record"]
    illegal = {**record, "turns": [*record["turns"], record["turns"][0]]}
    with pytest.raises(ValueError, match="zip"):
        parse_lessons(_tampered(costs=[0]))
    with pytest.raises(ValueError, match="another one"):
        parse_lessons(_tampered(best=write_turn(first.tempting)))
    with pytest.raises(RecordError):
        parse_lessons(_tampered(record=illegal))
    with pytest.raises(ValueError, match="no file of lessons"):
        parse_lessons('{"format": "other", "retired": [], "lessons": []}')
    assert parse_turn(write_turn(first.tempting)) == first.tempting
