"""A hosted game: its events, and the state that follows from them.

``decide`` returns the transition for a command, or rejects it, and changes nothing. ``apply`` takes the
transition once its event is stored. So a table never announces anything that could be lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import FAIR_1, FAIR_3, Scheme
from sanssouci.locale import UserError

from .chairs import Chair, dump_chair
from .chance import FROM_RECORD, Croupier, Recording, Replayed, Source, Verified
from .command_context import CommandContext, authorise
from .commands import Command, Create, Rematch, Right, Sit
from .events import SYSTEM, Caller, Event
from .execution import execute
from .lobby import create
from .origin import Origin, dump_origin
from .public_events import PublicEvent, public_event
from .rejection import CommandRejected, RejectReason
from .settings import TableSettings, dump_settings
from .staleness import is_stale
from .table_state import TableState


@dataclass(frozen=True, slots=True)
class Transition:
    """An event, and the state after it."""

    event: Event
    state: TableState


class Table:
    def __init__(self, table: str, events: Iterable[Event], croupier: Croupier | None = None) -> None:
        """Replay the events of a table; ``UserError`` if they are not a valid log.

        With a croupier, the log must have his commitment and the answers that he gives. Where the table
        continues a record, the answers are checked against the record.
        """
        self.id = table
        self._croupier = croupier
        self._events: list[Event] = []
        self._public_events: list[PublicEvent] = []
        self._state: TableState | None = None
        self._answered: dict[str, Event] = {}
        self._sat_down: dict[int, int] = {}
        """By chair, the event with which the person there sat down; absent for those there from the start."""
        self.replay(events)
        if self._state is None:
            raise UserError("table.no_events")

    def replay(self, events: Iterable[Event]) -> None:
        """Take further events of the log, which another server has stored."""
        for event in events:
            self.apply(Transition(event, self._replayed(event)))

    @property
    def state(self) -> TableState:
        assert self._state is not None, "the first event has created it"
        return self._state

    @property
    def seq(self) -> int:
        """The number of the last event; the first is 0."""
        return len(self._events) - 1

    def event(self, seq: int) -> Event:
        return self._events[seq]

    def public_events(self, after: int) -> list[PublicEvent]:
        return self._public_events[max(after, -1) + 1 :]

    def decide(
        self, command: Command, caller: Caller, at: float, command_id: str, expected: int, source: Source
    ) -> "Transition | Event":
        """The transition for a command, or the earlier event if the command repeats one by its id.

        Raises ``CommandRejected`` or ``Refused``. Rights are checked first, so that a caller without them
        learns nothing about the table.
        """
        authorise(self.state, command, caller)
        key = self._key(command, caller, command_id)
        if key in self._answered:
            return self._repeat(self._answered[key], command)
        if expected > self.seq:
            raise CommandRejected(RejectReason.AHEAD, seq=self.seq)
        if is_stale(command, caller, self._events[max(expected, -1) + 1 :]):
            raise CommandRejected(RejectReason.STALE, seq=self.seq)
        recording = Recording(source)
        after = execute(self.state, CommandContext(command, caller, at), recording)
        event = Event(self.seq + 1, key, caller.chair, caller.system, at, command, recording.answers)
        return Transition(event, after)

    def apply(self, transition: Transition) -> None:
        """Take a transition whose event is stored."""
        if transition.event.seq != self.seq + 1 or transition.event.command_id in self._answered:
            raise UserError("table.bad_event", seq=transition.event.seq)
        self._public_events.append(public_event(self._state, transition.event, transition.state))
        self._events.append(transition.event)
        self._answered[transition.event.command_id] = transition.event
        if isinstance(transition.event.command, Sit):
            self._sat_down[transition.event.command.chair] = transition.event.seq
        self._state = transition.state

    def _key(self, command: Command, caller: Caller, command_id: str) -> str:
        """The command's id with a prefix for the caller, so that ids of different callers never clash.

        The prefix of a chair includes when its person sat down: the next person there starts afresh. Commands
        that need no chair have no chair in the prefix, so a repeat is recognised after the caller sits down.
        """
        if caller.system:
            return f"house:{command_id}"
        if Right.CHAIR in command.right and caller.chair is not None:
            return f"{caller.chair}.{self._sat_down.get(caller.chair, 0)}:{command_id}"
        return f"{'join' if Right.JOIN in command.right else 'owner'}:{command_id}"

    def _repeat(self, event: Event, command: Command) -> Event:
        # The system chose the new table's id, so two requests for a rematch differ.
        again = isinstance(command, Rematch) and isinstance(event.command, Rematch)
        if event.command != command and not again:
            raise CommandRejected(RejectReason.COMMAND_REUSED)
        return event

    def _replayed(self, event: Event) -> TableState:
        """The state after an event of the log, which is not trusted: everything in it is checked.

        Errors of rules and parsers may quote secrets, so they are replaced by one that names only the event.
        """
        from_record = self._state is not None and self._state.origin is not None
        source: Source | None = FROM_RECORD if from_record else self._croupier
        recorded = Replayed(event.answers) if source is None else Verified(event.answers, source)
        try:
            after = self._execute_again(event, recorded)
            recorded.check_asked()
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            if isinstance(error, UserError) and error.key.startswith("table."):
                raise
            raise UserError("table.bad_event", seq=event.seq) from None
        return after

    def _execute_again(self, event: Event, recorded: Replayed) -> TableState:
        """Execute the event's command again, with all rights that its caller can have had."""
        caller = Caller(event.chair, owner=True, may_join=True, system=event.system)
        context: CommandContext[Any] = CommandContext(event.command, caller, event.at)
        if self._state is None and isinstance(event.command, Create):
            state = create(self.id, context, recorded)
            if self._croupier is not None and not self._croupier.deals(state):
                raise UserError("table.not_from_seed")
            return state
        if self._state is None:
            raise UserError("table.bad_event", seq=event.seq)
        authorise(self._state, event.command, caller)
        return execute(self._state, context, recorded)


def new_table(
    table: str,
    settings: TableSettings,
    chairs: tuple[Chair, ...],
    at: float,
    croupier: Croupier,
    origin: Origin | None = None,
    scheme: Scheme = FAIR_3,
) -> Transition:
    """The first transition of a table. A table that continues a record has an origin.

    A daily garden has a public seed and no nonces, so it is dealt by ``fair/1``.
    """
    if origin is not None or settings.daily is not None:
        scheme = FAIR_1
    command = Create(
        dump_settings(settings),
        list(map(dump_chair, chairs)),
        croupier.commitment(scheme) if origin is None else None,
        None if origin is None else dump_origin(origin),
        None if scheme == FAIR_1 else scheme,
    )
    recording = Recording(croupier)
    state = create(table, CommandContext(command, SYSTEM, at), recording)
    return Transition(Event(0, "create", None, True, at, command, recording.answers), state)
