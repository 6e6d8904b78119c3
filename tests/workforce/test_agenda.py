"""Whose job comes next: everyone's in turn, so that nobody's many jobs are in another's way."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.workforce.agenda import Agenda
from sanssouci.workforce.job import HintJob, TurnJob, Urgency

from ..helpers import stream
from .crew import KEY, a_view, asked, at_work, until, within


def turn(owner: str) -> TurnJob:
    """A turn in a game of somebody."""
    return TurnJob("first", a_view(), KEY, owner)


def hint(owner: str) -> HintJob:
    """A hint for somebody."""
    return HintJob(a_view(), KEY, owner)


async def taken(agenda: Agenda, jobs: int) -> list[str]:
    """Whose the next jobs are."""
    return [(await agenda.take()).owner for _ in range(jobs)]


def test_owners_are_served_in_turn() -> None:
    """However many jobs each has, and each one's oldest first."""

    async def story() -> None:
        agenda = Agenda(0)
        many = [turn("Ada") for _ in range(4)]
        for job in [*many, turn("Bob"), turn("Bob"), turn("Cid")]:
            agenda.admit(job)
        assert await taken(agenda, 3) == ["Ada", "Bob", "Cid"]
        agenda.admit(turn("Cid"))
        second = await agenda.take()
        assert second is many[1]
        assert await taken(agenda, 4) == ["Bob", "Cid", "Ada", "Ada"]
        assert agenda.waiting(Urgency.GAME) == 0

    within(story())


def test_nobody_waits_for_more_than_one_job_of_each_other_owner() -> None:
    """In a long disorder of jobs that come and are taken; it would be a hundred by age alone."""
    chance = stream(1)
    owners = [f"owner {number}" for number in range(6)]

    async def story() -> None:
        agenda = Agenda(0)
        for _ in range(200):
            for _ in range(chance.below(3)):
                agenda.admit(turn(owners[chance.below(len(owners))]))
            while agenda.waiting(Urgency.GAME) < 100:
                agenda.admit(turn("greedy one"))
            late = turn("late")
            agenda.admit(late)
            before: Counter[str] = Counter()
            while (job := await agenda.take()) is not late:
                before[job.owner] += 1
            assert max(before.values(), default=0) <= 1 and len(before) <= len(owners) + 1

    within(story())


def test_hints_come_after_turns_and_in_turn_too() -> None:
    """The oldest turn of all is done before the first hint."""

    async def story() -> None:
        agenda = Agenda(4)
        for job in (hint("Ada"), hint("Bob"), turn("Ada"), turn("Ada")):
            agenda.admit(job)
        kinds = [(job.owner, job.kind) for job in [await agenda.take() for _ in range(4)]]
        assert kinds == [("Ada", "turn"), ("Ada", "turn"), ("Ada", "hint"), ("Bob", "hint")]

    within(story())


def test_one_guest_waits_for_one_hint() -> None:
    """Another is refused until it is begun, or nobody waits for it; others have places left."""

    async def story() -> None:
        agenda = Agenda(3)
        first = hint("Ada")
        agenda.admit(first)
        with pytest.raises(UserError, match="already waiting for a hint"):
            agenda.admit(hint("Ada"))
        agenda.admit(hint("Bob"))
        agenda.drop(first)
        agenda.admit(hint("Ada"))
        agenda.admit(hint("Cid"))
        with pytest.raises(UserError, match="too many hints"):
            agenda.admit(hint("Dora"))
        assert await taken(agenda, 1) == ["Bob"]
        agenda.admit(hint("Bob"))

    within(story())


def test_a_job_that_comes_back_is_the_next_of_its_owner() -> None:
    """Its worker was lost; the others are not kept waiting for that."""

    async def story() -> None:
        agenda = Agenda(0)
        for job in (turn("Ada"), turn("Ada"), turn("Bob")):
            agenda.admit(job)
        lost = await agenda.take()
        agenda.put(lost)
        assert await taken(agenda, 1) == ["Bob"]
        assert await agenda.take() is lost
        agenda.drop(lost)
        assert agenda.waiting(Urgency.GAME) == 1
        assert [job.owner for job in agenda.drop_all()] == ["Ada"] and agenda.waiting(Urgency.GAME) == 0

    within(story())


def test_workers_serve_owners_in_turn(crew: Path) -> None:
    """One worker, twelve turns of one owner, then one of another: it is the second to be done."""
    order: list[str] = []

    async def story() -> None:
        async with at_work(1, "gated", "first") as workforce:

            async def play(owner: str) -> None:
                await workforce.turn("first", a_view(), KEY, owner)
                order.append(owner)

            busy = asyncio.create_task(workforce.turn("gated", a_view(), KEY, "Ada"))
            await until(lambda: asked(crew))
            many = [asyncio.create_task(play("Ada")) for _ in range(12)]
            await until(lambda: workforce.statistics.waiting == 12)
            other = asyncio.create_task(play("Bob"))
            await until(lambda: workforce.statistics.waiting == 13)
            (crew / "gate").touch()
            await asyncio.gather(busy, other, *many)

    within(story())
    assert order == ["Ada", "Bob", *["Ada"] * 11]
