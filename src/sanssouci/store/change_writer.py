"""Applies changes to the tables, inside a transaction that the writer begins and ends."""

from dataclasses import asdict
from functools import cache
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Delete, Dialect, Table, bindparam, delete, insert, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from .chain import GENESIS, event_hash
from .changes import (
    AccessChange,
    AddGame,
    AddGuest,
    AddPlayed,
    AddReview,
    AddToken,
    AppendEvent,
    AssignSeat,
    Ban,
    Change,
    DeleteGame,
    DropPlayed,
    DropReview,
    DropTokens,
    FinishReview,
    ForgetGuest,
    FreeSeat,
    GuestChange,
    RenameGuest,
    ReviewChange,
    SeeGuest,
    Unban,
    UpdateGame,
)
from .errors import Conflict, DamagedRow
from .rows import GameRow, TokenKind
from .statement import Statement
from .tables import BARRED, EVENT, GAME, GUEST, HOLDING, PLAYED, REVIEW, SECRET, TOKEN

_IMMUTABLE = ("id", "created_at")
"""Columns of a game that an update leaves alone."""


class ChangeWriter:
    """The SQL of every change, compiled once for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        def compiled(statement: Any) -> Statement:
            return Statement(statement, dialect)

        self._insert = {
            table: compiled(insert(table))
            for table in (GUEST, GAME, SECRET, EVENT, TOKEN, HOLDING, BARRED, PLAYED, REVIEW)
        }
        self._hash = compiled(select(EVENT.c.hash).where(*_same(EVENT, "game", "seq")))
        names = [column.name for column in GAME.c if column.name not in _IMMUTABLE]
        listed: dict[str, Any] = {name: bindparam(name) for name in names}
        self._update_game = compiled(update(GAME).where(GAME.c.id == bindparam("game")).values(**listed))
        self._delete_game = [
            compiled(delete(table).where(*_same(table, "game")))
            for table in (EVENT, SECRET, TOKEN, HOLDING, BARRED)
        ]
        self._delete_game.append(compiled(delete(GAME).where(GAME.c.id == bindparam("game"))))
        self._rename = compiled(
            update(GUEST).where(GUEST.c.id == bindparam("guest")).values(name=bindparam("name"))
        )
        self._see = compiled(
            update(GUEST).where(GUEST.c.id == bindparam("guest")).values(seen_at=bindparam("at"))
        )
        self._forget = [compiled(_seat_links())]
        self._forget += [
            compiled(delete(table).where(*_same(table, "guest")))
            for table in (TOKEN, HOLDING, BARRED, PLAYED, REVIEW)
        ]
        self._forget.append(compiled(delete(GUEST).where(GUEST.c.id == bindparam("guest"))))
        self._drop_played = compiled(delete(PLAYED).where(*_same(PLAYED, "guest")))
        self._finish_review = compiled(
            update(REVIEW).where(REVIEW.c.id == bindparam("review")).values(body=bindparam("found"))
        )
        self._drop_review = compiled(delete(REVIEW).where(REVIEW.c.id == bindparam("review")))
        self._drop_tokens = compiled(delete(TOKEN).where(*_same(TOKEN, "game", "kind")))
        self._drop_chair_tokens = compiled(delete(TOKEN).where(*_same(TOKEN, "game", "kind", "chair")))
        self._free_seat = compiled(delete(HOLDING).where(*_same(HOLDING, "game", "chair")))
        self._unban = compiled(delete(BARRED).where(*_same(BARRED, "game")))

    def apply(self, cursor: DBAPICursor, change: Change) -> None:
        """Make a change; ``Conflict`` or the driver's ``IntegrityError`` if it contradicts stored data."""
        match change:
            case AppendEvent():
                self._append(cursor, change)
            case UpdateGame(game):
                self._update(cursor, game)
            case AddGame(game, seed):
                self._insert[GAME].run(cursor, asdict(game))
                self._insert[SECRET].run(cursor, {"game": game.id, "seed": seed})
            case DeleteGame(game):
                _run_all(self._delete_game, cursor, {"game": game})
            case AddGuest() | RenameGuest() | SeeGuest() | ForgetGuest() | AddPlayed() | DropPlayed():
                self._apply_guest(cursor, change)
            case AddToken() | DropTokens() | AssignSeat() | FreeSeat() | Ban() | Unban():
                self._apply_access(cursor, change)
            case AddReview() | FinishReview() | DropReview():
                self._apply_review(cursor, change)
            case _:
                assert_never(change)

    def _apply_review(self, cursor: DBAPICursor, change: ReviewChange) -> None:
        match change:
            case AddReview(review):
                self._insert[REVIEW].run(cursor, asdict(review))
            case FinishReview(review, body):
                self._finish_review.run(cursor, {"review": review, "found": body})
            case DropReview(review):
                self._drop_review.run(cursor, {"review": review})
            case _:
                assert_never(change)

    def _apply_guest(self, cursor: DBAPICursor, change: GuestChange) -> None:
        match change:
            case AddGuest(guest):
                self._insert[GUEST].run(cursor, asdict(guest))
            case RenameGuest(guest, name):
                self._rename.run(cursor, {"guest": guest, "name": name})
                _check_one_row(cursor)
            case SeeGuest(guest, at):
                self._see.run(cursor, {"guest": guest, "at": at})
            case ForgetGuest(guest):
                _run_all(self._forget, cursor, {"guest": guest, "kind": TokenKind.SEAT.value})
            case AddPlayed(played):
                self._insert[PLAYED].run(cursor, asdict(played))
            case DropPlayed(guest):
                self._drop_played.run(cursor, {"guest": guest})
            case _:
                assert_never(change)

    def _apply_access(self, cursor: DBAPICursor, change: AccessChange) -> None:
        match change:
            case AddToken(token):
                self._insert[TOKEN].run(cursor, {**asdict(token), "kind": token.kind.value})
            case DropTokens(game, kind, chair):
                statement = self._drop_tokens if chair is None else self._drop_chair_tokens
                statement.run(cursor, {"game": game, "kind": kind.value, "chair": chair})
            case AssignSeat(game, chair, guest):
                self._insert[HOLDING].run(cursor, {"game": game, "chair": chair, "guest": guest})
            case FreeSeat(game, chair):
                self._free_seat.run(cursor, {"game": game, "chair": chair})
            case Ban(game, guest):
                self._insert[BARRED].run(cursor, {"game": game, "guest": guest})
            case Unban(game):
                self._unban.run(cursor, {"game": game})
            case _:
                assert_never(change)

    def _append(self, cursor: DBAPICursor, event: AppendEvent) -> None:
        # The hash covers the hash of the event before, so that changing an old event breaks the chain.
        before = self._hash_before(cursor, event)
        self._insert[EVENT].run(
            cursor,
            {
                "game": event.game,
                "seq": event.seq,
                "command_id": event.command_id,
                "seat": event.seat,
                "body": event.body,
                "engine": event.engine,
                "prev_hash": before,
                "hash": event_hash(before, event),
            },
        )

    def _hash_before(self, cursor: DBAPICursor, event: AppendEvent) -> str:
        if event.seq == 0:
            return GENESIS
        self._hash.run(cursor, {"game": event.game, "seq": event.seq - 1})
        found = cursor.fetchone()
        if found is None:
            raise Conflict("there is no event before this one")
        if not isinstance(found[0], str):
            raise DamagedRow("event", "hash", event.game)
        return found[0]

    def _update(self, cursor: DBAPICursor, game: GameRow) -> None:
        listed = {
            "game": game.id,
            "updated_at": game.updated_at,
            "phase": game.phase,
            "visibility": game.visibility,
            "waiting": game.waiting,
            "deadline": game.deadline,
            "seq": game.seq,
            "summary": game.summary,
        }
        self._update_game.run(cursor, listed)
        _check_one_row(cursor)


@cache
def change_writer_for(dialect: type[Dialect]) -> ChangeWriter:
    """Cached, because compiling the statements takes longer than everything else that opens a store."""
    return ChangeWriter(dialect())


def _same(table: Table, *names: str) -> list[ColumnElement[bool]]:
    """Conditions that compare columns with parameters of the same names."""
    return [table.c[name] == bindparam(name) for name in names]


def _seat_links() -> Delete:
    """Deletes the seat links of all chairs that a guest holds."""
    held = (
        select(HOLDING.c.chair)
        .where(HOLDING.c.game == TOKEN.c.game, HOLDING.c.chair == TOKEN.c.chair, *_same(HOLDING, "guest"))
        .exists()
    )
    return delete(TOKEN).where(*_same(TOKEN, "kind"), held)


def _run_all(statements: list[Statement], cursor: DBAPICursor, values: dict[str, Any]) -> None:
    for statement in statements:
        statement.run(cursor, values)


def _check_one_row(cursor: DBAPICursor) -> None:
    if cursor.rowcount != 1:
        raise Conflict("there is nothing to change")
