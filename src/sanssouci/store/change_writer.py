"""Applies changes to the tables, inside a transaction that the writer begins and ends."""

from dataclasses import fields
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    ColumnClause,
    Delete,
    Dialect,
    Text,
    bindparam,
    cast,
    delete,
    exists,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from . import changes
from .chain import GENESIS, event_hash
from .changes import Add, AddGame, AppendEvent, Change, ChangeAccess, UpdateGame
from .errors import Conflict, DamagedRow
from .rows import BanRow, GuestRow, HoldingRow, PlayedRow, ReviewRow, TokenKind, TokenRow
from .statement import Statement
from .tables import (
    BAN,
    EVENT,
    EXPIRED,
    GAME,
    GAME_ROW,
    GUEST,
    HOLDING,
    LEASE,
    PLAYED,
    REVIEW,
    SECRET,
    TICKET,
    TOKEN,
)

_GAME: BindParameter[str] = bindparam("game")
_GUEST: BindParameter[str] = bindparam("guest")
_REVIEW: BindParameter[str] = bindparam("review")
_HOLDER: BindParameter[str] = bindparam("holder")
_NOW: BindParameter[float] = bindparam("now", type_=LEASE.c.until.type)
_UNTIL: BindParameter[float] = bindparam("until", type_=LEASE.c.until.type)
_CHAIR: BindParameter[int] = bindparam("chair", type_=TOKEN.c.chair.type)
_INSERT = {
    GuestRow: insert(GUEST),
    TokenRow: insert(TOKEN),
    HoldingRow: insert(HOLDING),
    BanRow: insert(BAN),
    PlayedRow: insert(PLAYED),
    ReviewRow: insert(REVIEW),
}
_THIRTY_DAYS: ColumnClause[float] = literal_column("2592000.0")
_HASH = select(EVENT.c.hash).where(EVENT.c.game == _GAME, EVENT.c.seq == bindparam("seq"))
_ADD_GAME = insert(GAME).values({column.name: bindparam(column.name) for column in GAME_ROW})
_UPDATED = [column.name for column in GAME_ROW if column.name not in ("id", "created_at")]
_SAME_ACCESS = (GAME.c.id == _GAME, GAME.c.access == bindparam("known_access"))
_NEXT_ACCESS = GAME.c.access + bindparam("step", type_=GAME.c.access.type)
_UPDATE_GAME = (
    update(GAME)
    .where(*_SAME_ACCESS)
    .values({**{name: bindparam(name) for name in _UPDATED}, "access": _NEXT_ACCESS})
)
_CHANGE_ACCESS = update(GAME).where(*_SAME_ACCESS).values(access=_NEXT_ACCESS)
_SAME_SEQ = (
    update(GAME).where(GAME.c.id == _GAME, GAME.c.seq == bindparam("known_seq")).values(seq=GAME.c.seq)
)
_CHANGE_ACCESS_OF_GUEST = (
    update(GAME)
    .where(GAME.c.id.in_(select(HOLDING.c.game).where(HOLDING.c.guest == _GUEST)))
    .values(access=GAME.c.access + literal_column("1", GAME.c.access.type))
)


_END_LEASES_OF_REVIEW = delete(LEASE).where(LEASE.c.game == _REVIEW)
_END_LEASES_OF_GUEST = delete(LEASE).where(
    LEASE.c.game.in_(select(REVIEW.c.id).where(REVIEW.c.guest == _GUEST))
)


def _seat_links_of_guest() -> Delete:
    """Deletes the seat links of all chairs that a guest holds."""
    held = (
        select(HOLDING.c.chair)
        .where(HOLDING.c.game == TOKEN.c.game, HOLDING.c.chair == TOKEN.c.chair, HOLDING.c.guest == _GUEST)
        .exists()
    )
    return delete(TOKEN).where(TOKEN.c.kind == literal_column(f"'{TokenKind.SEAT.value}'"), held)


_ONE_ROW = (changes.RenameGuest, changes.Lease, changes.RenewLease, changes.UseTicket)
"""Changes that conflict with stored data if they change nothing."""
_DELETE_GAME: list[ClauseElement] = [
    *(delete(table).where(table.c.game == _GAME) for table in (EVENT, SECRET, TOKEN, HOLDING, BAN, LEASE)),
    delete(GAME).where(GAME.c.id == _GAME),
]
_SIMPLE: dict[type[Change], list[ClauseElement]] = {
    changes.DeleteGame: _DELETE_GAME,
    changes.ExpireGame: [
        *_DELETE_GAME,
        insert(EXPIRED),
        delete(EXPIRED).where(EXPIRED.c.at < bindparam("at", type_=EXPIRED.c.at.type) - _THIRTY_DAYS),
    ],
    changes.RenameGuest: [update(GUEST).where(GUEST.c.id == _GUEST).values(name=bindparam("name"))],
    changes.SeeGuest: [update(GUEST).where(GUEST.c.id == _GUEST).values(seen_at=bindparam("at"))],
    changes.ForgetGuest: [
        _CHANGE_ACCESS_OF_GUEST,
        _seat_links_of_guest(),
        _END_LEASES_OF_GUEST,
        *(delete(table).where(table.c.guest == _GUEST) for table in (TOKEN, HOLDING, BAN, PLAYED, REVIEW)),
        delete(GUEST).where(GUEST.c.id == _GUEST),
    ],
    changes.DropPlayed: [delete(PLAYED).where(PLAYED.c.guest == _GUEST)],
    changes.FinishReview: [
        update(REVIEW)
        .where(REVIEW.c.id == _REVIEW, REVIEW.c.body == literal_column("''"))
        .values(body=bindparam("body")),
        _END_LEASES_OF_REVIEW,
    ],
    changes.DropReview: [delete(REVIEW).where(REVIEW.c.id == _REVIEW), _END_LEASES_OF_REVIEW],
    changes.DropReviewOf: [
        delete(REVIEW).where(REVIEW.c.guest == _GUEST, REVIEW.c.subject == bindparam("subject"))
    ],
    changes.SetBan: [delete(BAN).where(BAN.c.game == _GAME, BAN.c.guest == _GUEST), insert(BAN)],
    changes.DropTokens: [
        delete(TOKEN).where(
            TOKEN.c.game == _GAME,
            TOKEN.c.kind == bindparam("kind"),
            or_(_CHAIR.is_(None), TOKEN.c.chair == _CHAIR),
        )
    ],
    changes.FreeChair: [delete(HOLDING).where(HOLDING.c.game == _GAME, HOLDING.c.chair == _CHAIR)],
    changes.LiftBans: [delete(BAN).where(BAN.c.game == _GAME)],
    changes.Lease: [
        delete(LEASE).where(LEASE.c.game == _GAME, or_(LEASE.c.holder == _HOLDER, LEASE.c.until <= _NOW)),
        insert(LEASE).from_select(  # nothing if another server holds it; a failed insert would fill logs
            ["game", "holder", "until"],
            select(*(cast(each, Text) for each in (_GAME, _HOLDER)), _UNTIL).where(
                ~exists().where(LEASE.c.game == _GAME)
            ),
        ),
    ],
    changes.RenewLease: [
        update(LEASE)
        .where(LEASE.c.game == _GAME, LEASE.c.holder == _HOLDER)
        .values(until=bindparam("until"), progress=bindparam("progress"))
    ],
    changes.EndLease: [delete(LEASE).where(LEASE.c.game == _GAME, LEASE.c.holder == _HOLDER)],
    changes.AddTicket: [delete(TICKET).where(TICKET.c.until <= _NOW), insert(TICKET)],
    changes.UseTicket: [delete(TICKET).where(TICKET.c.hash == bindparam("hash"))],
}
"""Changes that are one or more statements, with the fields of the change as parameters."""


class ChangeWriter:
    """The SQL of every change, compiled once for one dialect."""

    # SQLAlchemy builds the statements, so that they follow the definitions of the tables and the dialect. The
    # writer's thread, which every command waits for, only binds values to the compiled text.

    def __init__(self, dialect: Dialect) -> None:
        def compiled(statement: ClauseElement) -> Statement:
            return Statement(statement, dialect)

        self._insert = {kind: compiled(statement) for kind, statement in _INSERT.items()}
        self._simple = {kind: list(map(compiled, statements)) for kind, statements in _SIMPLE.items()}
        self._add_game = compiled(_ADD_GAME)
        self._add_seed = compiled(insert(SECRET))
        self._add_event = compiled(insert(EVENT))
        self._update_game = compiled(_UPDATE_GAME)
        self._change_access = compiled(_CHANGE_ACCESS)
        self._same_seq = compiled(_SAME_SEQ)
        self._hash = compiled(_HASH)

    def apply(self, cursor: DBAPICursor, change: Change) -> None:
        """Make a change; ``Conflict`` or the driver's ``IntegrityError`` if it contradicts stored data."""
        match change:
            case AppendEvent():
                self._append(cursor, change)
            case UpdateGame(game, access, changes_access):
                known = {"game": game.id, "known_access": access, "step": int(changes_access)}
                self._update_game.run(cursor, {**known, **_values(game)})
                _check_one_row(cursor)
            case ChangeAccess(game_id, access):
                self._change_access.run(cursor, {"game": game_id, "known_access": access, "step": 1})
                _check_one_row(cursor)
            case AddGame(game, seed):
                self._add_game.run(cursor, _values(game))
                self._add_seed.run(cursor, {"game": game.id, "seed": seed})
            case Add(row):
                self._insert[type(row)].run(cursor, _values(row))
            case _:
                if isinstance(change, changes.ExpireGame) and change.seq is not None:
                    self._same_seq.run(cursor, {"game": change.game, "known_seq": change.seq})
                    _check_one_row(cursor)
                for statement in self._simple[type(change)]:
                    statement.run(cursor, _values(change))
                if isinstance(change, _ONE_ROW):
                    _check_one_row(cursor)

    def _append(self, cursor: DBAPICursor, event: AppendEvent) -> None:
        # The hash covers the hash of the event before, so that changing an old event breaks the chain.
        # The unique key on (game, seq) decides between two writers: the second insert fails, and so the whole
        # write, before anything is acknowledged.
        before = self._hash_before(cursor, event)
        hashes = {"prev_hash": before, "hash": event_hash(before, event)}
        self._add_event.run(cursor, {**_values(event), **hashes})

    def _hash_before(self, cursor: DBAPICursor, event: AppendEvent) -> str:
        # Read in this transaction, not remembered: a write of the same batch may have been rolled back, and
        # another process may have written. A remembered hash would then fork the chain without an error.
        if event.seq == 0:
            return GENESIS
        self._hash.run(cursor, {"game": event.game, "seq": event.seq - 1})
        found = cursor.fetchone()
        if found is None:
            raise Conflict("there is no event before this one")
        if not isinstance(found[0], str):
            raise DamagedRow("event", "hash", event.game)
        return found[0]


@cache
def change_writer_for(dialect: type[Dialect]) -> ChangeWriter:
    """Cached, because compiling the statements takes longer than everything else that opens a store."""
    return ChangeWriter(dialect())


def _values(change: Any) -> dict[str, Any]:
    """The fields of a change or row by name, as the database stores them."""
    values = {name: getattr(change, name) for name in _field_names(type(change))}  # type: ignore[arg-type]  # a class can be hashed
    if "kind" in values:
        values["kind"] = values["kind"].value
    return values


@cache
def _field_names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _check_one_row(cursor: DBAPICursor) -> None:
    # An update of a row that was deleted or changed meanwhile changes nothing and raises nothing. Without
    # this check it would be acknowledged as stored.
    if cursor.rowcount != 1:
        raise Conflict("there is nothing to change")
