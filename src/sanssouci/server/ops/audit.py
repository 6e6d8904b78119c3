"""Audit: replays every game from its event log and checks everything stored about it.

A log is valid if its hash chain is intact, every event can be replayed by the rules, and every random outcome
follows from the seed. Identities cannot be audited: guests' names, and whose token a hash is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

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

from ..reviews import check_reviews
from ..tables.display_names import clean_name
from ..tables.live_table import OWNER
from ..tables.statistics import check_played
from ..tables.table_registry import game_row

_ID = re.compile("[0-9a-z-]{1,32}")
"""The id of a game or a guest."""


@dataclass(frozen=True, slots=True)
class Fault:
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
        export = store.checked_game_export(game)
    except UserError as user_error:
        return 0, [Fault(game.id, None, user_error)]
    return len(export.events), audit_export(export)


def check_export(export: GameExport) -> None:
    """``UserError`` for the first fault of a game that is to be imported."""
    for fault in audit_export(export):
        raise fault.user_error()


def audit_export(export: GameExport) -> list[Fault]:
    """All faults of a game. If the replay fails, the rest cannot be checked."""
    game, faults = export.game.id, []
    broken = check_chain(export.events, last=export.game.seq)
    if broken is not None:
        faults.append(Fault(game, broken, UserError("audit.chain")))
    try:
        table = _replayed(export)
    except _Stopped as stopped:
        return [*faults, Fault(game, stopped.seq, stopped.reason)]
    faults += [Fault(game, seq, reason) for seq, reason in _implausible_values(table)]
    return [*faults, *(Fault(game, None, reason) for reason in _contradictions(export, table))]


def check_guest_export(export: GuestExport) -> None:
    """``UserError`` if the server cannot have written this guest; for imports."""
    guest = export.guest
    if not _ID.fullmatch(guest.id):
        raise UserError("audit.guest", guest=printable(guest.id), reason=UserError("audit.id"))
    if not _can_be_chosen(guest.name):
        raise UserError("audit.guest", guest=guest.id, reason=UserError("audit.name"))
    if not all(map(_is_plausible_time, (guest.created_at, guest.seen_at))):
        raise UserError("audit.guest", guest=guest.id, reason=UserError("audit.time"))
    check_played(export)
    check_reviews(export)


def record_of(export: GameExport) -> Record | None:
    """The proved record of a finished game; None if there is none. ``UserError`` if the log is invalid."""
    try:
        return _record(_replayed(export).state)
    except _Stopped as stopped:
        raise Fault(export.game.id, stopped.seq, stopped.reason).user_error() from None


class _Stopped(Exception):
    def __init__(self, seq: int | None, reason: UserError) -> None:
        super().__init__(seq)
        self.seq = seq
        self.reason = reason


def _replayed(export: GameExport) -> Table:
    """Replay the table from log and seed. Events are read one at a time, so the last one read is bad."""
    reached: int | None = None

    def events() -> Iterator[Event]:
        nonlocal reached
        for row in export.events:
            reached = row.seq
            yield parse_body(row.seq, row.command_id, row.seat, row.body)

    try:
        return Table(export.game.id, events(), Croupier(export.seed, _dealt_as(export)))
    except UserError as user_error:
        raise _Stopped(reached, user_error) from None


def _dealt_as(export: GameExport) -> str:
    """The name that seeds the deal: the table's id, except for daily games."""
    table, rows = export.game.id, export.events
    try:
        command = parse_body(rows[0].seq, rows[0].command_id, rows[0].seat, rows[0].body).command
        return load_settings(command.terms).game_at(table) if isinstance(command, Create) else table
    except (LookupError, TypeError, ValueError):
        return table  # the replay says what is wrong


def _implausible_values(table: Table) -> Iterator[tuple[int | None, UserError]]:
    """Values that the rules allow but this server never writes."""
    if not _ID.fullmatch(table.id):
        yield None, UserError("audit.id")
    for event in map(table.event, range(table.seq + 1)):
        if not _is_plausible_time(event.at):
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


def _is_plausible_time(moment: float) -> bool:
    return 0 <= moment < LAST_MOMENT


def _contradictions(export: GameExport, table: Table) -> Iterator[UserError]:
    """Rows stored next to the log that do not follow from it."""
    try:
        _record(table.state)
    except UserError as user_error:
        yield UserError("audit.record", reason=user_error)
    for column in _differing(export.game, _row_of(table)):
        yield UserError("audit.column", column=column)
    persons = set(table.state.persons)
    for holding in export.holdings:
        if holding.chair not in persons | {OWNER}:
            yield UserError("audit.holding", chair=holding.chair)
    for token in export.tokens:
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
    last = Transition(table.event(table.seq), table.state)
    return replace(game_row(last), created_at=table.event(0).at)


def _differing(kept: GameRow, wanted: GameRow) -> list[str]:
    columns = (field.name for field in fields(GameRow))
    return [name for name in columns if getattr(kept, name) != getattr(wanted, name)]


def _fits(token: TokenRow, persons: set[int]) -> bool:
    """Whether a link's token is valid: a seat link is for a person's chair, the others for none."""
    chairs = persons if token.kind is TokenKind.SEAT else {None}
    return token.kind is not TokenKind.GUEST and token.guest is None and token.chair in chairs
