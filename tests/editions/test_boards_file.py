"""Custom boards files: reading, validation by field, writing."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanssouci.editions import (
    SHIPPED,
    BoardsError,
    BoardSet,
    boar_can_start,
    check_boards,
    find_boards,
    parse_boards,
    read_boards,
    shipped_boards,
    write_boards,
)
from sanssouci.rules import IMPERIAL, GardenBoard, Variant

from ..helpers import squares

Change = Callable[[dict[str, Any]], object]
SQUARES = ["c2", "g2", "a3", "i3", "h4", "a5"]


def to_toml(table: dict[str, Any]) -> bytes:
    """A boards table as TOML; only the syntax that these tests need."""

    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{key} = {text(item)}" for key, item in value.items()) + " }"
        if isinstance(value, list):
            return "[" + ", ".join(map(text, value)) + "]"
        return '"' + value + '"' if isinstance(value, str) else str(value).lower()

    return ("[boards]\n" + "".join(f"{key} = {text(value)}\n" for key, value in table.items())).encode()


def changed(change: Change) -> bytes:
    """The set parterre with a change."""
    table = tomllib.loads(write_boards(shipped_boards("parterre")))["boards"]
    change(table)
    return to_toml(table)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_set_is_written_and_read_again(name: str) -> None:
    """Parsing a written set restores it, also with quotes in its name."""
    boards = replace(shipped_boards(name), name='Ada\'s "box" \\ 2')
    assert parse_boards(write_boards(boards).encode()) == boards


def test_one_side_is_enough_and_rewards_and_pairs_may_be_left_out() -> None:
    """R9: a custom file may have one-sided boards and omit rewards and pairs."""
    table = {"name": "small", "gardens": [{"front": SQUARES}] * 4}
    boards = parse_boards(to_toml(table))
    assert boards.gardens == (GardenBoard((squares(" ".join(SQUARES)),)),) * 4
    assert boards.rewards == shipped_boards("parterre").rewards
    assert boards.deck == shipped_boards("parterre").deck


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (lambda b: b.pop("name"), "boards.name", "name"),
        (lambda b: b.update(name=""), "boards.name", "printable"),
        (lambda b: b.update(name="x" * 61), "boards.name", "60"),
        (lambda b: b.update(name=3), "boards.name", "name"),
        (lambda b: b.update(name="a\\u001bb"), "boards.name", "printable"),
        (lambda b: b.update(colour="red"), "boards.colour", "known ones are name, pairs, gardens, rewards"),
        (lambda b: b.pop("gardens"), "boards.gardens", "4 boards"),
        (lambda b: b["gardens"].pop(), "boards.gardens", "4 boards"),
        (lambda b: b.update(gardens=3), "boards.gardens", "4 boards"),
        (lambda b: b["gardens"].__setitem__(1, ["a3"]), "boards.gardens.2", "front"),
        (lambda b: b["gardens"][1].pop("front"), "boards.gardens.2", "front"),
        (lambda b: b["gardens"][1].update(top=["a3"]), "boards.gardens.2.top", "front, back"),
        (lambda b: b["gardens"][2]["back"].pop(), "boards.gardens.3.back", "R2"),
        (lambda b: b["gardens"][2]["back"].append("i6"), "boards.gardens.3.back", "R2"),
        (lambda b: b["gardens"][2]["back"].__setitem__(0, "a1"), "boards.gardens.3.back", "R2"),
        (
            lambda b: b["gardens"][2]["back"].__setitem__(0, "k9"),
            "boards.gardens.3.back",
            "“k9” is not a square",
        ),
        (lambda b: b["gardens"][2].update(back=["a3"] * 6), "boards.gardens.3.back", "a3 is listed twice"),
        (lambda b: b["gardens"][2].update(back=[1] * 6), "boards.gardens.3.back", "R2"),
        (lambda b: b["rewards"].pop(), "boards.rewards", "4 boards"),
        (lambda b: b["rewards"][0]["front"].popitem(), "boards.rewards.1.front", "R29"),
        (lambda b: b["rewards"][0]["front"].update(a2="+1"), "boards.rewards.1.front", "a2 is not under"),
        (
            lambda b: b["rewards"][0].update(front={"e3": "+7"}),
            "boards.rewards.1.front",
            "“+7” is not a reward mark",
        ),
        (lambda b: b["rewards"][0].update(front={"e3": 3}), "boards.rewards.1.front.e3", "R29"),
        (lambda b: b["rewards"][0].update(front=[]), "boards.rewards.1.front", "R29"),
        (lambda b: b["pairs"].pop(), "boards.pairs", "R4"),
        (lambda b: b["pairs"].__setitem__(0, "42"), "boards.pairs", "“42”"),
        (lambda b: b["pairs"].__setitem__(0, "a"), "boards.pairs", "“a”"),
        (lambda b: b["pairs"].__setitem__(0, b["pairs"][1]), "boards.pairs", "twice"),
        (lambda b: b.update(pairs=[24] * 8), "boards.pairs", "R4"),
    ],
)
def test_an_invalid_field_is_reported(change: Change, field: str, message: str) -> None:
    """An invalid value is reported with its field; boards are counted from 1."""
    with pytest.raises(BoardsError) as caught:
        parse_boards(changed(change))
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ") and message in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "[boards]"),
        (b"boards = 3", "[boards]"),
        (b"[boards", "not valid TOML"),
        (b"\xff", "UTF-8"),
        (b"zz = 1\n[boards]\n", "zz: "),
        (b"pairs = []\n[boards]\n", "pairs: "),
        (b"#" * 32_769, "32768"),
        (b"\xef\xbb\xbf[boards]", "byte-order mark"),
        (b"n = " + b"1" * 5000, "not valid TOML"),
        (b'[boards]\n"a\\u001b\\nb" = 1', "known"),
        (b"a = " + b"[" * 20_000, "not valid TOML"),
        (b"a." * 15_000 + b"b = 1", "nested more"),
        (b'"a" . ' * 5000 + b"b = 1", "nested more"),
    ],
)
def test_an_invalid_file_is_reported(data: bytes, message: str) -> None:
    """A file that is not valid TOML or has no [boards] table gives one sentence."""
    with pytest.raises(BoardsError) as caught:
        parse_boards(data)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("line_break", ["\u2028", "\u2029", "\x85"])
def test_a_deep_key_with_unicode_line_breaks_is_refused(line_break: str) -> None:
    """Unicode line breaks in a key do not hide that it is nested too deep."""
    key = ".".join([f'"{line_break}"', *["a"] * 40] * 4)
    with pytest.raises(BoardsError) as caught:
        parse_boards(f"{key} = 1".encode())
    assert caught.value.key == "json.too_deep"


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    """A missing file is reported with the shipped sets; a folder is refused."""
    with pytest.raises(BoardsError, match="parterre, bosquet, reference"):
        find_boards(str(tmp_path / "none.toml"))
    with pytest.raises(BoardsError, match="folder"):
        read_boards(tmp_path)
    mine = tmp_path / "mine.toml"
    mine.write_text(write_boards(shipped_boards("bosquet")), encoding="utf-8")
    assert find_boards(str(mine)) == find_boards("bosquet")


def test_the_boar_needs_e4_unless_rewards_cover_it() -> None:
    """R34: a print on e4 is reported with its field before the game starts."""
    shipped = shipped_boards("bosquet")
    printed = GardenBoard((shipped.gardens[2].sides[0], squares("e4 a3 a5 c2 g2 h4")))
    boards = BoardSet(
        "e4", (*shipped.gardens[:2], printed, shipped.gardens[3]), shipped.rewards, shipped.deck
    )
    assert not boar_can_start(boards) and boar_can_start(shipped)
    with pytest.raises(BoardsError, match="R34") as caught:
        check_boards(boards, Variant(2, IMPERIAL, wild_boar=True))
    assert caught.value.field == "boards.gardens.3.back"
    check_boards(boards, Variant(2, IMPERIAL, rewards=True, wild_boar=True))
    check_boards(boards, Variant(2, IMPERIAL))
