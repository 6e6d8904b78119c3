"""Table settings: which are valid, and how the log stores them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.editions import BoardSet, load_edition, shipped_boards
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.rules import GardenBoard, Refused
from sanssouci.table import TimeControl, TimeControlKind, Visibility, make_settings, write_summary
from sanssouci.table.settings import dump_settings, load_settings, write_settings

from ..helpers import VARIANTS, squares
from .hosted_table import COMPUTER, PERSON, Host, replay_log

OTHERS: tuple[dict[str, Any], ...] = (
    {},
    {"time_control": TimeControl(TimeControlKind.TURN, 5), "hints": False, "visibility": Visibility.OPEN},
    {"time_control": TimeControl(TimeControlKind.DAYS, 30), "first": 1, "stand_in": "greedy"},
)
WRONG: tuple[Any, ...] = ([], {}, -7, "x" * 9, None)
"""Invalid in place of any other value, except for an empty list of expansions."""


def custom_boards(name: str = "my “box”") -> BoardSet:
    """Boards that are not shipped with the project."""
    board = GardenBoard((squares("b2 c3 d4 e5 f6 i2"), squares("a2 b2 c2 d2 f2 g2")))
    return replace(shipped_boards("bosquet"), name=name, gardens=(board,) * 4)


def test_settings_round_trip() -> None:
    """Settings of every variant and time control round-trip."""
    for variant in VARIANTS:
        for others in OTHERS:
            settings = make_settings(variant.seats, variant.edition, list(variant.expansions), **others)
            assert load_settings(json.loads(json.dumps(dump_settings(settings)))) == settings
            assert write_settings(settings)["expansions"] == list(variant.expansions)


@pytest.mark.parametrize(
    ("pace", "amount"),
    [
        (TimeControlKind.NONE, 1),
        (TimeControlKind.TURN, 4),
        (TimeControlKind.TURN, 6 * 3600 + 1),
        (TimeControlKind.TURN, -5),
        (TimeControlKind.DAYS, 0),
        (TimeControlKind.DAYS, 31),
    ],
)
def test_time_controls_have_bounds(pace: TimeControlKind, amount: int) -> None:
    """A time control out of bounds is rejected, with a message in each language."""
    with pytest.raises(UserError) as caught:
        TimeControl(pace, amount)
    assert caught.value.key == "terms.bad_clock"
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4


def test_time_controls_in_seconds() -> None:
    """Days are converted to seconds. Without a clock there is no limit."""
    assert [
        TimeControl().seconds,
        TimeControl(TimeControlKind.TURN, 90).seconds,
        TimeControl(TimeControlKind.DAYS, 2).seconds,
    ] == [None, 90, 172_800]


@pytest.mark.parametrize("first", [-1, 2, 99])
def test_the_first_chair_must_exist(first: int) -> None:
    """R8: the first chair must be at the table."""
    with pytest.raises(UserError) as caught:
        make_settings(2, "imperial", [], first=first)
    assert caught.value.key == "terms.bad_first"


def test_unplayable_variants_are_refused() -> None:
    """R1: two to four seats; R34: the boar only in the Imperial edition, and only where e4 is free."""
    for seats in (1, 5):
        with pytest.raises(Refused, match="R1"):
            make_settings(seats, "imperial", [])
    with pytest.raises(Refused, match="R34"):
        make_settings(2, "ravensburger", ["wild_boar"])
    boards = custom_boards()
    e4 = GardenBoard((squares("b2 c3 e4 e5 f6 i2"),))
    with pytest.raises(UserError):
        make_settings(2, "imperial", ["wild_boar"], replace(boards, gardens=(e4,) * 4))
    make_settings(2, "imperial", ["rewards", "wild_boar"], replace(boards, gardens=(e4,) * 4))


@pytest.mark.parametrize(
    ("edition", "expansions", "key"),
    [
        ("gold", [], "record.unknown_edition"),
        ("imperial", ["dragons"], "record.bad_expansions"),
        ("imperial", ["rewards", "Rewards"], "record.bad_expansions"),
    ],
)
def test_unknown_editions_and_expansions_are_rejected(edition: str, expansions: list[str], key: str) -> None:
    """Unknown names are rejected, with and without custom boards."""
    for boards in (None, custom_boards()):
        with pytest.raises(UserError) as caught:
            make_settings(2, edition, expansions, boards)
        assert caught.value.key == key


@pytest.mark.parametrize("name", ["my “box”", "parterre", 'quo"te \\ back'])
def test_custom_boards_are_stored_completely(name: str) -> None:
    """The log contains all custom boards, even if the set has the name of a shipped one."""
    settings = make_settings(2, "imperial", ["rewards"], custom_boards(name))
    host = Host(settings, [PERSON, COMPUTER]).start().pick().play(3)
    assert "b2" in host.log[0][3] and host.replayed().state == host.state
    assert host.replayed().state.boards == custom_boards(name)
    shown = write_summary(host.state)["terms"]["boards"]
    assert shown == {"name": name, "sha256": custom_boards().sha256}, "viewers get the name and hash"


def test_shipped_boards_are_stored_by_name_and_hash() -> None:
    """A log whose shipped boards have changed since is rejected."""
    host = Host.of(2)
    seq, command_id, chair, text = host.log[0]
    boards = json.loads(text)["command"]["terms"]["boards"]
    assert boards == {"name": "bosquet", "sha256": load_edition("imperial").boards.sha256}
    for changed in (text.replace(boards["sha256"], "0" * 64), text.replace('"bosquet"', '"rotunda"')):
        with pytest.raises(UserError) as caught:
            replay_log("t", [(seq, command_id, chair, changed)])
        assert caught.value.key == "table.other_boards"


def test_invalid_stored_settings_are_rejected() -> None:
    """Any invalid value in stored settings or chairs raises a UserError."""
    body: dict[str, Any] = json.loads(Host.of(2).log[0][3])
    command = body["command"]
    texts = ("stand_in", "name", "player")
    for holder in (command["terms"], command["terms"]["clock"], *command["chairs"]):
        for key, right in list(holder.items()):
            for junk in WRONG:
                if junk == right or (key in texts and isinstance(junk, str)):
                    continue
                holder[key] = junk
                with pytest.raises(UserError):
                    replay_log("t", [(0, "create", None, json.dumps(body))])
            holder[key] = right
    assert (
        replay_log("t", [(0, "create", None, json.dumps(body))]).state.settings == Host.of(2).state.settings
    )
