"""Looking back at a game: done when there is time, and never in the way of a game that is played."""

import asyncio
import json
from pathlib import Path

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import parse_record
from sanssouci.review import (
    PositionReview,
    parse_position_review,
    positions,
    review_position,
    write_position_review,
)
from sanssouci.workers import WorkerPool
from sanssouci.workers.answer import BadResponse, Preempted
from sanssouci.workers.job import HintJob, ReviewJob, TurnJob, read_answer
from sanssouci.workers.job_queue import JobQueue
from sanssouci.workers.worker import answer

from .pools import KEY, a_view, asked, at_work, until, within
from .position_reviews import made_up_look

RECORD = parse_record((Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes())
STATES, TURNS = positions(RECORD)
FEW = 60
"""Imagined games."""
ENDLESS = 20_000_000
"""So many that nobody ever sees the end of it."""


def a_job(place: int, owner: str = "", rollouts: int = FEW) -> ReviewJob:
    """A look at a position of the record."""
    return ReviewJob(RECORD, STATES[place], TURNS[place], rollouts, owner)


@pytest.mark.parametrize("place", [3, 70, 72])
def test_a_look_can_be_written_and_read(place: int) -> None:
    """In the middle of the game, near its end, and at the end where no turn is judged."""
    found = review_position(STATES[place], TURNS[place], FEW)
    assert (
        parse_position_review(
            json.loads(json.dumps(write_position_review(found))), STATES[place], TURNS[place]
        )
        == found
    )
    assert (found.turn_review is None) == (place == 72)


@pytest.mark.parametrize("spoil", ["missing seat", "no number", "illegal", "judged at the end", "no text"])
def test_what_is_no_look_is_not_read(spoil: str) -> None:
    """What a worker says is trusted no more than what comes from a browser."""
    document = json.loads(json.dumps(write_position_review(made_up_look(STATES[3], TURNS[3]))))
    place = 3
    match spoil:
        case "missing seat":
            document["outlook"]["shares"].pop()
        case "no number":
            document["judgement"]["before"]["scores"][0] = None
        case "illegal":
            document["judgement"]["best"] = "*@0-a1"
        case "no text":
            document["judgement"]["best"] = 7
        case _:
            place = 72
    with pytest.raises((ValueError, LookupError, TypeError, AttributeError)):
        parse_position_review(document, STATES[place], TURNS[place])

    async def story() -> None:
        job = a_job(place)
        line = json.dumps({"id": job.number, "review": document}).encode()
        with pytest.raises(BadResponse):
            read_answer(job, line)
        with pytest.raises(Preempted):
            read_answer(job, json.dumps({"id": job.number, "preempted": True}).encode())
        with pytest.raises(UserError, match="could not be evaluated"):
            job.last_resort()

    within(story())


def test_a_question_has_neither_names_nor_what_came_later() -> None:
    """The game up to the turn that is judged, of nobody; the worker finds what is found here."""

    async def story() -> None:
        question = a_job(5).question()
        record = parse_record(question["record"].encode())
        assert record.turns == RECORD.turns[:6] and record.seats == ({"name": ""},) * 4
        assert record.fair is None and record.extra == {}
        assert answer(question, {}) == {
            "review": write_position_review(review_position(STATES[5], TURNS[5], FEW))
        }
        assert answer(question, {}, should_continue=lambda: False) == {"preempted": True}

    within(story())


def test_looks_come_after_everything_else_and_in_turn_too() -> None:
    """Whoever asks for a whole game at once waits for others who ask for one."""

    async def story() -> None:
        queue = JobQueue(4)
        for job in (*(a_job(place, "Ada") for place in range(3)), a_job(0, "Bob")):
            queue.admit(job)
        queue.admit(HintJob(a_view(), KEY, "Ada"))
        queue.admit(TurnJob("first", a_view(), KEY, "Ada"))
        taken = [await queue.take() for _ in range(6)]
        assert [job.kind for job in taken] == ["turn", "hint", "review", "review", "review", "review"]
        assert [job.owner for job in taken][2:] == ["Ada", "Bob", "Ada", "Ada"]

    within(story())


def test_a_look_gives_way_to_a_game_and_is_taken_again(crew: Path) -> None:
    """The only worker looks back, without an end: a turn is played at once, another one too, then a hint.

    When nothing else is to be done the look goes on: nobody had to ask for it again.
    """

    async def story() -> None:
        async with at_work(
            1, "first", review_rollouts=ENDLESS, job_timeout=3600.0, max_hints=2
        ) as worker_pool:
            busy = asyncio.create_task(_review_position(worker_pool, 30))
            for turns in (1, 2):
                await until(lambda: worker_pool.statistics.running == 1)
                await worker_pool.turn("first", a_view(), KEY)
                assert len(asked(crew)) == turns and not busy.done()
            await until(lambda: worker_pool.statistics.running == 1)
            assert (await worker_pool.hint(a_view(), KEY)).turn
            await until(lambda: worker_pool.statistics.running == 1)
            figures = worker_pool.statistics
            assert (figures.done, figures.failed, figures.replaced, figures.waiting_reviews) == (3, 0, 0, 0)
            busy.cancel()

    within(story())


def test_a_worker_that_gives_way_unasked_is_replaced(crew: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it could keep a job going round for ever."""
    monkeypatch.setattr(ReviewJob, "read", _give_way)

    async def story() -> None:
        async with at_work(1, "first", review_rollouts=FEW) as worker_pool:
            with pytest.raises(UserError, match="could not be evaluated"):
                await _review_position(worker_pool, 72)
            await until(lambda: worker_pool.statistics.replaced == 2)

    within(story())


def _give_way(job: ReviewJob, document: object) -> PositionReview:
    raise Preempted


async def _review_position(worker_pool: WorkerPool, place: int) -> PositionReview:
    return await worker_pool.review_position(RECORD, STATES[place], TURNS[place])
