"""Every reason to reject a command can occur, and has a message in four languages."""

from collections.abc import Callable

import pytest

from sanssouci.dealer import FAIR_1
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.locale.catalogue import catalogue
from sanssouci.notation import parse_card, write_turn
from sanssouci.rules import Refused
from sanssouci.table import (
    MAX_SHUFFLES,
    MAX_UNDONE,
    SYSTEM,
    VOTE_DELAY,
    Abandon,
    AcceptOffer,
    AssignChair,
    Caller,
    ChooseColour,
    Command,
    CommandRejected,
    Concede,
    DeclineOffer,
    LeaveChair,
    MakeOffer,
    Pick,
    Play,
    Ready,
    RejectReason,
    Rematch,
    Return,
    Reveal,
    Sit,
    Stage,
    StepAway,
    TakeBack,
    TimeControl,
    TimeControlKind,
    TimeOut,
    Unready,
    Viewer,
    Vote,
    make_settings,
    table_record,
    write_past,
)

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of

Attempt = Callable[[], object]


def lobby() -> Host:
    """A person, an open chair and a computer."""
    return Host(make_settings(3, "imperial", []), [PERSON, OPEN, COMPUTER])


def game(people: int = 2, time_control: TimeControl = TimeControl()) -> Host:  # noqa: B008 - it is frozen
    """A game of people in which chair 0 is to move."""
    return Host.of(people, first=0, time_control=time_control).start().pick()


def after(host: Host, *done: tuple[Command, Caller | int]) -> Host:
    """A table after some commands."""
    for command, caller in done:
        host.do(command, caller)
    return host


def attempt(host: Host, command: Command, caller: Caller | int, later: float = 1.0) -> Attempt:
    """A function that gives a command to a table."""

    def give() -> object:
        host.at += later
        return host.decide(command, Caller(caller) if isinstance(caller, int) else caller)

    return give


def reused() -> object:
    """Give another command with a used id."""
    host = game()
    transition = host.table.decide(Abandon(), Caller(0), 9.0, "x", host.table.seq, host.croupier)
    host.table.apply(transition)  # type: ignore[arg-type]
    return host.table.decide(Concede(), Caller(0), 9.0, "x", host.table.seq, host.croupier)


def stale() -> object:
    """Give a command with an old sequence number."""
    host = game()
    return host.table.decide(Concede(), Caller(0), 9.0, "x", 0, host.croupier)


def ahead() -> object:
    """Give a command with a future sequence number."""
    host = game()
    return host.table.decide(Concede(), Caller(0), 9.0, "x", host.table.seq + 1, host.croupier)


def voted() -> Host:
    """A game of four with one vote against chair 0."""
    host = game(4)
    host.do(Vote(0), 1, after=VOTE_DELAY)
    return host


def timed_out() -> Host:
    """A game of two in which the clock of chair 0 has run out."""
    host = game(time_control=TimeControl(TimeControlKind.TURN, 60))
    host.do(TimeOut(0), SYSTEM, after=60)
    return host


def lobby_at_undo_limit() -> Host:
    """A lobby in which chair 0 has reached the undo limit."""
    host = lobby()
    for _ in range(MAX_UNDONE):
        after(host, (Ready(nonce_of(0)), 0), (Unready(), 0))
    return host


def shuffling() -> Host:
    """A table of two whose nonces are still to be revealed."""
    host = Host.of(2)
    host.reveals = False
    return host.start()


def given_up() -> Host:
    """A lobby in which no shuffle came to its end."""
    host = shuffling()
    for _ in range(MAX_SHUFFLES):
        for place in host.state.persons:
            host.do(LeaveChair(), place) if host.state.shuffling else None
        host.do(Sit(0, "Ada"), JOINER)
        if host.state.attempt < MAX_SHUFFLES:
            host.start()
    return host


ATTEMPTS: dict[RejectReason, Attempt] = {
    RejectReason.NOT_ALLOWED: attempt(lobby(), LeaveChair(), 1),
    RejectReason.NAME_CHAIR: attempt(lobby(), LeaveChair(), Caller(undecided=True)),
    RejectReason.STALE: stale,
    RejectReason.AHEAD: ahead,
    RejectReason.COMMAND_REUSED: reused,
    RejectReason.UNDONE_TOO_OFTEN: lambda: lobby_at_undo_limit().decide(LeaveChair(), Caller(0)),
    RejectReason.NOT_IN_LOBBY: attempt(game(), LeaveChair(), 0),
    RejectReason.NOT_PICKING: attempt(game(), Pick(0), 0),
    RejectReason.NOT_PLAYING: attempt(lobby(), Play("a@0-a2"), 0),
    RejectReason.NOT_OVER: attempt(game(), Rematch("u"), 0),
    RejectReason.OVER: attempt(game().end(), Concede(), 0),
    RejectReason.NO_SUCH_CHAIR: attempt(lobby(), AssignChair(7, "greedy", "G"), OWNER),
    RejectReason.CHAIR_TAKEN: attempt(lobby(), Sit(0, "Eve"), JOINER),
    RejectReason.COLOUR_TAKEN: attempt(after(lobby(), (Sit(1, "Bob"), JOINER)), ChooseColour(1, "red"), 1),
    RejectReason.COLOUR_WORN: attempt(lobby(), ChooseColour(0, "red"), 0),
    RejectReason.READY_ALREADY: attempt(after(lobby(), (Ready(nonce_of(0)), 0)), Ready(nonce_of(0)), 0),
    RejectReason.NOT_READY: attempt(lobby(), Unready(), 0),
    RejectReason.BAD_NONCE: attempt(Host.of(scheme=FAIR_1), Ready("nonce"), 0),
    RejectReason.COMMITMENT_NEEDED: attempt(lobby(), Ready(), 0),
    RejectReason.SHUFFLING: attempt(shuffling(), Unready(), 0),
    RejectReason.NOT_SHUFFLING: attempt(lobby(), Reveal(nonce_of(0)), 0),
    RejectReason.REVEALED_ALREADY: attempt(
        after(shuffling(), (Reveal(nonce_of(0)), 0)), Reveal(nonce_of(0)), 0
    ),
    RejectReason.OTHER_NONCE: attempt(shuffling(), Reveal(nonce_of(1)), 0),
    RejectReason.SHUFFLED_TOO_OFTEN: lambda: given_up().decide(Ready(nonce_of(0)), Caller(0)),
    RejectReason.NOT_AWAITED: attempt(game(), TimeOut(1), SYSTEM),
    RejectReason.STAND_IN_PLAYS: attempt(after(game(), (StepAway(), 0)), StepAway(), 0),
    RejectReason.NO_STAND_IN: attempt(game(), Return(), 0),
    RejectReason.STAND_IN_FIRST: lambda: timed_out().decide(Return(), Caller(0)),
    RejectReason.HAS_CONCEDED: attempt(after(game(3), (Concede(), 0)), Concede(), 0),
    RejectReason.NOT_ALONE: attempt(game().play(2), TakeBack(), 0),
    RejectReason.NOTHING_TO_TAKE_BACK: attempt(Host.of(2, computers=1).start().pick(), TakeBack(), 0),
    RejectReason.OWN_CHAIR: attempt(game(), Vote(0), 0, VOTE_DELAY),
    RejectReason.NO_PERSON_THERE: attempt(after(game(), (StepAway(), 0)), Vote(0), 1, VOTE_DELAY),
    RejectReason.NOT_ABSENT: attempt(game(), Vote(0), 1),
    RejectReason.TIME_LEFT: attempt(
        game(time_control=TimeControl(TimeControlKind.DAYS, 3)), TimeOut(0), SYSTEM
    ),
    RejectReason.VOTED_ALREADY: attempt(voted(), Vote(0), 1),
    RejectReason.AGREED_ALREADY: attempt(after(game(), (Abandon(), 0)), Abandon(), 0),
    RejectReason.NO_OFFER: attempt(after(game(), (MakeOffer("pause"), 0)), AcceptOffer(2), 1),
    RejectReason.OFFER_OPEN: attempt(after(game(), (MakeOffer("pause"), 0)), MakeOffer("pause"), 1),
    RejectReason.OFFER_DECLINED: attempt(
        after(game(), (MakeOffer("pause"), 0), (DeclineOffer(1), 1)), MakeOffer("pause"), 0
    ),
    RejectReason.NOBODY_TO_ASK: attempt(after(game(), (StepAway(), 1)), MakeOffer("pause"), 0),
    RejectReason.REMATCH_MADE: attempt(after(game().end(), (Rematch("u"), 0)), Rematch("v"), 0),
    RejectReason.NEVER_STARTED: attempt(lobby().end(), Rematch("u"), 0),
    RejectReason.NO_RECORD: lambda: table_record(lobby().end().state),
    RejectReason.NO_SUCH_TURN: lambda: write_past(game().state, Viewer(0), 1),
    RejectReason.NOT_YET: lambda: table_record(game().state),
}


@pytest.mark.parametrize("reason", RejectReason, ids=lambda reason: reason.value)
def test_every_rejection_occurs_and_is_translated(reason: RejectReason) -> None:
    """Every reason can occur, and its message is complete in each language."""
    with pytest.raises(CommandRejected) as caught:
        ATTEMPTS[reason]()
    assert caught.value.reason is reason
    messages = {caught.value.translate(language) for language in LANGUAGES}
    assert len(messages) == len(LANGUAGES)
    assert not any("{" in message for message in messages)


def test_every_rejection_message_has_a_reason() -> None:
    """The catalogue has messages for exactly the existing reasons."""
    declined = {key for key in catalogue("en") if key.startswith("declined.")}
    assert declined == {f"declined.{reason.value}" for reason in RejectReason}


def test_refused_turns_cite_the_rule() -> None:
    """R1: not this seat's turn; R14: the card is not in the hand; a malformed turn is a user error."""
    host = game()
    assert host.refusal(Play(host.turn().turn), 1) == "R1 not_your_turn"
    state = host.state.game
    assert state is not None
    turn = next(iter(state.options()))
    for card in ("a", "b", "c"):
        if not state.hands[0] >> parse_card(card) & 1:
            text = write_turn(turn).split("@")[1]
            assert host.refusal(Play(f"{card}@{text}"), 0) == "R14 card_not_in_hand"
    for junk in ("", "a", "a@0-a2-a3", "\x00", "a@0-a2" * 1000):
        with pytest.raises(UserError) as caught:
            host.decide(Play(junk), Caller(0))
        assert len(str(caught.value)) < 400 and str(caught.value).isprintable()


@pytest.mark.parametrize("stage", Stage, ids=lambda stage: stage.value)
def test_a_refused_command_changes_nothing(stage: Stage) -> None:
    """The state and its replay stay the same."""
    host = {Stage.LOBBY: lobby, Stage.PICKING: Host.of(2).start}.get(stage, game)()
    if stage is Stage.OVER:
        host.end()
    before = host.state
    for command in (Play("*@9-i6"), Pick(9), Play("a@0-a2")):
        with pytest.raises((UserError, Refused)):
            host.decide(command, Caller(0))
    assert host.state is before and host.replayed().state == before
