"""How a table ends, taking turns back, and the rematch."""

import json

import pytest

from sanssouci.dealer import prove
from sanssouci.notation import parse_record, verify, write_record
from sanssouci.rules import Garden, Score, State
from sanssouci.table import (
    SYSTEM,
    Abandon,
    Caller,
    Chair,
    Concede,
    EndReason,
    Ready,
    RejectReason,
    Rematch,
    Return,
    Stage,
    StepAway,
    TakeBack,
    Transition,
    Viewer,
    make_settings,
    rematch_of,
    table_record,
    write_table,
)

from .hosted_table import OPEN, OWNER, PERSON, Host, nonce_of


def ending(host: Host) -> tuple[str, tuple[int, ...]] | None:
    """The reason and winners of a finished table."""
    end = host.state.ending
    return None if end is None else (end.reason.value, end.winners)


def state_of(host: Host) -> State:
    assert host.state.game is not None
    return host.state.game


@pytest.mark.parametrize(
    ("people", "computers", "conceding", "winners"),
    [
        (2, 0, [0], (1,)),
        (2, 0, [1], (0,)),
        (1, 1, [0], (1,)),
        (3, 0, [2, 0], (1,)),
        (2, 1, [0, 1], (2,)),
        (4, 0, [0, 1, 3], (2,)),
        (2, 2, [1, 0], (2, 3)),
    ],
)
def test_conceding(people: int, computers: int, conceding: list[int], winners: tuple[int, ...]) -> None:
    """A game ends when one seat or no person is left. The remaining seats win."""
    host = Host.started(people + computers, computers).play(2)
    for place in conceding:
        assert ending(host) is None
        host.do(Concede(), place)
        assert host.state.stage is Stage.OVER or host.rejected(Concede(), place) is RejectReason.HAS_CONCEDED
    assert ending(host) == ("conceded", winners)


def test_the_leading_computer_wins_after_all_people_conceded() -> None:
    """R28: of the computers left, most points win, then most gardeners, else they share. Conceders lose."""
    kinds = set()
    for nonce in range(8):
        host = Host.of(4, computers=3, first=0)
        host.do(Ready(nonce_of(nonce)), 0)
        host.pick()
        while host.state.stage is Stage.PLAYING:
            transition = host.decide(Concede(), Caller(0))
            assert isinstance(transition, Transition) and transition.state.ending is not None
            state = state_of(host)
            ranks = [(score.total, garden.gardeners.bit_count()) for score, garden in _columns(state)][1:]
            led = tuple(seat for seat, rank in enumerate(ranks, 1) if rank == max(ranks))
            assert (transition.state.ending.reason, transition.state.ending.winners) == (
                EndReason.CONCEDED,
                led,
            )
            points = sorted(points for points, _ in ranks)
            kinds.add((len(led), points[-1] == points[-2]))
            host.play()
    assert {(1, False), (1, True), (2, True)} <= kinds, "a lead by points, by gardeners, and a shared one"


def _columns(state: State) -> list[tuple[Score, Garden]]:
    return list(zip(state.scores, state.gardens, strict=True))


def test_computers_share_a_game_conceded_before_its_start() -> None:
    """All computers win a game conceded while picking, as there is no score yet."""
    host = Host.of(3, computers=2, first=0).start()
    host.do(Concede(), 0)
    assert ending(host) == ("conceded", (1, 2))


def test_the_record_of_a_conceded_game_names_the_winners() -> None:
    """The record is legal, proved by its seed, has no result, and names the winners of the table."""
    host = Host.started(3, 2).play(8)
    while len({score.total for score in state_of(host).scores[1:]}) == 1:
        host.play()
    host.do(Concede(), 0)
    record = table_record(host.state)
    assert verify(parse_record(write_record(record))).turn == state_of(host).turn >= 8
    prove(record)
    document = json.loads(write_record(record))
    assert "result" not in document
    assert document["table"]["manner"] == "conceded" and document["table"]["conceded"] == [0]
    scores = state_of(host).scores
    assert document["table"]["winners"] == [1 if scores[1].total > scores[2].total else 2]


def test_a_computer_plays_for_a_conceded_seat() -> None:
    """A computer plays for a conceded seat while others play. The person cannot act or return."""
    host = Host.started(3)
    turn = host.turn()
    host.do(Concede(), 0)
    action = host.state.pending_bot_action()
    assert action is not None and (action.chair, action.player) == (0, "level:3")
    for command in (turn, Return(), StepAway(), Abandon()):
        assert host.rejected(command, 0) is RejectReason.HAS_CONCEDED
    assert host.play_out().state.stage is Stage.OVER


def test_an_absent_person_can_concede() -> None:
    """Conceding ends the absence."""
    host = Host.started(3)
    host.do(StepAway(), 0)
    host.do(Concede(), 0)
    assert host.state.chairs[0].conceded and not host.state.chairs[0].away


def test_conceding_while_picking() -> None:
    """Conceding is possible while sides are picked, but not in the lobby or at the end."""
    host = Host.of(2, first=0).start()
    host.do(Concede(), 1)
    assert ending(host) == ("conceded", (0,))
    assert host.rejected(Concede(), 0) is RejectReason.OVER
    assert Host.of(2).rejected(Concede(), 0) is RejectReason.NOT_PLAYING


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_a_game_is_abandoned_when_all_people_agree(people: int) -> None:
    """A game is abandoned without a winner when all its people agree."""
    host = Host.started(4, 4 - people)
    for place in range(people):
        assert ending(host) is None and host.state.agreed == frozenset(range(place))
        host.do(Abandon(), place)
        if place + 1 < people:
            assert host.rejected(Abandon(), place) is RejectReason.AGREED_ALREADY
    assert ending(host) == ("abandoned", ())
    assert (
        host.rejected(Abandon(), 0) is RejectReason.OVER
        and host.rejected(Abandon(), OWNER) is RejectReason.OVER
    )
    assert host.rejected(Abandon(), SYSTEM) is RejectReason.NOT_ALLOWED


def test_a_turn_cancels_agreements_to_abandon() -> None:
    """Playing a turn cancels all agreements to abandon."""
    host = Host.started()
    host.do(Abandon(), 1)
    host.play()
    assert host.state.agreed == frozenset()
    host.do(Abandon(), 0)
    assert ending(host) is None


def test_only_present_people_must_agree_to_abandon() -> None:
    """Absent and conceded people need not agree. An agreement can be repeated once it decides."""
    host = Host.started(4)
    host.do(Abandon(), 0)
    host.do(StepAway(), 1)
    host.do(Concede(), 2)
    assert host.rejected(Abandon(), 0) is RejectReason.AGREED_ALREADY
    host.do(StepAway(), 3)
    host.do(Abandon(), 0)
    assert ending(host) == ("abandoned", ())


def test_absent_people_can_abandon_a_game_of_stand_ins() -> None:
    """People can abandon a game without returning first."""
    host = Host.started()
    host.do(StepAway(), 0)
    host.do(Abandon(), 0)
    assert ending(host) is None, "the other still plays"
    host.do(StepAway(), 1)
    host.do(Abandon(), 1)
    assert ending(host) == ("abandoned", ())


def test_a_game_can_be_abandoned_at_any_stage() -> None:
    """An abandoned table waits for nobody and has no pending bot action."""
    for host in (Host.of(2), Host.of(2).start(), Host.started().play(5)):
        host.end()
        assert ending(host) == ("abandoned", ()) and host.state.waiting == ()
        assert host.state.pending_bot_action() is None


def test_a_lone_person_takes_turns_back() -> None:
    """Each take-back removes the person's last turn and everything after it, up to the first turn."""
    host = Host.started(3, 2).play(7)
    states = host.state.states
    host.do(TakeBack(), 0)
    assert host.state.states == states[:7] and host.state.waiting == (0,)
    assert host.state.since == host.at and host.state.taken_back == 1
    host.do(TakeBack(), 0)
    assert host.state.states == states[:4]
    host.do(TakeBack(), 0)
    assert host.state.states == states[:1]
    assert host.rejected(TakeBack(), 0) is RejectReason.NOTHING_TO_TAKE_BACK
    assert host.replayed().history == host.table.history


def test_turns_of_computers_before_the_first_own_turn_stay() -> None:
    """Turns that computers played before the person's first turn cannot be taken back."""
    host = Host.of(3, computers=2, first=1).start().pick().play(5)
    host.do(TakeBack(), 0)
    assert len(host.state.turns) == 2
    assert host.rejected(TakeBack(), 0) is RejectReason.NOTHING_TO_TAKE_BACK


def test_chance_is_the_same_after_a_turn_was_taken_back() -> None:
    """R22, R23: replaying a turn after a take-back gives the same tile and card."""
    host = Host.started(2, 1)
    first = host.turn()
    once = host.do(first, 0)
    host.play(1)
    host.do(TakeBack(), 0)
    twice = host.do(next(turn for turn in iter(host.turn, None) if turn != first), 0)
    assert once.answers == twice.answers and once.command != twice.command


def test_taking_back_needs_a_lone_present_person() -> None:
    """Turns cannot be taken back with other people, while away, after the end, or before the first turn."""
    with_people = Host.started(3, 1).play(6)
    assert with_people.rejected(TakeBack(), 0) is RejectReason.NOT_ALONE
    with_people.do(Concede(), 1)
    assert with_people.rejected(TakeBack(), 0) is RejectReason.NOT_ALONE
    host = Host.started(2, 1)
    assert host.rejected(TakeBack(), 0) is RejectReason.NOTHING_TO_TAKE_BACK
    host.play(3).do(StepAway(), 0)
    assert host.rejected(TakeBack(), 0) is RejectReason.STAND_IN_PLAYS
    host.play_out()
    assert host.rejected(TakeBack(), 0) is RejectReason.OVER
    assert Host.of(2, computers=1).rejected(TakeBack(), 0) is RejectReason.NOT_PLAYING


def test_there_is_one_rematch() -> None:
    """Anyone who sat at a finished table may ask for one rematch."""
    host = Host.started(2, 1)
    assert host.rejected(Rematch("u"), 0) is RejectReason.NOT_OVER
    host.do(Concede(), 0)
    host.do(Rematch("u"), 0)
    assert host.state.rematch == "u"
    assert host.rejected(Rematch("v"), 0) is RejectReason.REMATCH_MADE
    assert host.rejected(Rematch("v"), OWNER) is RejectReason.NOT_ALLOWED
    assert write_table(host.state, Viewer())["rematch"] == "u"


def test_a_rematch_passes_the_start_on() -> None:
    """R8: the next chair starts the rematch. Chairs and names stay, absence and readiness are reset."""
    host = Host.of(3, computers=1, expansions=["rewards"]).start()
    starts = []
    for number in range(3):
        starts.append(host.state.order[0])
        host.do(StepAway(), 1)
        host.do(Concede(), 1)
        host.do(Concede(), 0)
        settings, chairs = rematch_of(host.state)
        assert [(chair.sitter, chair.name, chair.player) for chair in chairs] == [
            (chair.sitter, chair.name, chair.player) for chair in host.state.chairs
        ]
        assert not any(chair.away or chair.conceded or chair.nonce for chair in chairs)
        assert settings.passed_on(0) == host.state.settings.passed_on(0), "all other settings stay"
        host = Host(settings, chairs, name=f"t{number}").start()
    assert [*starts, host.state.order[0]] == [(starts[0] + game) % 3 for game in range(4)]


def test_a_rematch_of_an_unstarted_game_keeps_the_settings() -> None:
    """R8: nobody has started, so the first chair is not passed on. Open chairs stay open."""
    host = Host(make_settings(2, "imperial", []), [PERSON, OPEN])
    host.do(Abandon(), OWNER)
    assert rematch_of(host.state) == (host.state.settings, (host.state.chairs[0], Chair()))


def test_a_conceded_seat_cannot_win_by_points() -> None:
    """R28: the best other seat wins, even if the stand-in has scored more."""
    for nonce in range(30):
        host = Host.of(3, first=0)
        for place in range(3):
            host.do(Ready(nonce_of(nonce + place)), place)
        host.pick().do(Concede(), 0)
        host.play_out()
        totals = [score.total for score in state_of(host).scores]
        end = host.state.ending
        assert end is not None and end.reason is EndReason.PLAYED and 0 not in end.winners
        assert all(totals[winner] == max(totals[1:]) for winner in end.winners)
        if totals[0] > max(totals[1:]):
            return
    raise AssertionError("the stand-in was best in none of the games")
