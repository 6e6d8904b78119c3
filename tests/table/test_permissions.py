"""A view permits exactly the commands that the table executes."""

from sanssouci.locale import UserError
from sanssouci.rules import Refused
from sanssouci.table import (
    COMMANDS,
    OFFER_KINDS,
    VOTE_DELAY,
    Abandon,
    AcceptOffer,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    Concede,
    DeclineOffer,
    LeaveChair,
    MakeOffer,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Reveal,
    Stage,
    StepAway,
    TakeBack,
    Unready,
    Viewer,
    Vote,
    make_settings,
    write_table,
)

from ..helpers import stream
from .hosted_table import COMPUTER, PERSON, Host, nonce_of
from .test_random_commands import CLOCKS, next_command

NOT_IN_A_VIEW = {"create", "sit", "time_out", "reshuffle"}
"""Commands of the server, and sitting down, which needs no chair."""


def examples(host: Host) -> dict[str, list[Command]]:
    """Commands of every type, including an acceptable one if there is any."""
    chairs = range(len(host.state.chairs))
    turns = [host.turn()] if host.state.stage is Stage.PLAYING else [Play("a@0-a2")]
    plain = (LeaveChair(), Unready(), TakeBack(), Concede(), StepAway(), Return(), Abandon(), Rematch("u"))
    return {
        **{command.type: [command] for command in plain},
        "ready": [Ready(nonce_of(1))],
        "reveal": [Reveal(nonce) for nonce in host.nonces.values()] or [Reveal(nonce_of(0))],
        "appoint": [AssignChair(0, None, "")],
        "wear": [ChooseColour(chair, colour) for chair in chairs for colour in ("teal", "grey")],
        "pick": [Pick(0)],
        "play": [*turns],
        "vote": [Vote(chair) for chair in chairs],
        "offer": [MakeOffer("abandon"), MakeOffer("pause"), MakeOffer("take_back")],
        "accept": [AcceptOffer(host.state.offers or 1)],
        "decline": [DeclineOffer(host.state.offers or 1)],
    }


def accepted(host: Host, viewer: Viewer) -> set[str]:
    """The types of commands that the table executes once the delay of votes is over."""
    caller = Caller(viewer.chair, viewer.owner)
    return {
        kind
        for kind, commands in examples(host).items()
        if any(accepts(host, command, caller) for command in commands)
    }


def accepted_offers(host: Host, viewer: Viewer) -> set[str]:
    caller = Caller(viewer.chair, viewer.owner)
    return {what for what in OFFER_KINDS if accepts(host, MakeOffer(what), caller)}


def accepts(host: Host, command: Command, caller: Caller) -> bool:
    """Whether the table executes a command once the delay of votes is over."""
    at, host.at = host.at, max(host.at, host.state.since + VOTE_DELAY)
    try:
        host.decide(command, caller)
    except (UserError, Refused):
        return False
    finally:
        host.at = at
    return True


def viewers(host: Host) -> list[Viewer]:
    chairs = (None, *range(len(host.state.chairs)))
    return [Viewer(chair, owner) for chair in chairs for owner in (False, True)]


def check_permissions(host: Host) -> set[str]:
    """Compare every view's permissions with what the table executes. Returns all of them."""
    permitted: set[str] = set()
    for viewer in viewers(host):
        you = write_table(host.state, viewer)["you"]
        may = you["may"]
        assert set(may) == accepted(host, viewer) and len(may) == len(set(may)), (viewer, host.state)
        assert set(you["offers"]) == accepted_offers(host, viewer), (viewer, host.state)
        permitted |= set(may)
    return permitted


def permitted_on_walk(number: int) -> set[tuple[Stage, str]]:
    """Try many commands at a table. Returns all permissions in its views, by stage."""
    chance, permitted = stream(number), set()
    seats = 2 + chance.below(3)
    chairs = [(PERSON, PERSON, PERSON, COMPUTER)[chance.below(4)] for _ in range(seats)]
    host = Host(make_settings(seats, "imperial", ["rewards"], time_control=CLOCKS[chance.below(3)]), chairs)
    host.reveals = chance.below(4) > 0
    if chance.below(4):
        host.start()
    for _ in range(40):
        permitted |= {(host.state.stage, kind) for kind in check_permissions(host)}
        try:
            host.do(*next_command(host, chance), after=(0, 1, 70, 130)[chance.below(4)])
        except (UserError, Refused):
            continue
    return permitted


def test_views_permit_exactly_the_accepted_commands() -> None:
    """Permissions match for every viewer at each step of random walks, which reach all commands."""
    permitted = set().union(*(permitted_on_walk(number) for number in range(20)))
    assert {kind for _, kind in permitted} == set(COMMANDS) - NOT_IN_A_VIEW
    assert {stage for stage, _ in permitted} == set(Stage)


def test_a_vote_or_agreement_may_be_repeated_when_it_decides() -> None:
    """A repeated vote or agreement is permitted after the other people have left."""
    host = Host.of(4).start().pick()
    awaited = host.state.waiting[0]
    first, second, third = (place for place in range(4) if place != awaited)
    host.do(Vote(awaited), first, after=VOTE_DELAY)
    host.do(Abandon(), first)
    check_permissions(host)
    assert not {"vote", "abandon"} & host.permitted(first)
    for place in (second, third):
        host.do(StepAway(), place)
        check_permissions(host)
    assert "vote" in host.permitted(first)
    host.do(StepAway(), awaited)
    check_permissions(host)
    assert "abandon" in host.permitted(first)


def test_a_view_shows_when_voting_begins() -> None:
    """A vote is accepted from vote_from on. With a time control there is none."""
    host = Host.of(2).start().pick()
    waiting = host.state.waiting[0]
    other = Viewer(1 - waiting)
    vote_from = write_table(host.state, other)["vote_from"]
    assert vote_from == host.state.since + VOTE_DELAY
    host.at = vote_from - 0.5
    assert not accepts_now(host, Vote(waiting), other)
    host.at = vote_from
    assert accepts_now(host, Vote(waiting), other)
    timed = Host.of(2, time_control=CLOCKS[1]).start().pick()
    assert write_table(timed.state, other)["vote_from"] is None
    assert write_table(Host.of(2).state, other)["vote_from"] is None


def accepts_now(host: Host, command: Command, viewer: Viewer) -> bool:
    try:
        host.decide(command, Caller(viewer.chair))
    except UserError:
        return False
    return True
