"""Time controls, stand-ins and votes: nobody can block a table, and nobody loses their seat."""

from dataclasses import replace

import pytest

from sanssouci.table import (
    SYSTEM,
    VOTE_DELAY,
    Caller,
    Concede,
    PendingBotAction,
    Pick,
    RejectReason,
    Return,
    Sit,
    Stage,
    StepAway,
    TimeControl,
    TimeControlKind,
    TimeOut,
    Vote,
)

from .hosted_table import JOINER, Host

MINUTE = TimeControl(TimeControlKind.TURN, 60)


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [(TimeControl(), None), (MINUTE, 60), (TimeControl(TimeControlKind.DAYS, 2), 2 * 86_400)],
)
def test_the_clock_restarts_with_every_turn(clock: TimeControl, seconds: int | None) -> None:
    """The deadline counts from the start of the turn. Lobby, end and games without a clock have none."""
    host = Host.of(2, first=0, time_control=clock)
    assert host.state.deadline is None
    host.start()
    for _ in range(4):
        deadline = None if seconds is None else host.state.since + seconds
        assert host.state.deadline == deadline
        host.do(Pick(0), host.state.waiting[0]) if host.state.stage is Stage.PICKING else host.play()
    assert host.state.since == host.at
    assert host.end().state.deadline is None


def test_picks_share_one_clock() -> None:
    """R9, R12: the deadline counts from the dealing of the boards, not from each pick."""
    host = Host.of(2, time_control=MINUTE, expansions=["rewards"]).start()
    dealt = host.at
    host.do(Pick(0), 1, after=50)
    assert host.state.deadline == dealt + 60
    host.do(Pick(0), 0, after=5)
    assert host.state.deadline == host.at + 60 and host.state.stage is Stage.PICKING


def test_computers_have_no_deadline() -> None:
    """A turn of a computer has no deadline and cannot time out."""
    host = Host.of(2, computers=1, time_control=MINUTE, first=1).start().pick()
    assert host.state.waiting == (1,) and host.state.deadline is None
    assert host.rejected(TimeOut(1), SYSTEM, after=999) is RejectReason.NOT_AWAITED


def test_timeouts_need_an_expired_deadline() -> None:
    """A timeout is accepted only at the deadline, and only for an awaited person."""
    host = Host.started(time_control=MINUTE)
    host.at = host.state.since
    assert host.rejected(TimeOut(0), SYSTEM, after=59.5) is RejectReason.TIME_LEFT
    assert host.rejected(TimeOut(1), SYSTEM, after=0.5) is RejectReason.NOT_AWAITED
    assert host.rejected(TimeOut(5), SYSTEM, after=0) is RejectReason.NOT_AWAITED
    event = host.do(TimeOut(0), SYSTEM, after=0)
    assert event.system and host.state.chairs[0].away
    assert host.rejected(TimeOut(0), SYSTEM) is RejectReason.NOT_AWAITED, "the stand-in is"
    assert Host.started().rejected(TimeOut(0), SYSTEM, after=1e9) is RejectReason.TIME_LEFT, "without a clock"


def test_several_people_can_time_out_together() -> None:
    """Two people who are to pick at the same time both time out."""
    host = Host.of(2, time_control=MINUTE).start()
    host.do(TimeOut(0), SYSTEM, after=60)
    host.do(TimeOut(1), SYSTEM, after=0)
    assert host.state.deciding == frozenset()
    assert host.play_out().state.stage is Stage.OVER


def test_a_stand_in_plays_until_the_person_returns() -> None:
    """A stand-in plays without a deadline until the person returns and decides again."""
    host = Host.started(time_control=MINUTE, stand_in="greedy")
    turn = host.turn()
    host.do(StepAway(), 0)
    assert host.state.pending_bot_action() == PendingBotAction(0, "greedy") and host.state.deadline is None
    assert host.rejected(turn, 0) is RejectReason.STAND_IN_PLAYS
    assert host.rejected(StepAway(), 0) is RejectReason.STAND_IN_PLAYS
    host.play(4)
    assert host.state.chairs[0].away
    host.do(Return(), 0)
    assert host.state.pending_bot_action() is None and host.rejected(Return(), 0) is RejectReason.NO_STAND_IN
    assert host.rejected(host.turn(), replace(SYSTEM, chair=0)) is RejectReason.NOT_ALLOWED
    host.play(2)


def test_returning_does_not_restart_the_clock() -> None:
    """Leaving and returning does not extend the deadline."""
    host = Host.started(time_control=MINUTE)
    since = host.state.since
    host.do(StepAway(), 0, after=30)
    host.do(Return(), 0)
    assert host.state.deadline == since + 60
    host.do(StepAway(), 0)
    host.do(Return(), 0, after=600)
    assert host.state.deadline == since + 60, "it has run out"
    host.do(TimeOut(0), SYSTEM)


def test_a_timed_out_person_returns_after_the_stand_ins_turn() -> None:
    """After a timeout, the stand-in plays that turn. The person may return for the next."""
    host = Host.started(time_control=MINUTE)
    host.do(TimeOut(0), SYSTEM, after=60)
    for _ in range(3):
        assert host.rejected(Return(), 0) is RejectReason.STAND_IN_FIRST
    host.play()
    host.do(Return(), 0)
    host.play()
    assert host.state.waiting == (0,) and host.state.deadline == host.at + 60


def test_a_timed_out_person_returns_after_the_stand_ins_pick() -> None:
    """R9, R12: after a timeout, the person may return once the stand-in has picked."""
    host = Host.of(2, time_control=MINUTE, expansions=["rewards"]).start()
    host.do(TimeOut(0), SYSTEM, after=60)
    host.do(Pick(0), 1)
    assert host.rejected(Return(), 0) is RejectReason.STAND_IN_FIRST
    host.do(Pick(0), host.caller(0))
    host.do(Return(), 0)
    assert host.state.stage is Stage.PICKING
    host.do(Pick(1), 0)


def test_returning_does_not_affect_the_clock_of_another() -> None:
    """The deadline of the awaited person stays when another person leaves and returns."""
    host = Host.started(time_control=MINUTE)
    since = host.state.since
    host.do(StepAway(), 1)
    host.do(Return(), 1, after=100)
    assert host.state.since == since


@pytest.mark.parametrize(("seats", "needed"), [(2, 1), (3, 1), (4, 2)])
def test_half_of_the_others_can_vote_for_a_stand_in(seats: int, needed: int) -> None:
    """After two minutes of waiting, votes of half the others replace a person by a stand-in."""
    host = Host.started(seats)
    host.at = host.state.since + VOTE_DELAY
    for voter in range(1, 1 + needed):
        assert not host.state.chairs[0].away
        host.do(Vote(0), voter, after=0)
    assert host.state.chairs[0].away and host.state.chairs[0].votes == frozenset()
    assert host.rejected(Return(), 0) is RejectReason.STAND_IN_FIRST, "the stand-in plays this turn"
    host.play()
    host.do(Return(), 0)
    assert 0 in host.state.deciding


def test_who_may_vote_about_whom_and_when() -> None:
    """A present person may vote about another present person who is awaited, after the delay."""
    host = Host.started(4)
    host.at = host.state.since
    assert host.rejected(Vote(0), 1, after=VOTE_DELAY - 1) is RejectReason.NOT_ABSENT
    host.at += 1
    assert host.rejected(Vote(0), 0, after=0) is RejectReason.OWN_CHAIR
    assert host.rejected(Vote(2), 1, after=0) is RejectReason.NOT_AWAITED
    assert host.rejected(Vote(9), 1, after=0) is RejectReason.NO_SUCH_CHAIR
    host.do(Vote(0), 1, after=0)
    assert host.rejected(Vote(0), 1, after=0) is RejectReason.VOTED_ALREADY
    host.do(StepAway(), 2, after=0)
    assert host.rejected(Vote(0), 2, after=0) is RejectReason.STAND_IN_PLAYS
    assert host.rejected(Vote(2), 3, after=0) is RejectReason.NO_PERSON_THERE
    lobby = Host.of(2)
    assert lobby.rejected(Vote(0), 1, after=999) is RejectReason.NOT_PLAYING


@pytest.mark.parametrize(
    "clock", [TimeControl(TimeControlKind.DAYS, 1), TimeControl(TimeControlKind.TURN, 600)]
)
def test_votes_are_rejected_with_a_time_control(clock: TimeControl) -> None:
    """Tables with a time control do not accept votes."""
    host = Host.started(time_control=clock)
    for _ in range(3):
        assert host.rejected(Vote(0), 1, after=86_000) is RejectReason.NOT_ABSENT


def test_votes_end_with_the_turn() -> None:
    """Votes do not count for a later turn."""
    host = Host.started(4)
    host.do(Vote(0), 1, after=VOTE_DELAY)
    host.play(4)
    assert host.state.waiting == (0,)
    host.do(Vote(0), 2, after=VOTE_DELAY)
    assert not host.state.chairs[0].away, "the old vote does not count"


def test_votes_end_with_a_pick() -> None:
    """R12: votes about the garden's side do not count for the reward board's."""
    host = Host.of(4, first=0, expansions=["rewards"]).start()
    host.do(Vote(0), 1, after=VOTE_DELAY)
    for place in (0, 1, 2, 3):
        host.do(Pick(0), place)
    host.do(Vote(0), 2, after=VOTE_DELAY)
    assert host.state.stage is Stage.PICKING and not host.state.chairs[0].away


@pytest.mark.parametrize("leave", [StepAway(), Concede()])
def test_a_vote_can_be_repeated_when_voters_leave(leave: StepAway | Concede) -> None:
    """A repeated vote counts against the remaining people, of whom half is enough."""
    host = Host.started(4)
    host.do(Vote(0), 1, after=VOTE_DELAY)
    host.do(leave, 2)
    host.do(Vote(0), 1)
    assert host.state.chairs[0].away


def test_the_chair_of_an_absent_person_cannot_be_taken() -> None:
    """An absent person keeps the chair to the end."""
    host = Host.started()
    host.do(StepAway(), 0)
    assert host.rejected(Sit(0, "Eve"), JOINER) is RejectReason.NOT_IN_LOBBY
    host.play_out()
    assert host.state.chairs[0].name == "P0"
    for command in (Return(), StepAway(), Vote(1)):
        assert host.rejected(command, Caller(0)) is RejectReason.OVER


def test_a_game_pauses_while_all_people_are_away() -> None:
    """Computers do not play in a paused game. Returning restarts the clock."""
    host = Host.of(2, computers=1, time_control=MINUTE, first=0).start().pick()
    host.do(TimeOut(0), SYSTEM, after=60)
    assert host.state.paused and host.state.pending_bot_action() is None and host.state.deadline is None
    back = host.do(Return(), 0, after=1000)
    assert host.state.deadline == back.at + 60 and not host.state.chairs[0].late


def test_a_paused_game_resumes_when_a_person_returns() -> None:
    """When another person returns, the stand-in plays for the one who timed out."""
    host = Host.started(time_control=MINUTE)
    host.do(StepAway(), 1)
    host.do(TimeOut(0), SYSTEM, after=60)
    assert host.state.pending_bot_action() is None
    host.do(Return(), 1)
    assert host.state.pending_bot_action() == PendingBotAction(0, host.state.settings.stand_in)
    assert host.rejected(Return(), 0) is RejectReason.STAND_IN_FIRST
