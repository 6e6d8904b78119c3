"""Before the game: who sits where, who is ready, who starts, and the sides that are picked."""

from dataclasses import replace

import pytest

from sanssouci.dealer import FairDealer, commitment, prove
from sanssouci.table import (
    SPECTATOR,
    SYSTEM,
    AssignChair,
    Caller,
    Colour,
    CommandRejected,
    LeaveChair,
    PendingBotAction,
    Pick,
    Ready,
    RejectReason,
    Sit,
    Sitter,
    Stage,
    StepAway,
    Transition,
    Unready,
    Viewer,
    make_settings,
    new_chair,
    table_record,
    write_table,
)

from .host import COMPUTER, JOINER, OPEN, OWNER, PERSON, SEED, Host, nonce_of

SETTINGS = make_settings(3, "imperial", [])


def ready(host: Host) -> list[bool]:
    """Which chairs are ready."""
    return [chair.is_ready for chair in host.state.chairs]


def test_people_sit_down_and_rise() -> None:
    """On open chairs only, and what they leave is open again."""
    host = Host(SETTINGS, [PERSON, OPEN, COMPUTER])
    for place in (0, 2):
        assert host.rejected(Sit(place, "Bob"), JOINER) is RejectReason.CHAIR_TAKEN
    for place in (3, -1):
        assert host.rejected(Sit(place, "Bob"), JOINER) is RejectReason.NO_SUCH_CHAIR
    event = host.do(Sit(1, "Bob"), JOINER)
    assert event.chair is None, "it was given from no chair"
    assert host.state.chairs[1] == new_chair(Sitter.PERSON, "Bob", colour=Colour.BROWN)
    assert host.state.persons == (0, 1)
    host.do(LeaveChair(), 1)
    assert host.state.chairs[1] == OPEN and host.rejected(LeaveChair(), 1) is RejectReason.NOT_ALLOWED


def test_two_of_one_name_are_told_apart() -> None:
    """Whoever comes later has a number, the first that nobody has."""
    host = Host(SETTINGS, [PERSON, OPEN, OPEN])
    name = host.state.chairs[0].name
    host.do(Sit(2, f"{name} 2"), JOINER)
    host.do(Sit(1, name), JOINER)
    assert [chair.name for chair in host.state.chairs] == [name, f"{name} 3", f"{name} 2"]


def test_the_game_starts_when_all_are_ready() -> None:
    """Computers always are; an open chair never is."""
    host = Host(SETTINGS, [PERSON, OPEN, COMPUTER])
    assert ready(host) == [False, False, True] and host.state.waiting() == (0,)
    host.do(Ready(nonce_of(0)), 0)
    assert host.state.waiting() == () and not host.state.order
    host.do(Sit(1, "Bob"), JOINER)
    assert ready(host) == [True, False, True], "who was ready was so for whoever comes"
    host.do(Ready(nonce_of(1)), 1)
    assert host.state.stage is Stage.PICKING
    assert host.state.nonces == (nonce_of(0), nonce_of(1), "")


def test_who_is_ready_can_think_again() -> None:
    """Once each way."""
    host = Host(SETTINGS, [PERSON, PERSON, OPEN])
    assert host.rejected(Unready(), 0) is RejectReason.NOT_READY
    host.do(Ready(nonce_of(0)), 0)
    assert host.rejected(Ready(nonce_of(1)), 0) is RejectReason.READY_ALREADY
    host.do(Unready(), 0)
    assert ready(host) == [False] * 3
    host.do(Ready(nonce_of(5)), 0)
    assert host.state.nonces[0] == nonce_of(5)


@pytest.mark.parametrize("nonce", ["", "00" * 7, "00" * 33, "0" * 17, "AB" * 8, "zz" * 8, " " + "00" * 8])
def test_a_nonce_is_64_to_256_bits_in_hex(nonce: str) -> None:
    """Nothing else goes into the shuffle."""
    host = Host(SETTINGS, [PERSON, OPEN, OPEN])
    assert host.rejected(Ready(nonce), 0) is RejectReason.BAD_NONCE
    host.do(Ready("0f" * 8), 0)
    host.do(Unready(), 0)
    host.do(Ready("0f" * 32), 0)


@pytest.mark.parametrize("change", ["computer", "open", "own chair"])
def test_nobody_is_ready_for_a_table_that_has_changed(change: str) -> None:
    """When somebody is replaced or sent away, all are asked again."""
    host = Host(SETTINGS, [PERSON, PERSON, PERSON])
    host.do(Ready(nonce_of(0)), 0)
    host.do(Ready(nonce_of(1)), 1)
    if change == "computer":
        host.do(AssignChair(2, "greedy", "G"), OWNER)
    elif change == "open":
        host.do(AssignChair(1, None, ""), OWNER)
    else:
        host.do(AssignChair(0, "greedy", "G"), Caller(0, owner=True))
    assert host.state.stage is Stage.LOBBY
    assert not any(chair.is_ready for chair in host.state.chairs if chair.is_person)


def test_who_leaves_is_the_only_one_who_is_not_ready_any_more() -> None:
    """Nothing can start while a chair is open; the nonce of who has left goes into no shuffle."""
    host = Host(SETTINGS, [PERSON, PERSON, OPEN])
    host.do(Ready(nonce_of(0)), 0)
    host.do(Ready(nonce_of(1)), 1)
    host.do(LeaveChair(), 1)
    assert ready(host) == [True, False, False] and host.state.nonces == (nonce_of(0), "", "")
    host.do(Sit(1, "Bob"), JOINER)
    host.do(Sit(2, "Cid"), JOINER)
    host.do(Ready(nonce_of(5)), 1)
    host.do(Ready(nonce_of(6)), 2)
    assert host.state.stage is Stage.PICKING
    assert host.state.nonces == (nonce_of(0), nonce_of(5), nonce_of(6))


def test_the_owner_appoints_whom_they_like_until_the_game_starts() -> None:
    """A computer for an open chair or a person, a person for a computer; not at a chair that is not there."""
    host = Host(SETTINGS, [PERSON, OPEN, OPEN])
    host.do(AssignChair(1, "planner", "Planner"), OWNER)
    host.do(AssignChair(2, "greedy", "Greedy"), OWNER)
    assert [chair.player for chair in host.state.chairs] == ["", "planner", "greedy"]
    host.do(AssignChair(2, None, "ignored"), OWNER)
    assert host.state.chairs[2] == OPEN
    assert host.rejected(AssignChair(3, "greedy", "G"), OWNER) is RejectReason.NO_SUCH_CHAIR
    host.do(AssignChair(2, "greedy", "Greedy"), OWNER)
    host.do(Ready(nonce_of(0)), 0)
    for command, caller in (
        (AssignChair(2, None, ""), OWNER),
        (Sit(2, "X"), JOINER),
        (LeaveChair(), Caller(0)),
    ):
        assert host.rejected(command, caller) is RejectReason.NOT_IN_LOBBY


def test_where_only_computers_play_the_game_starts_at_once() -> None:
    """When the table is set up, or when the last chair is given to one."""
    host = Host(SETTINGS, [COMPUTER] * 3)
    assert host.state.stage is Stage.PICKING and host.table.seq == 0
    later = Host(SETTINGS, [PERSON, COMPUTER, COMPUTER])
    later.do(AssignChair(0, "greedy", "G"), Caller(0, owner=True))
    assert later.state.stage is Stage.PICKING
    assert later.state.pending_bot_action() == PendingBotAction(later.state.waiting()[0], "greedy")
    assert later.play_out().state.stage is Stage.OVER


def test_a_table_has_as_many_chairs_as_seats() -> None:
    """R1: not more, not fewer."""
    for chairs in ([PERSON] * 2, [PERSON] * 4, []):
        with pytest.raises(CommandRejected) as caught:
            Host(SETTINGS, chairs)
        assert (caught.value.reason, caught.value.details) == (RejectReason.NO_SUCH_CHAIR, {"seats": 3})


def test_the_start_is_drawn_from_the_seed() -> None:
    """R8: from the chair that comes up it goes round the table; every chair can come up."""
    starts = set()
    for nonce in range(12):
        host = Host(SETTINGS, [PERSON] * 3)
        for place in range(3):
            host.do(Ready(nonce_of(nonce + place)), place)
        first = FairDealer(SEED, "t", host.state.nonces).first_seat(3)
        assert host.state.order == tuple((first + place) % 3 for place in range(3))
        starts.add(first)
    assert starts == {0, 1, 2}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_start_can_be_agreed(first: int) -> None:
    """R8: then the chair that was named starts, and it goes round from there."""
    host = Host.of(3, first=first).start()
    assert host.state.order == tuple((first + place) % 3 for place in range(3))
    assert host.pick().state.waiting() == (first,)


def test_the_commitment_is_shown_before_anyone_is_ready() -> None:
    """And the seed to nobody before the end; then with the nonces, in the order of the chairs."""
    host = Host.of(2)
    promised = commitment(SEED, "t")
    for viewer in (SPECTATOR, Viewer(0), Viewer(1, owner=True)):
        assert write_table(host.state, viewer)["commitment"] == promised
    host.start()
    while host.state.stage is not Stage.OVER:
        assert SEED.hex() not in str([write_table(host.state, Viewer(place)) for place in (0, 1)])
        host.pick().play()
    shown = write_table(host.state, SPECTATOR)["ending"]["fair"]
    assert shown == {"seed": SEED.hex(), "nonces": [nonce_of(0), nonce_of(1)]}
    assert commitment(bytes.fromhex(shown["seed"]), "t") == promised


def test_a_start_that_was_not_kept_leaves_no_trace() -> None:
    """If the last nonce was heard but could not be kept, another one deals another game, and it is proved."""
    host = Host.of(2)
    host.do(Ready(nonce_of(0)), 0)
    lost = host.decide(Ready(nonce_of(8)), Caller(1))
    host.do(Ready(nonce_of(1)), 1)
    assert isinstance(lost, Transition) and lost.event.answers != host.table.event(2).answers
    prove(table_record(host.play_out().state))


def test_nothing_is_shown_of_a_seed_that_dealt_nothing() -> None:
    """A lobby that is closed ends without a seed, a record or a nonce."""
    host = Host.of(2)
    host.do(Ready(nonce_of(0)), 0)
    host.end()
    table = write_table(host.state, Viewer(0))
    assert table["ending"] == {"manner": "abandoned", "winners": [], "fair": None}
    assert nonce_of(0) not in str(table)


def test_picks_are_made_in_any_order() -> None:
    """R9, R12, R29: once each, from the sides there are; then missions and rewards are dealt, and so on."""
    host = Host.of(3, expansions=["rewards"]).start()
    for kind, none, twice in (("garden", "R9", "R9"), ("reward", "R29", "R12")):
        assert set(host.state.waiting()) == {0, 1, 2}
        assert host.refusal(Pick(2), 0) == f"{none} no_such_{kind}_side"
        host.do(Pick(1), 2)
        assert host.refusal(Pick(0), 2) == f"{twice} {kind}_side_picked"
        host.do(Pick(0), 0)
        assert host.state.waiting() == (1,)
        host.do(Pick(0), 1)
    assert host.state.stage is Stage.PLAYING
    assert host.rejected(Pick(0), 0) is RejectReason.NOT_PICKING


def test_the_house_picks_for_computers_and_for_those_who_are_away() -> None:
    """By the player that sits there, or by the stand-in."""
    host = Host.of(3, computers=1).start()
    host.do(StepAway(), 0)
    duties = set()
    while (duty := host.state.pending_bot_action()) is not None and host.state.stage is Stage.PICKING:
        duties.add((duty.chair, duty.player))
        host.do(Pick(0), replace(SYSTEM, chair=duty.chair))
    assert duties == {(0, "level:3"), (2, "greedy")}
    assert host.state.waiting() == (1,)
    assert host.rejected(Pick(0), 0) is RejectReason.STAND_IN_PLAYS
