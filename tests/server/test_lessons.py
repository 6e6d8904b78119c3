"""Lessons by HTTP: the position as its seat sees it, no solution before an answer, and the result."""

from dataclasses import replace

from sanssouci.lessons import Lesson, lessons
from sanssouci.notation import parse_view, write_card, write_turn, write_view
from sanssouci.rules import EDITIONS, IMPERIAL
from sanssouci.server.routes.lessons import write_position

from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json

LESSON = lessons()[0]
PATH = f"/api/lessons/{LESSON.id}"


@with_server(described=True)
async def test_lessons_are_listed_in_the_readers_language(server: InProcessServer) -> None:
    """Lessons are listed in order in the reader's language, without solutions."""
    client = server.client()
    english = (await client.get("/api/lessons"))["lessons"]
    german = (await client.with_headers(accept_language="de").get("/api/lessons"))["lessons"]
    assert [entry["lesson"] for entry in english] == [lesson.id for lesson in lessons()]
    assert all(first["look"] != second["look"] for first, second in zip(english, german, strict=True))
    assert "best" not in str(english[0].keys())


@with_server(described=True)
async def test_lessons_are_shown_in_the_readers_edition(server: InProcessServer) -> None:
    """R34: the position and the reasons use the names of the asked edition; the boar is always Imperial."""
    client = server.client()
    texts = set()
    for edition in EDITIONS:
        listed = (await client.get(f"/api/lessons?edition={edition}"))["lessons"]
        assert {entry["edition"] for entry in listed if "wild_boar" not in entry["expansions"]} == {edition}
        assert {entry["edition"] for entry in listed if "wild_boar" in entry["expansions"]} == {IMPERIAL}
        position = await client.get(f"{PATH}?edition={edition}")
        assert position["game"]["variant"]["edition"] == edition
        paths = [f"/api/lessons/{lesson.id}/answer?edition={edition}" for lesson in lessons()]
        answers = [await client.post(path, {"turn": None}) for path in paths]
        texts.add(str([answer["hint"]["reasons"] for answer in answers]))
    assert len(texts) == len(EDITIONS)
    unknown = await client.request("GET", f"{PATH}?edition=first")
    assert unknown.status_code == 400


@with_server(described=True)
async def test_a_lesson_shows_only_the_view_of_its_seat(server: InProcessServer) -> None:
    """R11, R12: a lesson shows no hands or missions of others, no pile or pouch, and no solution."""
    for lesson in lessons():
        answer = await server.client().get(f"/api/lessons/{lesson.id}")
        assert parse_view(answer["game"]) == lesson.view and answer["game"] == write_view(lesson.view)
        seen = answer["game"]["missions"]
        assert [missions is None for missions in seen] == [
            seat != lesson.view.to_move for seat in range(len(seen))
        ]
        assert set(answer) == {
            *("lesson", "theme", "title", "look", "round", "seats", "edition", "expansions"),
            *("names", "events", "game", "options"),
        }
        assert not [event for event in answer["events"] if "draw" in event]
        assert answer["events"][-1]["seq"] == lesson.view.turn


def test_hidden_differences_do_not_show_in_a_lesson() -> None:
    """R11, R12, R24: other hidden cards, piles and tiles give the same bytes."""
    seen = [lesson for lesson in lessons() if lesson.view.round < 17]
    assert len(seen) > 5
    for lesson in seen:
        twin = _twin(lesson)
        assert twin.state != lesson.state, "the hidden part differs"
        assert write_position(twin, "en") == write_position(lesson, "en")


def _twin(lesson: Lesson) -> Lesson:
    """The same position with everything hidden dealt differently."""
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
    """The deck with undrawn cards reversed; another seat also has another card in hand."""
    deck = list(lesson.record.deal.decks[seat])
    held = [place for place, card in enumerate(deck) if lesson.state.hands[seat] >> card & 1]
    first = max(held) + 1
    deck[first:] = reversed(deck[first:])
    if seat != lesson.view.to_move and first < len(deck):
        deck[held[0]], deck[first] = deck[first], deck[held[0]]
    return tuple(deck)


@with_server(described=True)
async def test_answers_to_a_lesson(server: InProcessServer) -> None:
    """The best turn solves the lesson, the tempting one does not, and null shows the best one."""
    client = server.client()

    async def answer(turn: str | None) -> Json:
        return await client.post(f"{PATH}/answer", {"turn": turn})

    best, tempting = write_turn(LESSON.best.turn), write_turn(LESSON.tempting)
    solved, missed, shown = await answer(best), await answer(tempting), await answer(None)
    assert solved["solved"] and solved["cost"] == 0 and solved["chosen"]["turn"] == best
    assert not missed["solved"] and missed["cost"] >= 2
    assert missed["chosen"]["margin"] < missed["hint"]["expected"]["margin"]
    assert not shown["solved"] and shown["chosen"] is None and shown["cost"] is None
    assert {result["hint"]["turn"] for result in (solved, missed, shown)} == {best}
    assert missed["hint"]["reasons"] and all(reason["sentence"] for reason in missed["hint"]["reasons"])


@with_server(described=True)
async def test_invalid_answers_are_refused(server: InProcessServer) -> None:
    """R14: a card that is not in hand, an invalid turn and an unknown lesson are refused."""
    missing = next(card for card in range(18) if not LESSON.view.hand >> card & 1)
    text = write_turn(LESSON.best.turn)
    foreign = write_card(missing) + text[text.index("@") :]
    client = server.client()
    refused = await client.request("POST", f"{PATH}/answer", {"turn": foreign})
    assert refused.status_code == 422 and refused.json()["error"]["rule"] == "R14"
    garbled = await client.request("POST", f"{PATH}/answer", {"turn": "nonsense"})
    assert garbled.status_code == 422 and garbled.json()["error"]["code"] == "notation.turn"
    nowhere = await client.request("POST", "/api/lessons/ways-99/answer", {"turn": None})
    assert nowhere.status_code == 404 and nowhere.json()["error"]["code"] == "lesson.missing"
