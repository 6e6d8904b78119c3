"""Audit: replays every game from its event log and checks everything stored about it.

A log is valid if its hash chain is intact, every event can be replayed by the rules, and every random outcome
follows from the seed. Identities cannot be audited: guests' names, and whose token a hash is.
"""

import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields, replace

from sanssouci.locale import UserError, printable
from sanssouci.notation import Record, verify
from sanssouci.store import (
    LAST_MOMENT,
    GameExport,
    GameRow,
    GuestExport,
    Reader,
    TokenKind,
    TokenRow,
    check_chain,
)
from sanssouci.table import (
    AssignChair,
    Command,
    CommandRejected,
    Create,
    Croupier,
    Event,
    RejectReason,
    Sit,
    Sitter,
    Table,
    TableState,
    Transition,
    load_settings,
    parse_body,
    table_record,
)

from ..tables.display_names import clean_name
from ..tables.live_table import OWNER
from ..tables.persistence import game_row
from .reviews import examine_reviews
from .statistics import examine_played

_ID = re.compile("[0-9a-z-]{1,32}")
"""The id of a game or a guest."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a game, and its event if known."""

    game: str
    seq: int | None
    reason: UserError

    def user_error(self) -> UserError:
        if self.seq is None:
            return UserError("audit.game", game=self.game, reason=self.reason)
        return UserError("audit.event", game=self.game, seq=self.seq, reason=self.reason)


def audit(store: Reader, game: GameRow) -> tuple[int, list[Fault]]:
    """The number of events of a stored game, and all its faults."""
    try:
        parcel = store.checked_game_export(game)
    except UserError as user_error:
        return 0, [Fault(game.id, None, user_error)]
    return len(parcel.events), audit_parcel(parcel)


def examine(parcel: GameExport) -> None:
    """``UserError`` for the first fault of a game that is to be imported."""
    for fault in audit_parcel(parcel):
        raise fault.user_error()


def audit_parcel(parcel: GameExport) -> list[Fault]:
    """All faults of a game. If the replay fails, the rest cannot be checked."""
    game, faults = parcel.game.id, []
    broken = check_chain(parcel.events, last=parcel.game.seq)
    if broken is not None:
        faults.append(Fault(game, broken, UserError("audit.chain")))
    try:
        table = _replayed(parcel)
    except _Stopped as stopped:
        return [*faults, Fault(game, stopped.seq, stopped.reason)]
    faults += [Fault(game, seq, reason) for seq, reason in _strange(table)]
    return [*faults, *(Fault(game, None, reason) for reason in _contradictions(parcel, table))]


def examine_guest(parcel: GuestExport) -> None:
    """``UserError`` if the server cannot have written this guest; for imports."""
    guest = parcel.guest
    if not _ID.fullmatch(guest.id):
        raise UserError("audit.guest", guest=printable(guest.id), reason=UserError("audit.id"))
    if not _can_be_chosen(guest.name):
        raise UserError("audit.guest", guest=guest.id, reason=UserError("audit.name"))
    if not all(map(_can_be, (guest.created_at, guest.seen_at))):
        raise UserError("audit.guest", guest=guest.id, reason=UserError("audit.time"))
    examine_played(parcel)
    examine_reviews(parcel)


def record_of(parcel: GameExport) -> Record | None:
    """The proved record of a finished game; None if there is none. ``UserError`` if the log is invalid."""
    try:
        return _record(_replayed(parcel).state)
    except _Stopped as stopped:
        raise Fault(parcel.game.id, stopped.seq, stopped.reason).user_error() from None


class _Stopped(Exception):
    """The replay failed at an event."""

    def __init__(self, seq: int | None, reason: UserError) -> None:
        super().__init__(seq)
        self.seq = seq
        self.reason = reason


def _replayed(parcel: GameExport) -> Table:
    """Replay the table from log and seed. Events are read one at a time, so the last one read is bad."""
    reached: int | None = None

    def events() -> Iterator[Event]:
        nonlocal reached
        for row in parcel.events:
            reached = row.seq
            yield parse_body(row.seq, row.command_id, row.seat, row.body)

    try:
        return Table(parcel.game.id, events(), Croupier(parcel.seed, _dealt_as(parcel)))
    except UserError as user_error:
        raise _Stopped(reached, user_error) from None


def _dealt_as(parcel: GameExport) -> str:
    """The name that seeds the deal: the table's id, except for daily games."""
    table, rows = parcel.game.id, parcel.events
    try:
        command = parse_body(rows[0].seq, rows[0].command_id, rows[0].seat, rows[0].body).command
        return load_settings(command.terms).game_at(table) if isinstance(command, Create) else table
    except (LookupError, TypeError, ValueError):
        return table  # the replay says what is wrong


def _strange(table: Table) -> Iterator[tuple[int | None, UserError]]:
    """Values that the rules allow but this server never writes."""
    if not _ID.fullmatch(table.id):
        yield None, UserError("audit.id")
    for event in map(table.event, range(table.seq + 1)):
        if not _can_be(event.at):
            yield event.seq, UserError("audit.time")
        if not all(map(_can_be_chosen, _names(event.command))):
            yield event.seq, UserError("audit.name")


def _names(command: Command) -> list[str]:
    """The names that a command gives to chairs; open chairs have none."""
    match command:
        case Create(chairs=chairs):
            return [chair["name"] for chair in chairs if chair["sitter"] != Sitter.OPEN.value]
        case Sit(name=name):
            return [name]
        case AssignChair(player=str(), name=name):
            return [name]
        case _:
            return []


def _can_be_chosen(name: str) -> bool:
    try:
        return clean_name(name) == name
    except UserError:
        return False


def _can_be(moment: float) -> bool:
    return 0 <= moment < LAST_MOMENT


def _contradictions(parcel: GameExport, table: Table) -> Iterator[UserError]:
    """Rows stored next to the log that do not follow from it."""
    try:
        _record(table.state)
    except UserError as user_error:
        yield UserError("audit.record", reason=user_error)
    for column in _differing(parcel.game, _row_of(table)):
        yield UserError("audit.column", column=column)
    persons = set(table.state.persons)
    for holding in parcel.holdings:
        if holding.chair not in persons | {OWNER}:
            yield UserError("audit.holding", chair=holding.chair)
    for token in parcel.tokens:
        if not _fits(token, persons):
            yield UserError("audit.token", kind=token.kind.value)


def _record(table_state: TableState) -> Record | None:
    """The record of a table, proved and then verified as any reader would."""
    try:
        record = table_record(table_state)
    except CommandRejected as declined:
        if declined.reason in (RejectReason.NOT_YET, RejectReason.NO_RECORD):
            return None
        raise
    verify(record)
    return record


def _row_of(table: Table) -> GameRow:
    """The summary row that follows from the log."""
    last = Transition(table.event(table.seq), table.state)
    return replace(game_row(last), created_at=table.event(0).at)


def _differing(kept: GameRow, wanted: GameRow) -> list[str]:
    columns = [field.name for field in fields(GameRow)]
    return [
        name for name, one, other in zip(columns, astuple(kept), astuple(wanted), strict=True) if one != other
    ]


def _fits(token: TokenRow, persons: set[int]) -> bool:
    """Whether a link's token is valid: a seat link is for a person's chair, the others for none."""
    chairs = persons if token.kind is TokenKind.SEAT else {None}
    return token.kind is not TokenKind.GUEST and token.guest is None and token.chair in chairs
