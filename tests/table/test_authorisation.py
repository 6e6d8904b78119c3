"""Which caller may give which command: every command type, caller and stage."""

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

from .hosted_table import COMPUTER, OPEN, OWNER, PERSON, Host, nonce_of

NO_RIGHTS = Right(0)
CALLERS: dict[str, tuple[Caller, Right]] = {
    "nobody": (Caller(), NO_RIGHTS),
    "joiner": (Caller(may_join=True), Right.JOIN),
    "person on 0": (Caller(0), Right.CHAIR),
    "person on 1": (Caller(1), Right.CHAIR),
    "joiner on 0": (Caller(0, may_join=True), Right.CHAIR | Right.JOIN),
    "owner without a chair": (OWNER, Right.OWNER),
    "owner on 0": (Caller(0, owner=True), Right.OWNER | Right.CHAIR),
    "person whose chair was given to a computer": (Caller(2), NO_RIGHTS),
    "owner whose chair was given to a computer": (Caller(2, owner=True), Right.OWNER),
    "nonexistent chair": (Caller(9), NO_RIGHTS),
    "negative chair": (Caller(-1), NO_RIGHTS),
    "server": (SYSTEM, Right.SYSTEM),
    "server for a computer": (replace(SYSTEM, chair=2), Right.SYSTEM),
    "server for a present person": (replace(SYSTEM, chair=0), Right.CLEANUP),
}
"""Every kind of caller at a table of two people and a computer, with its rights."""

RIGHTS = {
    "create": Right.SYSTEM,
    "sit": Right.JOIN,
    "rise": Right.CHAIR | Right.CLEANUP,
    "appoint": Right.OWNER,
    "wear": Right.CHAIR | Right.OWNER,
    "ready": Right.CHAIR,
    "unready": Right.CHAIR,
    "reveal": Right.CHAIR,
    "reshuffle": Right.SYSTEM,
    "pick": Right.CHAIR | Right.SYSTEM,
    "play": Right.CHAIR | Right.SYSTEM,
    "take_back": Right.CHAIR,
    "concede": Right.CHAIR,
    "step_away": Right.CHAIR | Right.CLEANUP,
    "return": Right.CHAIR,
    "vote": Right.CHAIR,
    "offer": Right.CHAIR,
    "accept": Right.CHAIR,
    "decline": Right.CHAIR,
    "time_out": Right.SYSTEM,
    "abandon": Right.CHAIR | Right.OWNER,
    "rematch": Right.CHAIR,
}
"""The right that each command needs. Review every change here."""


def host_at(stage: Stage) -> Host:
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


def invalid_command(kind: type[Command]) -> Command:
    """A command of a type whose arguments are all invalid."""
    junk: dict[str, Any] = {"chair": 77, "side": 77, "player": None, "terms": {}, "chairs": []}
    return kind(
        **{field.name: junk.get(field.name, "\x00junk") for field in fields(kind) if field.name != "type"}
    )


hosts = {stage: host_at(stage) for stage in Stage}


def test_every_command_declares_its_right() -> None:
    """Every command type requires the listed right."""
    assert {name: kind.right for name, kind in COMMANDS.items()} == RIGHTS


@pytest.mark.parametrize("stage", Stage, ids=lambda stage: stage.value)
@pytest.mark.parametrize("command", COMMANDS)
def test_rights_are_checked_first(command: str, stage: Stage) -> None:
    """A caller without the right gets NOT_ALLOWED, even for a stale command with invalid arguments."""
    host = hosts[stage]
    for kind, (caller, rights) in CALLERS.items():
        with pytest.raises(CommandRejected) as caught:
            host.table.decide(invalid_command(COMMANDS[command]), caller, 0.0, "x", -5, host.croupier)
        assert caught.value.reason is (
            RejectReason.STALE if rights & RIGHTS[command] else RejectReason.NOT_ALLOWED
        ), kind


def test_the_server_acts_for_a_person_only_while_a_stand_in_plays() -> None:
    """The server may pick for a person only after that person stepped away."""
    host = Host.of(2).start()
    system = {place: replace(SYSTEM, chair=place) for place in (0, 1)}
    assert host.rejected(Pick(0), system[0]) is RejectReason.NOT_ALLOWED
    host.do(StepAway(), 0)
    assert isinstance(host.decide(Pick(0), system[0]), Transition)
    assert host.rejected(Pick(0), system[1]) is RejectReason.NOT_ALLOWED


@pytest.mark.parametrize("command", [Pick(0), Play("a@0-a2")])
def test_the_server_must_name_a_chair(command: Command) -> None:
    """A pick or turn by the server without a valid chair is rejected."""
    for stage in (Stage.PICKING, Stage.PLAYING):
        assert hosts[stage].rejected(command, SYSTEM) in (
            RejectReason.NOT_ALLOWED,
            RejectReason.NOT_PICKING,
            RejectReason.NOT_PLAYING,
        )
    assert hosts[Stage.PICKING].rejected(Pick(0), SYSTEM) is RejectReason.NOT_ALLOWED
    assert hosts[Stage.PLAYING].rejected(Play(""), SYSTEM) is RejectReason.NOT_ALLOWED
    assert hosts[Stage.PLAYING].rejected(Play(""), replace(SYSTEM, chair=9)) is RejectReason.NOT_ALLOWED


def test_a_removed_person_loses_the_rights_of_the_chair() -> None:
    """Commands from a chair are rejected after the owner gives it to a computer or opens it."""
    host = Host(make_settings(2, "imperial", []), [PERSON, PERSON])
    host.do(Ready(nonce_of(1)), 1)
    host.do(AssignChair(1, "greedy", "G"), OWNER)
    assert host.rejected(Ready(nonce_of(1)), 1) is RejectReason.NOT_ALLOWED
    host.do(AssignChair(1, None, ""), OWNER)
    assert host.rejected(Ready(nonce_of(1)), 1) is RejectReason.NOT_ALLOWED


def test_an_owner_closes_only_tables_that_no_person_plays_at() -> None:
    """The owner may close a lobby or a game of computers, but not a game of people."""
    lobby = Host(make_settings(2, "imperial", []), [PERSON, OPEN])
    assert lobby.rejected(Abandon(), 0) is RejectReason.NOT_ALLOWED
    lobby.do(Abandon(), OWNER)
    computers = Host(make_settings(2, "imperial", []), [COMPUTER, COMPUTER])
    computers.do(Abandon(), OWNER)
    for host in (lobby, computers):
        assert host.state.stage is Stage.OVER
    for stage in (Stage.PICKING, Stage.PLAYING):
        assert hosts[stage].rejected(Abandon(), OWNER) is RejectReason.NOT_ALLOWED


def test_only_the_server_reports_a_timeout() -> None:
    """TimeOut is rejected from the owner and from other chairs."""
    for caller in (OWNER, Caller(1), Caller(1, owner=True, may_join=True)):
        assert hosts[Stage.PLAYING].rejected(TimeOut(0), caller) is RejectReason.NOT_ALLOWED
