"""Every later change of a log or a record is found, by replay or by the seed."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from sanssouci.dealer import prove
from sanssouci.locale import UserError
from sanssouci.notation import parse_record, verify, write_record
from sanssouci.table import StepAway, table_record

from .hosted_table import Host, Row, nonce_of, replay_log

DELETE = object()
WRONG: tuple[Any, ...] = ("x", None, [], float("nan"), {"type": "play"}, {"type": []})
JUNK: tuple[Any, ...] = (None, True, -1, 99, 0.5, "", "zz", "a", [], [[]], [99, 98], {}, {"a": 1})


@cache
def finished_game() -> Host:
    """A game with picks, rewards, the boar, a person, a stand-in and a computer."""
    host = Host.of(3, computers=1, expansions=["rewards", "wild_boar"]).start()
    host.do(StepAway(), 1)
    return host.play_out()


def is_rejected(rows: list[Row]) -> bool:
    """Whether a log is rejected, with an error that reveals nothing hidden."""
    try:
        table_record(replay_log("t", rows).state)
    except UserError as user_error:
        assert user_error.key.startswith("table."), user_error.key
        assert set(user_error.details) <= {"seq", "question"}
        return True
    return False


def changed(seq: int, *path: str, to: Any = DELETE) -> list[Row]:
    """The log with one value in the body of an event changed or deleted."""
    rows = list(finished_game().log)
    number, command_id, chair, text = rows[seq]
    body = json.loads(text)
    inner = body if len(path) == 1 else body[path[0]]
    inner[path[-1]] = to
    if to is DELETE:
        del inner[path[-1]]
    rows[seq] = (number, command_id, chair, json.dumps(body))
    return rows


def answers() -> Iterator[tuple[int, str, Any]]:
    """Every answer of chance in the log."""
    for seq, _, _, text in finished_game().log:
        for question, answer in json.loads(text)["answers"].items():
            yield seq, question, answer


def other_answers(question: str, answer: Any) -> Iterator[Any]:
    """Plausible but wrong answers to a question."""
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


def test_the_unchanged_log_is_accepted() -> None:
    """The original log is accepted and contains every kind of answer."""
    assert not is_rejected(list(finished_game().log))
    kinds = {question for _, question, _ in answers()}
    assert kinds == {"order", "gardens", "missions", "rewards", "hands", "display", "refill", "draw", "seed"}


def test_changed_answers_are_rejected() -> None:
    """Every wrong, invalid, missing or additional answer of chance is rejected."""
    checked, seen = 0, set()
    for seq, question, answer in answers():
        for other in (*other_answers(question, answer), *(JUNK if question not in seen else ())):
            if other == answer and type(other) is type(answer):
                continue
            seen.add(question)
            checked += 1
            assert is_rejected(changed(seq, "answers", question, to=other)), (seq, question, other)
        assert is_rejected(changed(seq, "answers", question)), (seq, question)
    assert is_rejected(changed(3, "answers", "more", to="a"))
    assert checked > 400


@pytest.mark.parametrize("turns", [0, 5])
def test_changed_answers_of_an_unfinished_game_are_rejected(turns: int) -> None:
    """The last answers were never used in a turn, but must match the seed."""
    rows = Host.of(2, first=0).start().pick().play(turns).end().log
    assert not is_rejected(rows)
    dealt = len(rows) - 2
    for question, answer in json.loads(rows[dealt][3])["answers"].items():
        found = 0
        for other in other_answers(question, answer):
            if other != answer:
                body = json.loads(rows[dealt][3])
                body["answers"][question] = other
                assert is_rejected([*rows[:dealt], (*rows[dealt][:3], json.dumps(body)), *rows[dealt + 1 :]])
                found += 1
        assert found, question


@pytest.mark.parametrize(
    "missions", [[["a", "a"], ["b", "c"]], [["a", "b"], ["b", "c"]], [["a"], ["b"]], [["a", "b", "c"], ["d"]]]
)
def test_impossible_missions_are_rejected_during_the_game(missions: list[list[str]]) -> None:
    """R12: two different missions for each seat, checked by replay before the game has a record."""
    rows = Host.of(2).start().pick().log
    body = json.loads(rows[-1][3])
    body["answers"]["missions"] = missions
    with pytest.raises(UserError):
        replay_log("t", [*rows[:-1], (*rows[-1][:3], json.dumps(body))])


def test_changed_turns_are_rejected() -> None:
    """A turn replaced by an earlier, invalid or another seat's turn is rejected."""
    played: dict[int | None, str] = {}
    for seq, _, chair, text in finished_game().log:
        command = json.loads(text)["command"]
        if command["type"] != "play":
            continue
        for turn in (played.get(chair, "23@0-a2"), "a@0", *played.values()):
            assert is_rejected(changed(seq, "command", "turn", to=turn)), (seq, turn)
        played[chair] = command["turn"]
    assert len(played) == 3


def test_changed_nonces_are_rejected() -> None:
    """The seed deals another game with another nonce."""
    for seq, place in ((3, 0), (4, 1)):
        assert nonce_of(place) in finished_game().log[seq][3]
        assert is_rejected(changed(seq, "command", "nonce", to="ab" * 16))
        assert is_rejected(changed(seq - 2, "command", "commitment", to="ab" * 32))


def test_a_changed_commitment_or_seed_is_rejected() -> None:
    """The seed must match the commitment, even if the game ended early."""
    assert is_rejected(changed(0, "command", "commitment", to="0" * 64))
    early = Host.of(2).start().end()
    seq, _, _, body = early.log[-1]
    seed = json.loads(body)["answers"]["seed"]
    rows = [*early.log[:-1], (seq, "house:c", None, body.replace(seed, seed[1:] + seed[0]))]
    assert is_rejected(rows)
    assert is_rejected(changed(0, "command", "scheme"))


@pytest.mark.parametrize("field", ["at", "house", "command", "answers"])
def test_every_field_of_an_event_is_required_and_typed(field: str) -> None:
    """An event with a missing or mistyped field is rejected."""
    for seq in range(len(finished_game().log)):
        assert is_rejected(changed(seq, field))
        for junk in WRONG if seq < 9 else ():
            assert is_rejected(changed(seq, field, to=junk)), (seq, junk)


def test_every_argument_of_a_command_is_required_and_typed() -> None:
    """A command with a mistyped, missing or additional argument is rejected."""
    for seq, _, _, text in finished_game().log:
        for name, value in json.loads(text)["command"].items():
            for junk in (5, "5", True, *WRONG[2:]):
                if type(junk) is not type(value):
                    assert is_rejected(changed(seq, "command", name, to=junk)), (seq, name, junk)
            assert is_rejected(changed(seq, "command", name))
        assert is_rejected(changed(seq, "command", "more", to=1))


def test_changed_chairs_and_callers_are_rejected() -> None:
    """A turn or pick attributed to another chair or caller is rejected."""
    for seq, command_id, chair, text in finished_game().log:
        if json.loads(text)["command"]["type"] in ("play", "pick"):
            rows = list(finished_game().log)
            for other in {0, 1, 2, None} - {chair}:
                rows[seq] = (seq, command_id, other, text)
                assert is_rejected(rows), (seq, other)
            assert is_rejected(changed(seq, "house", to=not json.loads(text)["house"])), seq


def test_missing_and_reordered_events_are_rejected() -> None:
    """Events cannot be omitted, repeated, swapped or moved to another table."""
    rows = list(finished_game().log)
    assert is_rejected([]) and is_rejected(rows[1:]) and is_rejected(rows[:1] * 2)
    for seq in range(1, len(rows) - 1):
        assert is_rejected([*rows[:seq], *rows[seq + 1 :]])
        assert is_rejected([*rows[: seq + 1], *rows[seq:]])
        assert is_rejected([*rows[:seq], rows[seq + 1], rows[seq], *rows[seq + 2 :]])
        renumbered = [*rows[:seq], *rows[seq + 1 :]]
        assert is_rejected([(number, *row[1:]) for number, row in enumerate(renumbered)]), seq
    with pytest.raises(UserError):
        replay_log("u", rows)


def test_duplicate_command_ids_are_rejected() -> None:
    """Two events in a log cannot have the same command id."""
    rows = list(finished_game().log)
    rows[5] = (5, rows[4][1], *rows[5][2:])
    assert is_rejected(rows)


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every scalar in a document."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in inside:
            yield from paths_in(below, (*path, key))
    else:
        yield path


def other_value(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, int):
        return value + 1
    for turned in (value[::-1], value[1:] + value[:1], "b" + value[1:], "c" + value[1:]):
        if turned != value:
            return turned
    return value + "0"


def test_changed_records_are_rejected() -> None:
    """A record with any changed value, except names, is invalid, illegal or not proved."""
    document = json.loads(write_record(table_record(finished_game().state)))
    skipped: set[tuple[Any, ...]] = {
        ("seats", place, key) for place in range(3) for key in ("name", "player")
    }
    skipped |= {("boards", "name"), ("table", "manner"), ("table", "taken_back"), ("table", "start")}
    checked = 0
    for path in paths_in(document):
        if path in skipped or path[:2] in (("table", "winners"), ("table", "conceded")):
            continue
        copy = json.loads(json.dumps(document))
        inner = copy
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = other_value(inner[path[-1]])
        with pytest.raises(ValueError):
            record = parse_record(json.dumps(copy).encode())
            verify(record)
            prove(record)
        checked += 1
    assert checked > 200
