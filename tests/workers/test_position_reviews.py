"""Jobs that review positions: lowest priority, and preempted by turns and hints."""

import asyncio
import json
from pathlib import Path

import pytest

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

from ..helpers import user_error
from .pools import KEY, asked_players, make_view, run_with_timeout, running_pool, until
from .position_reviews import fake_position_review

RECORD = parse_record((Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes())
STATES, TURNS = positions(RECORD)
FEW_ROLLOUTS = 60
"""Number of rollouts."""
ENDLESS_ROLLOUTS = 20_000_000
"""So many rollouts that a review never ends."""


def review_job(place: int, owner: str = "", rollouts: int = FEW_ROLLOUTS) -> ReviewJob:
    """A job that reviews a position of the record."""
    return ReviewJob(RECORD, STATES[place], TURNS[place], rollouts, owner)


@pytest.mark.parametrize("place", [3, 70, 72])
def test_a_position_review_survives_serialization(place: int) -> None:
    """A review is unchanged by writing and parsing, in the middle of a game, near its end and at the end."""
    found = review_position(STATES[place], TURNS[place], FEW_ROLLOUTS)
    assert (
        parse_position_review(
            json.loads(json.dumps(write_position_review(found))), STATES[place], TURNS[place]
        )
        == found
    )
    assert (found.turn_review is None) == (place == 72)


@pytest.mark.parametrize("error", ["missing seat", "no number", "illegal", "judged at the end", "no text"])
def test_an_invalid_position_review_is_rejected(error: str) -> None:
    """A malformed review from a worker is a bad response, and a preempted job is recognised."""
    document = json.loads(json.dumps(write_position_review(fake_position_review(STATES[3], TURNS[3]))))
    place = 3
    match error:
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

    async def scenario() -> None:
        job = review_job(place)
        line = json.dumps({"id": job.number, "review": document}).encode()
        with pytest.raises(BadResponse):
            read_answer(job, line)
        with pytest.raises(Preempted):
            read_answer(job, json.dumps({"id": job.number, "preempted": True}).encode())
        with user_error("workers.no_look"):
            job.result_without_worker()

    run_with_timeout(scenario())


def test_a_review_question_contains_no_names_or_later_turns() -> None:
    """The worker gets the game up to the reviewed turn, without names, and gives the same review."""

    async def scenario() -> None:
        question = review_job(5).question()
        record = parse_record(question["record"].encode())
        assert record.turns == RECORD.turns[:6] and record.seats == ({"name": ""},) * 4
        assert record.fair is None and record.extra == {}
        assert answer(question, {}) == {
            "review": write_position_review(review_position(STATES[5], TURNS[5], FEW_ROLLOUTS))
        }
        assert answer(question, {}, should_continue=lambda: False) == {"preempted": True}

    run_with_timeout(scenario())


def test_reviews_have_the_lowest_priority() -> None:
    """Turns and hints come before reviews, and reviews are served by owner in turn."""

    async def scenario() -> None:
        queue = JobQueue(4)
        for job in (*(review_job(place, "Ada") for place in range(3)), review_job(0, "Bob")):
            queue.admit(job)
        queue.admit(HintJob(make_view(), KEY, "Ada"))
        queue.admit(TurnJob("first", make_view(), KEY, "Ada"))
        taken = [await queue.take() for _ in range(6)]
        assert [job.kind for job in taken] == ["turn", "hint", "review", "review", "review", "review"]
        assert [job.owner for job in taken][2:] == ["Ada", "Bob", "Ada", "Ada"]

    run_with_timeout(scenario())


def test_a_review_is_preempted_and_resumed(player_folder: Path) -> None:
    """Two turns and a hint each preempt the endless review of the only worker.

    The review then resumes by itself.
    """

    async def scenario() -> None:
        async with running_pool(
            1, "first", review_rollouts=ENDLESS_ROLLOUTS, job_timeout=3600.0, max_hints=2
        ) as worker_pool:
            busy = asyncio.create_task(_review_position(worker_pool, 30))
            for turns in (1, 2):
                await until(lambda: worker_pool.statistics.running == 1)
                await worker_pool.turn("first", make_view(), KEY)
                assert len(asked_players(player_folder)) == turns and not busy.done()
            await until(lambda: worker_pool.statistics.running == 1)
            assert (await worker_pool.hint(make_view(), KEY)).turn
            await until(lambda: worker_pool.statistics.running == 1)
            figures = worker_pool.statistics
            assert (figures.done, figures.failed, figures.replaced, figures.waiting_reviews) == (3, 0, 0, 0)
            busy.cancel()

    run_with_timeout(scenario())


def test_a_worker_that_reports_preemption_unasked_is_replaced(
    player_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that was not asked to yield is replaced, so that a job cannot circulate for ever."""
    monkeypatch.setattr(ReviewJob, "read", _raise_preempted)

    async def scenario() -> None:
        async with running_pool(1, "first", review_rollouts=FEW_ROLLOUTS) as worker_pool:
            with user_error("workers.no_look"):
                await _review_position(worker_pool, 72)
            await until(lambda: worker_pool.statistics.replaced == 2)

    run_with_timeout(scenario())


def _raise_preempted(job: ReviewJob, document: object) -> PositionReview:
    raise Preempted


async def _review_position(worker_pool: WorkerPool, place: int) -> PositionReview:
    return await worker_pool.review_position(RECORD, STATES[place], TURNS[place])
