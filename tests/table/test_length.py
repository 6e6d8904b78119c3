"""A table's log has an end: nobody can undo things for ever, and the game can be played to its end."""

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

from .host import JOINER, OWNER, Host, nonce_of


def weary(host: Host, undo: Command, again: Command | None) -> Host:
    """Somebody on chair 0 undoes something and does it again, until nothing more can be undone from there."""
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
def test_a_game_in_which_nothing_more_can_be_undone_is_played_out(
    computers: int, undo: Command, again: Command | None
) -> None:
    """It is a few thousand events long at most, and its log can be read again."""
    host = Host.of(2, computers=computers, first=0).start().pick()
    if again is None:
        host.play()
    weary(host, undo, again).play_out()
    assert host.state.stage is Stage.OVER and len(host.log) < 3000
    assert host.replayed().state == host.state


def test_a_lobby_in_which_nothing_more_can_be_undone_can_start_or_be_closed() -> None:
    """People can still be ready and sit down, the owner can close it; the other chair is as free as ever."""
    host = Host.of(2, first=0)
    host.do(Ready(nonce_of(0)), 0)
    weary(host, Unready(), Ready(nonce_of(0)))
    assert not {"rise", "unready"} & host.permitted(0, owner=True) and "rise" in host.permitted(1)
    host.do(Ready(nonce_of(1)), 1)
    assert host.state.stage is Stage.PICKING
    other = restless()
    other.do(Abandon(), OWNER)
    assert other.state.stage is Stage.OVER


def restless() -> Host:
    """A lobby where somebody has sat down on chair 1 and risen again until that goes no more."""
    host = Host.of(2)
    while not host.state.undo_limit_reached(1):
        host.do(LeaveChair(), 1)
        host.do(Sit(1, "Eve"), JOINER)
    assert host.rejected(LeaveChair(), 1) is RejectReason.UNDONE_TOO_OFTEN
    return host


def test_a_joiner_cannot_use_up_what_others_may_undo() -> None:
    """The owner sends that one away, and whoever sits there next begins anew; the other chair has its own."""
    host = restless()
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
def test_the_house_lets_somebody_go_however_restless(started: bool, leave: Command) -> None:
    """A guest who is forgotten leaves the chair, in the lobby and in the game."""
    host = restless()
    if started:
        host.start()
    host.do(leave, Caller(1, system=True))
    chair = host.state.chairs[1]
    assert chair.away if started else chair.sitter is Sitter.OPEN
    assert host.replayed().state == host.state


def test_an_owner_too_comes_to_an_end() -> None:
    """Of all that is given away; everything else goes on."""
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
