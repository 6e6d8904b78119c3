"""Offers to end a game, to pause it, or to take back a turn."""

from typing import Any

import pytest

from sanssouci.table import (
    SYSTEM,
    Abandon,
    AcceptOffer,
    Caller,
    Concede,
    DeclineOffer,
    MakeOffer,
    RejectReason,
    Return,
    Stage,
    StepAway,
    TimeControl,
    TimeControlKind,
    TimeOut,
    Viewer,
    write_table,
)

from .hosted_table import Host


def offered(what: Any, seats: int = 3, computers: int = 0, **settings: Any) -> Host:
    """A game in which chair 0 has played a turn and then made an offer."""
    host = Host.started(seats, computers, **settings).play()
    host.do(MakeOffer(what), 0)
    return host


def test_the_view_shows_an_open_offer_to_everyone() -> None:
    """Players and spectators see the offer. It happens only when the last person has agreed."""
    host = offered("abandon")
    host.do(AcceptOffer(1), 1)
    for viewer in (Viewer(0), Viewer(1), Viewer(2), Viewer()):
        shown = write_table(host.state, viewer)["offer"]
        assert shown == {"number": 1, "what": "abandon", "chair": 0, "agreed": [0, 1]}
    assert {"accept", "decline"} <= host.permitted(2) and "accept" not in host.permitted(1)
    assert not host.state.ending
    host.do(AcceptOffer(1), 2)
    assert host.state.stage is Stage.OVER and write_table(host.state, Viewer(0))["offer"] is None
    assert host.replayed().history == host.table.history


def test_a_turn_is_taken_back_when_everyone_agrees() -> None:
    """The position is that before the last turn of the person who asked; later turns go too."""
    host = Host.started(3).play(4)  # chair 0 has played the fourth turn
    before = host.table.history[-2]
    host.do(MakeOffer("take_back"), 0)
    for place in (1, 2):
        assert len(host.state.turns) == 4
        host.do(AcceptOffer(1), place)
    assert host.state.states == before.states and host.state.waiting == (0,)
    assert host.state.taken_back == 1 and host.state.offer is None
    assert host.replayed().history == host.table.history


def test_a_pause_stops_the_clock_until_the_first_person_returns() -> None:
    """No clock and no computer player goes on during a pause. One return brings all people back."""
    clock = TimeControl(TimeControlKind.TURN, 60)
    host = offered("pause", 4, 1, time_control=clock)
    host.do(StepAway(), 2)
    host.do(AcceptOffer(1), 1)
    assert host.state.deadline is None and host.state.pending_bot_action() is None
    assert write_table(host.state, Viewer())["paused"]
    assert host.rejected(TimeOut(1), SYSTEM, after=1000) is RejectReason.NOT_AWAITED
    host.do(Return(), 0, after=1000)
    assert host.state.deciding == {0, 1}, "chair 2 had left before"
    assert host.state.deadline == host.at + 60 and not host.state.pause
    assert host.replayed().history == host.table.history


def test_a_person_can_leave_during_a_pause() -> None:
    """The server removes a deleted guest. A stand-in plays for the chair when the others return."""
    host = offered("pause", 2)
    host.do(AcceptOffer(1), 1)
    host.do(StepAway(), Caller(1, system=True))
    host.do(Return(), 0)
    assert host.state.deciding == {0}
    assert host.replayed().history == host.table.history


@pytest.mark.parametrize("decliner", [0, 1], ids=["withdrawn", "declined"])
def test_a_declined_offer_can_be_repeated_after_the_next_turn(decliner: int) -> None:
    """Nobody is asked the same twice for one position; other offers and other people may ask."""
    host = offered("pause")
    host.do(DeclineOffer(1), decliner)
    assert host.state.offer is None
    assert host.rejected(MakeOffer("pause"), 0) is RejectReason.OFFER_DECLINED
    assert host.rejected(AcceptOffer(1), 2) is RejectReason.NO_OFFER
    host.do(MakeOffer("pause"), 2)
    host.play()
    host.do(MakeOffer("pause"), 0)
    assert host.rejected(AcceptOffer(2), 1) is RejectReason.NO_OFFER, "it was meant for another offer"


def test_abandoning_does_not_repeat_a_declined_offer() -> None:
    """``abandon`` makes the same offer; it still accepts that of another person, and ends a game alone."""
    host = offered("abandon")
    host.do(DeclineOffer(1), 1)
    assert host.rejected(Abandon(), 0) is RejectReason.OFFER_DECLINED and "abandon" not in host.permitted(0)
    host.do(MakeOffer("abandon"), 2)
    host.do(Abandon(), 0)
    host.do(DeclineOffer(2), 1)
    host.do(StepAway(), 1)
    host.do(StepAway(), 2)
    host.do(Abandon(), 0)
    assert host.state.stage is Stage.OVER and host.replayed().history == host.table.history


def test_an_offer_lapses_with_a_persons_turn_only() -> None:
    """Turns of computer players leave an offer open, except one made by ``abandon``."""
    host = Host.started(4, 2).play(2)  # chairs 0 and 1 are people, 2 is to move
    host.do(MakeOffer("pause"), 0)
    host.play(2)
    assert host.state.offer is not None
    host.play()
    assert host.state.offer is None
    host.play()
    host.do(Abandon(), 0)
    host.play()
    assert host.state.offer is None and not host.state.agreed


def test_accepting_again_decides_when_the_others_have_left() -> None:
    """A person who waits for an answer is not stuck when the others get stand-ins."""
    host = offered("abandon")
    assert host.rejected(AcceptOffer(1), 0) is RejectReason.AGREED_ALREADY
    host.do(StepAway(), 1)
    host.do(StepAway(), 2)
    assert "accept" in host.permitted(0)
    host.do(AcceptOffer(1), 0)
    assert host.state.stage is Stage.OVER


def test_abandoning_accepts_an_offer_to_end_the_game() -> None:
    """``abandon`` answers that offer, and is rejected while another one is open."""
    host = offered("abandon", 2)
    host.do(Abandon(), 1)
    assert host.state.stage is Stage.OVER
    assert offered("pause", 2).rejected(Abandon(), 1) is RejectReason.OFFER_OPEN


def test_the_offer_of_a_person_who_concedes_lapses() -> None:
    """A person who has given up no longer asks for anything."""
    host = offered("take_back")
    host.do(Concede(), 0)
    assert host.state.offer is None


def test_public_events_of_offers() -> None:
    """Events name what was offered, by whom, and whether it has happened."""
    host = offered("take_back", 3)
    events = [host.table.public_events(host.table.seq - 1)[0].to(None)]
    for command, place in ((AcceptOffer(1), 1), (AcceptOffer(1), 2)):
        host.do(command, place)
        events.append(host.table.public_events(host.table.seq - 1)[0].to(None))
    shown = [{name: event.get(name) for name in ("type", "what", "target", "carried")} for event in events]
    assert shown == [
        {"type": "offer", "what": "take_back", "target": None, "carried": None},
        {"type": "accept", "what": "take_back", "target": 0, "carried": False},
        {"type": "accept", "what": "take_back", "target": 0, "carried": True},
    ]
