"""Commands: deciding has no side effects, repeats are idempotent, stale commands are rejected."""

from dataclasses import fields, replace
from typing import Any

import pytest

from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    COMMANDS,
    SYSTEM,
    Abandon,
    AcceptOffer,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    CommandRejected,
    Concede,
    DeclineOffer,
    Event,
    LeaveChair,
    MakeOffer,
    Pick,
    Play,
    Ready,
    RejectReason,
    Reshuffle,
    Return,
    Reveal,
    Sit,
    Stage,
    StepAway,
    TakeBack,
    TimeOut,
    Transition,
    Unready,
    Vote,
    make_settings,
)
from sanssouci.table.chairs import dump_chair
from sanssouci.table.commands import Create, parse_command, write_command
from sanssouci.table.settings import dump_settings

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, log_row, nonce_of

ATTEMPTS: tuple[tuple[Command, Caller], ...] = (
    (Sit(1, "Bob"), Caller(may_join=True)),
    (LeaveChair(), Caller(0)),
    (AssignChair(1, "greedy", "G"), OWNER),
    (ChooseColour(0, "teal"), Caller(0)),
    (Ready(nonce_of(0)), Caller(0)),
    (Ready("x"), Caller(0)),
    (Reveal(nonce_of(0)), Caller(0)),
    (Reshuffle(), SYSTEM),
    (Unready(), Caller(0)),
    (Pick(0), Caller(0)),
    (Pick(5), Caller(0)),
    (Play("a@0-a2"), Caller(0)),
    (Play("junk"), Caller(0)),
    (TakeBack(), Caller(0)),
    (Concede(), Caller(0)),
    (StepAway(), Caller(0)),
    (Vote(1), Caller(0)),
    (MakeOffer("pause"), Caller(0)),
    (AcceptOffer(1), Caller(0)),
    (DeclineOffer(1), Caller(0)),
    (TimeOut(0), SYSTEM),
    (Abandon(), Caller(0)),
    (Abandon(), OWNER),
)


def new_lobby() -> Host:
    """A lobby with one person and an open chair."""
    return Host(make_settings(2, "imperial", []), [PERSON, OPEN])


def hosts_at_every_stage() -> list[Host]:
    """Tables in the lobby, while picking, while playing, and at the end."""
    return [new_lobby(), Host.of().start(), Host.of().start().pick().play(3), Host.of().start().play_out()]


def outcome(host: Host, command: Command, caller: Caller) -> Transition | Event | str:
    """The table's answer to a command, or the repr of its error."""
    try:
        return host.decide(command, caller, "x")
    except (UserError, Refused) as error:
        return repr(error)


def test_deciding_changes_nothing() -> None:
    """Deciding on a command leaves the table unchanged and gives the same result again."""
    transitions = 0
    for host in hosts_at_every_stage():
        before, seq, events = host.state, host.table.seq, host.table.public_events(-1)
        attempts = list(ATTEMPTS)
        if host.state.stage is Stage.PLAYING:
            attempts.append((host.turn(), Caller(host.state.waiting[0])))
        for command, caller in attempts:
            first = outcome(host, command, caller)
            assert outcome(host, command, caller) == first, command
            assert host.state is before and host.table.seq == seq
            transitions += isinstance(first, Transition)
        assert host.table.public_events(-1) == events
    assert transitions > 10, "some commands are accepted"


def test_a_repeated_command_returns_the_same_event() -> None:
    """A repeat returns the first event, at any time and sequence number, and is not applied again."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.state.waiting[0]
    event = host.do(turn, Caller(place), command_id="mine")
    host.play(4)
    state = host.state
    for expected in (0, host.table.seq, 999):
        again = host.table.decide(turn, Caller(place), host.at + 9, "mine", expected, host.croupier)
        assert again is event
    assert host.state is state


def test_a_repeated_command_is_recognised_after_a_replay() -> None:
    """A table replayed from its log recognises a repeated command."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.state.waiting[0]
    transition = host.decide(turn, Caller(place), "mine")
    assert isinstance(transition, Transition)
    host.log.append(log_row(transition.event))
    again = host.replayed()
    assert again.decide(turn, Caller(place), 99.0, "mine", 0, host.croupier) == transition.event


def test_another_command_with_the_same_id_is_rejected() -> None:
    """A command id cannot be reused for another type or other arguments."""
    host = Host.of().start()
    host.do(Pick(0), Caller(0), command_id="one")
    for command in (Pick(1), Concede(), Play("a@0-a2")):
        with pytest.raises(CommandRejected) as caught:
            host.decide(command, Caller(0), "one")
        assert caught.value.reason is RejectReason.COMMAND_REUSED


def test_command_ids_are_separate_for_each_chair() -> None:
    """The same command id from another chair or from the server is a different command."""
    host = Host(make_settings(3, "imperial", []), [PERSON, PERSON, COMPUTER])
    for place in (0, 1):
        host.do(Ready(nonce_of(0)), Caller(place), command_id="x")
    host.do(Pick(0), replace(SYSTEM, chair=2), command_id="x")
    assert host.state.stage is Stage.PICKING


def test_repeated_sitting_down_is_idempotent() -> None:
    """Sitting down again with the same id returns the event. With another id, the chair is taken."""
    host = new_lobby()
    event = host.do(Sit(1, "Bot"), JOINER, command_id="drawn")
    assert host.decide(Sit(1, "Bot"), JOINER, "drawn") is event
    assert host.decide(Sit(1, "Bot"), replace(JOINER, chair=1), "drawn") is event, "from the chair"
    with pytest.raises(CommandRejected) as caught:
        host.decide(Sit(1, "Bot"), JOINER, "drawn for another")
    assert caught.value.reason is RejectReason.CHAIR_TAKEN


def test_command_ids_belong_to_the_chair() -> None:
    """The owner on a chair shares its command ids. An owner's command is separate from the chair's."""
    host = new_lobby()
    event = host.do(Ready(nonce_of(0)), Caller(0, owner=True), command_id="x")
    assert host.decide(Ready(nonce_of(0)), Caller(0), "x") is event
    assert isinstance(host.decide(Abandon(), OWNER, "x"), Transition), "the owner without a chair"
    appointed = host.do(AssignChair(1, "greedy", "Greedy"), OWNER, command_id="y")
    assert host.decide(AssignChair(1, "greedy", "Greedy"), replace(OWNER, chair=0), "y") is appointed
    again = host.decide(Ready(nonce_of(0)), Caller(0), "y")
    assert isinstance(again, Transition), "an owner's id is not the chair's"


def test_a_caller_with_several_chairs_must_name_one() -> None:
    """A caller with several chairs must name one, unless no chair is needed or none would help."""
    lobby, game = new_lobby(), Host.of().start()
    undecided = Caller(undecided=True)
    assert lobby.rejected(Ready(nonce_of(0)), undecided) is RejectReason.NAME_CHAIR
    assert lobby.rejected(Ready(nonce_of(0)), Caller()) is RejectReason.NOT_ALLOWED
    assert lobby.rejected(AssignChair(1, None, ""), undecided) is RejectReason.NOT_ALLOWED, (
        "no chair would help"
    )
    assert game.rejected(Abandon(), replace(undecided, owner=True)) is RejectReason.NAME_CHAIR
    lobby.do(Abandon(), replace(undecided, owner=True))
    assert lobby.state.stage is Stage.OVER


def test_command_ids_of_a_previous_sitter_do_not_count() -> None:
    """A new person on a chair may use the command ids of the previous person."""
    host = new_lobby()
    for command, caller, command_id in (
        (Ready(nonce_of(0)), Caller(0), "1"),
        (LeaveChair(), Caller(0), "2"),
        (Sit(0, "Eve"), JOINER, "1"),
        (Ready(nonce_of(0)), Caller(0), "1"),
    ):
        transition = host.decide(command, caller, command_id)
        assert isinstance(transition, Transition), command
        host.table.apply(transition)
    assert host.state.chairs[0].is_ready


def test_a_stale_command_is_rejected() -> None:
    """A command with an old or future sequence number is rejected with the current one."""
    host = Host.of().start()
    seq = host.table.seq
    for expected, reason in (
        (-1, RejectReason.STALE),
        (0, RejectReason.STALE),
        (seq - 1, RejectReason.STALE),
        (seq + 1, RejectReason.AHEAD),
    ):
        with pytest.raises(CommandRejected) as caught:
            host.table.decide(Pick(0), Caller(0), host.at, "x", expected, host.croupier)
        assert caught.value.reason is reason and caught.value.details == {"seq": seq}


def test_a_turn_is_not_stale_after_events_outside_the_game() -> None:
    """A turn stays valid after votes, absences and agreements, but not after another turn."""
    host = Host.of(4, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()

    def give(command: Command, expected: int) -> object:
        return host.table.decide(command, Caller(0), host.at, "late", expected, host.croupier)

    other_events: list[tuple[Command, int]] = [(Vote(0), 1), (StepAway(), 2), (Abandon(), 3), (Return(), 2)]
    for command, chair in [*other_events, (Concede(), 1)]:
        host.do(command, chair, after=200)
        assert isinstance(give(turn, seen), Transition)
    host.do(turn, 0)
    with pytest.raises(CommandRejected) as after:
        give(turn, seen)
    assert after.value.reason is RejectReason.STALE


def test_a_turn_is_rejected_after_its_player_was_voted_away() -> None:
    """A late turn of a person voted away is rejected with STAND_IN_PLAYS."""
    host = Host.of(2, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()
    host.do(Vote(0), 1, after=200)
    with pytest.raises(CommandRejected) as caught:
        host.table.decide(turn, Caller(0), host.at, "late", seen, host.croupier)
    assert caught.value.reason is RejectReason.STAND_IN_PLAYS


def test_only_one_of_two_concurrent_transitions_is_applied() -> None:
    """A transition decided before another was applied cannot be applied."""
    host = Host.of().start()
    one, two = (host.decide(Pick(0), Caller(place)) for place in (0, 1))
    assert isinstance(one, Transition) and isinstance(two, Transition)
    host.table.apply(one)
    state = host.state
    for transition in (one, two):
        with pytest.raises(UserError):
            host.table.apply(transition)
    assert host.state is state


def test_public_events_start_after_any_number() -> None:
    """public_events returns all events after a sequence number."""
    host = Host.of().start()
    assert host.table.seq == 4
    assert [
        [event.public["seq"] for event in host.table.public_events(after)] for after in (-9, -1, 0, 3, 4, 7)
    ] == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 2, 3, 4], [4], [], []]


def test_every_command_round_trips() -> None:
    """Writing and parsing a command of any type gives the same command."""
    values: dict[str, Any] = {"side": 1, "nonce": "00" * 16, "turn": "36@2-g3", "table": "u", "name": "Z"}
    values |= {"what": "pause", "offer": 1, "missed": 2}
    values |= {
        "chair": 2,
        "player": None,
        "terms": dump_settings(Host.of().state.settings),
        "chairs": [dump_chair(PERSON)],
        "commitment": "c0" * 32,
        "scheme": "fair/3",
        "origin": {"b": 2},
        "colour": "teal",
    }
    for name, kind in COMMANDS.items():
        command = kind(**{field.name: values[field.name] for field in fields(kind) if field.name != "type"})
        assert write_command(command)["type"] == name
        assert parse_command(write_command(command)) == command
    created = Create(values["terms"], [], "c")
    assert "origin" not in write_command(created) and parse_command(write_command(created)) == created
    assert "colour" not in write_command(Sit(0, "Z")), "the format from before colours"


def test_invalid_commands_in_a_log_are_rejected() -> None:
    """Unknown types and missing, extra or mistyped arguments are rejected."""
    documents: tuple[dict[str, Any], ...] = (
        {},
        {"type": "dance"},
        {"type": "pick"},
        {"type": "pick", "side": True},
        {"type": "pick", "side": "1"},
        {"type": "rise", "side": 1},
        {"type": "appoint", "chair": 0, "player": 5, "name": ""},
        {"type": "create", "terms": {}, "chairs": [], "commitment": None, "origin": []},
    )
    for document in documents:
        with pytest.raises(UserError) as caught:
            parse_command(document)
        assert caught.value.key == "table.unknown_command"


def test_a_table_is_created_once() -> None:
    """A second Create is rejected, even from the server."""
    host = Host.of()
    first = host.table.event(0).command
    assert isinstance(first, Create)
    assert host.rejected(first, SYSTEM) is RejectReason.NOT_ALLOWED
