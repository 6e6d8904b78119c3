"""A view permits exactly the commands that the table executes."""

from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    COMMANDS,
    VOTE_DELAY,
    Abandon,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    Concede,
    LeaveChair,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Stage,
    StepAway,
    TakeBack,
    Unready,
    Viewer,
    Vote,
    make_settings,
    write_table,
)

from ..helpers import stream
from .host import COMPUTER, PERSON, Host, nonce_of
from .test_walks import CLOCKS, next_one

NOT_IN_A_VIEW = {"create", "sit", "time_out"}
"""Commands of the server, and sitting down, for which nobody has a chair yet."""


def examples(host: Host) -> dict[str, list[Command]]:
    """Commands of every type, among them one that the table executes if it executes any of the type."""
    chairs = range(len(host.state.chairs))
    turns = [host.turn()] if host.state.stage is Stage.PLAYING else [Play("a@0-a2")]
    plain = (LeaveChair(), Unready(), TakeBack(), Concede(), StepAway(), Return(), Abandon(), Rematch("u"))
    return {
        **{command.type: [command] for command in plain},
        "ready": [Ready(nonce_of(1))],
        "appoint": [AssignChair(0, None, "")],
        "wear": [ChooseColour(chair, colour) for chair in chairs for colour in ("teal", "grey")],
        "pick": [Pick(0)],
        "play": [*turns],
        "vote": [Vote(chair) for chair in chairs],
    }


def accepted(host: Host, viewer: Viewer) -> set[str]:
    """The types of commands that the table executes, once the delay of votes is over."""
    caller = Caller(viewer.chair, viewer.owner)
    return {
        kind
        for kind, commands in examples(host).items()
        if any(accepts(host, command, caller) for command in commands)
    }


def accepts(host: Host, command: Command, caller: Caller) -> bool:
    """Whether the table executes a command, once the delay of votes is over."""
    at, host.at = host.at, max(host.at, host.state.since + VOTE_DELAY)
    try:
        host.decide(command, caller)
    except (UserError, Refused):
        return False
    finally:
        host.at = at
    return True


def viewers(host: Host) -> list[Viewer]:
    """Everyone who may look."""
    chairs = (None, *range(len(host.state.chairs)))
    return [Viewer(chair, owner) for chair in chairs for owner in (False, True)]


def check_permissions(host: Host) -> set[str]:
    """Compare every view's permissions with what the table executes; return all of them."""
    told = set()
    for viewer in viewers(host):
        may = write_table(host.state, viewer)["you"]["may"]
        assert set(may) == accepted(host, viewer) and len(may) == len(set(may)), (viewer, host.state)
        told |= set(may)
    return told


def permitted_on_walk(number: int) -> set[tuple[Stage, str]]:
    """Try many commands at a table; return all permissions of its views, by stage."""
    chance, told = stream(number), set()
    seats = 2 + chance.below(3)
    chairs = [(PERSON, PERSON, PERSON, COMPUTER)[chance.below(4)] for _ in range(seats)]
    host = Host(make_settings(seats, "imperial", ["rewards"], time_control=CLOCKS[chance.below(3)]), chairs)
    if chance.below(4):
        host.start()
    for _ in range(40):
        told |= {(host.state.stage, kind) for kind in check_permissions(host)}
        try:
            host.do(*next_one(host, chance), after=(0, 1, 70, 130)[chance.below(4)])
        except (UserError, Refused):
            continue
    return told


def test_a_view_tells_everything_that_one_may_do_and_nothing_else() -> None:
    """For every viewer, at every step of some walks; all commands of people come up in them."""
    told = set().union(*(permitted_on_walk(number) for number in range(20)))
    assert {kind for _, kind in told} == set(COMMANDS) - NOT_IN_A_VIEW
    assert {stage for stage, _ in told} == set(Stage)


def test_who_has_voted_or_agreed_may_do_so_again_when_that_decides_it() -> None:
    """Some of those who were asked too have left since."""
    host = Host.of(4).start().pick()
    awaited = host.state.waiting()[0]
    first, second, third = (place for place in range(4) if place != awaited)
    host.do(Vote(awaited), first, after=VOTE_DELAY)
    host.do(Abandon(), first)
    check_permissions(host)
    assert not {"vote", "abandon"} & host.permitted(first)
    for place in (second, third):
        host.do(StepAway(), place)
        check_permissions(host)
    assert "vote" in host.permitted(first)
    host.do(StepAway(), awaited)
    check_permissions(host)
    assert "abandon" in host.permitted(first)


def test_a_view_tells_from_when_on_one_may_vote() -> None:
    """Not a second earlier; and never where a clock decides."""
    host = Host.of(2).start().pick()
    waiting = host.state.waiting()[0]
    other = Viewer(1 - waiting)
    told = write_table(host.state, other)["vote_from"]
    assert told == host.state.since + VOTE_DELAY
    host.at = told - 0.5
    assert not accepts_now(host, Vote(waiting), other)
    host.at = told
    assert accepts_now(host, Vote(waiting), other)
    timed = Host.of(2, time_control=CLOCKS[1]).start().pick()
    assert write_table(timed.state, other)["vote_from"] is None
    assert write_table(Host.of(2).state, other)["vote_from"] is None


def accepts_now(host: Host, command: Command, viewer: Viewer) -> bool:
    """Whether the table executes a command now."""
    try:
        host.decide(command, Caller(viewer.chair))
    except UserError:
        return False
    return True
