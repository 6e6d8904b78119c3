"""Looking back: each position is what the same viewer was told when it was the present, and nothing more."""

import pytest

from sanssouci.table import (
    SPECTATOR,
    CommandRejected,
    RejectReason,
    Stage,
    TakeBack,
    Viewer,
    write_past,
    write_table,
)

from .host import Host
from .test_origin import FOUR, golden


def viewers(host: Host) -> list[Viewer]:
    """Everyone who may look."""
    return [SPECTATOR, Viewer(owner=True), *map(Viewer, range(len(host.state.chairs)))]


def told(host: Host) -> list[object]:
    """What each is told of the game now."""
    return [write_table(host.state, viewer)["game"] for viewer in viewers(host)]


@pytest.mark.parametrize(("seats", "computers"), [(2, 0), (3, 1), (4, 2)])
def test_what_was_is_seen_as_it_was_told(seats: int, computers: int) -> None:
    """Turn by turn, from every chair and from none, while the game goes on and when it is over."""
    host = Host.of(seats, computers=computers, expansions=["rewards", "wild_boar"]).start().pick()
    course = [told(host)]
    for turn in range(18 * seats):
        host.play()
        course.append(told(host))
        if turn % 7 == 0:
            assert looked_back(host) == course
    assert host.state.stage is Stage.OVER and looked_back(host) == course
    assert course[0] != course[1], "otherwise this would show little"


def looked_back(host: Host) -> list[list[object]]:
    """All positions up to now, as each viewer sees them looking back."""
    last = len(host.state.states) - 1
    found = []
    for turn in range(last + 1):
        seen = [write_past(host.state, viewer, turn) for viewer in viewers(host)]
        assert all(past.keys() == {"turn", "last", "game"} for past in seen), "no options"
        assert {(past["turn"], past["last"]) for past in seen} == {(turn, last)}
        found.append([past["game"] for past in seen])
    return found


def test_who_watches_sees_no_hand_that_was_and_a_seat_only_its_own() -> None:
    """Also when all is over and the last position is open."""
    host = Host.of(2).start().play_out()
    past = write_past(host.state, SPECTATOR, 9)["game"]
    assert past["hand"] == [] and past["missions"] == [None, None] and past["seat"] is None
    own = write_past(host.state, Viewer(0), 9)["game"]
    seat = own["seat"]
    assert len(own["hand"]) == 2 and own["missions"][seat] and own["missions"][1 - seat] is None


def test_there_is_no_past_before_the_first_turn_nor_of_what_is_to_come() -> None:
    """A turn that was taken back is not there any more."""
    host = Host.of(2, computers=1, first=0)
    for turn in (0, 1):
        with pytest.raises(CommandRejected) as caught:
            write_past(host.state, Viewer(0), turn)
        assert caught.value.reason is RejectReason.NOT_PLAYING
    host.start().pick().play(2)
    for turn in (3, 72, -1):
        with pytest.raises(CommandRejected) as caught:
            write_past(host.state, Viewer(0), turn)
        assert caught.value.reason is RejectReason.NO_SUCH_TURN
    host.do(TakeBack(), 0)
    assert write_past(host.state, Viewer(0), 0)["last"] == 0


def test_a_game_that_goes_on_from_a_record_can_be_looked_back_at_from_its_beginning() -> None:
    """By the eyes of the own seat."""
    host = Host.continuing(golden(FOUR), 5)
    assert write_past(host.state, Viewer(0), 0)["last"] == 5
