"""Complete games at a table: the log replays to the same states, and the seed proves the record."""

from dataclasses import replace

import pytest

from sanssouci.dealer import prove
from sanssouci.editions import BoardSet, load_edition
from sanssouci.notation import Record, parse_record, verify, write_record, write_result
from sanssouci.rules import GardenBoard, Result, RewardBoard, Variant
from sanssouci.table import (
    Abandon,
    CommandRejected,
    Concede,
    EndReason,
    Pick,
    RejectReason,
    Stage,
    StepAway,
    TakeBack,
    coloured_record,
    make_settings,
    table_record,
)

from ..helpers import VARIANTS
from .hosted_table import COMPUTER, PERSON, Host, replay_log


def fronts(boards: BoardSet) -> BoardSet:
    """A set of boards with one side each."""
    return replace(
        boards,
        name="fronts",
        gardens=tuple(GardenBoard(board.sides[:1]) for board in boards.gardens),
        rewards=tuple(RewardBoard(board.sides[:1]) for board in boards.rewards),
    )


def checked_record(host: Host) -> Record:
    """The table's record after a round trip, verified and proved."""
    record = parse_record(write_record(table_record(host.state)))
    assert verify(record) == host.state.game
    prove(record, [host.state.boards])
    return record


@pytest.mark.parametrize("people", ["all", "one", "none"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_game_is_replayed_from_its_log_and_proved_by_its_record(variant: Variant, people: str) -> None:
    """R28: every variant, with people or computers, is replayed event by event without its seed."""
    computers = {"all": 0, "one": variant.seats - 1, "none": variant.seats}[people]
    host = Host.of(
        variant.seats, computers=computers, edition=variant.edition, expansions=variant.expansions
    ).start()
    host.play_out()
    again, state = host.replayed(), host.state
    assert again.history == host.table.history and len(again.history) == len(host.log)
    assert [again.event(seq) for seq in range(again.seq + 1)] == [
        host.table.event(seq) for seq in range(host.table.seq + 1)
    ]
    assert again.public_events(-1) == host.table.public_events(-1)

    assert state.game is not None and state.ending is not None
    result = Result.of(state.game)
    assert (state.ending.reason, state.ending.winners) == (EndReason.PLAYED, result.winners)
    record = checked_record(host)
    assert record.result == write_result(result)
    assert [seat["chair"] for seat in record.seats] == list(state.order)
    assert record.extra["table"] == {
        "manner": "played",
        "winners": list(result.winners),
        "conceded": [],
        "taken_back": 0,
        "start": "drawn",
    }


@pytest.mark.parametrize("expansions", [[], ["rewards"], ["rewards", "wild_boar"]])
def test_boards_with_one_side_leave_nothing_to_pick(expansions: list[str]) -> None:
    """R9: with one-sided boards the game begins as soon as all are ready. The log contains the boards."""
    boards = fronts(load_edition("imperial").boards)
    host = Host(make_settings(2, "imperial", expansions, boards), [PERSON, COMPUTER]).start()
    assert host.state.stage is Stage.PLAYING
    host.play_out()
    assert host.replayed().history == host.table.history
    assert checked_record(host).boards is not None


def test_only_gardens_with_two_sides_are_picked_from() -> None:
    """R9: a seat with a one-sided board waits for the others."""
    boards = load_edition("imperial").boards
    mixed = replace(boards, name="mixed", gardens=(*fronts(boards).gardens[:2], *boards.gardens[2:]))
    host = Host(make_settings(4, "imperial", [], mixed), [PERSON] * 4).start()
    picking = {chair for seat, chair in enumerate(host.state.order) if host.state.gardens[seat] > 1}
    assert set(host.state.waiting) == picking and len(picking) == 2
    not_picking = next(chair for chair in range(4) if chair not in picking)
    assert host.refusal(Pick(0), not_picking) == "R9 garden_side_picked"
    assert checked_record(host.play_out()).extra["table"]["manner"] == "played"


def test_the_record_of_a_conceded_game() -> None:
    """The record has no result and names the conceded seats and the winners."""
    host = Host.of(2, first=1).start().pick().play(7)
    host.do(Concede(), 0)
    record = checked_record(host)
    assert record.result is None and len(record.turns) == 7
    assert record.extra["table"] == {
        "manner": "conceded",
        "winners": [0],
        "conceded": [1],
        "taken_back": 0,
        "start": "chosen",
    }, "these are seats, and chair 1 has seat 0"
    assert record.seats == ({"name": "P1", "chair": 1}, {"name": "P0", "chair": 0})
    coloured = coloured_record(record, host.state.chairs)
    assert [seat["colour"] for seat in coloured.seats] == ["blue", "red"]
    assert replace(coloured, seats=record.seats) == record


def test_a_conceded_seat_does_not_win_a_completed_game() -> None:
    """The result counts all seats. The winners of the table are the best of the others."""
    host = Host.of(3).start().pick()
    host.do(Concede(), host.state.order[0])
    host.play_out()
    ending, state = host.state.ending, host.state.game
    assert ending is not None and state is not None and ending.reason is EndReason.PLAYED
    result = Result.of(state)
    best = max((1, 2), key=lambda seat: (result.scores[seat].total, result.gardeners[seat]))
    assert best in ending.winners and 0 not in ending.winners
    assert checked_record(host).result == write_result(result)


@pytest.mark.parametrize("turns", [0, 5])
def test_the_record_of_an_abandoned_game_has_no_winner(turns: int) -> None:
    """The deal is proved even if no turn was played."""
    host = Host.of(2, expansions=["rewards"]).start().pick(1).play(turns).end()
    record = checked_record(host)
    assert len(record.turns) == turns and record.result is None
    assert record.extra["table"]["winners"] == [] and record.extra["table"]["manner"] == "abandoned"


def test_turns_taken_back_are_not_in_the_record() -> None:
    """The record omits turns taken back, but counts them."""
    host = Host.of(2, computers=1, first=0).start().pick().play(4)
    host.do(TakeBack(), 0)
    host.play_out()
    record = checked_record(host)
    assert len(record.turns) == 36 and record.extra["table"]["taken_back"] == 1


def test_a_record_needs_a_finished_game() -> None:
    """There is no record of a game in progress, or of one that never began."""
    host = Host.of(2).start()
    for _ in range(2):
        with pytest.raises(CommandRejected) as caught:
            table_record(host.state)
        assert caught.value.reason is RejectReason.NOT_YET
        host.pick()
    early = Host.of(2).start()
    early.do(Abandon(), 0)
    early.do(Abandon(), 1)
    with pytest.raises(CommandRejected) as caught:
        table_record(early.state)
    assert caught.value.reason is RejectReason.NO_RECORD


def test_records_do_not_mention_stand_ins() -> None:
    """The record names the people at the table, not their stand-ins."""
    host = Host.of(2).start()
    host.do(StepAway(), 1)
    host.play_out()
    assert [set(seat) for seat in checked_record(host).seats] == [{"name", "chair"}] * 2
    assert any(host.table.event(seq).system for seq in range(3, host.table.seq + 1))


def test_the_table_name_is_part_of_the_shuffle() -> None:
    """The same seed deals another game at another table."""
    settings = make_settings(2, "imperial", [])
    one, two = (Host(settings, [COMPUTER] * 2, name=name).play_out() for name in ("t", "u"))
    assert one.state.states[0] != two.state.states[0]
    with pytest.raises(ValueError, match="does not match its seed"):
        replay_log("u", one.log)
