"""Reviews: only of finished games, computed in the background, seen by link, deleted."""

import asyncio
import json

from pytest import MonkeyPatch

from sanssouci.notation import parse_record
from sanssouci.server.reviews import MAX_PER_GUEST
from sanssouci.store import ReviewRow
from sanssouci.table import write_replay

from ..harness.builders import NONCE, RECORD
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server
from ..harness.sockets import Json
from ..workers.pools import until
from .test_statistics import bytes_on_disk


def renamed_record(name: str) -> bytes:
    """The record with another name, so that it is another record."""
    record = json.loads(RECORD)
    record["seats"][0]["name"] = name
    return json.dumps(record).encode()


async def request_review(person: Client, record: bytes = RECORD) -> str:
    """Request a review without waiting for it."""
    answer = await person.request("POST", "/api/reviews", content=record)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["review"])


async def review_state(person: Client, review: str) -> Json:
    return await person.get(f"/api/reviews/{review}")


@with_server()
async def test_a_review_is_visible_to_anyone_with_the_link(server: InProcessServer) -> None:
    """A review shows turns, better turns and reasons in the reader's language, without an account."""
    ada = await server.guest("Ada")
    review = await ada.review(RECORD)
    found = await review_state(server.client(), review)
    assert (found["state"], found["done"], found["of"], found["own"]) == ("ready", 37, 37, False)
    document = found["document"]
    record = json.loads(RECORD)
    assert [turn["played"] for turn in document["turns"]] == record["turns"]
    assert [seat["name"] for seat in document["seats"]] == [seat["name"] for seat in record["seats"]]
    assert len(document["positions"]) == 37
    assert sorted(document["positions"][-1]["win_share"]) == [0, 1]
    missed = [turn for turn in document["turns"] if turn["missed"]]
    assert missed and all(turn["why"] and turn["best"] != turn["played"] for turn in missed)
    german = (await ada.request("GET", f"/api/reviews/{review}", accept_language="de")).json()
    assert german["own"]
    assert [turn["why"] for turn in german["document"]["turns"] if turn["missed"]] != [
        turn["why"] for turn in missed
    ]
    steps = await server.client().get(f"/api/reviews/{review}/steps")
    assert steps == write_replay(parse_record(RECORD))


@with_server()
async def test_a_table_is_reviewed_only_after_its_game(server: InProcessServer) -> None:
    """Only people at the table can request its review, after the game; it does not contain the seed."""
    ada, eve = await server.guest("Ada"), await server.guest("Eve")
    table = await ada.create_table("person", "random")
    path = f"/api/tables/{table}/review"
    await ada.do(table, "ready", nonce=NONCE)
    await server.play_out(table, {0: ada}, commands=4)
    early = await ada.request("POST", path)
    assert early.status_code == 422 and early.json()["error"]["code"] == "declined.not_yet"
    assert server.rows()["review"] == [] and server.players.reviewed == []
    view = await server.play_out(table, {0: ada})
    assert (await eve.request("POST", path)).status_code == 404
    assert (await server.client().with_key(table.watch).request("POST", path)).status_code == 401
    review = (await ada.request("POST", path)).json()["review"]
    await until(lambda: server.services.reviews.running(review) is None)
    document = (await review_state(eve, review))["document"]
    assert len(document["turns"]) == 36
    colours = {chair["seat"]: chair["colour"] for chair in view["chairs"]}
    steps = await server.client().get(f"/api/reviews/{review}/steps")
    assert [seat["colour"] for seat in steps["seats"]] == [colours[0], colours[1]] != [None, None]
    assert [seat["colour"] for seat in document["seats"]] == [colours[0], colours[1]]
    totals = [score["total"] for score in view["game"]["scores"]]
    assert document["positions"][-1]["score"] == totals
    (row,) = server.rows()["review"]
    assert all(seed.hex() not in str(row) for seed in server.secrets.seeds)
    assert (await ada.request("POST", path)).json()["review"] == review


@with_server()
async def test_unfinished_and_illegal_records_are_not_reviewed(server: InProcessServer) -> None:
    """Unfinished and illegal records, and requests without a guest, are refused, and nothing is stored."""
    ada = await server.guest("Ada")
    record = json.loads(RECORD)
    short = {**record, "turns": record["turns"][:-1]}
    del short["result"]
    wrong = {**record, "turns": [*record["turns"][:-1], record["turns"][0]]}
    answers = [await ada.request("POST", "/api/reviews", one) for one in (short, wrong)]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].json()["error"]["code"] == "review.not_over"
    assert server.rows()["review"] == []
    nobody = await server.client().request("POST", "/api/reviews", content=RECORD)
    assert nobody.status_code == 401


@with_server()
async def test_a_game_has_one_review_of_a_guest(server: InProcessServer) -> None:
    """Also if another server has added it since the store was asked; other guests have their own."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    review = await ada.review(RECORD)
    seen: list[str] = []
    reviews_of = server.store.reviews_of

    def outdated(guest: str) -> list[ReviewRow]:
        seen.append(guest)
        return reviews_of(guest) if len(seen) > 1 else []

    with MonkeyPatch.context() as patch:
        patch.setattr(server.store, "reviews_of", outdated)
        assert await request_review(ada) == review and len(seen) == 2
    other, again = await asyncio.gather(request_review(bob), request_review(bob))
    assert other == again != review
    assert len(server.rows()["review"]) == 2


@with_server()
async def test_the_progress_of_a_review(server: InProcessServer) -> None:
    """A running review reports progress only; repeated requests share it, and too many are refused."""
    server.players.hold()
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    review = await ada.request("POST", "/api/reviews", content=RECORD)
    link = review.json()["review"]
    await until(lambda: len(server.players.reviewed) == 37)
    assert await review_state(ada, link) == {
        "state": "working",
        "done": 0,
        "of": 37,
        "own": True,
        "document": None,
    }
    assert await request_review(ada) == link and len(server.players.reviewed) == 37
    for name in range(1, MAX_PER_GUEST):
        await request_review(ada, renamed_record(f"A{name}"))
    busy = await ada.request("POST", "/api/reviews", content=renamed_record("Z"))
    assert busy.status_code == 503 and busy.json()["error"]["code"] == "review.waits"
    assert (await bob.request("POST", "/api/reviews", content=RECORD)).json()["review"] != link
    server.players.release()
    await until(lambda: server.services.reviews.running(link) is None)
    assert (await review_state(ada, link))["state"] == "ready"


@with_server()
async def test_a_restart_resumes_unfinished_reviews(server: InProcessServer) -> None:
    """An unfinished review is resumed after a restart, under the same link."""
    ada = await server.guest("Ada")
    server.players.hold()
    review = await request_review(ada)
    await until(lambda: len(server.players.reviewed) == 37)
    await server.restart()
    assert (await review_state(ada, review))["state"] == "working"
    server.players.release()
    await until(lambda: server.services.reviews.running(review) is None)
    assert (await review_state(ada, review))["state"] == "ready"


@with_server()
async def test_a_stopped_review_can_be_restarted(
    server: InProcessServer,
) -> None:
    """A failed review is stopped; its guest can restart it under the same link."""
    ada = await server.guest("Ada")
    server.players.error = RuntimeError("a worker was lost")
    review = await ada.review(RECORD)
    assert (await review_state(ada, review))["state"] == "stopped"
    assert (await ada.request("POST", f"/api/reviews/{review}/again", content=b"")).json() == {
        "review": review
    }
    await until(lambda: server.services.reviews.running(review) is None)
    assert (await review_state(ada, review))["state"] == "stopped", "it fails again"
    eve = await server.guest("Eve")
    assert (await eve.request("POST", f"/api/reviews/{review}/again", content=b"")).status_code == 403
    server.players.error = None
    assert await ada.review(RECORD) == review
    assert (await review_state(ada, review))["state"] == "ready"
    reviewed = len(server.players.reviewed)
    assert (await ada.request("POST", f"/api/reviews/{review}/again", content=b"")).status_code == 201
    assert len(server.players.reviewed) == reviewed, "a finished review is not restarted"


@with_server()
async def test_storing_a_review_is_retried(server: InProcessServer) -> None:
    """A finished review is stored as soon as the store works again."""
    ada = await server.guest("Ada")
    server.players.hold()
    review = await request_review(ada)
    with server.store.broken():
        server.players.release()
        await until(lambda: (work := server.services.reviews.running(review)) is not None and work.done == 37)
        assert (await review_state(ada, review))["document"] is None
    await until(lambda: server.services.reviews.running(review) is None)
    assert (await review_state(ada, review))["state"] == "ready"


@with_server(reviews_per_guest=2)
async def test_the_oldest_review_of_a_guest_is_deleted(server: InProcessServer) -> None:
    """When a guest exceeds the limit the oldest review is deleted; those of others stay."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    kept = await bob.review(RECORD)
    first, second, third = [await ada.review(renamed_record(name)) for name in "ABC"]
    gone = await ada.request("GET", f"/api/reviews/{first}")
    assert gone.status_code == 404 and gone.json()["error"]["code"] == "review.unknown"
    for review in (kept, second, third):
        assert (await review_state(ada, review))["state"] == "ready"


@with_server()
async def test_deleting_reviews(
    server: InProcessServer,
) -> None:
    """Only its guest can delete a review.

    Reviews are erased from the disk, also when the guest is forgotten.
    """
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    first, second = (
        await ada.review(renamed_record("Sanspareil")),
        await bob.review(renamed_record("Rheinsberg")),
    )
    refused = await bob.request("DELETE", f"/api/reviews/{first}")
    assert refused.status_code == 403 and b"Sanspareil" in bytes_on_disk(server)
    assert (await ada.request("DELETE", f"/api/reviews/{first}")).json() == {"deleted": True}
    assert (await ada.request("GET", f"/api/reviews/{first}")).status_code == 404
    assert b"Sanspareil" not in bytes_on_disk(server) and b"Rheinsberg" in bytes_on_disk(server)
    server.players.hold()
    await request_review(bob, renamed_record("Monbijou"))
    await until(lambda: len(server.players.reviewed) == 3 * 37)
    await bob.request("DELETE", "/api/me")
    server.players.release()
    await until(lambda: not server.services.reviews._running)
    assert (await ada.request("GET", f"/api/reviews/{second}")).status_code == 404
    assert b"Rheinsberg" not in bytes_on_disk(server) and b"Monbijou" not in bytes_on_disk(server)
    assert server.rows()["review"] == []
