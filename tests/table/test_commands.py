"""Commands: deciding changes nothing, a repeat is answered and not applied twice, a stale one is declined."""

from dataclasses import fields, replace
from typing import Any

import pytest

from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    COMMANDS,
    SYSTEM,
    Abandon,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    CommandRejected,
    Concede,
    Event,
    LeaveChair,
    Pick,
    Play,
    Ready,
    RejectReason,
    Return,
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

from .host import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, log_row, nonce_of

ATTEMPTS: tuple[tuple[Command, Caller], ...] = (
    (Sit(1, "Bob"), Caller(may_join=True)),
    (LeaveChair(), Caller(0)),
    (AssignChair(1, "greedy", "G"), OWNER),
    (ChooseColour(0, "teal"), Caller(0)),
    (Ready(nonce_of(0)), Caller(0)),
    (Ready("x"), Caller(0)),
    (Unready(), Caller(0)),
    (Pick(0), Caller(0)),
    (Pick(5), Caller(0)),
    (Play("a@0-a2"), Caller(0)),
    (Play("junk"), Caller(0)),
    (TakeBack(), Caller(0)),
    (Concede(), Caller(0)),
    (StepAway(), Caller(0)),
    (Vote(1), Caller(0)),
    (TimeOut(0), SYSTEM),
    (Abandon(), Caller(0)),
    (Abandon(), OWNER),
)


def a_lobby() -> Host:
    """One person waits for another."""
    return Host(make_settings(2, "imperial", []), [PERSON, OPEN])


def at_every_stage() -> list[Host]:
    """Tables in the lobby, while sides are picked, in the game, and after it."""
    return [a_lobby(), Host.of().start(), Host.of().start().pick().play(3), Host.of().start().play_out()]


def outcome(host: Host, command: Command, caller: Caller) -> Transition | Event | str:
    """What a table says to a command."""
    try:
        return host.decide(command, caller, "x")
    except (UserError, Refused) as no:
        return repr(no)


def test_deciding_changes_nothing() -> None:
    """Whether a command can be carried out or not: the table stands as before, and says the same again."""
    transitions = 0
    for host in at_every_stage():
        before, seq, told = host.state, host.table.seq, host.table.public_events(-1)
        attempts = list(ATTEMPTS)
        if host.state.stage is Stage.PLAYING:
            attempts.append((host.turn(), Caller(host.state.waiting()[0])))
        for command, caller in attempts:
            first = outcome(host, command, caller)
            assert outcome(host, command, caller) == first, command
            assert host.state is before and host.table.seq == seq
            transitions += isinstance(first, Transition)
        assert host.table.public_events(-1) == told
    assert transitions > 10, "some could have been carried out"


def test_a_repeat_is_answered_with_the_same_event() -> None:
    """At any later time, whatever was expected, and without anything being applied twice."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.state.waiting()[0]
    transition = host.decide(turn, Caller(place), "mine")
    assert isinstance(transition, Transition)
    host.table.apply(transition)
    host.play(4)
    state = host.state
    for expected in (0, host.table.seq, 999):
        again = host.table.decide(turn, Caller(place), host.at + 9, "mine", expected, host.croupier)
        assert again is transition.event
    assert host.state is state


def test_a_repeat_is_known_after_the_log_was_read_again() -> None:
    """A server that was restarted answers it too."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.state.waiting()[0]
    transition = host.decide(turn, Caller(place), "mine")
    assert isinstance(transition, Transition)
    host.log.append(log_row(transition.event))
    again = host.replayed()
    assert again.decide(turn, Caller(place), 99.0, "mine", 0, host.croupier) == transition.event


def test_another_command_under_the_same_id_is_declined() -> None:
    """Another kind, or the same kind with other arguments."""
    host = Host.of().start()
    transition = host.decide(Pick(0), Caller(0), "one")
    assert isinstance(transition, Transition)
    host.table.apply(transition)
    for command in (Pick(1), Concede(), Play("a@0-a2")):
        with pytest.raises(CommandRejected) as caught:
            host.decide(command, Caller(0), "one")
        assert caught.value.reason is RejectReason.COMMAND_REUSED


def test_the_ids_of_different_people_do_not_meet() -> None:
    """The same id from another chair, or of the house, is another command."""
    host = Host(make_settings(3, "imperial", []), [PERSON, PERSON, COMPUTER])
    for place in (0, 1):
        transition = host.decide(Ready(nonce_of(0)), Caller(place), "x")
        assert isinstance(transition, Transition), "applied for each"
        host.table.apply(transition)
    transition = host.decide(Pick(0), replace(SYSTEM, chair=2), "x")
    assert isinstance(transition, Transition)
    host.table.apply(transition)
    assert host.state.stage is Stage.PICKING


def test_two_who_want_the_same_chair_do_not_meet() -> None:
    """Who sits down is known by an id that the house draws; the other one is told that the chair is taken."""
    host = a_lobby()
    transition = host.decide(Sit(1, "Bot"), JOINER, "drawn")
    assert isinstance(transition, Transition)
    host.table.apply(transition)
    assert host.decide(Sit(1, "Bot"), JOINER, "drawn") is transition.event
    assert host.decide(Sit(1, "Bot"), replace(JOINER, chair=1), "drawn") is transition.event, (
        "who has it by now"
    )
    with pytest.raises(CommandRejected) as caught:
        host.decide(Sit(1, "Bot"), JOINER, "drawn for another")
    assert caught.value.reason is RejectReason.CHAIR_TAKEN


def test_an_id_belongs_to_the_chair_and_not_to_the_one_who_speaks_from_it() -> None:
    """The owner on a chair and whoever has only its link are the same; the owner on no chair is another."""
    host = a_lobby()
    transition = host.decide(Ready(nonce_of(0)), Caller(0, owner=True), "x")
    assert isinstance(transition, Transition)
    host.table.apply(transition)
    assert host.decide(Ready(nonce_of(0)), Caller(0), "x") is transition.event
    assert isinstance(host.decide(Abandon(), OWNER, "x"), Transition), "an owner without a chair"
    appointed = host.decide(AssignChair(1, "greedy", "Greedy"), OWNER, "y")
    assert isinstance(appointed, Transition)
    host.table.apply(appointed)
    assert host.decide(AssignChair(1, "greedy", "Greedy"), replace(OWNER, chair=0), "y") is appointed.event
    again = host.decide(Ready(nonce_of(0)), Caller(0), "y")
    assert isinstance(again, Transition), "an owner's id is not the chair's"


def test_who_holds_several_chairs_is_asked_to_name_one() -> None:
    """Where a chair is needed; what an owner may do without any is done, and strangers are not asked."""
    lobby, game = a_lobby(), Host.of().start()
    undecided = Caller(undecided=True)
    assert lobby.rejected(Ready(nonce_of(0)), undecided) is RejectReason.NAME_CHAIR
    assert lobby.rejected(Ready(nonce_of(0)), Caller()) is RejectReason.NOT_ALLOWED
    assert lobby.rejected(AssignChair(1, None, ""), undecided) is RejectReason.NOT_ALLOWED, (
        "no chair would help"
    )
    assert game.rejected(Abandon(), replace(undecided, owner=True)) is RejectReason.NAME_CHAIR
    lobby.do(Abandon(), replace(undecided, owner=True))
    assert lobby.state.stage is Stage.OVER


def test_who_takes_a_chair_does_not_meet_the_ids_of_who_left_it() -> None:
    """The second person on a chair is heard, though the first has used the same id for the same command."""
    host = a_lobby()
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


def test_a_stale_command_is_declined() -> None:
    """Who has not seen the last event is told where the table is; who has seen one that is not there, too."""
    host = Host.of().start()
    seq = host.table.seq
    for expected, no in (
        (-1, RejectReason.STALE),
        (0, RejectReason.STALE),
        (seq - 1, RejectReason.STALE),
        (seq + 1, RejectReason.AHEAD),
    ):
        with pytest.raises(CommandRejected) as caught:
            host.table.decide(Pick(0), Caller(0), host.at, "x", expected, host.croupier)
        assert caught.value.reason is no and caught.value.details == {"seq": seq}


def test_a_turn_is_not_stale_for_what_happens_beside_the_game() -> None:
    """A vote, somebody who steps away or agrees to end it; but any turn in between, or one taken back, is."""
    host = Host.of(4, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()

    def give(command: Command, expected: int) -> object:
        return host.table.decide(command, Caller(0), host.at, "late", expected, host.croupier)

    asides: list[tuple[Command, int]] = [(Vote(0), 1), (StepAway(), 2), (Abandon(), 3), (Return(), 2)]
    for command, chair in [*asides, (Concede(), 1)]:
        host.do(command, chair, after=200)
        assert isinstance(give(turn, seen), Transition)
    with pytest.raises(CommandRejected) as other:
        give(StepAway(), seen)
    host.do(turn, 0)
    with pytest.raises(CommandRejected) as after:
        give(turn, seen)
    assert other.value.reason is after.value.reason is RejectReason.STALE


def test_a_turn_that_a_stand_in_plays_is_declined_as_that() -> None:
    """Who was voted away meanwhile is told so, and the turn is not played."""
    host = Host.of(2, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()
    host.do(Vote(0), 1, after=200)
    with pytest.raises(CommandRejected) as caught:
        host.table.decide(turn, Caller(0), host.at, "late", seen, host.croupier)
    assert caught.value.reason is RejectReason.STAND_IN_PLAYS


def test_of_two_moves_decided_together_only_one_is_taken() -> None:
    """A move that was decided before another was taken does not fit any more."""
    host = Host.of().start()
    one, two = (host.decide(Pick(0), Caller(place)) for place in (0, 1))
    assert isinstance(one, Transition) and isinstance(two, Transition)
    host.table.apply(one)
    state = host.state
    for transition in (one, two):
        with pytest.raises(UserError):
            host.table.apply(transition)
    assert host.state is state


def test_events_can_be_asked_for_from_any_number() -> None:
    """Who has seen all gets nothing, who has seen nothing gets all."""
    host = Host.of().start()
    assert host.table.seq == 2
    assert [
        [told.public["seq"] for told in host.table.public_events(after)] for after in (-9, -1, 0, 1, 2, 7)
    ] == [
        [0, 1, 2],
        [0, 1, 2],
        [1, 2],
        [2],
        [],
        [],
    ]


def test_every_command_is_written_and_read() -> None:
    """Text and value round-trip for every kind."""
    values: dict[str, Any] = {"side": 1, "nonce": "00" * 8, "turn": "36@2-g3", "table": "u", "name": "Z"}
    values |= {
        "chair": 2,
        "player": None,
        "terms": dump_settings(Host.of().state.settings),
        "chairs": [dump_chair(PERSON)],
        "commitment": "c",
        "origin": {"b": 2},
        "colour": "teal",
    }
    for name, kind in COMMANDS.items():
        command = kind(**{field.name: values[field.name] for field in fields(kind) if field.name != "type"})
        assert write_command(command)["type"] == name
        assert parse_command(write_command(command)) == command
    dealt = Create(values["terms"], [], "c")
    assert "origin" not in write_command(dealt) and parse_command(write_command(dealt)) == dealt
    assert "colour" not in write_command(Sit(0, "Z")), "as it was written before there were any to choose"


def test_a_command_that_the_log_cannot_hold_is_found() -> None:
    """An unknown kind, an argument too few or too many, or of another type; true is no number."""
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
    """Not even the house can set it up again."""
    host = Host.of()
    first = host.table.event(0).command
    assert isinstance(first, Create)
    assert host.rejected(first, SYSTEM) is RejectReason.NOT_ALLOWED
