"""Whatever people do at a table, in whatever order: it never breaks, and it is never stuck."""

from dataclasses import replace

import pytest

from sanssouci.dealer import Stream
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    SYSTEM,
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
    Sit,
    Stage,
    StepAway,
    TableState,
    TakeBack,
    TimeControl,
    TimeControlKind,
    TimeOut,
    Transition,
    Unready,
    Vote,
    make_settings,
)
from sanssouci.table.permissions import permitted

from ..helpers import stream
from .host import COMPUTER, OPEN, PERSON, Host, log_row, nonce_of

CLOCKS = (TimeControl(), TimeControl(TimeControlKind.TURN, 60), TimeControl(TimeControlKind.DAYS, 1))


def any_command(chance: Stream, seats: int) -> Command:
    """Some command, sensible or not."""
    chair = chance.below(seats + 1)
    commands: tuple[Command, ...] = (
        Sit(chair, "Eve"),
        LeaveChair()
        if chance.below(2) == 0
        else ChooseColour(chair, ("red", "blue", "teal")[chance.below(3)]),
        AssignChair(chair, (None, "greedy")[chance.below(2)], "G"),
        Ready(nonce_of(chance.below(9))),
        Ready(nonce_of(chance.below(9))),
        Unready(),
        Pick(chance.below(3)),
        Play("a@0-a2"),
        TakeBack(),
        Concede(),
        StepAway(),
        Return(),
        Vote(chair),
        Vote(chair),
        TimeOut(chair),
        Abandon() if chance.below(4) == 0 else Return(),
        Rematch("u"),
    )
    return commands[chance.below(len(commands))]


def any_caller(chance: Stream, seats: int) -> Caller:
    """Someone: on a chair, the owner, who may join, or the house."""
    chair = chance.below(seats)
    return (
        Caller(chair),
        Caller(chair),
        Caller(chair, owner=True),
        Caller(owner=True, may_join=True),
        replace(SYSTEM, chair=chair),
        SYSTEM if chance.below(8) == 0 else Caller(chair),
    )[chance.below(6)]


def next_one(host: Host, chance: Stream) -> tuple[Command, Caller]:
    """What would be sensible now, or anything at all."""
    state = host.state
    seats = len(state.chairs)
    if state.waiting() and chance.below(3) == 0:
        place = state.waiting()[chance.below(len(state.waiting()))]
        if state.stage is Stage.PLAYING:
            return host.turn(), host.caller(place)
        if state.stage is Stage.PICKING:
            return Pick(chance.below(2)), host.caller(place)
    return any_command(chance, seats), any_caller(chance, seats)


def someone_can_act(state: TableState) -> bool:
    """Whether a game waits for a person who decides, a computer that is named, or all who are away."""
    if state.stage in (Stage.LOBBY, Stage.OVER):
        return True
    if state.paused:
        away = [place for place, chair in enumerate(state.chairs) if chair.away]
        return bool(away) and all("return" in permitted(state, place, owner=False) for place in away)
    waiting = set(state.waiting())
    duty = state.pending_bot_action()
    return bool(waiting & state.deciding) or (
        duty is not None and duty.chair in waiting and duty.player != ""
    )


def walk(number: int) -> Host:
    """A table at which many things are tried."""
    chance = stream(number)
    seats = 2 + chance.below(3)
    sitters = (PERSON, PERSON, PERSON, OPEN, COMPUTER)
    chairs = [sitters[chance.below(5)] for _ in range(seats)]
    expansions = ["rewards"][: chance.below(2)]
    host = Host(make_settings(seats, "imperial", expansions, time_control=CLOCKS[chance.below(3)]), chairs)
    if chance.below(3) and all(chair is not OPEN for chair in chairs):
        host.start()
    for _ in range(5 + chance.below(120)):
        command, caller = next_one(host, chance)
        host.at += (0, 1, 70, 130)[chance.below(4)]
        try:
            transition = host.decide(command, caller)
        except (UserError, Refused):
            continue
        assert isinstance(transition, Transition)
        host.log.append(log_row(transition.event))
        host.table.apply(transition)
        assert someone_can_act(host.state), command
    return host


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_a_table_never_breaks_and_is_never_stuck(start: int) -> None:
    """Its log tells the same, and if all people leave it is played to the end by computers."""
    for number in range(start, start + 10):
        host = walk(number)
        assert host.replayed().history == host.table.history
        if host.state.stage in (Stage.PICKING, Stage.PLAYING):
            for place in host.state.deciding:
                host.do(StepAway(), place)
            assert host.play_out().state.stage is Stage.OVER


def test_the_walks_lead_everywhere() -> None:
    """All stages and nearly all commands were seen, otherwise they would show little."""
    hosts = [walk(number) for number in range(60)]
    events = [host.table.event(seq) for host in hosts for seq in range(host.table.seq + 1)]
    assert {host.state.stage for host in hosts} == set(Stage)
    assert len({event.command.type for event in events}) >= 15
    assert any(chair.away for host in hosts for chair in host.state.chairs)
    assert any(chair.conceded for host in hosts for chair in host.state.chairs)
