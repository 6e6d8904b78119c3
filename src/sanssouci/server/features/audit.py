"""The audit: every game is replayed from its log, and all else that is kept of it must follow from that.

A log is right if its chain of hashes is whole, if every event can be carried out again by the rules, and if
chance says in it what the seed deals. What no audit can know is who somebody is: the names of guests, and
whose token a hash is.
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
"""What names a game or a guest."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a game, and at which event, if it can be said."""

    game: str
    seq: int | None
    reason: UserError

    def user_error(self) -> UserError:
        """The whole sentence."""
        if self.seq is None:
            return UserError("audit.game", game=self.game, reason=self.reason)
        return UserError("audit.event", game=self.game, seq=self.seq, reason=self.reason)


def audit(store: Reader, game: GameRow) -> tuple[int, list[Fault]]:
    """How many events a game of a store has, and everything that is wrong with it."""
    try:
        parcel = store.checked_game_export(game)
    except UserError as user_error:
        return 0, [Fault(game.id, None, user_error)]
    return len(parcel.events), audit_parcel(parcel)


def examine(parcel: GameExport) -> None:
    """``UserError`` with the first thing that is wrong with a game; for those that are to be let in."""
    for fault in audit_parcel(parcel):
        raise fault.user_error()


def audit_parcel(parcel: GameExport) -> list[Fault]:
    """Everything that is wrong with a game; where it cannot be replayed the rest cannot be judged."""
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
    """``UserError`` if this is no guest as the server makes them; for those that are to be let in."""
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
    """The record of a game that is over, proved; None if there is none. ``UserError`` if it is not sound."""
    try:
        return _record(_replayed(parcel).state)
    except _Stopped as stopped:
        raise Fault(parcel.game.id, stopped.seq, stopped.reason).user_error() from None


class _Stopped(Exception):
    """A replay goes no further."""

    def __init__(self, seq: int | None, reason: UserError) -> None:
        super().__init__(seq)
        self.seq = seq
        self.reason = reason


def _replayed(parcel: GameExport) -> Table:
    """The table as log and seed tell it; a table takes its events one by one, so the last is the bad one."""
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
    """Under which name chance deals: the table's own, but for the deal of a day."""
    table, rows = parcel.game.id, parcel.events
    try:
        command = parse_body(rows[0].seq, rows[0].command_id, rows[0].seat, rows[0].body).command
        return load_settings(command.terms).game_at(table) if isinstance(command, Create) else table
    except (LookupError, TypeError, ValueError):
        return table  # the replay says what is wrong


def _strange(table: Table) -> Iterator[tuple[int | None, UserError]]:
    """What the rules of the game do not forbid, and this server never writes."""
    if not _ID.fullmatch(table.id):
        yield None, UserError("audit.id")
    for event in map(table.event, range(table.seq + 1)):
        if not _can_be(event.at):
            yield event.seq, UserError("audit.time")
        if not all(map(_can_be_chosen, _names(event.command))):
            yield event.seq, UserError("audit.name")


def _names(command: Command) -> list[str]:
    """The names that a command gives to chairs; an open one has none."""
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
    """What is kept beside the log and does not follow from it."""
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
    """The record of a table; it is proved when it is made, and then read as anyone would."""
    try:
        record = table_record(table_state)
    except CommandRejected as declined:
        if declined.reason in (RejectReason.NOT_YET, RejectReason.NO_RECORD):
            return None
        raise
    verify(record)
    return record


def _row_of(table: Table) -> GameRow:
    """What lists must say of a table."""
    last = Transition(table.event(table.seq), table.state)
    return replace(game_row(last), created_at=table.event(0).at)


def _differing(kept: GameRow, wanted: GameRow) -> list[str]:
    columns = [field.name for field in fields(GameRow)]
    return [
        name for name, one, other in zip(columns, astuple(kept), astuple(wanted), strict=True) if one != other
    ]


def _fits(token: TokenRow, persons: set[int]) -> bool:
    """Whether a token can be one of a link: a seat link's is for a person's chair, the others for none."""
    chairs = persons if token.kind is TokenKind.SEAT else {None}
    return token.kind is not TokenKind.GUEST and token.guest is None and token.chair in chairs
