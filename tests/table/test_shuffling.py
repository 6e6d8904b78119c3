"""fair/3: everyone commits to a nonce, then all reveal; nobody can steer the deal, only prevent it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.dealer import FAIR_1, FAIR_2, FAIR_3, FairDealer, commitment, prove
from sanssouci.editions import shipped_boards
from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    MAX_MISSED,
    REVEAL_SECONDS,
    SPECTATOR,
    SYSTEM,
    Abandon,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    CommandRejected,
    Croupier,
    LeaveChair,
    Ready,
    RejectReason,
    Reshuffle,
    Reveal,
    Sit,
    Stage,
    Table,
    Unready,
    Viewer,
    make_settings,
    parse_body,
    table_record,
    write_body,
    write_table,
)

from ..helpers import stream
from .hosted_table import (
    COMPUTER,
    JOINER,
    OPEN,
    OWNER,
    PERSON,
    SEED,
    Host,
    commitment_of,
    nonce_of,
)
from .test_random_commands import random_caller, random_command


def shuffling(seats: int = 3, computers: int = 0, **settings: Any) -> Host:
    """A table at which everyone is ready, and no nonce is revealed yet."""
    host = Host.of(seats, computers=computers, **settings)
    host.reveals = False
    host.start()
    assert host.state.shuffling
    return host


def given_up(host: Host) -> Host:
    """The time to reveal is over."""
    host.do(Reshuffle(), SYSTEM, after=REVEAL_SECONDS)
    return host


def view(host: Host, chair: int | None = None) -> Any:
    return write_table(host.state, Viewer(chair))


def test_nothing_is_drawn_before_the_last_nonce_is_revealed() -> None:
    """The table is a lobby, and waits for those who have yet to reveal."""
    host = shuffling(3, computers=1)
    assert host.state.waiting == (0, 1)
    host.do(Reveal(nonce_of(1)), 1)
    assert view(host)["waiting"] == [0] and not host.state.order
    assert all(host.table.event(seq).answers == {} for seq in range(host.table.seq + 1))
    host.do(Reveal(nonce_of(0)), 0)
    assert host.state.stage is Stage.PICKING and host.state.nonces == (nonce_of(0), nonce_of(1), "")
    dealer = FairDealer(Croupier(SEED, "t").key("deal 0"), "t", host.state.nonces, FAIR_3)
    assert host.state.gardens == dealer.gardens(4, 3)


def test_views_show_commitments_but_no_nonces() -> None:
    """The commitment to the deal is there as soon as everyone is ready, and stays the same."""
    host = Host.of(2)
    host.reveals = False
    host.do(Ready(nonce_of(0)), 0)
    assert view(host)["deal_commitment"] is None and not view(host)["shuffling"]
    host.do(Ready(nonce_of(1)), 1)
    shown = view(host)
    assert (shown["stage"], shown["shuffling"], shown["scheme"]) == ("lobby", True, "fair/3")
    assert [chair["commitment"] for chair in shown["chairs"]] == [
        commitment_of(host.state, place, nonce_of(place)) for place in (0, 1)
    ]
    host.do(Reveal(nonce_of(0)), 0)
    seen = [view(host, chair) for chair in (None, 0, 1)]
    assert nonce_of(0) not in str(seen) + str([event.to(1) for event in host.table.public_events(-1)])
    assert "reveal" in seen[2]["you"]["may"] and "reveal" not in seen[1]["you"]["may"]
    host.do(Reveal(nonce_of(1)), 1)
    record = table_record(host.play_out().state)
    assert record.fair is not None and record.fair["deal_commitment"] == shown["deal_commitment"]
    assert view(host)["deal_commitment"] == shown["deal_commitment"] and not view(host)["shuffling"]
    prove(record)


def test_a_wrong_nonce_is_refused() -> None:
    """Also that of another chair, one in capitals, and one that is too short."""
    host = shuffling()
    for nonce in (nonce_of(1), "ab" * 16, "00" * 17):
        assert host.rejected(Reveal(nonce), 0) is RejectReason.OTHER_NONCE
    for nonce in ("", "00" * 15, "00" * 33, "AB" * 16, "0" * 33):
        assert host.rejected(Reveal(nonce), 0) is RejectReason.BAD_NONCE


def test_a_nonce_is_revealed_once_in_its_turn_and_from_its_chair() -> None:
    """Not before all are ready, not twice, not by a spectator, the owner or the server."""
    host = Host.of(3)
    host.reveals = False
    host.do(Ready(nonce_of(0)), 0)
    assert host.rejected(Reveal(nonce_of(0)), 0) is RejectReason.NOT_SHUFFLING
    host = shuffling()
    for caller in (Caller(), OWNER, JOINER, SYSTEM, Caller(0, system=True)):
        assert host.rejected(Reveal(nonce_of(0)), caller) is RejectReason.NOT_ALLOWED
    host.do(Reveal(nonce_of(0)), 0)
    assert host.rejected(Reveal(nonce_of(0)), 0) is RejectReason.REVEALED_ALREADY
    assert host.rejected(Reveal(nonce_of(5)), 0) is RejectReason.REVEALED_ALREADY
    host.do(Reveal(nonce_of(1)), 1)
    host.do(Reveal(nonce_of(2)), 2)
    assert host.rejected(Reveal(nonce_of(2)), 2) is RejectReason.NOT_IN_LOBBY


def test_a_repeated_reveal_is_answered_and_another_with_its_id_is_refused() -> None:
    """A lost answer does no harm."""
    host = shuffling()
    event = host.do(Reveal(nonce_of(0)), 0, command_id="x")
    assert host.decide(Reveal(nonce_of(0)), Caller(0), "x") is event
    with pytest.raises(CommandRejected) as caught:
        host.decide(Reveal(nonce_of(5)), Caller(0), "x")
    assert caught.value.reason is RejectReason.COMMAND_REUSED


def test_people_reveal_at_the_same_time() -> None:
    """The reveals of others do not make one stale: the commitment says for which shuffle it is."""
    host, seq = shuffling(), 3
    assert host.table.seq == seq
    for place in range(3):
        transition: Any = host.table.decide(
            Reveal(nonce_of(place)), Caller(place), host.at, "x", seq, host.croupier
        )
        host.table.apply(transition)
    assert host.state.stage is Stage.PICKING


def test_a_copied_commitment_cannot_be_opened() -> None:
    """It is bound to the chair: neither the other's nonce nor any other fits."""
    host = Host.of(2)
    host.reveals = False
    host.do(Ready(nonce_of(0)), 0)
    host.do(Ready(commitment=host.state.chairs[0].commitment), 1)
    for nonce in (nonce_of(0), nonce_of(1)):
        assert host.rejected(Reveal(nonce), 1) is RejectReason.OTHER_NONCE
    host.do(Reveal(nonce_of(0)), 0)
    assert given_up(host).state.unanswered == ("P1",), "the copier is to blame"


def test_a_commitment_of_another_table_cannot_be_opened() -> None:
    """It is bound to the table, even with the same seed."""
    settings = make_settings(2, "imperial", [])
    here, there = (Host(settings, [PERSON, COMPUTER], Croupier(SEED, name), name) for name in ("t", "u"))
    here.reveals = False
    here.do(Ready(commitment=commitment_of(there.state, 0, nonce_of(0))), 0)
    assert here.rejected(Reveal(nonce_of(0)), 0) is RejectReason.OTHER_NONCE


def test_a_commitment_is_valid_for_one_seed() -> None:
    """After a shuffle was given up, the old commitment and the nonce revealed for it are of no use."""
    host = shuffling(2)
    old = host.state.chairs[0].commitment
    host.do(Reveal(nonce_of(0)), 0)
    given_up(host).do(Ready(commitment=old), 0)
    host.do(Ready(nonce_of(1)), 1)
    assert host.rejected(Reveal(nonce_of(0)), 0) is RejectReason.OTHER_NONCE


@pytest.mark.parametrize(
    "ready", [Ready(), Ready(nonce=nonce_of(0), commitment="ab" * 32), Ready(commitment="ab")]
)
def test_a_commitment_alone_is_needed_to_be_ready(ready: Ready) -> None:
    """A bare nonce could be read by the host before the others are bound."""
    host = Host.of(2)
    reasons = []
    for command in (ready, Ready(nonce=nonce_of(0))):
        with pytest.raises(CommandRejected) as caught:
            host.table.decide(command, Caller(0), 1.0, "x", 0, host.croupier)
        reasons.append(caught.value.reason)
    assert reasons == [RejectReason.COMMITMENT_NEEDED] * 2


def test_a_table_of_fair_1_wants_a_bare_nonce() -> None:
    """As when it was set up: its game goes on, and is proved."""
    host = Host.of(2, scheme=FAIR_1)
    assert host.state.scheme == FAIR_1 and "scheme" not in host.log[0][3]
    assert host.rejected(Ready(commitment="ab" * 32), 0) is RejectReason.BAD_NONCE
    assert view(host)["deal_commitment"] is None
    host.start()
    assert host.table.seq == 2 and host.state.stage is Stage.PICKING
    assert host.replayed().state.nonces == host.state.nonces
    record = table_record(host.play_out().state)
    assert record.fair is not None and record.fair["scheme"] == FAIR_1
    prove(record)


def test_a_table_of_fair_2_is_played_on() -> None:
    """As when it was set up: its commitment to the deal has no terms, and its record is proved."""
    host = Host.of(2, scheme=FAIR_2, first=1)
    assert json.loads(host.log[0][3])["command"]["scheme"] == FAIR_2
    host.start()
    expected = FairDealer(Croupier(SEED, "t").key("deal 0"), "t", host.state.nonces, FAIR_2)
    assert view(host)["scheme"] == FAIR_2 and view(host)["deal_commitment"] == expected.deal_commitment
    assert host.replayed().state.deal_commitment == expected.deal_commitment
    record = table_record(host.play_out().state)
    assert record.fair is not None and record.fair["scheme"] == FAIR_2
    prove(record)


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": 3},
        {"edition": "imperial"},
        {"expansions": ["rewards"]},
        {"boards": shipped_boards("bosquet")},
        {"first": 0},
        {"first": 1},
    ],
)
def test_the_terms_are_committed_to(changed: dict[str, Any]) -> None:
    """With the same seed and the same nonces, a table on other terms has another commitment to the deal."""
    usual: dict[str, Any] = {"seats": 2, "edition": "ravensburger"}
    shown = [view(Host.of(**terms).start())["deal_commitment"] for terms in (usual, usual | changed)]
    assert shown[0] != shown[1]
    if "seats" not in changed:
        of_fair_2 = [
            view(Host.of(**terms, scheme=FAIR_2).start())["deal_commitment"]
            for terms in (usual, usual | changed)
        ]
        assert of_fair_2[0] == of_fair_2[1], "which fair/3 was made for"


def attacked(number: int) -> Host:
    """Seed and commitments are fixed; then anyone sends anything until the game is dealt, or will not be."""
    host, chance = shuffling(), stream(number)
    while host.state.shuffling:
        for _ in range(12):
            command: Command = random_command(chance, 3)
            if chance.below(4) == 0:
                command = Reveal(nonce_of(chance.below(4)))
            try:
                host.do(command, random_caller(chance, 3), after=chance.below(4))
            except (UserError, Refused):
                continue
        if host.state.shuffling:
            place = host.state.waiting[0]
            host.do(Reveal(nonce_of(place)), place, after=0)
    return host


def test_no_message_changes_a_deal_that_is_committed_to() -> None:
    """A host who sees everything and sends anything can prevent the deal, and nothing else.

    Either the game that was committed to is dealt, or none: then the table is closed, or it has a new seed,
    and all commitments are gone.
    """
    before, expected, outcomes = shuffling().state, shuffling(), set()
    for place in range(3):
        expected.do(Reveal(nonce_of(place)), place)
    for number in range(60):
        state = attacked(number).state
        if state.order and not state.attempt:
            assert (state.order, state.gardens) == (expected.state.order, expected.state.gardens)
            assert state.deal_commitment == before.deal_commitment
            outcomes.add("dealt")
        elif state.attempt:
            assert state.commitment != before.commitment
            kept = {chair.commitment for chair in before.chairs}
            assert not kept & {chair.commitment for chair in state.chairs}
            outcomes.add("given up")
        else:
            assert state.stage is Stage.OVER
            outcomes.add("closed")
    assert outcomes == {"dealt", "given up", "closed"}


def test_only_the_owner_who_closes_and_people_who_leave_can_prevent_the_deal_at_once() -> None:
    """Nobody can take back the readiness or remove somebody, perhaps knowing the deal."""
    host = shuffling()
    assert host.rejected(Unready(), 0) is RejectReason.SHUFFLING
    assert host.rejected(AssignChair(1, "greedy", "G"), OWNER) is RejectReason.SHUFFLING
    assert host.rejected(AssignChair(0, None), Caller(0, owner=True)) is RejectReason.SHUFFLING
    assert host.rejected(Ready(nonce_of(7)), 0) is RejectReason.READY_ALREADY
    assert host.rejected(Sit(0, "Eve"), JOINER) is RejectReason.CHAIR_TAKEN
    assert host.rejected(Reshuffle(), SYSTEM) is RejectReason.TIME_LEFT
    assert host.rejected(Reshuffle(), OWNER) is RejectReason.NOT_ALLOWED
    assert host.permitted(0, owner=True) == {"abandon", "reveal", "rise", "wear"}
    commitment = host.state.deal_commitment
    host.do(ChooseColour(0, "teal"), 0)
    assert host.state.shuffling and host.state.deal_commitment == commitment
    host.do(Abandon(), OWNER)
    assert host.state.stage is Stage.OVER and view(host)["ending"]["fair"] is None


def test_who_does_not_reveal_prevents_the_deal() -> None:
    """Everyone gets ready again, with a new nonce for a new seed; those who did not answer are named."""
    host = shuffling()
    before = host.state
    host.do(Reveal(nonce_of(1)), 1)
    assert host.rejected(Reshuffle(), SYSTEM, after=REVEAL_SECONDS - 2) is RejectReason.TIME_LEFT
    event = host.do(Reshuffle(), SYSTEM)
    after = host.state
    assert after.stage is Stage.LOBBY and not after.shuffling and after.waiting == (0, 1, 2)
    assert after.unanswered == ("P0", "P2") and after.nonces == ("", "", "")
    assert all(chair.commitment is None for chair in after.chairs)
    assert after.commitment not in (None, before.commitment)
    assert event.answers == {"commitment": after.commitment}, "the old seed is not shown"
    told: Any = host.table.public_events(event.seq - 1)[0].to(None)
    assert (told["type"], told["missing"], told["opened"]) == ("reshuffle", [0, 2], [])
    host.do(Ready(nonce_of(5)), 0)
    host.do(Ready(nonce_of(6)), 1)
    assert view(host)["unanswered"] == ["P0", "P2"]
    host.do(Ready(nonce_of(7)), 2)
    assert host.state.shuffling and view(host)["unanswered"] == []
    for place in range(3):
        host.do(Reveal(nonce_of(5 + place)), place)
    record = table_record(host.play_out().state)
    prove(record)
    assert record.fair is not None and record.fair["commitment"] == after.commitment


def test_every_attempt_has_its_own_seed() -> None:
    """None of them is stored, and none tells another."""
    croupier = Croupier(SEED, "t")
    seeds = [croupier.key(f"deal {attempt}") for attempt in range(9)]
    assert len({SEED, *seeds}) == 10
    assert [croupier.commitment(FAIR_3, attempt) for attempt in range(9)] == [
        commitment(seed, "t", FAIR_3) for seed in seeds
    ]


def test_the_time_to_reveal_begins_with_the_last_ready() -> None:
    """Table clocks have nothing to do with it, and it ends with the deal."""
    host = shuffling(2)
    assert host.state.deadline == host.at + REVEAL_SECONDS == view(host)["deadline"]
    host.do(Reveal(nonce_of(0)), 0, after=5)
    assert host.state.deadline == host.at - 5 + REVEAL_SECONDS
    host.do(Reveal(nonce_of(1)), 1)
    assert host.state.deadline is None


def test_a_chair_that_never_answers_is_opened() -> None:
    """After the third time; the others are ready again with whoever joins."""
    host = shuffling(2)
    for time in range(MAX_MISSED):
        assert host.state.chairs[1].missed == time
        host.do(Reveal(nonce_of(0)), 0)
        given_up(host)
        if time < MAX_MISSED - 1:
            host.start()
    assert host.state.chairs[1] == OPEN and host.state.chairs[0].missed == 0
    told: Any = host.table.public_events(host.table.seq - 1)[0].to(None)
    assert told["opened"] == [1] and host.state.unanswered == ("P1",)
    host.do(Sit(1, "Bob"), JOINER)
    assert host.state.chairs[1].missed == 0
    host.reveals = True
    assert host.start().state.stage is Stage.PICKING


def test_a_person_who_sits_down_again_keeps_the_count() -> None:
    """The event has the number, so a replay knows it; logs of before have none."""
    host = shuffling(2)
    host.do(LeaveChair(), 1)
    sat = host.do(Sit(1, "P1", None, MAX_MISSED - 1), JOINER)
    assert host.state.chairs[1].missed == host.replayed().state.chairs[1].missed == MAX_MISSED - 1
    assert '"missed":2' in write_body(sat) and "missed" not in str(host.table.public_events(0))
    host.start()
    host.do(Reveal(nonce_of(0)), 0)
    given_up(host)
    assert host.state.chairs[1] == OPEN


def test_who_leaves_prevents_the_deal_too() -> None:
    """Somebody whose guest account is deleted leaves by the hand of the server."""
    for caller in (Caller(1), Caller(1, system=True)):
        host = shuffling()
        before = host.state.commitment
        host.do(Reveal(nonce_of(0)), 0)
        host.do(LeaveChair(), caller)
        assert host.state.chairs[1] == OPEN and host.state.waiting == (0, 2)
        assert host.state.commitment != before and host.state.unanswered == ("P1",)
        assert host.state.nonces == ("", "", "")


def test_a_log_with_given_up_shuffles_is_replayed_and_audited() -> None:
    """The answers of the event follow from the secret of the table, like those of a deal."""
    host = given_up(shuffling(2))
    host.reveals = True
    host.start().play_out()
    assert host.replayed().state.nonces == host.state.nonces
    events = [parse_body(*row) for row in host.log]
    assert Table("t", events, Croupier(SEED, "t")).state.commitment == host.state.commitment
    at = next(event.seq for event in events if isinstance(event.command, Reshuffle))
    for answers in ({"commitment": "0" * 64}, {"commitment": "x"}, {"commitment": 5}, {}):
        tampered = [replace(event, answers=answers) if event.seq == at else event for event in events]
        with pytest.raises(UserError):
            Table("t", tampered, Croupier(SEED, "t"))


def test_where_only_computers_play_nobody_reveals() -> None:
    """The game is dealt when the table is set up, by the same scheme."""
    host = Host(make_settings(2, "imperial", []), [COMPUTER] * 2)
    assert host.state.stage is Stage.PICKING and host.state.scheme == FAIR_3
    prove(table_record(host.play_out().state))
    assert write_table(host.state, SPECTATOR)["deal_commitment"] is not None
