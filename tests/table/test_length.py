"""A table's log has an end: nobody can undo things for ever, and the game can be played to its end."""

import pytest

from sanssouci.table import (
    MOST_UNDONE,
    Abandon,
    Command,
    No,
    Ready,
    Return,
    Rise,
    Sit,
    Stage,
    StepAway,
    TakeBack,
    Unready,
    Viewer,
    write_table,
)

from .play import JOINER, OWNER, Host, nonce_of


def may(host: Host, chair: int) -> set[str]:
    """What a view says that one may do."""
    return set(write_table(host.standing, Viewer(chair, owner=chair == 0))["you"]["may"])


def weary(host: Host, undo: Command, again: Command | None) -> Host:
    """Chair 0 undoes something and does it again, until the table has enough."""
    while host.standing.undone < MOST_UNDONE:
        if again is None:
            host.play()
        host.do(undo, 0)
        if again is not None:
            host.do(again, 0)
    assert host.declined(undo, 0) is No.UNDONE_TOO_OFTEN
    assert undo.type not in may(host, 0)
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
    assert host.standing.stage is Stage.OVER and len(host.log) < 3000
    assert host.reread().standing == host.standing


def test_a_lobby_in_which_nothing_more_can_be_undone_can_start_or_be_closed() -> None:
    """People can still be ready and sit down, the owner can close it; nobody rises or is sent away."""
    host = Host.of(2, first=0)
    host.do(Ready(nonce_of(0)), 0)
    weary(host, Unready(), Ready(nonce_of(0)))
    assert host.declined(Rise(), 1) is No.UNDONE_TOO_OFTEN
    assert not {"rise", "appoint", "unready"} & (may(host, 0) | may(host, 1))
    host.do(Ready(nonce_of(1)), 1)
    assert host.standing.stage is Stage.PICKING
    other = Host.of(2)
    other.do(Rise(), 1)
    while other.standing.undone < MOST_UNDONE:
        other.do(Sit(1, "Eve"), JOINER)
        other.do(Rise(), 1)
    other.do(Abandon(), OWNER)
    assert other.standing.stage is Stage.OVER
