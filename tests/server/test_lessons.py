"""Lessons by network: the position as its seat sees it, no solution before an answer, the verdict."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from sanssouci.lessons import Lesson, lessons
from sanssouci.notation import parse_view, write_card, write_turn, write_view
from sanssouci.server.features.lessons import write_position

from .described_house import House
from .test_protocol import told

LESSON = lessons()[0]
PATH = f"/api/lessons/{LESSON.id}"


def test_lessons_are_listed_in_the_readers_language(tmp_path: Path) -> None:
    """All of them, in order, with title and what to look for; no solution."""

    async def story(house: House) -> None:
        client = house.client()
        english = (await client.get("/api/lessons")).json()["lessons"]
        german = (await client.get("/api/lessons", headers={"accept-language": "de"})).json()["lessons"]
        assert [entry["lesson"] for entry in english] == [lesson.id for lesson in lessons()]
        assert all(one["look"] != other["look"] for one, other in zip(english, german, strict=True))
        assert "best" not in str(english[0].keys())

    told(story, tmp_path)


def test_a_lesson_shows_what_its_seat_may_know_and_no_more(tmp_path: Path) -> None:
    """R11, R12: not the others' hands and missions, no pile, no pouch in order; and not what is best."""

    async def story(house: House) -> None:
        for lesson in lessons():
            answer = (await house.client().get(f"/api/lessons/{lesson.id}")).json()
            assert parse_view(answer["game"]) == lesson.view and answer["game"] == write_view(lesson.view)
            seen = answer["game"]["missions"]
            assert [missions is None for missions in seen] == [
                seat != lesson.view.to_move for seat in range(len(seen))
            ]
            assert set(answer) == {
                *("lesson", "theme", "title", "look", "round", "seats", "edition", "expansions"),
                *("names", "told", "game", "options"),
            }
            assert not [event for event in answer["told"] if "draw" in event]
            assert answer["told"][-1]["seq"] == lesson.view.turn

    told(story, tmp_path)


def test_two_lessons_that_differ_in_what_is_hidden_look_the_same() -> None:
    """R11, R12, R24: others hold something else, piles and pouch lie otherwise: not a byte differs."""
    seen = [lesson for lesson in lessons() if lesson.view.round < 17]
    assert len(seen) > 5
    for lesson in seen:
        twin = _twin(lesson)
        assert twin.state != lesson.state, "another seat holds something else"
        assert write_position(twin, "en") == write_position(lesson, "en")


def _twin(lesson: Lesson) -> Lesson:
    """The same position with all that its seat cannot see dealt otherwise."""
    deal, own = lesson.record.deal, lesson.view.to_move
    drawn = 10 + lesson.view.turn
    tiles = (*deal.tiles[:drawn], *reversed(deal.tiles[drawn:]))
    decks = tuple(_other_deck(lesson, seat) for seat in range(deal.variant.seats))
    others = iter([motif for motif in reversed(range(9)) if motif not in deal.missions[own]])
    missions = tuple(
        kept if seat == own else (next(others), next(others)) for seat, kept in enumerate(deal.missions)
    )
    other = replace(deal, tiles=tiles, decks=decks, missions=missions)
    return replace(lesson, record=replace(lesson.record, deal=other))


def _other_deck(lesson: Lesson, seat: int) -> tuple[int, ...]:
    """What is not drawn the other way round; of another seat also a card in hand changed for one of these."""
    deck = list(lesson.record.deal.decks[seat])
    held = [place for place, card in enumerate(deck) if lesson.state.hands[seat] >> card & 1]
    first = max(held) + 1
    deck[first:] = reversed(deck[first:])
    if seat != lesson.view.to_move and first < len(deck):
        deck[held[0]], deck[first] = deck[first], deck[held[0]]
    return tuple(deck)


def test_an_answer_gets_its_verdict(tmp_path: Path) -> None:
    """The best turn solves the lesson, the tempting one does not; null shows the best one."""

    async def story(house: House) -> None:
        client = house.client()

        async def answer(turn: str | None) -> dict[str, Any]:
            found: dict[str, Any] = (await client.post(f"{PATH}/answer", json={"turn": turn})).json()
            return found

        best, tempting = write_turn(LESSON.best.turn), write_turn(LESSON.tempting)
        solved, missed, shown = await answer(best), await answer(tempting), await answer(None)
        assert solved["solved"] and solved["cost"] == 0 and solved["chosen"]["turn"] == best
        assert not missed["solved"] and missed["cost"] >= 2
        assert missed["chosen"]["margin"] < missed["hint"]["expected"]["margin"]
        assert not shown["solved"] and shown["chosen"] is None and shown["cost"] is None
        assert {one["hint"]["turn"] for one in (solved, missed, shown)} == {best}
        assert missed["hint"]["reasons"] and all(reason["sentence"] for reason in missed["hint"]["reasons"])

    told(story, tmp_path)


def test_what_is_no_answer_is_refused(tmp_path: Path) -> None:
    """R14: a card that is not in hand; a text that is no turn; a lesson that is not there."""
    missing = next(card for card in range(18) if not LESSON.view.hand >> card & 1)
    text = write_turn(LESSON.best.turn)
    foreign = write_card(missing) + text[text.index("@") :]

    async def story(house: House) -> None:
        client = house.client()
        refused = await client.post(f"{PATH}/answer", json={"turn": foreign})
        assert refused.status_code == 422 and refused.json()["error"]["rule"] == "R14"
        garbled = await client.post(f"{PATH}/answer", json={"turn": "nonsense"})
        assert garbled.status_code == 422 and garbled.json()["error"]["code"] == "notation.turn"
        nowhere = await client.post("/api/lessons/ways-99/answer", json={"turn": None})
        assert nowhere.status_code == 404 and nowhere.json()["error"]["code"] == "lesson.missing"

    told(story, tmp_path)
