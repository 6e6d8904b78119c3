"""The job queue serves owners in turn, so that one owner's many jobs do not delay the others."""

import asyncio
from collections import Counter
from pathlib import Path

from sanssouci.workers.job import HintJob, Priority, TurnJob
from sanssouci.workers.job_queue import JobQueue

from ..helpers import stream, user_error
from .pools import KEY, asked_players, make_view, run_with_timeout, running_pool, until


def turn(owner: str) -> TurnJob:
    return TurnJob("first", make_view(), KEY, owner)


def hint(owner: str) -> HintJob:
    return HintJob(make_view(), KEY, owner)


async def take_owners(queue: JobQueue, jobs: int) -> list[str]:
    """The owners of the next jobs."""
    return [(await queue.take()).owner for _ in range(jobs)]


def test_owners_are_served_in_turn() -> None:
    """Owners are served in turn, each with its oldest job first."""

    async def scenario() -> None:
        queue = JobQueue(0)
        many = [turn("Ada") for _ in range(4)]
        for job in [*many, turn("Bob"), turn("Bob"), turn("Cid")]:
            queue.admit(job)
        assert await take_owners(queue, 3) == ["Ada", "Bob", "Cid"]
        queue.admit(turn("Cid"))
        second = await queue.take()
        assert second is many[1]
        assert await take_owners(queue, 4) == ["Bob", "Cid", "Ada", "Ada"]
        assert queue.waiting(Priority.GAME) == 0

    run_with_timeout(scenario())


def test_a_job_waits_for_at_most_one_job_of_each_other_owner() -> None:
    """With jobs arriving in random order, a new job waits for at most one job of each other owner."""
    rng = stream(1)
    owners = [f"owner {number}" for number in range(6)]

    async def scenario() -> None:
        queue = JobQueue(0)
        for _ in range(200):
            for _ in range(rng.below(3)):
                queue.admit(turn(owners[rng.below(len(owners))]))
            while queue.waiting(Priority.GAME) < 100:
                queue.admit(turn("greedy one"))
            late = turn("late")
            queue.admit(late)
            before: Counter[str] = Counter()
            while (job := await queue.take()) is not late:
                before[job.owner] += 1
            assert max(before.values(), default=0) <= 1 and len(before) <= len(owners) + 1

    run_with_timeout(scenario())


def test_turns_come_before_hints() -> None:
    """All turns are served before the first hint, and hints are served by owner in turn."""

    async def scenario() -> None:
        queue = JobQueue(4)
        for job in (hint("Ada"), hint("Bob"), turn("Ada"), turn("Ada")):
            queue.admit(job)
        kinds = [(job.owner, job.kind) for job in [await queue.take() for _ in range(4)]]
        assert kinds == [("Ada", "turn"), ("Ada", "turn"), ("Ada", "hint"), ("Bob", "hint")]

    run_with_timeout(scenario())


def test_a_guest_may_have_one_waiting_hint() -> None:
    """A second hint is refused until the first is taken or dropped, and a full queue is refused as busy."""

    async def scenario() -> None:
        queue = JobQueue(3)
        first = hint("Ada")
        queue.admit(first)
        with user_error("workers.hint_waits"):
            queue.admit(hint("Ada"))
        queue.admit(hint("Bob"))
        queue.drop(first)
        queue.admit(hint("Ada"))
        queue.admit(hint("Cid"))
        with user_error("workers.busy"):
            queue.admit(hint("Dora"))
        assert await take_owners(queue, 1) == ["Bob"]
        queue.admit(hint("Bob"))

    run_with_timeout(scenario())


def test_a_returned_job_is_the_next_of_its_owner() -> None:
    """A job whose worker was lost comes first among its owner's jobs, but does not overtake other owners."""

    async def scenario() -> None:
        queue = JobQueue(0)
        for job in (turn("Ada"), turn("Ada"), turn("Bob")):
            queue.admit(job)
        lost = await queue.take()
        queue.put(lost)
        assert await take_owners(queue, 1) == ["Bob"]
        assert await queue.take() is lost
        queue.drop(lost)
        assert queue.waiting(Priority.GAME) == 1
        assert [job.owner for job in queue.drop_all()] == ["Ada"] and queue.waiting(Priority.GAME) == 0

    run_with_timeout(scenario())


def test_workers_serve_owners_in_turn(player_folder: Path) -> None:
    """With one worker and twelve turns of one owner waiting, another owner's turn is done second."""
    order: list[str] = []

    async def scenario() -> None:
        async with running_pool(1, "gated", "first") as worker_pool:

            async def play(owner: str) -> None:
                await worker_pool.turn("first", make_view(), KEY, owner)
                order.append(owner)

            busy = asyncio.create_task(worker_pool.turn("gated", make_view(), KEY, "Ada"))
            await until(lambda: asked_players(player_folder))
            many = [asyncio.create_task(play("Ada")) for _ in range(12)]
            await until(lambda: worker_pool.statistics.waiting == 12)
            other = asyncio.create_task(play("Bob"))
            await until(lambda: worker_pool.statistics.waiting == 13)
            (player_folder / "gate").touch()
            await asyncio.gather(busy, other, *many)

    run_with_timeout(scenario())
    assert order == ["Ada", "Bob", *["Ada"] * 11]
