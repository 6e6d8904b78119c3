"""The colours at a table: one for each who sits there, no two the same, and a person's is nobody else's."""

import json
from dataclasses import replace

import pytest

from sanssouci.table import (
    MAX_APPOINTED,
    AssignChair,
    Caller,
    ChooseColour,
    Colour,
    CommandRejected,
    LeaveChair,
    Ready,
    RejectReason,
    Sit,
    Sitter,
    Stage,
    Viewer,
    make_settings,
    new_chair,
    rematch_of,
    table_record,
    write_table,
)
from sanssouci.table.command_context import CommandContext
from sanssouci.table.execution import execute
from sanssouci.table.permissions import permitted

from .host import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of, replay_log

FOUR = make_settings(4, "imperial", [])


def worn(host: Host) -> list[str | None]:
    """What a view says of the colours, by chairs."""
    return [chair["colour"] for chair in write_table(host.state, Viewer())["chairs"]]


def test_who_has_no_wish_gets_what_is_left() -> None:
    """In the colours' order, past those that others wish for; an open chair has none until somebody comes."""
    wishes = [PERSON, new_chair(Sitter.PERSON, "Bob", colour=Colour.RED), OPEN, COMPUTER]
    host = Host(FOUR, wishes)
    assert worn(host) == ["blue", "red", None, "brown"]
    host.do(Sit(2, "Eve"), JOINER)
    assert worn(host) == ["blue", "red", "violet", "brown"]
    host.do(LeaveChair(), 2)
    host.do(Sit(2, "Eve", "grey"), JOINER)
    assert worn(host) == ["blue", "red", "grey", "brown"]
    assert host.replayed().state == host.state


def test_two_chairs_cannot_be_set_up_in_one_colour() -> None:
    """Whoever sits on them."""
    for other in (PERSON, COMPUTER):
        with pytest.raises(CommandRejected) as caught:
            Host(
                make_settings(2, "imperial", []), [replace(one, colour=Colour.RED) for one in (PERSON, other)]
            )
        assert caught.value.reason is RejectReason.COLOUR_TAKEN


def test_nobody_takes_the_colour_of_a_person() -> None:
    """Neither who is there, nor who sits down, nor the owner for a computer player."""
    host = Host(FOUR, [PERSON, PERSON, COMPUTER, OPEN])
    assert host.rejected(ChooseColour(0, "blue"), 0) is RejectReason.COLOUR_TAKEN
    assert host.rejected(Sit(3, "Eve", "blue"), JOINER) is RejectReason.COLOUR_TAKEN
    assert host.rejected(ChooseColour(2, "blue"), OWNER) is RejectReason.COLOUR_TAKEN
    assert host.rejected(ChooseColour(0, "red"), 0) is RejectReason.COLOUR_WORN
    assert worn(host) == ["red", "blue", "brown", None]


def test_a_computer_player_changes_with_a_person() -> None:
    """It gets what the person had; from one who sits down it gets what is left. Nobody else's changes."""
    host = Host(FOUR, [PERSON, COMPUTER, COMPUTER, OPEN])
    host.do(ChooseColour(0, "brown"), 0)
    assert worn(host) == ["brown", "blue", "red", None]
    host.do(Sit(3, "Eve", "blue"), JOINER)
    assert worn(host) == ["brown", "violet", "red", "blue"]
    host.do(ChooseColour(0, "teal"), 0)
    assert worn(host) == ["teal", "violet", "red", "blue"], "what was left is left again"
    assert host.replayed().state == host.state


def test_a_chair_changes_its_own_colour_only_and_the_owner_those_of_computers() -> None:
    """Not even the owner changes that of another person; an open chair has none."""
    host = Host(FOUR, [PERSON, PERSON, COMPUTER, OPEN])
    owner = Caller(0, owner=True)
    for place, caller in ((1, Caller(0)), (2, Caller(0)), (1, owner), (1, OWNER), (3, owner), (3, JOINER)):
        assert host.rejected(ChooseColour(place, "teal"), caller) is RejectReason.NOT_ALLOWED
    host.do(ChooseColour(2, "teal"), owner)
    host.do(ChooseColour(2, "grey"), OWNER)
    host.do(ChooseColour(1, "teal"), 1)
    assert worn(host) == ["red", "teal", "grey", None]


def test_a_colour_is_chosen_before_the_game_and_leaves_people_ready() -> None:
    """Then nobody changes it, and it goes into the rematch, where another seat starts."""
    host = Host(FOUR, [PERSON, COMPUTER, COMPUTER, COMPUTER])
    two = Host(make_settings(2, "imperial", []), [PERSON, PERSON])
    two.do(Ready(nonce_of(0)), 0)
    two.do(ChooseColour(0, "violet"), 0)
    assert two.state.chairs[0].is_ready
    host.do(ChooseColour(0, "violet"), 0)
    host.do(Ready(nonce_of(0)), 0)
    assert host.state.stage is not Stage.LOBBY
    assert host.rejected(ChooseColour(0, "teal"), 0) is RejectReason.NOT_IN_LOBBY
    assert "wear" not in write_table(host.state, Viewer(0, True))["you"]["may"]
    host.play_out()
    settings, chairs = rematch_of(host.state)
    assert worn(Host(settings, chairs)) == worn(host) == ["violet", "blue", "brown", "red"]


def test_a_chair_that_is_given_away_keeps_its_colour() -> None:
    """So nobody else's changes; opened it has none, and the next one gets what is left."""
    host = Host(FOUR, [PERSON, PERSON, OPEN, OPEN])
    host.do(ChooseColour(1, "grey"), 1)
    host.do(AssignChair(1, "greedy", "G"), OWNER)
    assert worn(host) == ["red", "grey", None, None]
    host.do(AssignChair(1, None, ""), OWNER)
    host.do(AssignChair(2, "greedy", "G"), OWNER)
    assert worn(host) == ["red", None, "blue", None]


def test_a_log_from_before_there_were_colours_is_read() -> None:
    """Its chairs get them in their order; no later event says more than it did then."""
    host = Host(FOUR, [PERSON, OPEN, COMPUTER, COMPUTER])
    host.do(Sit(1, "Eve"), JOINER)
    host.start().play_out()
    assert not any("colour" in body for *_, body in host.log)
    assert [chair.colour for chair in replay_log("t", host.log).state.chairs] == [
        Colour.RED,
        Colour.VIOLET,
        Colour.BLUE,
        Colour.BROWN,
    ]


def test_a_log_with_a_colour_that_is_none_is_found() -> None:
    """By the number of the event, whoever has written it there."""
    host = Host(FOUR, [PERSON, OPEN, COMPUTER, COMPUTER])
    host.do(Sit(1, "Eve", "teal"), JOINER)
    host.do(ChooseColour(0, "grey"), 0)
    for at, colour in ((1, "teal"), (2, "grey")):
        log = list(host.log)
        seq, key, chair, body = log[at]
        log[at] = seq, key, chair, body.replace(json.dumps(colour), '"pink"')
        with pytest.raises(Exception, match=str(at)):
            replay_log("t", log)


def test_a_record_says_nothing_of_colours() -> None:
    """Its format is exact."""
    host = Host(make_settings(2, "imperial", []), [PERSON, COMPUTER])
    host.do(ChooseColour(0, "teal"), 0)
    host.start().play_out()
    assert all("colour" not in seat for seat in table_record(host.state).seats)


def test_colours_too_come_to_an_end() -> None:
    """A person's as all that is undone from a chair, a computer player's as all that an owner gives away."""
    host = Host(FOUR, [PERSON, COMPUTER, OPEN, OPEN])
    while not host.state.undo_limit_reached(0):
        host.do(ChooseColour(0, "teal" if host.state.chairs[0].colour is Colour.RED else "red"), 0)
    assert host.rejected(ChooseColour(0, "grey"), 0) is RejectReason.UNDONE_TOO_OFTEN
    assert "wear" not in permitted(host.state, 0, False) and "wear" in permitted(host.state, 0, True)
    weary = replace(host.state, appointed=MAX_APPOINTED - 1)
    last = execute(weary, CommandContext(ChooseColour(1, "grey"), Caller(0, owner=True), 0.0), host.croupier)
    assert last.appointed == MAX_APPOINTED and "wear" not in permitted(last, 0, True)
    with pytest.raises(CommandRejected) as caught:
        execute(last, CommandContext(ChooseColour(1, "teal"), OWNER, 0.0), host.croupier)
    assert caught.value.reason is RejectReason.UNDONE_TOO_OFTEN
