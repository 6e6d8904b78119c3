"""The event log is bounded: undoing is limited, and the game can still be completed."""

from dataclasses import replace

import pytest

from sanssouci.table import (
    MAX_APPOINTED,
    Abandon,
    AssignChair,
    Caller,
    Command,
    CommandRejected,
    LeaveChair,
    Ready,
    RejectReason,
    Return,
    Sit,
    Sitter,
    Stage,
    StepAway,
    TakeBack,
    Unready,
)
from sanssouci.table.command_context import CommandContext
from sanssouci.table.execution import execute
from sanssouci.table.permissions import permitted

from .hosted_table import JOINER, OWNER, Host, nonce_of


def reach_undo_limit(host: Host, undo: Command, again: Command | None) -> Host:
    """Undo and redo a command on chair 0 until the undo limit rejects it."""
    while not host.state.undo_limit_reached(0):
        if again is None:
            host.play()
        host.do(undo, 0)
        if again is not None:
            host.do(again, 0)
    assert host.rejected(undo, 0) is RejectReason.UNDONE_TOO_OFTEN
    assert undo.type not in host.permitted(0, owner=True)
    return host


@pytest.mark.parametrize(
    ("computers", "undo", "again"), [(0, StepAway(), Return()), (1, TakeBack(), None)], ids=["away", "back"]
)
def test_a_game_can_be_completed_at_the_undo_limit(
    computers: int, undo: Command, again: Command | None
) -> None:
    """The game can be completed, and its log has fewer than 3000 events and can be replayed."""
    host = Host.of(2, computers=computers, first=0).start().pick()
    if again is None:
        host.play()
    reach_undo_limit(host, undo, again).play_out()
    assert host.state.stage is Stage.OVER and len(host.log) < 3000
    assert host.replayed().state == host.state


def test_a_lobby_can_start_or_be_closed_at_the_undo_limit() -> None:
    """The limit affects one chair only. The game can start, and the owner can close the lobby."""
    host = Host.of(2, first=0)
    host.do(Ready(nonce_of(0)), 0)
    reach_undo_limit(host, Unready(), Ready(nonce_of(0)))
    assert not {"rise", "unready"} & host.permitted(0, owner=True) and "rise" in host.permitted(1)
    host.do(Ready(nonce_of(1)), 1)
    assert host.state.stage is Stage.PICKING
    other = lobby_at_undo_limit()
    other.do(Abandon(), OWNER)
    assert other.state.stage is Stage.OVER


def lobby_at_undo_limit() -> Host:
    """A lobby in which chair 1 was taken and left until the undo limit."""
    host = Host.of(2)
    while not host.state.undo_limit_reached(1):
        host.do(LeaveChair(), 1)
        host.do(Sit(1, "Eve"), JOINER)
    assert host.rejected(LeaveChair(), 1) is RejectReason.UNDONE_TOO_OFTEN
    return host


def test_undo_limits_belong_to_one_person() -> None:
    """Other chairs and the next person on the same chair are not affected by the limit."""
    host = lobby_at_undo_limit()
    host.do(Ready(nonce_of(0)), 0)
    host.do(Unready(), 0)
    host.do(AssignChair(1, None, ""), OWNER)
    host.do(Sit(1, "Bob"), JOINER)
    assert "rise" in host.permitted(1)
    host.do(LeaveChair(), 1)
    assert host.replayed().state == host.state


@pytest.mark.parametrize(
    ("started", "leave"), [(False, LeaveChair()), (True, StepAway())], ids=["rise", "step away"]
)
def test_the_server_can_remove_a_person_at_the_undo_limit(started: bool, leave: Command) -> None:
    """The server can remove an expired guest from the lobby and from the game."""
    host = lobby_at_undo_limit()
    if started:
        host.start()
    host.do(leave, Caller(1, system=True))
    chair = host.state.chairs[1]
    assert chair.away if started else chair.sitter is Sitter.OPEN
    assert host.replayed().state == host.state


def test_appointments_are_limited() -> None:
    """The owner can assign chairs a limited number of times, but can still close the table."""
    host = Host.of(2)
    state = replace(host.state, appointed=MAX_APPOINTED - 1)
    context = CommandContext(AssignChair(1, None, ""), OWNER, 0.0)
    last = execute(state, context, host.croupier)
    with pytest.raises(CommandRejected) as caught:
        execute(last, context, host.croupier)
    assert caught.value.reason is RejectReason.UNDONE_TOO_OFTEN
    assert permitted(state, None, True) == ["abandon", "appoint"] and permitted(last, None, True) == [
        "abandon"
    ]
