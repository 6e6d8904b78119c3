"""Past positions: each viewer sees what the view showed at the time, and nothing more."""

from typing import Any

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

from .hosted_table import Host
from .test_origin import FOUR, golden_record


def viewers(host: Host) -> list[Viewer]:
    return [SPECTATOR, Viewer(owner=True), *map(Viewer, range(len(host.state.chairs)))]


def current_views(host: Host) -> list[object]:
    """The game as each viewer sees it now."""
    return [write_table(host.state, viewer)["game"] for viewer in viewers(host)]


@pytest.mark.parametrize(("seats", "computers"), [(2, 0), (3, 1), (4, 2)])
def test_past_views_equal_the_views_of_the_time(seats: int, computers: int) -> None:
    """For every viewer and turn, the past view equals the earlier view, during the game and at the end."""
    host = Host.of(seats, computers=computers, expansions=["rewards", "wild_boar"]).start().pick()
    history = [current_views(host)]
    for turn in range(18 * seats):
        host.play()
        history.append(current_views(host))
        if turn % 7 == 0:
            assert past_views(host) == history
    assert host.state.stage is Stage.OVER and past_views(host) == history
    assert history[0] != history[1], "otherwise the comparison would be trivial"


def past_views(host: Host) -> list[list[object]]:
    """All past positions as each viewer sees them now."""
    last = len(host.state.states) - 1
    found: list[list[object]] = []
    for turn in range(last + 1):
        seen = [write_past(host.state, viewer, turn) for viewer in viewers(host)]
        assert all(past.keys() == {"turn", "last", "game"} for past in seen), "no options"
        assert {(past["turn"], past["last"]) for past in seen} == {(turn, last)}
        found.append([past["game"] for past in seen])
    return found


def test_past_views_hide_other_hands() -> None:
    """At the end, past views still show a seat only its own cards, and spectators none."""
    host = Host.of(2).start().play_out()
    past = write_past(host.state, SPECTATOR, 9)["game"]
    assert past["hand"] == [] and past["missions"] == [None, None] and past["seat"] is None
    own: Any = write_past(host.state, Viewer(0), 9)["game"]
    seat = own["seat"]
    assert len(own["hand"]) == 2 and own["missions"][seat] and own["missions"][1 - seat] is None


def test_a_past_view_needs_an_existing_turn() -> None:
    """Turns before the start, in the future or taken back have no past view."""
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


def test_past_views_of_a_continued_table_start_with_the_record() -> None:
    """Past views include the turns of the record."""
    host = Host.continuing(golden_record(FOUR), 5)
    assert write_past(host.state, Viewer(0), 0)["last"] == 5
