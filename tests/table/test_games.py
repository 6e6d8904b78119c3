"""Whole games at a table: what the log tells is how the table stands, and the record is proved."""

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
    make_settings,
    table_record,
)

from ..helpers import VARIANTS
from .host import COMPUTER, PERSON, Host, replay_log


def fronts(boards: BoardSet) -> BoardSet:
    """A set of boards with one side each."""
    return replace(
        boards,
        name="fronts",
        gardens=tuple(GardenBoard(board.sides[:1]) for board in boards.gardens),
        rewards=tuple(RewardBoard(board.sides[:1]) for board in boards.rewards),
    )


def written(host: Host) -> Record:
    """The record of a table, written and read again, legal and proved."""
    record = parse_record(write_record(table_record(host.state)))
    assert verify(record) == host.state.game
    prove(record, [host.state.boards])
    return record


@pytest.mark.parametrize("people", ["all", "one", "none"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_game_is_told_by_its_log_and_proved_by_its_record(variant: Variant, people: str) -> None:
    """R28: every game there is, with people or computers, is replayed event by event, without its seed."""
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
    record = written(host)
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
    """R9: the game begins as soon as all are ready, and the log keeps the boards."""
    boards = fronts(load_edition("imperial").boards)
    host = Host(make_settings(2, "imperial", expansions, boards), [PERSON, COMPUTER]).start()
    assert host.state.stage is Stage.PLAYING
    host.play_out()
    assert host.replayed().history == host.table.history
    assert written(host).boards is not None


def test_only_gardens_with_two_sides_are_picked_from() -> None:
    """R9: who was dealt a board with one side waits for the others."""
    boards = load_edition("imperial").boards
    mixed = replace(boards, name="mixed", gardens=(*fronts(boards).gardens[:2], *boards.gardens[2:]))
    host = Host(make_settings(4, "imperial", [], mixed), [PERSON] * 4).start()
    picking = {chair for seat, chair in enumerate(host.state.order) if host.state.gardens[seat] > 1}
    assert set(host.state.waiting()) == picking and len(picking) == 2
    nothing = next(chair for chair in range(4) if chair not in picking)
    assert host.refusal(Pick(0), nothing) == "R9 garden_side_picked"
    assert written(host.play_out()).extra["table"]["manner"] == "played"


def test_the_record_of_a_game_that_was_given_up_stops_early() -> None:
    """It has no result, and says who gave up and who won."""
    host = Host.of(2, first=1).start().pick().play(7)
    host.do(Concede(), 0)
    record = written(host)
    assert record.result is None and len(record.turns) == 7
    assert record.extra["table"] == {
        "manner": "conceded",
        "winners": [0],
        "conceded": [1],
        "taken_back": 0,
        "start": "chosen",
    }, "seats, and chair 1 had the first"
    assert record.seats == ({"name": "P1", "chair": 1}, {"name": "P0", "chair": 0})


def test_whoever_gave_up_does_not_win_a_game_that_others_played_on() -> None:
    """The result is that of the cards; the winners of the table are the best of those who stayed."""
    host = Host.of(3).start().pick()
    host.do(Concede(), host.state.order[0])
    host.play_out()
    ending, state = host.state.ending, host.state.game
    assert ending is not None and state is not None and ending.reason is EndReason.PLAYED
    result = Result.of(state)
    best = max((1, 2), key=lambda seat: (result.scores[seat].total, result.gardeners[seat]))
    assert best in ending.winners and 0 not in ending.winners
    assert written(host).result == write_result(result)


@pytest.mark.parametrize("turns", [0, 5])
def test_the_record_of_an_abandoned_game_has_no_winner(turns: int) -> None:
    """It may stop before the first turn; even then what was dealt is proved."""
    host = Host.of(2, expansions=["rewards"]).start().pick(1).play(turns).end()
    record = written(host)
    assert len(record.turns) == turns and record.result is None
    assert record.extra["table"]["winners"] == [] and record.extra["table"]["manner"] == "abandoned"


def test_turns_taken_back_are_not_in_the_record() -> None:
    """But how often that was done is."""
    host = Host.of(2, computers=1, first=0).start().pick().play(4)
    host.do(TakeBack(), 0)
    host.play_out()
    record = written(host)
    assert len(record.turns) == 36 and record.extra["table"]["taken_back"] == 1


def test_a_record_is_given_only_when_the_game_is_over() -> None:
    """It shows everything; and a game that never began has none."""
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


def test_a_stand_in_is_in_nobodys_record() -> None:
    """Who sat there is named, not who played while they were away."""
    host = Host.of(2).start()
    host.do(StepAway(), 1)
    host.play_out()
    assert [set(seat) for seat in written(host).seats] == [{"name", "chair"}] * 2
    assert any(host.table.event(seq).system for seq in range(3, host.table.seq + 1))


def test_the_house_keeps_several_tables_apart() -> None:
    """The same seed at another table is another game: its name goes into the shuffle."""
    settings = make_settings(2, "imperial", [])
    one, two = (Host(settings, [COMPUTER] * 2, name=name).play_out() for name in ("t", "u"))
    assert one.state.states[0] != two.state.states[0]
    with pytest.raises(ValueError, match="does not match its seed"):
        replay_log("u", one.log)
