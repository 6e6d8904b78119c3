"""Invalid records are refused with the place and the rule, never with a traceback."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanssouci.locale import UserError
from sanssouci.notation import (
    RecordError,
    parse_json,
    parse_record,
    parse_turn,
    read_record,
    replay,
    verify,
    write_record,
    write_turn,
)
from sanssouci.notation.strict_json import DEEPEST

from .. import oracle
from ..helpers import stream
from ..playthrough import RECORDS

BOTH = RECORDS / "imperial-rewards-boar-2.json"
BASE = RECORDS / "ravensburger-base-2.json"
Change = Callable[[dict[str, Any]], object]


def document(path: Path = BOTH) -> dict[str, Any]:
    """A legal record as JSON values."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def refusal_of(data: bytes) -> str:
    """The error for a record."""
    with pytest.raises(RecordError) as caught:
        verify(parse_record(data))
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def changed(change: Change, path: Path = BOTH) -> str:
    """The error for a legal record after a change."""
    altered = document(path)
    change(altered)
    return refusal_of(json.dumps(altered).encode())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "isn’t a game record"),
        (b"{", "isn’t a game record"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"format": "\xc3\x28"}', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        (b"[]", "one JSON object"),
        (b'"text"', "one JSON object"),
        (b"{}", "format"),
        (b'{"format": "sanssouci-record/2"}', "sanssouci-record/1"),
        (b'{"format": 1}', "sanssouci-record/1"),
        (b'{"format": "sanssouci-record/1"}', "“edition” is missing"),
        (b'{"a": 1, "a": 2}', "“a” appears twice"),
        (b'{"x": {"b": 1, "b": 1}}', "“b” appears twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": Infinity}', "Infinity"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "1e999"),
        (b'{"a": ' + b"1" * 5000 + b"}", "more than 300 digits"),
        (b"[" * 21 + b"]" * 21, "more than 20 levels deep"),
        (b"[" * 100_000, "more than 20 levels deep"),
        (b'{"a":' * 50_000, "more than 20 levels deep"),
        (b" " * 262_145, "limit is 262144"),
        (b'{"a": "\\ud800"}', "half a character"),
        (b"{'a': 1}", "isn’t a game record"),
        (b'{"a": 1,}', "isn’t a game record"),
        (b"\x00", "isn’t a game record"),
        (b'"' + b'\\"' * 131_000, "isn’t a game record"),
        (b"{" + b",".join(b'"%d":0' % n for n in range(25_000)) + b',"0":0}', "“0” appears twice"),
    ],
)
def test_invalid_documents_are_refused(data: bytes, message: str) -> None:
    """Invalid JSON, wrong formats and exceeded limits are refused before the replay."""
    assert message in refusal_of(data)


def depth_of(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if children is None else 1 + max(map(depth_of, children), default=0)


@given(
    st.recursive(
        st.text(alphabet='[]{}"\\a', max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("[]{}\\", max_size=2), inner),
    ),
    st.integers(0, DEEPEST + 2),
)
def test_depth_is_counted_outside_of_strings(value: Any, more: int) -> None:
    """A document is refused exactly if its lists and objects are nested too deep."""
    for number in range(more):
        value = [value, "]"] if number % 2 else {"[": value}
    data = json.dumps([[], value, []]).encode()
    if depth_of(value) < DEEPEST:
        assert parse_json(data) == [[], value, []]
    else:
        with pytest.raises(UserError) as refused:
            parse_json(data)
        assert refused.value.key == "json.too_deep"


def test_twenty_levels_and_the_full_size_are_accepted() -> None:
    """The limits themselves are allowed; brackets in a string are not nesting."""
    deep: Any = "[" * 50
    for _ in range(19):
        deep = [deep]
    right = document()
    right["deep"] = deep
    verify(parse_record(json.dumps(right).encode()))
    data = json.dumps(right).encode()
    assert verify(parse_record(data + b" " * (262_144 - len(data)))).over


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("seats"), "“seats” is missing"),
        (lambda d: d.pop("turns"), "“turns” is missing"),
        (lambda d: d["setup"].pop("tiles"), "setup: the field “tiles” is missing"),
        (lambda d: d["setup"].update(extra=1), "setup: unknown field “extra”"),
        (lambda d: d["setup"].update({"x\nfake: fine\x1b[31m": 1}), r"'x\nfake: fine\x1b[31m'"),
        (lambda d: d["setup"].update({"x" * 5000: 1}), "…"),
        (lambda d: d["result"].update(extra=1), "result: unknown field “extra”"),
        (lambda d: d["result"].pop("parts"), "result: the field “parts” is missing"),
        (lambda d: d["result"]["parts"][0].pop("boar"), "“boar” is missing"),
        (lambda d: d["result"]["parts"][0].update(luck=1), "unknown field “luck”"),
        (lambda d: d["fair"].update(extra=1), "fair: unknown field “extra”"),
        (lambda d: d["boards"].update(extra=1), "boards: unknown field “extra”"),
        (lambda d: d.update(edition="deluxe"), "edition"),
        (lambda d: d.update(edition=7), "edition: must be a text"),
        (lambda d: d.update(expansions="rewards"), "expansions: must be a list"),
        (lambda d: d.update(expansions=["wild_boar", "rewards"]), "sorted"),
        (lambda d: d.update(expansions=["rewards", "rewards"]), "each at most once"),
        (lambda d: d.update(expansions=["dragons"]), "expansions"),
        (lambda d: d.update(edition="ravensburger"), "setup: R34"),
        (lambda d: d.update(seats={}), "seats: must be a list"),
        (lambda d: d["seats"][0].pop("name"), "seats[0]: the field “name” is missing"),
        (lambda d: d["seats"][1].update(name=5), "seats[1].name: must be a text"),
        (lambda d: d.update(seats=[{"name": "x"}]), "R1"),
        (lambda d: d.update(seats=[{"name": "x"}] * 5), "R1"),
        (lambda d: d.update(turns="36@2-g3"), "turns: must be a list"),
        (lambda d: d["turns"].__setitem__(3, 36), "turns[3]: must be a text"),
        (lambda d: d["result"]["scores"].__setitem__(0, 91.0), "whole number"),
        (lambda d: d["result"]["scores"].__setitem__(0, True), "whole number"),
        (lambda d: d["result"]["parts"][0].update(nobles="7"), "whole number"),
        (lambda d: d["result"].update(winners=0), "result.winners: must be a list"),
        (lambda d: d["result"]["scores"].append(3), "each of the 2 seats"),
        (lambda d: d["fair"].update(seed="12"), "fair.seed: must be hex"),
        (lambda d: d["fair"].update(nonces=["ab"]), "2 nonces"),
        (lambda d: d["fair"]["nonces"].__setitem__(0, "xy"), "fair.nonces[0]: must be hex"),
        (lambda d: d["fair"]["nonces"].__setitem__(1, "abc"), "fair.nonces[1]: must be hex"),
        (lambda d: d["boards"].update(sha256=None), "boards.sha256: must be a text"),
    ],
)
def test_invalid_fields_are_refused(change: Change, message: str) -> None:
    """An invalid field is reported with the expected value."""
    assert message in changed(change)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda s: s["gardens"].pop(), "R2"),
        (lambda s: s["gardens"][0].pop(), "R2"),
        (lambda s: s["gardens"][0].__setitem__(0, "a1"), "R2"),
        (lambda s: s["gardens"][0].__setitem__(0, "z9"), "R2"),
        (lambda s: s["gardens"][0].__setitem__(0, s["gardens"][0][1]), "R2"),
        (lambda s: s.update(tiles=s["tiles"][:-1]), "R3"),
        (lambda s: s.update(tiles=s["tiles"] + "a"), "R3"),
        (lambda s: s.update(tiles="z" + s["tiles"][1:]), "R3"),
        (lambda s: s.update(tiles=s["tiles"].replace("a", "b")), "R3"),
        (lambda s: s["decks"].pop(), "R4"),
        (lambda s: s["decks"][1].pop(), "R4"),
        (lambda s: s["decks"][0].__setitem__(0, s["decks"][0][1]), "R4"),
        (lambda s: s["decks"][0].__setitem__(0, "63"), "R4"),
        (lambda s: s["decks"][1].__setitem__(s["decks"][1].index("24"), "23"), "R4"),
        (lambda s: s["missions"].pop(), "R5"),
        (lambda s: s["missions"][0].append("a"), "R5"),
        (lambda s: s["missions"].__setitem__(0, s["missions"][1]), "R5"),
        (lambda s: s["missions"][0].__setitem__(0, "k"), "R5"),
        (lambda s: s.pop("rewards"), "R29"),
        (lambda s: s["rewards"].pop(), "R29"),
        (lambda s: s["rewards"][0].popitem(), "R29"),
        (lambda s: s["rewards"][0].update(a2="+1"), "R29"),
        (lambda s: s["rewards"][0].update(dict.fromkeys(s["rewards"][0], "+9")), "R29"),
    ],
)
def test_a_set_up_that_breaks_a_rule(change: Change, rule: str) -> None:
    """R2, R3, R4, R5, R29: an invalid set-up is refused with its rule."""
    message = changed(lambda d: change(d["setup"]))
    assert re.match(rf"setup\S*: {rule}: ", message), message


def test_of_several_faults_the_first_rule_is_named() -> None:
    """R1 to R5, then R29, then R34: the first broken rule is reported."""

    def error_for(*parts: str) -> str:
        def change(record: dict[str, Any]) -> None:
            setup = record["setup"]
            faults: dict[str, Callable[[], object]] = {
                "gardens": setup["gardens"][0].pop,
                "tiles": lambda: setup.update(tiles=setup["tiles"][1:]),
                "decks": setup["decks"][0].pop,
                "missions": setup["missions"][0].pop,
                "rewards": setup["rewards"][0].popitem,
            }
            for part in parts:
                faults[part]()

        return changed(change)

    assert ": R1: " in changed(lambda d: d.update(edition="ravensburger", seats=[{"name": "x"}]))
    assert ": R29: " in changed(lambda d: (d.update(edition="ravensburger"), d["setup"]["rewards"].pop()))
    assert ": R3: " in changed(lambda d: d["setup"].update(tiles="a") or d["setup"].pop("rewards"))
    unreadable = changed(lambda d: d["setup"].update(tiles="z" * 45, gardens=[["a3"]] * 2))
    assert unreadable.startswith("setup: R2: ")
    order = {"gardens": "R2", "tiles": "R3", "decks": "R4", "missions": "R5", "rewards": "R29"}
    parts = list(order)
    for place, part in enumerate(parts):
        assert f": {order[part]}: " in error_for(*parts[place:])


def test_the_boar_needs_its_square() -> None:
    """R34: e4 is printed, and no reward board covers it."""
    record = document(RECORDS / "imperial-boar-2.json")
    record["setup"]["gardens"][0][0] = "e4"
    assert refusal_of(json.dumps(record).encode()).startswith("setup: R34: ")


def test_rewards_without_the_expansion() -> None:
    """R29: without the expansion, not even an empty list of reward boards is allowed."""
    record = document(BASE)
    record["setup"]["rewards"] = []
    assert ": R29: " in refusal_of(json.dumps(record).encode())


@pytest.mark.parametrize(
    ("turn", "text", "message"),
    [
        (1, "zz", "turn 1 (zz): this is not a turn"),
        (12, "53@2-g3", "turn 12 (53@2-g3): R14: “53” is not a card"),
        (3, "36@2-g3\n", "turn 3 ('36@2-g3\\n'): this is not a turn"),
        (5, "x" * 500, f"turn 5 ({'x' * 40}…): this is not a turn"),
    ],
)
def test_an_unreadable_turn_is_reported(turn: int, text: str, message: str) -> None:
    """The turn is counted from 1 and shown in one line."""
    assert changed(lambda d: d["turns"].__setitem__(turn - 1, text)).startswith(message)


def test_an_illegal_turn_is_named_with_its_rule() -> None:
    """R14: a card that is played twice is not in hand the second time."""
    record = document()
    record["turns"][4] = record["turns"][2]
    assert re.match(
        r"turn 5 \(\S+\): R14: the card \S+ is not in hand$", refusal_of(json.dumps(record).encode())
    )


def test_one_turn_too_many() -> None:
    """R1: after 18 rounds any further turn is refused."""
    assert ": R1: " in changed(lambda d: d["turns"].append("53@0-a2"))
    assert changed(lambda d: d["turns"].append("a@0-a2")) == (
        "turn 37 (a@0-a2): R1: the game is over: every seat has had its 18 turns"
    )


def test_the_first_invalid_turn_is_reported() -> None:
    """Turns are read in order, so an illegal turn is reported before a later unreadable one."""

    def change(record: dict[str, Any]) -> None:
        record["turns"][30] = "nonsense"
        record["turns"][10] = record["turns"][8]

    assert changed(change).startswith("turn 11 (")


@pytest.mark.parametrize("name", ["scores", "gardeners", "winners", "parts"])
def test_a_result_that_differs_from_the_replay(name: str) -> None:
    """R28: the part of the result that differs is reported."""

    def change(record: dict[str, Any]) -> None:
        result = record["result"]
        if name == "parts":
            result["parts"][0]["nobles"] += 1
        elif name == "winners":
            result["winners"] = [0, 1] if result["winners"] != [0, 1] else [0]
        else:
            result[name][0] += 1

    assert changed(change).startswith(f"result.{name}: this does not match the replay")


def test_a_result_before_the_end() -> None:
    """A result is refused if turns are missing."""
    assert changed(lambda d: d["turns"].pop()).startswith("result: there is a result after turn 35")


def test_a_record_may_be_unfinished_and_have_extra_fields() -> None:
    """A record may have no turns yet; unknown keys at the top and in seats are kept."""
    record = document()
    del record["result"], record["fair"], record["boards"]
    record |= {"turns": [], "comment": ["kept", {"x": None}]}
    record["seats"][0]["avatar"] = "owl"
    read = parse_record(json.dumps(record).encode())
    assert verify(read).turn == 0
    assert read.extra == {"comment": ["kept", {"x": None}]}
    assert json.loads(write_record(read)) == record


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    """A missing file and a folder give one sentence."""
    for path, message in ((tmp_path / "no.json", "no such file"), (tmp_path, "folder")):
        with pytest.raises(RecordError, match=message):
            read_record(path)


def test_a_changed_turn_is_refused_with_the_rule_that_the_oracle_names() -> None:
    """R14-R20, R34-R36: record verification and the oracle agree on the broken rule."""
    chance = stream(31)
    draw = (chance.below(2**32) for _ in count())
    record = read_record(BOTH)
    states = [record.deal.start(), *(state for _, state in replay(record))]
    for number in range(0, 36, 5):
        for turn in oracle.mutations(parse_turn(record.turns[number]), draw):
            turns = (*record.turns[:number], write_turn(turn))
            try:
                verify(replace(record, turns=turns, result=None))
                rule = None
            except RecordError as error:
                rule = error.rule
            assert rule == oracle.first_broken_rule(states[number], turn)


@settings(max_examples=300, deadline=None)
@given(place=st.integers(0, 5_000), junk=st.binary(min_size=1, max_size=4))
def test_random_bytes_never_crash_the_reader(place: int, junk: bytes) -> None:
    """A record with random bytes is refused or legal, without another exception."""
    data = bytearray(BOTH.read_bytes())
    place %= len(data)
    data[place : place + len(junk)] = junk
    try:
        verify(parse_record(bytes(data)))
    except RecordError as error:
        assert str(error)
