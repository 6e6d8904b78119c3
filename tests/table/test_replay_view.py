"""Replay of a record: its positions equal those of the rules, its turns those of a table."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanssouci.notation import (
    Record,
    RecordError,
    RecordResultJson,
    parse_record,
    parse_view,
    replay,
    write_view,
)
from sanssouci.rules import Result, State
from sanssouci.table import write_replay

Json = dict[str, Any]
GOLDEN = sorted((Path(__file__).parents[1] / "records").glob("*.json"))


def golden_record(path: Path) -> tuple[Record, list[State]]:
    """A record, and its states according to the rules."""
    record = parse_record(path.read_bytes())
    return record, [record.deal.start(), *(state for _, state in replay(record))]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_replay_positions_equal_the_views_of_all_seats(path: Path) -> None:
    """Reduced to a seat's hand and missions, each replay position equals that seat's view."""
    record, states = golden_record(path)
    written = write_replay(record)
    steps, winners = written["steps"], written["winners"]
    assert winners == (list(Result.of(states[-1]).winners) if states[-1].over else None)
    assert len(steps) == len(states) == len(record.turns) + 1
    for step, state in zip(steps, states, strict=True):
        game, seats = step["game"], range(state.variant.seats)
        for seat in seats:
            seen = [game["missions"][one] if one == seat or state.over else None for one in seats]
            view = {**game, "seat": seat, "hand": step["hands"][seat], "missions": seen}
            assert view == write_view(state.view(seat))
        assert parse_view(game).missions == state.missions
        assert {**game, "missions": None} == {**write_view(state.view(None)), "missions": None}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_replay_turns_show_tiles_cards_and_points(path: Path) -> None:
    """Each turn shows its tile, refill, card and points. The points sum up to the score before the end."""
    record, states = golden_record(path)
    turns = write_replay(record)["events"]
    assert [turn["turn"] for turn in turns] == list(record.turns)
    assert [turn["seq"] for turn in turns] == list(range(1, len(states)))
    for turn, before, after in zip(turns, states, states[1:], strict=False):
        seat, game = before.to_move, write_view(before.view(None))
        assert (turn["chair"], turn["round"]) == (seat, before.round)
        assert turn["tile"] == game["display"][turn["space"]]
        assert turn["refill"] == write_view(after.view(None))["display"][turn["space"]]
        hands = [set(write_view(state.view(seat))["hand"]) for state in (before, after)]
        assert hands[1] - hands[0] == {turn["draw"]} - {None}
        if not after.over:
            gained = after.scores[seat].total - before.scores[seat].total
            points = turn["points"]
            assert points["nobles"] + points["rewards"] + points["boar"] == gained
    ends = [turn["stage"] for turn in turns]
    assert ends == ["playing"] * (len(ends) - 1) + ["over" if states[-1].over else "playing"] * bool(ends)


def test_names_and_players_of_a_record_are_sanitised() -> None:
    """Control characters are removed from names, and invalid players are dropped."""
    record, _ = golden_record(GOLDEN[0])
    odd: list[Json] = [{"name": "\x1b[2J", "player": "level:4"}, {"name": "", "player": {"much": "more"}}]
    seats = write_replay(Record(record.deal, tuple(odd), record.turns))["seats"]
    assert seats == [
        {"name": "?[2J", "player": "level:4", "colour": None},
        {"name": "2", "player": None, "colour": None},
    ]


def test_a_wrong_result_is_rejected() -> None:
    """A record whose result does not follow from its turns is rejected."""
    record, _ = golden_record(GOLDEN[0])
    assert record.result is not None
    wrong: RecordResultJson = {**record.result, "winners": [1 - record.result["winners"][0]]}
    with pytest.raises(RecordError, match=r"result\.winners"):
        write_replay(Record(record.deal, record.seats, record.turns, wrong))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (("teal", "red"), ["teal", "red"]),
        (("teal", None), [None, None]),
        (("red", "red"), [None, None]),
        (("red", "pink"), [None, None]),
        (("red", ["blue"]), [None, None]),
    ],
)
def test_seats_have_colours_only_if_every_seat_has_its_own(
    written: tuple[object, object], shown: list[str | None]
) -> None:
    """Records come from anywhere, so a field may contain anything."""
    record = next(record for record, _ in map(golden_record, GOLDEN) if len(record.seats) == 2)
    seats = tuple(
        {"name": "Ada"} if colour is None else {"name": "Ada", "colour": colour} for colour in written
    )
    assert [seat["colour"] for seat in write_replay(replace(record, seats=seats))["seats"]] == shown
