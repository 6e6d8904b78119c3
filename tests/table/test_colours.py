"""Colours at a table: each sitter has a different one, and a person keeps the chosen one."""

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

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of, replay_log

FOUR = make_settings(4, "imperial", [])


def colours(host: Host) -> list[str | None]:
    """The colour of each chair, as views show it."""
    return [chair["colour"] for chair in write_table(host.state, Viewer())["chairs"]]


def test_unspecified_colours_are_the_first_free_ones() -> None:
    """Chairs without a chosen colour get the first free one. Open chairs have none."""
    chairs = [PERSON, new_chair(Sitter.PERSON, "Bob", colour=Colour.RED), OPEN, COMPUTER]
    host = Host(FOUR, chairs)
    assert colours(host) == ["blue", "red", None, "brown"]
    host.do(Sit(2, "Eve"), JOINER)
    assert colours(host) == ["blue", "red", "violet", "brown"]
    host.do(LeaveChair(), 2)
    host.do(Sit(2, "Eve", "grey"), JOINER)
    assert colours(host) == ["blue", "red", "grey", "brown"]
    assert host.replayed().state == host.state


def test_a_new_table_cannot_have_two_chairs_of_one_colour() -> None:
    """Creating a table with one colour for two chairs is rejected, for people and computers."""
    for other in (PERSON, COMPUTER):
        with pytest.raises(CommandRejected) as caught:
            Host(
                make_settings(2, "imperial", []), [replace(one, colour=Colour.RED) for one in (PERSON, other)]
            )
        assert caught.value.reason is RejectReason.COLOUR_TAKEN


def test_the_colour_of_a_person_cannot_be_taken() -> None:
    """A person's colour is rejected for other people, joiners and computers."""
    host = Host(FOUR, [PERSON, PERSON, COMPUTER, OPEN])
    assert host.rejected(ChooseColour(0, "blue"), 0) is RejectReason.COLOUR_TAKEN
    assert host.rejected(Sit(3, "Eve", "blue"), JOINER) is RejectReason.COLOUR_TAKEN
    assert host.rejected(ChooseColour(2, "blue"), OWNER) is RejectReason.COLOUR_TAKEN
    assert host.rejected(ChooseColour(0, "red"), 0) is RejectReason.COLOUR_WORN
    assert colours(host) == ["red", "blue", "brown", None]


def test_a_computer_gives_its_colour_to_a_person() -> None:
    """A computer swaps colours with a person, or gets a free one from a new person. Others keep theirs."""
    host = Host(FOUR, [PERSON, COMPUTER, COMPUTER, OPEN])
    host.do(ChooseColour(0, "brown"), 0)
    assert colours(host) == ["brown", "blue", "red", None]
    host.do(Sit(3, "Eve", "blue"), JOINER)
    assert colours(host) == ["brown", "violet", "red", "blue"]
    host.do(ChooseColour(0, "teal"), 0)
    assert colours(host) == ["teal", "violet", "red", "blue"], "what was left is left again"
    assert host.replayed().state == host.state


def test_who_may_choose_a_colour() -> None:
    """A person may change only their own colour, the owner also those of computers."""
    host = Host(FOUR, [PERSON, PERSON, COMPUTER, OPEN])
    owner = Caller(0, owner=True)
    for place, caller in ((1, Caller(0)), (2, Caller(0)), (1, owner), (1, OWNER), (3, owner), (3, JOINER)):
        assert host.rejected(ChooseColour(place, "teal"), caller) is RejectReason.NOT_ALLOWED
    host.do(ChooseColour(2, "teal"), owner)
    host.do(ChooseColour(2, "grey"), OWNER)
    host.do(ChooseColour(1, "teal"), 1)
    assert colours(host) == ["red", "teal", "grey", None]


def test_colours_are_chosen_in_the_lobby_and_kept_in_the_rematch() -> None:
    """Choosing a colour keeps people ready and ends with the lobby. Rematches keep all colours."""
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
    assert colours(Host(settings, chairs)) == colours(host) == ["violet", "blue", "brown", "red"]


def test_a_computer_keeps_the_colour_of_the_person_it_replaces() -> None:
    """A reassigned chair keeps its colour. An opened chair loses it."""
    host = Host(FOUR, [PERSON, PERSON, OPEN, OPEN])
    host.do(ChooseColour(1, "grey"), 1)
    host.do(AssignChair(1, "greedy", "G"), OWNER)
    assert colours(host) == ["red", "grey", None, None]
    host.do(AssignChair(1, None, ""), OWNER)
    host.do(AssignChair(2, "greedy", "G"), OWNER)
    assert colours(host) == ["red", None, "blue", None]


def test_logs_without_colours_are_read() -> None:
    """Chairs in a log without colours get the free ones in order."""
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


def test_an_unknown_colour_in_a_log_is_rejected() -> None:
    """Replaying a log with an unknown colour fails and names the event."""
    host = Host(FOUR, [PERSON, OPEN, COMPUTER, COMPUTER])
    host.do(Sit(1, "Eve", "teal"), JOINER)
    host.do(ChooseColour(0, "grey"), 0)
    for at, colour in ((1, "teal"), (2, "grey")):
        log = list(host.log)
        seq, key, chair, body = log[at]
        log[at] = seq, key, chair, body.replace(json.dumps(colour), '"pink"')
        with pytest.raises(Exception, match=str(at)):
            replay_log("t", log)


def test_records_contain_no_colours() -> None:
    """The record of a game does not mention colours."""
    host = Host(make_settings(2, "imperial", []), [PERSON, COMPUTER])
    host.do(ChooseColour(0, "teal"), 0)
    host.start().play_out()
    assert all("colour" not in seat for seat in table_record(host.state).seats)


def test_colour_changes_are_limited() -> None:
    """A person's changes count as undoing, the owner's changes for computers as appointments."""
    host = Host(FOUR, [PERSON, COMPUTER, OPEN, OPEN])
    while not host.state.undo_limit_reached(0):
        host.do(ChooseColour(0, "teal" if host.state.chairs[0].colour is Colour.RED else "red"), 0)
    assert host.rejected(ChooseColour(0, "grey"), 0) is RejectReason.UNDONE_TOO_OFTEN
    assert "wear" not in permitted(host.state, 0, False) and "wear" in permitted(host.state, 0, True)
    state = replace(host.state, appointed=MAX_APPOINTED - 1)
    last = execute(state, CommandContext(ChooseColour(1, "grey"), Caller(0, owner=True), 0.0), host.croupier)
    assert last.appointed == MAX_APPOINTED and "wear" not in permitted(last, 0, True)
    with pytest.raises(CommandRejected) as caught:
        execute(last, CommandContext(ChooseColour(1, "teal"), OWNER, 0.0), host.croupier)
    assert caught.value.reason is RejectReason.UNDONE_TOO_OFTEN
