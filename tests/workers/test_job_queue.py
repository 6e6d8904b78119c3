"""Whose job comes next: everyone's in turn, so that nobody's many jobs are in another's way."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.workers.job import HintJob, Priority, TurnJob
from sanssouci.workers.job_queue import JobQueue

from ..helpers import stream
from .pools import KEY, a_view, asked, at_work, until, within


def turn(owner: str) -> TurnJob:
    """A turn in a game of somebody."""
    return TurnJob("first", a_view(), KEY, owner)


def hint(owner: str) -> HintJob:
    """A hint for somebody."""
    return HintJob(a_view(), KEY, owner)


async def taken(queue: JobQueue, jobs: int) -> list[str]:
    """Whose the next jobs are."""
    return [(await queue.take()).owner for _ in range(jobs)]


def test_owners_are_served_in_turn() -> None:
    """However many jobs each has, and each one's oldest first."""

    async def story() -> None:
        queue = JobQueue(0)
        many = [turn("Ada") for _ in range(4)]
        for job in [*many, turn("Bob"), turn("Bob"), turn("Cid")]:
            queue.admit(job)
        assert await taken(queue, 3) == ["Ada", "Bob", "Cid"]
        queue.admit(turn("Cid"))
        second = await queue.take()
        assert second is many[1]
        assert await taken(queue, 4) == ["Bob", "Cid", "Ada", "Ada"]
        assert queue.waiting(Priority.GAME) == 0

    within(story())


def test_nobody_waits_for_more_than_one_job_of_each_other_owner() -> None:
    """In a long disorder of jobs that come and are taken; it would be a hundred by age alone."""
    chance = stream(1)
    owners = [f"owner {number}" for number in range(6)]

    async def story() -> None:
        queue = JobQueue(0)
        for _ in range(200):
            for _ in range(chance.below(3)):
                queue.admit(turn(owners[chance.below(len(owners))]))
            while queue.waiting(Priority.GAME) < 100:
                queue.admit(turn("greedy one"))
            late = turn("late")
            queue.admit(late)
            before: Counter[str] = Counter()
            while (job := await queue.take()) is not late:
                before[job.owner] += 1
            assert max(before.values(), default=0) <= 1 and len(before) <= len(owners) + 1

    within(story())


def test_hints_come_after_turns_and_in_turn_too() -> None:
    """The oldest turn of all is done before the first hint."""

    async def story() -> None:
        queue = JobQueue(4)
        for job in (hint("Ada"), hint("Bob"), turn("Ada"), turn("Ada")):
            queue.admit(job)
        kinds = [(job.owner, job.kind) for job in [await queue.take() for _ in range(4)]]
        assert kinds == [("Ada", "turn"), ("Ada", "turn"), ("Ada", "hint"), ("Bob", "hint")]

    within(story())


def test_one_guest_waits_for_one_hint() -> None:
    """Another is refused until it is begun, or nobody waits for it; others have places left."""

    async def story() -> None:
        queue = JobQueue(3)
        first = hint("Ada")
        queue.admit(first)
        with pytest.raises(UserError, match="already waiting for a hint"):
            queue.admit(hint("Ada"))
        queue.admit(hint("Bob"))
        queue.drop(first)
        queue.admit(hint("Ada"))
        queue.admit(hint("Cid"))
        with pytest.raises(UserError, match="too many hints"):
            queue.admit(hint("Dora"))
        assert await taken(queue, 1) == ["Bob"]
        queue.admit(hint("Bob"))

    within(story())


def test_a_job_that_comes_back_is_the_next_of_its_owner() -> None:
    """Its worker was lost; the others are not kept waiting for that."""

    async def story() -> None:
        queue = JobQueue(0)
        for job in (turn("Ada"), turn("Ada"), turn("Bob")):
            queue.admit(job)
        lost = await queue.take()
        queue.put(lost)
        assert await taken(queue, 1) == ["Bob"]
        assert await queue.take() is lost
        queue.drop(lost)
        assert queue.waiting(Priority.GAME) == 1
        assert [job.owner for job in queue.drop_all()] == ["Ada"] and queue.waiting(Priority.GAME) == 0

    within(story())


def test_workers_serve_owners_in_turn(crew: Path) -> None:
    """One worker, twelve turns of one owner, then one of another: it is the second to be done."""
    order: list[str] = []

    async def story() -> None:
        async with at_work(1, "gated", "first") as worker_pool:

            async def play(owner: str) -> None:
                await worker_pool.turn("first", a_view(), KEY, owner)
                order.append(owner)

            busy = asyncio.create_task(worker_pool.turn("gated", a_view(), KEY, "Ada"))
            await until(lambda: asked(crew))
            many = [asyncio.create_task(play("Ada")) for _ in range(12)]
            await until(lambda: worker_pool.statistics.waiting == 12)
            other = asyncio.create_task(play("Bob"))
            await until(lambda: worker_pool.statistics.waiting == 13)
            (crew / "gate").touch()
            await asyncio.gather(busy, other, *many)

    within(story())
    assert order == ["Ada", "Bob", *["Ada"] * 11]
