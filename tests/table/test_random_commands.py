"""Random commands in any order: a table never fails and never gets stuck."""

from dataclasses import replace

import pytest

from sanssouci.dealer import Stream
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    OFFER_KINDS,
    SYSTEM,
    Abandon,
    AcceptOffer,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    Concede,
    DeclineOffer,
    LeaveChair,
    MakeOffer,
    Pick,
    Play,
    Ready,
    Rematch,
    Reshuffle,
    Return,
    Reveal,
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
from .hosted_table import COMPUTER, OPEN, PERSON, Host, log_row, nonce_of

CLOCKS = (TimeControl(), TimeControl(TimeControlKind.TURN, 60), TimeControl(TimeControlKind.DAYS, 1))


def random_command(chance: Stream, seats: int) -> Command:
    """A random command, sensible or not."""
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
        TimeOut(chair) if chance.below(2) else Reshuffle(),
        Abandon() if chance.below(4) == 0 else Return(),
        MakeOffer(OFFER_KINDS[chance.below(3)]),
        AcceptOffer(1 + chance.below(4)),
        DeclineOffer(1 + chance.below(4)),
        Rematch("u"),
    )
    return commands[chance.below(len(commands))]


def random_caller(chance: Stream, seats: int) -> Caller:
    """A random caller: a chair, the owner, a joiner, or the server."""
    chair = chance.below(seats)
    return (
        Caller(chair),
        Caller(chair),
        Caller(chair, owner=True),
        Caller(owner=True, may_join=True),
        replace(SYSTEM, chair=chair),
        SYSTEM if chance.below(8) == 0 else Caller(chair),
    )[chance.below(6)]


def next_command(host: Host, chance: Stream) -> tuple[Command, Caller]:
    """Sometimes a sensible command, otherwise a random one."""
    state = host.state
    seats = len(state.chairs)
    if state.waiting and chance.below(3) == 0:
        place = state.waiting[chance.below(len(state.waiting))]
        if state.stage is Stage.PLAYING:
            return host.turn(), host.caller(place)
        if state.stage is Stage.PICKING:
            return Pick(chance.below(2)), host.caller(place)
        if state.shuffling and place in host.nonces:
            return Reveal(host.nonces[place]), Caller(place)
    if state.offer is not None and state.deciding and chance.below(2):
        return AcceptOffer(state.offer.number), Caller(max(state.deciding - state.offer.agreed, default=0))
    return random_command(chance, seats), random_caller(chance, seats)


def someone_can_act(state: TableState) -> bool:
    """Whether a present person, a computer or, in a paused game, every absent person can act."""
    if state.stage in (Stage.LOBBY, Stage.OVER):
        return True
    if state.paused:
        away = [place for place, chair in enumerate(state.chairs) if chair.away]
        return bool(away) and all("return" in permitted(state, place, owner=False) for place in away)
    waiting = set(state.waiting)
    action = state.pending_bot_action()
    return bool(waiting & state.deciding) or (
        action is not None and action.chair in waiting and action.player != ""
    )


def walk(number: int) -> Host:
    """A table after many random commands."""
    chance = stream(number)
    seats = 2 + chance.below(3)
    sitters = (PERSON, PERSON, PERSON, OPEN, COMPUTER)
    chairs = [sitters[chance.below(5)] for _ in range(seats)]
    expansions = ["rewards"][: chance.below(2)]
    host = Host(make_settings(seats, "imperial", expansions, time_control=CLOCKS[chance.below(3)]), chairs)
    if chance.below(3) and all(chair is not OPEN for chair in chairs):
        host.start()
    for _ in range(5 + chance.below(120)):
        command, caller = next_command(host, chance)
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
def test_a_table_never_fails_or_gets_stuck(start: int) -> None:
    """The log replays to the same states, and computers complete the game after all people left."""
    for number in range(start, start + 10):
        host = walk(number)
        assert host.replayed().history == host.table.history
        if host.state.stage in (Stage.PICKING, Stage.PLAYING):
            for place in host.state.deciding:
                host.do(StepAway(), place)
            assert host.play_out().state.stage is Stage.OVER


def test_the_walks_reach_all_stages() -> None:
    """The walks reach all stages and nearly all commands."""
    hosts = [walk(number) for number in range(60)]
    events = [host.table.event(seq) for host in hosts for seq in range(host.table.seq + 1)]
    assert {host.state.stage for host in hosts} == set(Stage)
    assert len({event.command.type for event in events}) >= 15
    assert any(chair.away for host in hosts for chair in host.state.chairs)
    assert any(state.pause for host in hosts for state in host.table.history)
    assert any(state.taken_back for host in hosts for state in host.table.history if len(state.persons) > 1)
    assert any(chair.conceded for host in hosts for chair in host.state.chairs)
