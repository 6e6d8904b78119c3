"""A record step by step: the positions are those of the rules, the turns those of a table."""

from pathlib import Path
from typing import Any

import pytest

from sanssouci.notation import Record, RecordError, ResultJson, parse_record, parse_view, replay, write_view
from sanssouci.rules import Result, State
from sanssouci.table import write_replay

Json = dict[str, Any]
GOLDEN = sorted((Path(__file__).parents[1] / "records").glob("*.json"))


def golden(path: Path) -> tuple[Record, list[State]]:
    """A record, and the states that the rules give for it."""
    record = parse_record(path.read_bytes())
    return record, [record.deal.start(), *(state for _, state in replay(record))]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_positions_are_those_of_the_rules_with_everything_open(path: Path) -> None:
    """From every seat's eyes the open position is that seat's view, and for a spectator the spectator's."""
    record, states = golden(path)
    written = write_replay(record)
    steps, won = written["steps"], written["winners"]
    assert won == (list(Result.of(states[-1]).winners) if states[-1].over else None)
    assert len(steps) == len(states) == len(record.turns) + 1
    for step, state in zip(steps, states, strict=True):
        game, seats = step["game"], range(state.variant.seats)
        for seat in seats:
            seen = [game["missions"][one] if one == seat or state.over else None for one in seats]
            eyes = {**game, "seat": seat, "hand": step["hands"][seat], "missions": seen}
            assert eyes == write_view(state.view(seat))
        assert parse_view(game).missions == state.missions
        assert {**game, "missions": None} == {**write_view(state.view(None)), "missions": None}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_turns_are_told_with_what_they_took_drew_and_scored(path: Path) -> None:
    """The points of all turns of a seat are its score, but for what the end adds."""
    record, states = golden(path)
    told = write_replay(record)["tellings"]
    assert [telling["turn"] for telling in told] == list(record.turns)
    assert [telling["seq"] for telling in told] == list(range(1, len(states)))
    for telling, before, after in zip(told, states, states[1:], strict=False):
        seat, game = before.to_move, write_view(before.view(None))
        assert (telling["chair"], telling["round"]) == (seat, before.round)
        assert telling["tile"] == game["display"][telling["space"]]
        assert telling["refill"] == write_view(after.view(None))["display"][telling["space"]]
        hands = [set(write_view(state.view(seat))["hand"]) for state in (before, after)]
        assert hands[1] - hands[0] == {telling["draw"]} - {None}
        if not after.over:
            gained = after.scores[seat].total - before.scores[seat].total
            assert sum(telling["points"].values()) == gained
    ends = [telling["stage"] for telling in told]
    assert ends == ["playing"] * (len(ends) - 1) + ["over" if states[-1].over else "playing"] * bool(ends)


def test_who_played_is_named_and_nothing_else_of_a_seat_is_believed() -> None:
    """A name without what a terminal would obey; a player only if it can be one's name."""
    record, _ = golden(GOLDEN[0])
    odd: list[Json] = [{"name": "\x1b[2J", "player": "level:4"}, {"name": "", "player": {"much": "more"}}]
    seats = write_replay(Record(record.deal, tuple(odd), record.turns))["seats"]
    assert seats == [{"name": "?[2J", "player": "level:4"}, {"name": "2", "player": None}]


def test_a_result_that_the_turns_do_not_give_is_refused() -> None:
    """Nothing of a record is believed, not even its last line."""
    record, _ = golden(GOLDEN[0])
    assert record.result is not None
    false: ResultJson = {**record.result, "winners": [1 - record.result["winners"][0]]}
    with pytest.raises(RecordError, match=r"result\.winners"):
        write_replay(Record(record.deal, record.seats, record.turns, false))
