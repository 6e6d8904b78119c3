"""The lobby: chairs, readiness, the first player, and picking sides."""

from dataclasses import replace
from typing import Any

import pytest

from sanssouci.dealer import FAIR_1, FAIR_3, FairDealer, commitment, prove
from sanssouci.table import (
    SPECTATOR,
    SYSTEM,
    AssignChair,
    Caller,
    Colour,
    CommandRejected,
    Croupier,
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

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, SEED, Host, commitment_of, nonce_of

SETTINGS = make_settings(3, "imperial", [])
SHOWN = Croupier(SEED, "t").key("deal 0")
"""The seed of the first attempt, which is shown after the game."""


def ready(host: Host) -> list[bool]:
    return [chair.is_ready for chair in host.state.chairs]


def test_people_sit_down_and_rise() -> None:
    """People may take open chairs only, and a chair is open again when they leave."""
    host = Host(SETTINGS, [PERSON, OPEN, COMPUTER])
    for place in (0, 2):
        assert host.rejected(Sit(place, "Bob"), JOINER) is RejectReason.CHAIR_TAKEN
    for place in (3, -1):
        assert host.rejected(Sit(place, "Bob"), JOINER) is RejectReason.NO_SUCH_CHAIR
    event = host.do(Sit(1, "Bob"), JOINER)
    assert event.chair is None, "the command comes from no chair"
    assert host.state.chairs[1] == new_chair(Sitter.PERSON, "Bob", colour=Colour.BROWN)
    assert host.state.persons == (0, 1)
    host.do(LeaveChair(), 1)
    assert host.state.chairs[1] == OPEN and host.rejected(LeaveChair(), 1) is RejectReason.NOT_ALLOWED


def test_duplicate_names_get_a_number() -> None:
    """A duplicate name gets the first free number."""
    host = Host(SETTINGS, [PERSON, OPEN, OPEN])
    name = host.state.chairs[0].name
    host.do(Sit(2, f"{name} 2"), JOINER)
    host.do(Sit(1, name), JOINER)
    assert [chair.name for chair in host.state.chairs] == [name, f"{name} 3", f"{name} 2"]


def test_the_game_starts_when_all_are_ready() -> None:
    """Computers are always ready, open chairs never."""
    host = Host(SETTINGS, [PERSON, OPEN, COMPUTER])
    assert ready(host) == [False, False, True]
    assert list(host.state.waiting) == [0]
    host.do(Ready(nonce_of(0)), 0)
    assert not host.state.waiting and not host.state.order
    host.do(Sit(1, "Bob"), JOINER)
    assert ready(host) == [True, False, True], "a new person leaves the others ready"
    host.do(Ready(nonce_of(1)), 1)
    assert host.state.stage is Stage.PICKING
    assert host.state.nonces == (nonce_of(0), nonce_of(1), "")


def test_readiness_can_be_withdrawn() -> None:
    """Ready and Unready alternate. The last nonce counts."""
    host = Host(SETTINGS, [PERSON, PERSON, OPEN])
    assert host.rejected(Unready(), 0) is RejectReason.NOT_READY
    host.do(Ready(nonce_of(0)), 0)
    assert host.rejected(Ready(nonce_of(1)), 0) is RejectReason.READY_ALREADY
    host.do(Unready(), 0)
    assert ready(host) == [False] * 3
    host.do(Ready(nonce_of(5)), 0)
    assert host.state.chairs[0].commitment == commitment_of(host.state, 0, nonce_of(5))


@pytest.mark.parametrize("nonce", ["", "00" * 7, "00" * 33, "0" * 17, "AB" * 8, "zz" * 8, " " + "00" * 8])
def test_a_nonce_is_64_to_256_bits_in_hex(nonce: str) -> None:
    """Other nonces are rejected under ``fair/1``."""
    host = Host(SETTINGS, [PERSON, OPEN, OPEN], scheme=FAIR_1)
    assert host.rejected(Ready(nonce), 0) is RejectReason.BAD_NONCE
    host.do(Ready("0f" * 8), 0)
    host.do(Unready(), 0)
    host.do(Ready("0f" * 32), 0)


@pytest.mark.parametrize("change", ["computer", "open", "own chair"])
def test_replacing_a_person_resets_readiness(change: str) -> None:
    """Nobody is ready any more after the owner replaces or removes a person."""
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


def test_leaving_resets_only_the_own_readiness() -> None:
    """The others stay ready, and the nonce of the person who left is dropped."""
    host = Host(SETTINGS, [PERSON, PERSON, OPEN])
    host.do(Ready(nonce_of(0)), 0)
    host.do(Ready(nonce_of(1)), 1)
    host.do(LeaveChair(), 1)
    assert ready(host) == [True, False, False] and host.state.chairs[1].commitment is None
    host.do(Sit(1, "Bob"), JOINER)
    host.do(Sit(2, "Cid"), JOINER)
    host.do(Ready(nonce_of(5)), 1)
    host.do(Ready(nonce_of(6)), 2)
    assert host.state.stage is Stage.PICKING
    assert host.state.nonces == (nonce_of(0), nonce_of(5), nonce_of(6))


def test_the_owner_assigns_chairs_until_the_game_starts() -> None:
    """The owner may assign any chair to a computer or open it, in the lobby only."""
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


def test_a_game_of_computers_starts_at_once() -> None:
    """A game of computers starts when the table is created or when the last chair is assigned."""
    host = Host(SETTINGS, [COMPUTER] * 3)
    assert host.state.stage is Stage.PICKING and host.table.seq == 0
    later = Host(SETTINGS, [PERSON, COMPUTER, COMPUTER])
    later.do(AssignChair(0, "greedy", "G"), Caller(0, owner=True))
    assert later.state.stage is Stage.PICKING
    assert later.state.pending_bot_action() == PendingBotAction(later.state.waiting[0], "greedy")
    assert later.play_out().state.stage is Stage.OVER


def test_a_table_has_as_many_chairs_as_seats() -> None:
    """R1: a table with more or fewer chairs than seats is rejected."""
    for chairs in ([PERSON] * 2, [PERSON] * 4, []):
        with pytest.raises(CommandRejected) as caught:
            Host(SETTINGS, chairs)
        assert (caught.value.reason, caught.value.details) == (RejectReason.NO_SUCH_CHAIR, {"seats": 3})


def test_the_first_chair_is_drawn_from_the_seed() -> None:
    """R8: seats go round the table from the drawn chair. Every chair can be drawn."""
    starts = set()
    for nonce in range(24):
        host = Host(SETTINGS, [PERSON] * 3)
        for place in range(3):
            host.do(Ready(nonce_of(nonce + place)), place)
        first = FairDealer(SHOWN, "t", host.state.nonces, FAIR_3).first_seat(3)
        assert host.state.order == tuple((first + place) % 3 for place in range(3))
        starts.add(first)
    assert starts == {0, 1, 2}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_chair_can_be_set(first: int) -> None:
    """R8: the chair in the settings starts, and seats go round from there."""
    host = Host.of(3, first=first).start()
    assert host.state.order == tuple((first + place) % 3 for place in range(3))
    assert host.pick().state.waiting == (first,)


def test_the_commitment_is_shown_before_anyone_is_ready() -> None:
    """The seed and the nonces are shown only at the end, and match the commitment."""
    host = Host.of(2)
    expected = commitment(SHOWN, "t", FAIR_3)
    for viewer in (SPECTATOR, Viewer(0), Viewer(1, owner=True)):
        assert write_table(host.state, viewer)["commitment"] == expected
    host.start()
    while host.state.stage is not Stage.OVER:
        shown = str([write_table(host.state, Viewer(place)) for place in (0, 1)])
        assert SHOWN.hex() not in shown and SEED.hex() not in shown and nonce_of(1) not in shown
        host.pick().play()
    view: Any = write_table(host.state, SPECTATOR)
    assert view["ending"]["fair"] == {"seed": SHOWN.hex(), "nonces": [nonce_of(0), nonce_of(1)]}
    assert SEED.hex() not in str(view), "it is the key of all seeds"


def test_a_start_that_was_not_stored_has_no_effect() -> None:
    """``fair/1``: if the last nonce could not be stored, another one deals another game, which is proved."""
    host = Host.of(2, scheme=FAIR_1)
    host.do(Ready(nonce_of(0)), 0)
    lost = host.decide(Ready(nonce_of(8)), Caller(1))
    host.do(Ready(nonce_of(1)), 1)
    assert isinstance(lost, Transition) and lost.event.answers != host.table.event(2).answers
    prove(table_record(host.play_out().state))


def test_a_closed_lobby_reveals_no_seed() -> None:
    """A closed lobby reveals neither seed nor nonces."""
    host = Host.of(2)
    host.do(Ready(nonce_of(0)), 0)
    host.end()
    table = write_table(host.state, Viewer(0))
    assert table["ending"] == {"manner": "abandoned", "winners": [], "fair": None}
    assert nonce_of(0) not in str(table)


def test_picks_are_made_in_any_order() -> None:
    """R9, R12, R29: each seat picks once, from the existing sides, in any order."""
    host = Host.of(3, expansions=["rewards"]).start()
    for kind, unknown_rule, repeated_rule in (("garden", "R9", "R9"), ("reward", "R29", "R12")):
        assert set(host.state.waiting) == {0, 1, 2}
        assert host.refusal(Pick(2), 0) == f"{unknown_rule} no_such_{kind}_side"
        host.do(Pick(1), 2)
        assert host.refusal(Pick(0), 2) == f"{repeated_rule} {kind}_side_picked"
        host.do(Pick(0), 0)
        assert host.state.waiting == (1,)
        host.do(Pick(0), 1)
    assert host.state.stage is Stage.PLAYING
    assert host.rejected(Pick(0), 0) is RejectReason.NOT_PICKING


def test_the_server_picks_for_computers_and_absent_people() -> None:
    """The computer or the stand-in picks. An absent person's pick is rejected."""
    host = Host.of(3, computers=1).start()
    host.do(StepAway(), 0)
    actions = set()
    while (action := host.state.pending_bot_action()) is not None and host.state.stage is Stage.PICKING:
        actions.add((action.chair, action.player))
        host.do(Pick(0), replace(SYSTEM, chair=action.chair))
    assert actions == {(0, "level:3"), (2, "greedy")}
    assert host.state.waiting == (1,)
    assert host.rejected(Pick(0), 0) is RejectReason.STAND_IN_PLAYS
