"""Who may give which command: every kind of command from every kind of caller, at every stage of a table."""

from dataclasses import fields, replace
from typing import Any

import pytest

from sanssouci.table import (
    COMMANDS,
    SYSTEM,
    Abandon,
    AssignChair,
    Caller,
    Command,
    CommandRejected,
    Pick,
    Play,
    Ready,
    RejectReason,
    Right,
    Stage,
    StepAway,
    TimeOut,
    Transition,
    make_settings,
)

from .host import COMPUTER, OPEN, OWNER, PERSON, Host, nonce_of

NOTHING = Right(0)
CALLERS: dict[str, tuple[Caller, Right]] = {
    "nobody": (Caller(), NOTHING),
    "joiner": (Caller(may_join=True), Right.JOIN),
    "person on 0": (Caller(0), Right.CHAIR),
    "person on 1": (Caller(1), Right.CHAIR),
    "joiner on 0": (Caller(0, may_join=True), Right.CHAIR | Right.JOIN),
    "owner without a chair": (OWNER, Right.OWNER),
    "owner on 0": (Caller(0, owner=True), Right.OWNER | Right.CHAIR),
    "person whose chair was given to a computer": (Caller(2), NOTHING),
    "owner whose chair was given to a computer": (Caller(2, owner=True), Right.OWNER),
    "chair that is not there": (Caller(9), NOTHING),
    "chair from behind": (Caller(-1), NOTHING),
    "house": (SYSTEM, Right.SYSTEM),
    "house for a computer": (replace(SYSTEM, chair=2), Right.SYSTEM),
    "house for a person who decides": (replace(SYSTEM, chair=0), Right.CLEANUP),
}
"""Every kind of caller at a table of two people and a computer, and the rights of each."""

RIGHTS = {
    "create": Right.SYSTEM,
    "sit": Right.JOIN,
    "rise": Right.CHAIR | Right.CLEANUP,
    "appoint": Right.OWNER,
    "wear": Right.CHAIR | Right.OWNER,
    "ready": Right.CHAIR,
    "unready": Right.CHAIR,
    "pick": Right.CHAIR | Right.SYSTEM,
    "play": Right.CHAIR | Right.SYSTEM,
    "take_back": Right.CHAIR,
    "concede": Right.CHAIR,
    "step_away": Right.CHAIR | Right.CLEANUP,
    "return": Right.CHAIR,
    "vote": Right.CHAIR,
    "time_out": Right.SYSTEM,
    "abandon": Right.CHAIR | Right.OWNER,
    "rematch": Right.CHAIR,
}
"""A change here is a question for review."""


def a_host(stage: Stage) -> Host:
    """Two people and a computer at a table at some stage."""
    host = Host.of(3, computers=1)
    if stage is not Stage.LOBBY:
        host.start()
    if stage in (Stage.PLAYING, Stage.OVER):
        host.pick()
    if stage is Stage.OVER:
        host.end()
    assert host.state.stage is stage
    return host


def bad(kind: type[Command]) -> Command:
    """A command of a kind with arguments that are all wrong."""
    junk: dict[str, Any] = {"chair": 77, "side": 77, "player": None, "terms": {}, "chairs": []}
    return kind(
        **{field.name: junk.get(field.name, "\x00junk") for field in fields(kind) if field.name != "type"}
    )


hosts = {stage: a_host(stage) for stage in Stage}


def test_the_rights_are_as_declared() -> None:
    """Every command says by which right it is given."""
    assert {name: kind.right for name, kind in COMMANDS.items()} == RIGHTS


@pytest.mark.parametrize("stage", Stage, ids=lambda stage: stage.value)
@pytest.mark.parametrize("command", COMMANDS)
def test_rights_are_asked_before_anything_else(command: str, stage: Stage) -> None:
    """Who has no right hears only that, however wrong the command is; who has one is told what is wrong."""
    host = hosts[stage]
    for kind, (caller, rights) in CALLERS.items():
        with pytest.raises(CommandRejected) as caught:
            host.table.decide(bad(COMMANDS[command]), caller, 0.0, "x", -5, host.croupier)
        assert caught.value.reason is (
            RejectReason.STALE if rights & RIGHTS[command] else RejectReason.NOT_ALLOWED
        ), kind


def test_the_house_speaks_for_a_person_only_while_a_stand_in_plays() -> None:
    """As soon as the person steps away, and only for that one."""
    host = Host.of(2).start()
    system = {place: replace(SYSTEM, chair=place) for place in (0, 1)}
    assert host.rejected(Pick(0), system[0]) is RejectReason.NOT_ALLOWED
    host.do(StepAway(), 0)
    assert isinstance(host.decide(Pick(0), system[0]), Transition)
    assert host.rejected(Pick(0), system[1]) is RejectReason.NOT_ALLOWED


@pytest.mark.parametrize("command", [Pick(0), Play("a@0-a2")])
def test_the_house_says_for_whom_it_acts(command: Command) -> None:
    """A pick or a turn for no chair is declined, at any stage that has them."""
    for stage in (Stage.PICKING, Stage.PLAYING):
        assert hosts[stage].rejected(command, SYSTEM) in (
            RejectReason.NOT_ALLOWED,
            RejectReason.NOT_PICKING,
            RejectReason.NOT_PLAYING,
        )
    assert hosts[Stage.PICKING].rejected(Pick(0), SYSTEM) is RejectReason.NOT_ALLOWED
    assert hosts[Stage.PLAYING].rejected(Play(""), SYSTEM) is RejectReason.NOT_ALLOWED
    assert hosts[Stage.PLAYING].rejected(Play(""), replace(SYSTEM, chair=9)) is RejectReason.NOT_ALLOWED


def test_who_loses_a_chair_loses_its_rights() -> None:
    """The owner gives it away, and the next command from it is declined."""
    host = Host(make_settings(2, "imperial", []), [PERSON, PERSON])
    host.do(Ready(nonce_of(1)), 1)
    host.do(AssignChair(1, "greedy", "G"), OWNER)
    assert host.rejected(Ready(nonce_of(1)), 1) is RejectReason.NOT_ALLOWED
    host.do(AssignChair(1, None, ""), OWNER)
    assert host.rejected(Ready(nonce_of(1)), 1) is RejectReason.NOT_ALLOWED


def test_an_owner_closes_only_what_no_person_plays() -> None:
    """A lobby, or a game among computers; not the game of others, not even one that was joined."""
    lobby = Host(make_settings(2, "imperial", []), [PERSON, OPEN])
    assert lobby.rejected(Abandon(), 0) is RejectReason.NOT_ALLOWED
    lobby.do(Abandon(), OWNER)
    computers = Host(make_settings(2, "imperial", []), [COMPUTER, COMPUTER])
    computers.do(Abandon(), OWNER)
    for host in (lobby, computers):
        assert host.state.stage is Stage.OVER
    for stage in (Stage.PICKING, Stage.PLAYING):
        assert hosts[stage].rejected(Abandon(), OWNER) is RejectReason.NOT_ALLOWED


def test_nobody_but_the_house_stops_a_clock() -> None:
    """Not the owner, not those who wait."""
    for caller in (OWNER, Caller(1), Caller(1, owner=True, may_join=True)):
        assert hosts[Stage.PLAYING].rejected(TimeOut(0), caller) is RejectReason.NOT_ALLOWED
