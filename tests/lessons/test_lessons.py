"""The lessons that come with the game: real positions, every turn judged, nothing unclear, all told."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from sanssouci.lessons import (
    CLEAR,
    LEVEL,
    THEMES,
    Lesson,
    UnknownLesson,
    check_answer,
    find_lesson,
    lessons,
    parse_lessons,
    write_lessons,
)
from sanssouci.lessons.collection import FILE
from sanssouci.locale import LANGUAGES, translate
from sanssouci.notation import RecordError, parse_turn, write_turn
from sanssouci.review import gain, reasons, say_reason
from sanssouci.rules import Refused

EACH = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


def test_there_are_enough_and_the_file_is_small() -> None:
    """Twelve to thirty lessons on six themes at least, no id twice, in less than 100 kB."""
    found = lessons()
    assert 12 <= len(found) <= 30 and len({lesson.id for lesson in found}) == len(found)
    themes = [lesson.theme for lesson in found]
    assert set(themes) <= set(THEMES) and len(set(themes)) >= 6
    assert themes == sorted(themes, key=THEMES.index), "the lessons of a theme stand together"
    assert max(Counter(themes).values()) <= 4
    assert FILE.stat().st_size < 100_000


def test_no_position_is_there_twice() -> None:
    """Every lesson has a position of its own."""
    assert len({lesson.view for lesson in lessons()}) == len(lessons())


@EACH
def test_a_lesson_is_a_legal_position_with_every_turn_judged(lesson: Lesson) -> None:
    """R14: the record is replayed by the rules; each legal turn has its worth, and no other turn."""
    assert not lesson.state.over
    assert {worth.turn for worth in lesson.worths} == set(lesson.view.options())
    assert all(worth.cost >= 0 and 0 <= worth.share <= 1 for worth in lesson.worths)
    assert lesson.best.cost == 0


@EACH
def test_it_is_clear_what_solves_a_lesson(lesson: Lesson) -> None:
    """No turn lies between those that solve it and those that do not, and few solve it."""
    solving = [worth for worth in lesson.worths if worth.solves]
    assert not [worth for worth in lesson.worths if LEVEL < worth.cost < CLEAR]
    assert 1 <= len(solving) <= 8 < len(lesson.worths)


@EACH
def test_the_best_turn_is_not_the_obvious_one(lesson: Lesson) -> None:
    """No turn that scores most at once solves a lesson; the tempting one is one of them, and loses share."""
    options, score = lesson.view.options(), lesson.view.scores[lesson.view.to_move]
    gains = {turn: gain(options, score, turn) for turn in options}
    most = {turn for turn, points in gains.items() if points == max(gains.values())}
    assert lesson.tempting in most
    assert not [turn for turn in most if lesson.worth(turn).cost < 2]
    assert lesson.worth(lesson.tempting).share < lesson.best.share


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_can_be_told(lesson: Lesson, language: str) -> None:
    """Its title, what to look for, and why the best turn is better than the tempting one."""
    told = [translate(f"lesson.{lesson.theme}", language), translate(f"lesson.{lesson.theme}_look", language)]
    edition = lesson.view.variant.edition
    found = check_answer(lesson, lesson.tempting).reasons
    told += [say_reason(reason, edition, language) for reason in found]
    assert len(found) >= 1 and all(told) and len(set(told)) == len(told)


def test_the_verdict_on_each_kind_of_turn() -> None:
    """The best turn, one that is as good, one that misses, none at all."""
    lesson = max(lessons(), key=lambda one: sum(worth.solves for worth in one.worths))
    level = next(worth for worth in lesson.worths[1:] if worth.solves)
    assert check_answer(lesson, lesson.best.turn).solved and check_answer(lesson, level.turn).solved
    missed = check_answer(lesson, lesson.tempting)
    assert not missed.solved and missed.chosen == lesson.worth(lesson.tempting)
    shown = check_answer(lesson, None)
    assert not shown.solved and shown.chosen is None and shown.best == lesson.best


@EACH
def test_a_verdict_names_what_sets_the_best_turn_apart(lesson: Lesson) -> None:
    """The first reason is not true of the turn that was chosen; others that are told are good."""
    found = check_answer(lesson, lesson.tempting)
    assert found.reasons[0] in reasons(lesson.view, lesson.best.turn, instead_of=lesson.tempting)
    assert all(other.cost <= 2 and other.turn != found.best.turn for other in found.others)


def test_a_turn_that_is_not_legal_is_refused() -> None:
    """R14: a card that is not in hand, with the words of the rules."""
    lesson = lessons()[0]
    missing = next(card for card in range(18) if not lesson.view.hand >> card & 1)
    with pytest.raises(Refused):
        lesson.worth(replace(lesson.best.turn, card=missing))


def test_lessons_are_found_by_their_ids() -> None:
    """And one that is not there is told so."""
    assert find_lesson(lessons()[-1].id) is lessons()[-1]
    with pytest.raises(UnknownLesson, match="no such lesson"):
        find_lesson("ways-99")


def test_a_file_can_be_written_and_read_again() -> None:
    """What is written is what is there."""
    assert write_lessons(lessons()) == FILE.read_text(encoding="utf-8")


def _spoilt(**changes: object) -> str:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    document["lessons"][0] |= changes
    return json.dumps(document)


def test_a_file_that_was_changed_is_not_believed() -> None:
    """A figure too few, another best turn, a turn that the rules forbid, another format."""
    first = lessons()[0]
    record = json.loads(_spoilt())["lessons"][0]["record"]
    illegal = {**record, "turns": [*record["turns"], record["turns"][0]]}
    with pytest.raises(ValueError, match="zip"):
        parse_lessons(_spoilt(costs=[0]))
    with pytest.raises(ValueError, match="another one"):
        parse_lessons(_spoilt(best=write_turn(first.tempting)))
    with pytest.raises(RecordError):
        parse_lessons(_spoilt(record=illegal))
    with pytest.raises(ValueError, match="no file of lessons"):
        parse_lessons('{"format": "other", "lessons": []}')
    assert parse_turn(write_turn(first.tempting)) == first.tempting
