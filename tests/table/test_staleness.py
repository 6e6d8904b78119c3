"""Which missed events make a command stale: every command against every event."""

from dataclasses import fields
from typing import Any

import pytest

from sanssouci.dealer import FAIR_1
from sanssouci.table import (
    Abandon,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    CommandRejected,
    Concede,
    Event,
    LeaveChair,
    Pick,
    Play,
    Ready,
    RejectReason,
    Reveal,
    Sit,
    TakeBack,
    Transition,
    Unready,
    Vote,
    make_settings,
)
from sanssouci.table.commands import COMMANDS
from sanssouci.table.staleness import TOLERANCES, is_stale

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of

# A command is stale (x) or not (.) after it has missed an event of another chair.
#
#            create    appoint   unready   take_back return    abandon   reshuffle accept
#            |   sit   |   wear  |   pick  |   concede   vote  |   rematch   |   offer
#            |   |   rise  |   ready |   play  |   step_away   time_out  reveal  |   |   decline
MATRIX = """
ready        x   x   x   x   .   .   .   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
unready      x   .   .   .   .   .   .   x   x   x   x   x   x   x   x   x   x   .   .   x   x   x
reveal       x   x   x   x   .   x   x   x   x   x   x   x   x   x   x   x   x   .   x   x   x   x
rise         x   .   .   .   .   .   .   x   x   x   x   x   x   x   x   x   x   .   .   x   x   x
appoint      x   x   x   x   .   .   .   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
wear         x   .   .   .   .   .   .   x   x   x   x   x   x   x   x   x   x   .   .   x   x   x
pick         x   x   x   x   x   x   x   .   x   x   .   .   .   .   .   .   x   x   x   .   x   .
play         x   x   x   x   x   x   x   x   x   x   .   .   .   .   x   .   x   x   x   .   x   .
take_back    x   x   x   x   x   x   x   x   .   x   x   x   x   x   x   x   x   x   x   x   x   x
concede      x   x   x   x   x   x   x   .   x   x   x   .   .   .   .   x   x   x   x   .   x   .
step_away    x   x   x   x   x   x   x   .   .   x   .   .   .   .   .   .   x   x   x   .   .   .
return       x   x   x   x   x   x   x   .   .   x   .   .   .   .   .   .   x   x   x   .   .   .
vote         x   x   x   x   x   x   x   .   x   x   .   .   x   .   .   .   x   x   x   .   x   .
abandon      x   x   x   x   x   x   x   .   x   x   x   .   .   .   .   .   x   x   x   x   x   .
offer        x   x   x   x   x   x   x   .   .   x   x   .   .   .   .   x   x   x   x   x   x   .
accept       x   x   x   x   x   x   x   .   .   x   x   .   .   .   .   x   x   x   x   x   .   x
decline      x   x   x   x   x   x   x   .   .   x   .   .   .   .   .   .   x   x   x   .   .   .
rematch      x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
create       x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
sit          x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
time_out     x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
reshuffle    x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x
"""
EVENTS = [
    *("create", "sit", "rise", "appoint", "wear", "ready", "unready", "pick", "play", "take_back", "concede"),
    *("step_away", "return", "vote", "time_out", "abandon", "rematch", "reveal", "reshuffle"),
    *("offer", "accept", "decline"),
]
ROWS = {name: signs for name, *signs in map(str.split, MATRIX.strip().splitlines())}


def make_command(name: str) -> Command:
    """A command of a type; its arguments do not matter."""
    kind = COMMANDS[name]
    arguments: dict[str, Any] = {field.name: 0 for field in fields(kind) if field.name != "type"}
    return kind(**arguments)


def make_event(name: str, chair: int | None, system: bool = False) -> Event:
    return Event(5, "x", chair, system, 0.0, make_command(name))


def test_the_matrix_is_complete() -> None:
    """Every command has a row and a column, and every rule a reason."""
    assert ROWS.keys() == set(EVENTS) == COMMANDS.keys()
    assert all(len(signs) == len(EVENTS) for signs in ROWS.values())
    assert all(rule.reason for rule in TOLERANCES.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_after_every_event(command: str) -> None:
    """Another chair's event matters as in the matrix; an event of the own chair always does."""
    given, caller, owner = make_command(command), Caller(0), Caller(owner=True)
    assert not is_stale(given, caller, [])
    for event, sign in zip(EVENTS, ROWS[command], strict=True):
        expected = sign == "x"
        assert is_stale(given, caller, [make_event(event, 1)]) is expected, event
        assert is_stale(given, caller, [make_event(event, 0)]), f"the person has acted elsewhere: {event}"
        assert is_stale(given, caller, [make_event(event, 0, system=True)]) is expected, "a stand-in acted"
        assert is_stale(given, owner, [make_event(event, None)]) is expected, "an owner without a chair"
        assert is_stale(given, caller, [make_event(event, 1), make_event("create", None)]), "one is enough"


def give(host: Host, command: Command, caller: Caller, expected: int) -> Transition | RejectReason:
    """The table's decision on a command of somebody who has seen the events up to ``expected``."""
    host.ids += 1
    try:
        sent = host.sent(command, caller)
        decided = host.table.decide(sent, caller, host.at, f"late-{host.ids}", expected, host.croupier)
    except CommandRejected as rejected:
        return rejected.reason
    assert isinstance(decided, Transition)
    return decided


def test_everybody_gets_ready_reveals_and_picks_at_the_same_time() -> None:
    """Commands of all chairs that were sent on the same view are executed, in any order."""
    host = Host.of(4)
    seen = host.table.seq
    for chair in (2, 0, 3, 1):
        decided = give(host, Ready(nonce_of(chair)), Caller(chair), seen)
        assert isinstance(decided, Transition)
        host.table.apply(decided)
    seen = host.table.seq
    for chair in (3, 1, 2, 0):
        decided = give(host, Reveal(nonce_of(chair)), Caller(chair), seen)
        assert isinstance(decided, Transition)
        host.table.apply(decided)
    seen = host.table.seq
    for chair in (1, 3, 0, 2):
        decided = give(host, Pick(0), Caller(chair), seen)
        assert isinstance(decided, Transition)
        host.table.apply(decided)
    assert host.state.game is not None


def test_nobody_gets_ready_for_players_they_have_not_seen() -> None:
    """A person who sits down or leaves, and a chair that is assigned, make ``ready`` stale."""
    changes: list[tuple[Command, Caller]] = [
        (Sit(1, "Eve"), JOINER),
        (LeaveChair(), Caller(1)),
        (AssignChair(1, "random"), OWNER),
    ]
    host = Host(make_settings(3, "imperial", []), [PERSON, OPEN, COMPUTER])
    for command, caller in changes:
        seen = host.table.seq
        host.do(command, caller)
        assert give(host, Ready(nonce_of(0)), Caller(0), seen) is RejectReason.STALE
        assert isinstance(give(host, Ready(nonce_of(0)), Caller(0), host.table.seq), Transition)


def test_a_late_pick_never_counts_for_another_board() -> None:
    """A second pick with an old number is stale, also when reward boards are picked by now."""
    host = Host.of(2, expansions=["rewards"], first=0).start()
    seen = host.table.seq
    host.do(Pick(0), 0)
    assert give(host, Pick(1), Caller(0), seen) is RejectReason.STALE
    host.do(Pick(0), 1)
    assert host.state.setup is not None and host.state.waiting == (0, 1), "reward boards are picked now"
    assert give(host, Pick(1), Caller(0), seen) is RejectReason.STALE
    assert give(host, Pick(1), Caller(1), seen) is RejectReason.STALE


def test_a_command_that_is_not_stale_may_still_be_refused() -> None:
    """The current state decides: the game has started, or the colour is taken."""
    host = Host.of(2, scheme=FAIR_1)
    seen = host.table.seq
    host.do(ChooseColour(0, "grey"), 0)
    assert give(host, ChooseColour(1, "grey"), Caller(1), seen) is RejectReason.COLOUR_TAKEN
    host.do(Ready(nonce_of(0)), 0)
    seen = host.table.seq
    host.do(Ready(nonce_of(1)), 1)
    assert give(host, Unready(), Caller(0), seen) is RejectReason.NOT_IN_LOBBY


def test_people_vote_and_agree_at_the_same_time() -> None:
    """Votes and agreements of several people count; a turn in between makes them stale."""
    host = Host.started(4)
    seen, turn = host.table.seq, host.turn()
    host.do(Vote(0), 1, after=200)
    assert isinstance(give(host, Vote(0), Caller(2), seen), Transition)
    host.do(Abandon(), 1)
    assert isinstance(give(host, Abandon(), Caller(2), seen), Transition)
    host.do(turn, 0)
    late: tuple[Command, ...] = (Vote(0), Abandon(), Concede())
    assert [give(host, command, Caller(2), seen) for command in late] == [RejectReason.STALE] * 3


def test_a_turn_of_the_computer_does_not_keep_one_from_taking_back() -> None:
    """The person's own turn is taken back, with the turns after it."""
    host = Host.started(2, computers=1)
    before = host.state.turns
    host.do(host.turn(), 0)
    seen = host.table.seq
    reply = host.turn()
    assert isinstance(reply, Play)
    host.do(reply, Caller(1, system=True))
    taken_back = give(host, TakeBack(), Caller(0), seen)
    assert isinstance(taken_back, Transition) and taken_back.state.turns == before
