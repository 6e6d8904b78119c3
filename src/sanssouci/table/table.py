"""One hosted game: its events, how it stands, and the one way on.

``decide`` looks at a command and changes nothing: it gives the event that would carry it out, or says no.
Once the event is kept safely, ``move_on`` takes it. So what a table says has always happened.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sanssouci.locale import UserError

from .absence import come_back, step_away, time_out, vote
from .chairs import Chair, keep_chair
from .chance import RECORDED, Croupier, Noted, Noting, Proved, Source
from .colours import wear
from .commands import (
    ASIDE,
    UNDOING,
    Abandon,
    Appoint,
    Command,
    Concede,
    Create,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Right,
    Rise,
    Sit,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
    Wear,
)
from .declined import Declined, No
from .endings import abandon, concede, rematch
from .events import HOUSE, Caller, Event
from .lobby import appoint, create, ready, rise, sit, unready
from .origin import Origin, keep_origin
from .picking import pick
from .play import play, take_back
from .request import Request, authorise
from .standing import MOST_APPOINTED, MOST_UNDONE, Standing
from .tellings import Telling, tell
from .terms import Terms, keep_terms

_CARRIED_OUT: dict[type[Command], Callable[[Standing, Any, Source], Standing]] = {
    Sit: sit,
    Rise: rise,
    Appoint: appoint,
    Wear: wear,
    Ready: ready,
    Unready: unready,
    Pick: pick,
    Play: play,
    TakeBack: take_back,
    Concede: concede,
    StepAway: step_away,
    Return: come_back,
    Vote: vote,
    TimeOut: time_out,
    Abandon: abandon,
    Rematch: rematch,
}


@dataclass(frozen=True, slots=True)
class Move:
    """An event that can be taken, and how the table stands after it."""

    event: Event
    standing: Standing


class Table:
    """A table as it stands after some events; it is there from the first one on."""

    def __init__(self, table: str, events: Iterable[Event], croupier: Croupier | None = None) -> None:
        """``UserError`` if these are no events of one table, in their order.

        With a croupier they must also be his: he has committed to his seed, and gives every answer in them.
        Where the table goes on from a record, that gives every answer.
        """
        self.id = table
        self._croupier = croupier
        self._events: list[Event] = []
        self._tellings: list[Telling] = []
        self._standing: Standing | None = None
        self._answered: dict[str, Event] = {}
        self._sat_down: dict[int, int] = {}
        """The event by which the person on a chair has sat down; who was there from the start is not here."""
        for event in events:
            self.move_on(Move(event, self._replayed(event)))
        if self._standing is None:
            raise UserError("table.no_events")

    @property
    def standing(self) -> Standing:
        """How the table stands."""
        assert self._standing is not None, "the first event has created it"
        return self._standing

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self._events) - 1

    def event(self, seq: int) -> Event:
        """An event by its number."""
        return self._events[seq]

    def tellings(self, after: int) -> list[Telling]:
        """What can be told of the events since a number."""
        return self._tellings[max(after, -1) + 1 :]

    def decide(
        self, command: Command, caller: Caller, at: float, command_id: str, expected: int, source: Source
    ) -> "Move | Event":
        """The move that carries a command out, or the event that has carried out the same command before.

        ``Declined`` or ``Refused`` if it cannot be; who may give it is asked before anything else.
        """
        authorise(self.standing, command, caller)
        key = self._key(command, caller, command_id)
        if key in self._answered:
            return self._repeat(self._answered[key], command)
        if expected > self.seq:
            raise Declined(No.AHEAD, seq=self.seq)
        if self._is_stale(command, expected):
            raise Declined(No.STALE, seq=self.seq)
        noting = Noting(source)
        after = carry_out(self.standing, Request(command, caller, at), noting)
        event = Event(self.seq + 1, key, caller.chair, caller.house, at, command, noting.answers)
        return Move(event, after)

    def move_on(self, move: Move) -> None:
        """Take a move whose event is kept safely."""
        if move.event.seq != self.seq + 1 or move.event.command_id in self._answered:
            raise UserError("table.bad_event", seq=move.event.seq)
        self._tellings.append(tell(self._standing, move.event, move.standing))
        self._events.append(move.event)
        self._answered[move.event.command_id] = move.event
        if isinstance(move.event.command, Sit):
            self._sat_down[move.event.command.chair] = move.event.seq
        self._standing = move.standing

    def _is_stale(self, command: Command, expected: int) -> bool:
        """Whether something has happened since that the giver has to know; a turn is less particular."""
        missed = self._events[max(expected, -1) + 1 :]
        if isinstance(command, Play):
            return not all(isinstance(event.command, ASIDE) for event in missed)
        return bool(missed)

    def _key(self, command: Command, caller: Caller, command_id: str) -> str:
        """A command's id, marked with the chair it is given from: by whatever right somebody speaks from it.

        Whoever sits down there does not meet the ids of who has left. Sitting down and what an owner does
        need no chair, so a repeat is known also by who has one since.
        """
        if caller.house:
            return f"house:{command_id}"
        if Right.CHAIR in command.right and caller.chair is not None:
            return f"{caller.chair}.{self._sat_down.get(caller.chair, 0)}:{command_id}"
        return f"{'join' if Right.JOIN in command.right else 'owner'}:{command_id}"

    def _repeat(self, event: Event, command: Command) -> Event:
        again = isinstance(command, Rematch) and isinstance(
            event.command, Rematch
        )  # the table's id is the house's
        if event.command != command and not again:
            raise Declined(No.COMMAND_REUSED)
        return event

    def _replayed(self, event: Event) -> Standing:
        """How the table stands after an event of its log; the log is checked as if it were a stranger's.

        What a rule or a parser says of it may quote what is hidden, so only the number of the event is told.
        """
        recorded = self._standing is not None and self._standing.origin is not None
        source: Source | None = RECORDED if recorded else self._croupier
        noted = Noted(event.answers) if source is None else Proved(event.answers, source)
        try:
            after = self._again(event, noted)
            noted.check_asked()
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            if isinstance(error, UserError) and error.key.startswith("table."):
                raise
            raise UserError("table.bad_event", seq=event.seq) from None
        return after

    def _again(self, event: Event, noted: Noted) -> Standing:
        """An event is carried out once more, by the rights that its giver must have had."""
        caller = Caller(event.chair, owner=True, may_join=True, house=event.house)
        request: Request[Any] = Request(event.command, caller, event.at)
        if self._standing is None and isinstance(event.command, Create):
            self._check_commitment(event.command)
            return create(self.id, request, noted)
        if self._standing is None:
            raise UserError("table.bad_event", seq=event.seq)
        authorise(self._standing, event.command, caller)
        return carry_out(self._standing, request, noted)

    def _check_commitment(self, command: Create) -> None:
        if self._croupier is not None and not self._croupier.deals(command.commitment):
            raise UserError("table.not_from_seed")


def new_table(
    table: str,
    terms: Terms,
    chairs: tuple[Chair, ...],
    at: float,
    croupier: Croupier,
    origin: Origin | None = None,
) -> Move:
    """The first event of a table; one that goes on from a record has an origin."""
    command = Create(
        keep_terms(terms),
        list(map(keep_chair, chairs)),
        croupier.commitment if origin is None else None,
        None if origin is None else keep_origin(origin),
    )
    noting = Noting(croupier)
    standing = create(table, Request(command, HOUSE, at), noting)
    return Move(Event(0, "create", None, True, at, command, noting.answers), standing)


def carry_out(standing: Standing, request: Request[Any], source: Source) -> Standing:
    """How a table stands after a command, or ``Declined`` or ``Refused``."""
    work = _CARRIED_OUT.get(type(request.command))
    if work is None:
        raise Declined(No.NOT_ALLOWED)
    _check_may_undo(standing, request)
    return _counted(request, work(standing, request, source))


def _check_may_undo(standing: Standing, request: Request[Any]) -> None:
    """``Declined`` if things were undone too often from the chair, or given away by the owner."""
    if _arranges(standing, request):
        if standing.appointed >= MOST_APPOINTED:
            raise Declined(No.UNDONE_TOO_OFTEN, most=MOST_APPOINTED)
    elif _undoes(request) and standing.is_weary(request.caller.chair):
        raise Declined(No.UNDONE_TOO_OFTEN, most=MOST_UNDONE)


def _counted(request: Request[Any], after: Standing) -> Standing:
    """A table at which it is counted what was undone; a chair that is given away is as new."""
    if _arranges(after, request):
        fresh = {request.command.chair: 0} if isinstance(request.command, Appoint) else {}
        return replace(after, appointed=after.appointed + 1, undone={**after.undone, **fresh})
    if _undoes(request):
        return replace(after, undone={**after.undone, request.chair: after.undone.get(request.chair, 0) + 1})
    return after


def _arranges(standing: Standing, request: Request[Any]) -> bool:
    """Whether the owner gives a chair away, or a colour to somebody who is no person."""
    command, caller = request.command, request.caller
    if isinstance(command, Wear):
        return caller.chair not in standing.persons or command.chair != caller.chair
    return isinstance(command, Appoint)


def _undoes(request: Request[Any]) -> bool:
    """Whether a person undoes something from a chair; what the house does counts nowhere."""
    return isinstance(request.command, UNDOING) and not request.caller.house
