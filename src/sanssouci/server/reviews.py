"""Post-game reviews: every position of a finished game is analysed by idle workers.

A review belongs to the guest who requested it and has an unguessable id; anyone with the id may see it. The
findings are stored without language and translated for each reader. Unfinished reviews are resumed after a
restart. Of several servers, one works on a review and leases it; if that server dies, another one starts the
review again.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

import orjson
import structlog
from pydantic import Field

from sanssouci.locale import UserError
from sanssouci.notation import Record, parse_record, verify, write_record
from sanssouci.notation.json_types import Count, JsonObject, SecretText
from sanssouci.review import (
    Analysis,
    PositionReview,
    ReviewDocument,
    parse_position_review,
    positions,
    review_document,
    write_position_review,
)
from sanssouci.store import (
    Add,
    Change,
    DropReview,
    DropReviewOf,
    EndLease,
    FinishReview,
    GuestExport,
    RenewLease,
    ReviewRow,
    Unavailable,
)
from sanssouci.store.export_rows import PARSE_ERRORS
from sanssouci.table import StepsAnswer, step_seats, write_replay
from sanssouci.workers import WorkerPool

from .auth.tokens import looks_like_token
from .ops.damaged_data import REVIEW
from .ops.logs import error_location
from .tables.scheduler import LEASE, take_lease
from .tables.table_registry import TableRegistry, WriteConflict


class ReviewStartedAnswer(JsonObject):
    """The review was started, or exists already."""

    review: SecretText
    """Its id. Anyone with the id may see the review."""


class ReviewAnswer(JsonObject):
    """A review and its progress."""

    state: Literal["working", "ready", "stopped"]
    """`stopped`: it was not finished, and can be restarted."""
    done: Count
    """Positions analysed so far."""
    of: Annotated[int, Field(ge=2)]
    """Positions in total."""
    own: bool
    """Whether it is yours."""
    document: ReviewDocument | None
    """The findings, once it is ready."""


MAX_PER_GUEST = 2
"""Concurrent reviews of one guest."""
MAX_RUNNING = 32
"""Concurrent reviews of all guests; resuming after a restart may exceed it."""
RETRY_DELAY = 1.0
"""Seconds before a failed write is retried."""
LEASE_INTERVAL = LEASE / 3
"""Seconds between two renewals of all leases, and searches for the reviews of dead servers."""

_log = structlog.get_logger("sanssouci.server")


class UnknownReview(UserError):
    def __init__(self) -> None:
        super().__init__("review.unknown")


@dataclass(slots=True)
class RunningReview:
    guest: str
    task: "asyncio.Task[None]"
    done: int = 0
    """Positions analysed so far."""


class Reviews:
    """All reviews of a server; for the tasks of one event loop."""

    def __init__(self, registry: TableRegistry, worker_pool: WorkerPool, max_per_guest: int) -> None:
        """Keep at most ``max_per_guest`` reviews of a guest; the oldest are deleted."""
        self._registry, self._worker_pool, self._max_per_guest = registry, worker_pool, max_per_guest
        self._running: dict[str, RunningReview] = {}
        self._asking = asyncio.Lock()
        """So that no review is started twice, by requests for the same game or by its lease."""
        self._name = secrets.token_hex(8)
        """The name under which this server leases reviews."""
        self._leasing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        if self._registry.store.shared:
            self._leasing = asyncio.create_task(self._keep_leases())
        async with self._asking:
            await self._resume(await asyncio.to_thread(self._registry.store.unfinished_reviews))

    async def stop(self, *, end_leases: bool = True) -> None:
        """Cancel running reviews; the store knows which are unfinished, and other servers resume them soon.

        Otherwise leases run out first, as if this server had died.
        """
        reviews = list(self._running)
        tasks = [running.task for running in self._running.values()]
        tasks += [] if self._leasing is None else [self._leasing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._registry.store.shared and end_leases:
            now = self._registry.dependencies.now()
            for review in reviews:
                with suppress(UserError):  # then the lease runs out
                    await self._registry.write(RenewLease(review, self._name, now, 0))

    async def update_leases(self) -> None:
        """Renew the leases of running reviews, and take over those of servers that have died.

        A review is cancelled if this server has lost its lease: it was deleted, or another server does it.
        """
        store, now = self._registry.store, self._registry.dependencies.now
        for review, running in tuple(self._running.items()):
            with suppress(Unavailable):
                try:
                    await self._registry.write(RenewLease(review, self._name, now() + LEASE, running.done))
                except WriteConflict:
                    running.task.cancel()
        async with self._asking:
            await self._resume(await asyncio.to_thread(store.abandoned_reviews, now()))

    async def ask(self, guest: str, record: Record) -> str:
        """The id of the guest's review of a game, started if there is none."""
        kept, subject = await asyncio.to_thread(kept_record, record)
        async with self._asking:
            try:
                return await self._find_or_start(guest, kept, subject)
            except WriteConflict:  # another server has added the review meanwhile, or its row is damaged
                return await self._find_or_start(guest, kept, subject, DropReviewOf(guest, subject))

    async def _find_or_start(self, guest: str, kept: str, subject: str, *replaced: Change) -> str:
        """Of two servers that add the same review, the unique key on guest and subject refuses one."""
        rows = await asyncio.to_thread(self._registry.store.reviews_of, guest)
        same = next((row for row in rows if row.subject == subject), None)
        damaged = [same] if same is not None and not await asyncio.to_thread(is_readable, same) else []
        if same is not None and not damaged and (same.body or await self.progress(same.id) is not None):
            return same.id
        self._check_room(guest)
        if same is None or damaged:
            dependencies = self._registry.dependencies
            same = ReviewRow(dependencies.token().reveal(), guest, subject, dependencies.now(), kept, "")
            rows = [row for row in rows if row not in damaged]
            surplus = [*damaged, *rows[: max(0, len(rows) + 1 - self._max_per_guest)]]
            await self._registry.write(*(DropReview(row.id) for row in surplus), *replaced, Add(same))
            self._cancel(row.id for row in surplus)
        await self._resume([same])
        return same.id

    async def find(self, review: str) -> ReviewRow:
        row = await asyncio.to_thread(self._registry.store.review, review)
        if row is None:
            raise UnknownReview
        return row

    async def drop(self, row: ReviewRow) -> None:
        await self._registry.write(DropReview(row.id))
        self._cancel((row.id,))

    def forget(self, guest: str) -> None:
        self._cancel([review for review, running in self._running.items() if running.guest == guest])

    def reporting_damage(self, row: ReviewRow) -> AbstractContextManager[None]:
        """Raise ``DamagedData`` for parse errors inside."""
        return self._registry.damage_log.reporting_damage(row.id, REVIEW)

    def running(self, review: str) -> RunningReview | None:
        return self._running.get(review)

    async def progress(self, review: str) -> int | None:
        """Positions analysed so far, here or at another server; None if the review is not running."""
        if (running := self._running.get(review)) is not None:
            return running.done
        store = self._registry.store
        return await asyncio.to_thread(store.review_progress, review) if store.shared else None

    def _check_room(self, guest: str) -> None:
        working = Counter(running.guest for running in self._running.values())
        if working[guest] >= MAX_PER_GUEST:
            raise UserError("review.waits", most=MAX_PER_GUEST)
        if working.total() >= MAX_RUNNING:
            raise UserError("review.busy")

    async def _resume(self, rows: Iterable[ReviewRow]) -> None:
        """Start reviews, except for those that another server works on, or has finished meanwhile."""
        for row in rows:
            if row.id in self._running or not await take_lease(self._registry, row.id, self._name):
                continue
            latest = await asyncio.to_thread(self._registry.store.review, row.id)
            if latest is None or latest.body:
                await self._end_lease(row.id)
            else:
                self._running[row.id] = RunningReview(row.guest, asyncio.create_task(self._run(row)))

    async def _keep_leases(self) -> None:
        while True:
            await asyncio.sleep(LEASE_INTERVAL)
            try:
                await self.update_leases()
            except Exception as error:  # the next time may succeed
                key = error.key if isinstance(error, UserError) else type(error).__name__
                _log.warning("review_leases_failed", error=key, location=error_location(error))

    def _cancel(self, reviews: Iterable[str]) -> None:
        for review in reviews:
            if (running := self._running.get(review)) is not None:
                running.task.cancel()

    async def _run(self, row: ReviewRow) -> None:
        """Analyse every position and store the findings; a failed review restarts on the next request."""
        try:
            record = parse_record(row.record.encode("utf-8"))
            reviews = await self._review_positions(row, record)
            await self._write_with_retry(
                FinishReview(row.id, dump_position_reviews(reviews, self._worker_pool.review_rollouts))
            )
        except Exception as error:
            key = error.key if isinstance(error, UserError) else type(error).__name__
            _log.warning("review_failed", error=key, location=error_location(error))
            await self._end_lease(row.id)
        finally:
            del self._running[row.id]

    async def _end_lease(self, review: str) -> None:
        if self._registry.store.shared:
            with suppress(UserError):  # then the lease runs out
                await self._registry.write(EndLease(review, self._name))

    async def _review_positions(self, row: ReviewRow, record: Record) -> list[PositionReview]:
        """Analyse all positions in parallel; if one fails, the others are cancelled."""

        async def counted(place: int) -> PositionReview:
            found = await self._worker_pool.review_position(record, states[place], turns[place], row.guest)
            self._running[row.id].done += 1
            return found

        states, turns = await asyncio.to_thread(positions, record)
        reviews = [asyncio.create_task(counted(place)) for place in range(len(states))]
        try:
            return await asyncio.gather(*reviews)
        finally:
            for task in reviews:
                task.cancel()

    async def _write_with_retry(self, found: FinishReview) -> None:
        while True:
            try:
                await self._registry.write(found)
                return
            except Unavailable:
                await asyncio.sleep(RETRY_DELAY)


def positions_of(row: ReviewRow) -> int:
    return len(orjson.loads(row.record)["turns"]) + 1


def write_review(row: ReviewRow, language: str) -> ReviewDocument | None:
    """The findings in the reader's language; None if the review is not finished."""
    return review_document(_analysis(row), language) if row.body else None


def is_readable(row: ReviewRow) -> bool:
    """Whether a review can be read back; a damaged one is replaced."""
    try:
        write_review_steps(row)
        write_review(row, "en")
    except (UserError, *PARSE_ERRORS):
        return False
    return True


def write_review_steps(row: ReviewRow) -> StepsAnswer:
    return write_replay(parse_record(row.record.encode("utf-8")))


def check_reviews(export: GuestExport) -> None:
    """``UserError`` if the server cannot have written a guest's review; for imports."""
    for row in export.reviews:
        try:
            record = parse_record(row.record.encode("utf-8"))
            sound = (
                looks_like_token(row.id)
                and row.created_at >= 0
                and kept_record(record) == (row.record, row.subject)
            )
            if row.body:
                _analysis(row)
        except (UserError, ValueError, LookupError, TypeError):
            sound = False
        if not sound:
            reason = UserError("audit.review")
            raise UserError("audit.guest", guest=export.guest.id, reason=reason) from None


def kept_record(record: Record) -> tuple[str, str]:
    """The stored form of a record and its hash: players, deal and turns, without the seed."""
    verify(record)
    if not record.turns:
        raise UserError("review.not_over")
    seats = tuple(
        {key: value for key, value in seat.items() if value is not None} for seat in step_seats(record)
    )
    text = write_record(Record(record.deal, seats, record.turns)).decode("utf-8")
    return text, sha256(text.encode("utf-8")).hexdigest()


def dump_position_reviews(reviews: list[PositionReview], rollouts: int) -> str:
    document = {"rollouts": rollouts, "looks": list(map(write_position_review, reviews))}
    return orjson.dumps(document).decode("utf-8")


def _analysis(row: ReviewRow) -> Analysis:
    record, found = parse_record(row.record.encode("utf-8")), orjson.loads(row.body)
    states, turns = positions(record)
    reviews = [parse_position_review(*one) for one in zip(found["looks"], states, turns, strict=True)]
    return Analysis.of(record, states, reviews, int(found["rollouts"]))
