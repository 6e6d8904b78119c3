"""Commands: deciding changes nothing, a repeat is answered and not applied twice, a stale one is declined."""

from dataclasses import fields, replace
from typing import Any

import pytest

from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    COMMANDS,
    HOUSE,
    Abandon,
    Appoint,
    Caller,
    Command,
    Concede,
    Declined,
    Event,
    Move,
    No,
    Pick,
    Play,
    Ready,
    Return,
    Rise,
    Sit,
    Stage,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
    Wear,
    make_terms,
)
from sanssouci.table.commands import Create, parse_command, write_command

from .play import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, kept, nonce_of

ATTEMPTS: tuple[tuple[Command, Caller], ...] = (
    (Sit(1, "Bob"), Caller(may_join=True)),
    (Rise(), Caller(0)),
    (Appoint(1, "greedy", "G"), OWNER),
    (Wear(0, "teal"), Caller(0)),
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
    (TimeOut(0), HOUSE),
    (Abandon(), Caller(0)),
    (Abandon(), OWNER),
)


def a_lobby() -> Host:
    """One person waits for another."""
    return Host(make_terms(2, "imperial", []), [PERSON, OPEN])


def at_every_stage() -> list[Host]:
    """Tables in the lobby, while sides are picked, in the game, and after it."""
    return [a_lobby(), Host.of().start(), Host.of().start().pick().play(3), Host.of().start().play_out()]


def outcome(host: Host, command: Command, caller: Caller) -> Move | Event | str:
    """What a table says to a command."""
    try:
        return host.decide(command, caller, "x")
    except (UserError, Refused) as no:
        return repr(no)


def test_deciding_changes_nothing() -> None:
    """Whether a command can be carried out or not: the table stands as before, and says the same again."""
    moves = 0
    for host in at_every_stage():
        before, seq, told = host.standing, host.table.seq, host.table.tellings(-1)
        attempts = list(ATTEMPTS)
        if host.standing.stage is Stage.PLAYING:
            attempts.append((host.turn(), Caller(host.standing.waiting()[0])))
        for command, caller in attempts:
            first = outcome(host, command, caller)
            assert outcome(host, command, caller) == first, command
            assert host.standing is before and host.table.seq == seq
            moves += isinstance(first, Move)
        assert host.table.tellings(-1) == told
    assert moves > 10, "some could have been carried out"


def test_a_repeat_is_answered_with_the_same_event() -> None:
    """At any later time, whatever was expected, and without anything being applied twice."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.standing.waiting()[0]
    move = host.decide(turn, Caller(place), "mine")
    assert isinstance(move, Move)
    host.table.move_on(move)
    host.play(4)
    standing = host.standing
    for expected in (0, host.table.seq, 999):
        again = host.table.decide(turn, Caller(place), host.at + 9, "mine", expected, host.croupier)
        assert again is move.event
    assert host.standing is standing


def test_a_repeat_is_known_after_the_log_was_read_again() -> None:
    """A server that was restarted answers it too."""
    host = Host.of().start().pick()
    turn, place = host.turn(), host.standing.waiting()[0]
    move = host.decide(turn, Caller(place), "mine")
    assert isinstance(move, Move)
    host.log.append(kept(move.event))
    again = host.reread()
    assert again.decide(turn, Caller(place), 99.0, "mine", 0, host.croupier) == move.event


def test_another_command_under_the_same_id_is_declined() -> None:
    """Another kind, or the same kind with other arguments."""
    host = Host.of().start()
    move = host.decide(Pick(0), Caller(0), "one")
    assert isinstance(move, Move)
    host.table.move_on(move)
    for command in (Pick(1), Concede(), Play("a@0-a2")):
        with pytest.raises(Declined) as caught:
            host.decide(command, Caller(0), "one")
        assert caught.value.no is No.COMMAND_REUSED


def test_the_ids_of_different_people_do_not_meet() -> None:
    """The same id from another chair, or of the house, is another command."""
    host = Host(make_terms(3, "imperial", []), [PERSON, PERSON, COMPUTER])
    for place in (0, 1):
        move = host.decide(Ready(nonce_of(0)), Caller(place), "x")
        assert isinstance(move, Move), "applied for each"
        host.table.move_on(move)
    move = host.decide(Pick(0), replace(HOUSE, chair=2), "x")
    assert isinstance(move, Move)
    host.table.move_on(move)
    assert host.standing.stage is Stage.PICKING


def test_two_who_want_the_same_chair_do_not_meet() -> None:
    """Who sits down is known by an id that the house draws; the other one is told that the chair is taken."""
    host = a_lobby()
    move = host.decide(Sit(1, "Bot"), JOINER, "drawn")
    assert isinstance(move, Move)
    host.table.move_on(move)
    assert host.decide(Sit(1, "Bot"), JOINER, "drawn") is move.event
    assert host.decide(Sit(1, "Bot"), replace(JOINER, chair=1), "drawn") is move.event, "who has it by now"
    with pytest.raises(Declined) as caught:
        host.decide(Sit(1, "Bot"), JOINER, "drawn for another")
    assert caught.value.no is No.CHAIR_TAKEN


def test_an_id_belongs_to_the_chair_and_not_to_the_one_who_speaks_from_it() -> None:
    """The owner on a chair and whoever has only its link are the same; the owner on no chair is another."""
    host = a_lobby()
    move = host.decide(Ready(nonce_of(0)), Caller(0, owner=True), "x")
    assert isinstance(move, Move)
    host.table.move_on(move)
    assert host.decide(Ready(nonce_of(0)), Caller(0), "x") is move.event
    assert isinstance(host.decide(Abandon(), OWNER, "x"), Move), "an owner without a chair"
    appointed = host.decide(Appoint(1, "greedy", "Greedy"), OWNER, "y")
    assert isinstance(appointed, Move)
    host.table.move_on(appointed)
    assert host.decide(Appoint(1, "greedy", "Greedy"), replace(OWNER, chair=0), "y") is appointed.event
    again = host.decide(Ready(nonce_of(0)), Caller(0), "y")
    assert isinstance(again, Move), "an owner's id is not the chair's"


def test_who_holds_several_chairs_is_asked_to_name_one() -> None:
    """Where a chair is needed; what an owner may do without any is done, and strangers are not asked."""
    lobby, game = a_lobby(), Host.of().start()
    undecided = Caller(undecided=True)
    assert lobby.declined(Ready(nonce_of(0)), undecided) is No.NAME_CHAIR
    assert lobby.declined(Ready(nonce_of(0)), Caller()) is No.NOT_ALLOWED
    assert lobby.declined(Appoint(1, None, ""), undecided) is No.NOT_ALLOWED, "no chair would help"
    assert game.declined(Abandon(), replace(undecided, owner=True)) is No.NAME_CHAIR
    lobby.do(Abandon(), replace(undecided, owner=True))
    assert lobby.standing.stage is Stage.OVER


def test_who_takes_a_chair_does_not_meet_the_ids_of_who_left_it() -> None:
    """The second person on a chair is heard, though the first has used the same id for the same command."""
    host = a_lobby()
    for command, caller, command_id in (
        (Ready(nonce_of(0)), Caller(0), "1"),
        (Rise(), Caller(0), "2"),
        (Sit(0, "Eve"), JOINER, "1"),
        (Ready(nonce_of(0)), Caller(0), "1"),
    ):
        move = host.decide(command, caller, command_id)
        assert isinstance(move, Move), command
        host.table.move_on(move)
    assert host.standing.chairs[0].is_ready


def test_a_stale_command_is_declined() -> None:
    """Who has not seen the last event is told where the table is; who has seen one that is not there, too."""
    host = Host.of().start()
    seq = host.table.seq
    for expected, no in ((-1, No.STALE), (0, No.STALE), (seq - 1, No.STALE), (seq + 1, No.AHEAD)):
        with pytest.raises(Declined) as caught:
            host.table.decide(Pick(0), Caller(0), host.at, "x", expected, host.croupier)
        assert caught.value.no is no and caught.value.details == {"seq": seq}


def test_a_turn_is_not_stale_for_what_happens_beside_the_game() -> None:
    """A vote, somebody who steps away or agrees to end it; but any turn in between, or one taken back, is."""
    host = Host.of(4, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()

    def give(command: Command, expected: int) -> object:
        return host.table.decide(command, Caller(0), host.at, "late", expected, host.croupier)

    asides: list[tuple[Command, int]] = [(Vote(0), 1), (StepAway(), 2), (Abandon(), 3), (Return(), 2)]
    for command, chair in [*asides, (Concede(), 1)]:
        host.do(command, chair, after=200)
        assert isinstance(give(turn, seen), Move)
    with pytest.raises(Declined) as other:
        give(StepAway(), seen)
    host.do(turn, 0)
    with pytest.raises(Declined) as after:
        give(turn, seen)
    assert other.value.no is after.value.no is No.STALE


def test_a_turn_that_a_stand_in_plays_is_declined_as_that() -> None:
    """Who was voted away meanwhile is told so, and the turn is not played."""
    host = Host.of(2, first=0).start().pick()
    seen, turn = host.table.seq, host.turn()
    host.do(Vote(0), 1, after=200)
    with pytest.raises(Declined) as caught:
        host.table.decide(turn, Caller(0), host.at, "late", seen, host.croupier)
    assert caught.value.no is No.STAND_IN_PLAYS


def test_of_two_moves_decided_together_only_one_is_taken() -> None:
    """A move that was decided before another was taken does not fit any more."""
    host = Host.of().start()
    one, two = (host.decide(Pick(0), Caller(place)) for place in (0, 1))
    assert isinstance(one, Move) and isinstance(two, Move)
    host.table.move_on(one)
    standing = host.standing
    for move in (one, two):
        with pytest.raises(UserError):
            host.table.move_on(move)
    assert host.standing is standing


def test_events_can_be_asked_for_from_any_number() -> None:
    """Who has seen all gets nothing, who has seen nothing gets all."""
    host = Host.of().start()
    assert host.table.seq == 2
    assert [
        [told.public["seq"] for told in host.table.tellings(after)] for after in (-9, -1, 0, 1, 2, 7)
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
    values: dict[str, Any] = {"side": 1, "nonce": "00", "turn": "x", "table": "u", "name": "Z"}
    values |= {
        "chair": 2,
        "player": None,
        "terms": {"a": 1},
        "chairs": [1],
        "commitment": "c",
        "origin": {"b": 2},
        "colour": "teal",
    }
    for name, kind in COMMANDS.items():
        command = kind(**{field.name: values[field.name] for field in fields(kind)})
        assert write_command(command)["type"] == name
        assert parse_command(write_command(command)) == command
    dealt = Create({}, [], "c")
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
    assert host.declined(first, HOUSE) is No.NOT_ALLOWED
