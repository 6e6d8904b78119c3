"""Whatever is changed in a log or a record afterwards is found: by the replay, or by the seed."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from sanssouci.dealer import prove
from sanssouci.locale import UserError
from sanssouci.notation import parse_record, verify, write_record
from sanssouci.table import StepAway, table_record

from .host import Host, Row, nonce_of, replay_log

GONE = object()
WRONG: tuple[Any, ...] = ("x", None, [], float("nan"), {"type": "play"}, {"type": []})
JUNK: tuple[Any, ...] = (None, True, -1, 99, 0.5, "", "zz", "a", [], [[]], [99, 98], {}, {"a": 1})


@cache
def finished() -> Host:
    """A game with everything: picks, rewards, the boar, a person, a stand-in and a computer."""
    host = Host.of(3, computers=1, expansions=["rewards", "wild_boar"]).start()
    host.do(StepAway(), 1)
    return host.play_out()


def is_found(rows: list[Row]) -> bool:
    """Whether a log is found to be wrong, with one sentence that names nothing hidden."""
    try:
        table_record(replay_log("t", rows).state)
    except UserError as user_error:
        assert user_error.key.startswith("table."), user_error.key
        assert set(user_error.details) <= {"seq", "question"}
        return True
    return False


def changed(seq: int, *path: str, to: Any = GONE) -> list[Row]:
    """The log with one thing in the body of an event changed, or taken out."""
    rows = list(finished().log)
    number, command_id, chair, text = rows[seq]
    body = json.loads(text)
    inner = body if len(path) == 1 else body[path[0]]
    inner[path[-1]] = to
    if to is GONE:
        del inner[path[-1]]
    rows[seq] = (number, command_id, chair, json.dumps(body))
    return rows


def answers() -> Iterator[tuple[int, str, Any]]:
    """Every answer of chance in the log."""
    for seq, _, _, text in finished().log:
        for question, answer in json.loads(text)["answers"].items():
            yield seq, question, answer


def others(question: str, answer: Any) -> Iterator[Any]:
    """Answers that could be given in place of another: they say something else."""
    if question == "order":
        yield from ([1, 2, 0], [2, 0, 1], [0, 1, 2], [0, 2, 1], [0, 1], [0, 1, 2, 0])
    elif isinstance(answer, list):
        yield answer[::-1]
        yield answer[:-1]
        yield [*answer[:-1], answer[0]]
    elif question == "display":
        yield from (answer[1:] + answer[0], answer[:-1], answer[:-1] + "a", answer + "a")
    elif question == "refill":
        yield from "aei"
    elif question == "draw":
        yield from ("a", "*", "24", "23")
    else:
        yield answer[::-1]
        yield "0" * 64


def test_the_log_is_whole_before_anything_is_changed() -> None:
    """So what is found below is what was changed."""
    assert not is_found(list(finished().log))
    kinds = {question for _, question, _ in answers()}
    assert kinds == {"order", "gardens", "missions", "rewards", "hands", "display", "refill", "draw", "seed"}


def test_every_answer_of_chance_is_guarded() -> None:
    """Another answer, junk, or none at all in place of any is found; one that nobody asked for too."""
    tried, seen = 0, set()
    for seq, question, answer in answers():
        for other in (*others(question, answer), *(JUNK if question not in seen else ())):
            if other == answer and type(other) is type(answer):
                continue
            seen.add(question)
            tried += 1
            assert is_found(changed(seq, "answers", question, to=other)), (seq, question, other)
        assert is_found(changed(seq, "answers", question)), (seq, question)
    assert is_found(changed(3, "answers", "more", to="a"))
    assert tried > 400


@pytest.mark.parametrize("turns", [0, 5])
def test_answers_are_guarded_where_a_game_ended_early(turns: int) -> None:
    """What came up last was never played; still it must be what the seed deals."""
    rows = Host.of(2, first=0).start().pick().play(turns).end().log
    assert not is_found(rows)
    dealt = len(rows) - 2
    for question, answer in json.loads(rows[dealt][3])["answers"].items():
        found = 0
        for other in others(question, answer):
            if other != answer:
                body = json.loads(rows[dealt][3])
                body["answers"][question] = other
                assert is_found([*rows[:dealt], (*rows[dealt][:3], json.dumps(body)), *rows[dealt + 1 :]])
                found += 1
        assert found, question


@pytest.mark.parametrize(
    "missions", [[["a", "a"], ["b", "c"]], [["a", "b"], ["b", "c"]], [["a"], ["b"]], [["a", "b", "c"], ["d"]]]
)
def test_missions_that_cannot_be_are_found_while_the_game_is_played(missions: list[list[str]]) -> None:
    """R12: two for each seat, all of them different; not only when the record is asked for."""
    rows = Host.of(2).start().pick().log
    body = json.loads(rows[-1][3])
    body["answers"]["missions"] = missions
    with pytest.raises(UserError):
        replay_log("t", [*rows[:-1], (*rows[-1][:3], json.dumps(body))])


def test_every_turn_is_guarded() -> None:
    """A turn that was played before, no turn, or the turn of another seat does not fit in."""
    played: dict[int | None, str] = {}
    for seq, _, chair, text in finished().log:
        command = json.loads(text)["command"]
        if command["type"] != "play":
            continue
        for turn in (played.get(chair, "23@0-a2"), "a@0", *played.values()):
            assert is_found(changed(seq, "command", "turn", to=turn)), (seq, turn)
        played[chair] = command["turn"]
    assert len(played) == 3


def test_every_nonce_is_guarded() -> None:
    """The seed deals something else with another nonce."""
    for seq, place in ((1, 0), (2, 1)):
        assert nonce_of(place) in finished().log[seq][3]
        assert is_found(changed(seq, "command", "nonce", to="ab" * 8))


def test_the_commitment_is_guarded() -> None:
    """A seed that was not committed to is not accepted, not even where the game ended early."""
    assert is_found(changed(0, "command", "commitment", to="0" * 64))
    early = Host.of(2).start().end()
    rows = [*early.log[:-1], (3, "house:c3", None, early.log[-1][3].replace("0001", "0002"))]
    assert is_found(rows)


@pytest.mark.parametrize("field", ["at", "house", "command", "answers"])
def test_every_field_of_an_event_is_needed_and_typed(field: str) -> None:
    """A body without it, or with something else in it, is no event."""
    for seq in range(len(finished().log)):
        assert is_found(changed(seq, field))
        for junk in WRONG if seq < 9 else ():
            assert is_found(changed(seq, field, to=junk)), (seq, junk)


def test_every_argument_of_a_command_is_typed() -> None:
    """Text for a number, a number for a text, an argument too many or too few."""
    for seq, _, _, text in finished().log:
        for name, value in json.loads(text)["command"].items():
            for junk in (5, "5", True, *WRONG[2:]):
                if type(junk) is not type(value):
                    assert is_found(changed(seq, "command", name, to=junk)), (seq, name, junk)
            assert is_found(changed(seq, "command", name))
        assert is_found(changed(seq, "command", "more", to=1))


def test_who_did_it_is_guarded() -> None:
    """A turn of another chair, of the house for a person, or of a person for the house."""
    for seq, command_id, chair, text in finished().log:
        if json.loads(text)["command"]["type"] in ("play", "pick"):
            rows = list(finished().log)
            for other in {0, 1, 2, None} - {chair}:
                rows[seq] = (seq, command_id, other, text)
                assert is_found(rows), (seq, other)
            assert is_found(changed(seq, "house", to=not json.loads(text)["house"])), seq


def test_the_order_of_events_is_guarded() -> None:
    """None can be left out, doubled, exchanged with the next, or moved to another table."""
    rows = list(finished().log)
    assert is_found([]) and is_found(rows[1:]) and is_found(rows[:1] * 2)
    for seq in range(1, len(rows) - 1):
        assert is_found([*rows[:seq], *rows[seq + 1 :]])
        assert is_found([*rows[: seq + 1], *rows[seq:]])
        assert is_found([*rows[:seq], rows[seq + 1], rows[seq], *rows[seq + 2 :]])
        renumbered = [*rows[:seq], *rows[seq + 1 :]]
        assert is_found([(number, *row[1:]) for number, row in enumerate(renumbered)]), seq
    with pytest.raises(UserError):
        replay_log("u", rows)


def test_an_id_is_not_used_twice_in_a_log() -> None:
    """As a store would not let it."""
    rows = list(finished().log)
    rows[5] = (5, rows[4][1], *rows[5][2:])
    assert is_found(rows)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every text and number in a document."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in inside:
            yield from leaves(below, (*path, key))
    else:
        yield path


def another(value: Any) -> Any:
    """Something else of the same kind."""
    if isinstance(value, int):
        return value + 1
    for turned in (value[::-1], value[1:] + value[:1], "b" + value[1:], "c" + value[1:]):
        if turned != value:
            return turned
    return value + "0"


def test_every_value_of_a_record_is_guarded() -> None:
    """Change any of them but names: it is no record any more, not legal, or not proved."""
    document = json.loads(write_record(table_record(finished().state)))
    said: set[tuple[Any, ...]] = {("seats", place, key) for place in range(3) for key in ("name", "player")}
    said |= {("boards", "name"), ("table", "manner"), ("table", "taken_back"), ("table", "start")}
    tried = 0
    for path in leaves(document):
        if path in said or path[:2] in (("table", "winners"), ("table", "conceded")):
            continue
        copy = json.loads(json.dumps(document))
        inner = copy
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = another(inner[path[-1]])
        with pytest.raises(ValueError):
            record = parse_record(json.dumps(copy).encode())
            verify(record)
            prove(record)
        tried += 1
    assert tried > 200
