"""Terms: what can be agreed, and what the log keeps of it."""

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
from .host import COMPUTER, PERSON, Host, replay_log

OTHERS: tuple[dict[str, Any], ...] = (
    {},
    {"time_control": TimeControl(TimeControlKind.TURN, 5), "hints": False, "visibility": Visibility.OPEN},
    {"time_control": TimeControl(TimeControlKind.DAYS, 30), "first": 1, "stand_in": "greedy"},
)
WRONG: tuple[Any, ...] = ([], {}, -7, "x" * 9, None)
"""None of them is right where another thing stood, but for an empty list of expansions."""


def own_boards(name: str = "my “box”") -> BoardSet:
    """Boards that do not come with the project."""
    board = GardenBoard((squares("b2 c3 d4 e5 f6 i2"), squares("a2 b2 c2 d2 f2 g2")))
    return replace(shipped_boards("bosquet"), name=name, gardens=(board,) * 4)


def test_terms_are_kept_and_read_again() -> None:
    """Every variant, every clock, as it was agreed."""
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
def test_a_clock_has_bounds(pace: TimeControlKind, amount: int) -> None:
    """Seconds or days that a person can think in, and a server can count."""
    with pytest.raises(UserError) as caught:
        TimeControl(pace, amount)
    assert caught.value.key == "terms.bad_clock"
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4


def test_a_clock_counts_in_seconds() -> None:
    """Days are long turns; no clock has no limit."""
    assert [
        TimeControl().seconds,
        TimeControl(TimeControlKind.TURN, 90).seconds,
        TimeControl(TimeControlKind.DAYS, 2).seconds,
    ] == [None, 90, 172_800]


@pytest.mark.parametrize("first", [-1, 2, 99])
def test_the_first_chair_must_be_there(first: int) -> None:
    """R8: who starts sits at the table."""
    with pytest.raises(UserError) as caught:
        make_settings(2, "imperial", [], first=first)
    assert caught.value.key == "terms.bad_first"


def test_the_rules_refuse_what_cannot_be_played() -> None:
    """R1: two to four seats; R34: the boar only in the Imperial edition, and only where e4 is free."""
    for seats in (1, 5):
        with pytest.raises(Refused, match="R1"):
            make_settings(seats, "imperial", [])
    with pytest.raises(Refused, match="R34"):
        make_settings(2, "ravensburger", ["wild_boar"])
    boards = own_boards()
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
def test_what_is_not_known_is_not_passed_over(edition: str, expansions: list[str], key: str) -> None:
    """A word that means nothing gets a sentence, with boards or without."""
    for boards in (None, own_boards()):
        with pytest.raises(UserError) as caught:
            make_settings(2, edition, expansions, boards)
        assert caught.value.key == key


@pytest.mark.parametrize("name", ["my “box”", "parterre", 'quo"te \\ back'])
def test_own_boards_are_kept_whole(name: str) -> None:
    """The log needs no file beside it, also where a set only has the name of another."""
    settings = make_settings(2, "imperial", ["rewards"], own_boards(name))
    host = Host(settings, [PERSON, COMPUTER]).start().pick().play(3)
    assert "b2" in host.log[0][3] and host.replayed().state == host.state
    assert host.replayed().state.boards == own_boards(name)
    shown = write_summary(host.state)["terms"]["boards"]
    assert shown == {"name": name, "sha256": own_boards().sha256}, "everyone else gets its name and hash"


def test_shipped_boards_are_kept_by_name_and_hash() -> None:
    """If they change in a later version, a log that needs the old ones says so."""
    host = Host.of(2)
    seq, command_id, chair, text = host.log[0]
    boards = json.loads(text)["command"]["terms"]["boards"]
    assert boards == {"name": "bosquet", "sha256": load_edition("imperial").boards.sha256}
    for changed in (text.replace(boards["sha256"], "0" * 64), text.replace('"bosquet"', '"rotunda"')):
        with pytest.raises(UserError) as caught:
            replay_log("t", [(seq, command_id, chair, changed)])
        assert caught.value.key == "table.other_boards"


def test_nonsense_in_kept_terms_is_found() -> None:
    """Whatever is exchanged: one sentence, and no other error."""
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
