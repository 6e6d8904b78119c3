"""Reviews: only of games that are over, computed when there is time, seen by who has the link, forgotten."""

import json

from sanssouci.notation import parse_record
from sanssouci.server.features.reviews import MAX_PER_GUEST
from sanssouci.table import write_replay

from ..workers.pools import until
from .house import NONCE, RECORD, House, Json, Person, housed
from .test_statistics import on_disk


def another(name: str) -> bytes:
    """The same game of somebody else: another record."""
    record = json.loads(RECORD)
    record["seats"][0]["name"] = name
    return json.dumps(record).encode()


async def ask(person: Person, record: bytes = RECORD) -> str:
    """Ask for a review, and do not wait."""
    answer = await person.send("/api/reviews", record)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["review"])


async def state(person: Person, review: str) -> Json:
    """How far it is."""
    return await person.get(f"/api/reviews/{review}")


@housed()
async def test_a_record_is_reviewed_and_seen_by_whoever_has_the_link(house: House) -> None:
    """Every turn with its seat, the better turn and why in the reader's language; nobody needs a name."""
    ada = await house.guest("Ada")
    review = await ada.review(RECORD)
    found = await state(house.nobody(), review)
    assert (found["state"], found["done"], found["of"], found["own"]) == ("ready", 37, 37, False)
    document = found["document"]
    record = json.loads(RECORD)
    assert [turn["played"] for turn in document["turns"]] == record["turns"]
    assert [seat["name"] for seat in document["seats"]] == [seat["name"] for seat in record["seats"]]
    assert len(document["positions"]) == 37
    assert sorted(document["positions"][-1]["win_share"]) == [0, 1]
    missed = [turn for turn in document["turns"] if turn["missed"]]
    assert missed and all(turn["why"] and turn["best"] != turn["played"] for turn in missed)
    german = (await ada.ask("GET", f"/api/reviews/{review}", accept_language="de")).json()
    assert german["own"]
    assert [turn["why"] for turn in german["document"]["turns"] if turn["missed"]] != [
        turn["why"] for turn in missed
    ]
    steps = await house.nobody().get(f"/api/reviews/{review}/steps")
    assert steps == write_replay(parse_record(RECORD))


@housed()
async def test_a_table_is_reviewed_when_its_game_is_over_and_not_before(house: House) -> None:
    """Who has no part in it does not even hear that it is there; nothing of its seed is in the review."""
    ada, eve = await house.guest("Ada"), await house.guest("Eve")
    table = await ada.open("person", "random")
    path = f"/api/tables/{table}/review"
    await ada.do(table, "ready", nonce=NONCE)
    await house.play_out(table, {0: ada}, turns=4)
    early = await ada.ask("POST", path)
    assert early.status_code == 422 and early.json()["error"]["code"] == "declined.not_yet"
    assert house.rows()["review"] == [] and house.players.looked == []
    view = await house.play_out(table, {0: ada})
    assert (await eve.ask("POST", path)).status_code == 404
    assert (await house.nobody().key(table.watch).ask("POST", path)).status_code == 401
    review = (await ada.ask("POST", path)).json()["review"]
    await until(lambda: house.services.reviews.work(review) is None)
    document = (await state(eve, review))["document"]
    assert len(document["turns"]) == 36
    totals = [score["total"] for score in view["game"]["scores"]]
    assert document["positions"][-1]["score"] == totals
    (row,) = house.rows()["review"]
    assert all(seed.hex() not in str(row) for seed in house.world.seeds)
    assert (await ada.ask("POST", path)).json()["review"] == review


@housed()
async def test_a_record_without_an_end_is_not_reviewed(house: House) -> None:
    """Nor one that is no legal game; nothing is kept of either."""
    ada = await house.guest("Ada")
    record = json.loads(RECORD)
    short = {**record, "turns": record["turns"][:-1]}
    del short["result"]
    wrong = {**record, "turns": [*record["turns"][:-1], record["turns"][0]]}
    answers = [await ada.ask("POST", "/api/reviews", one) for one in (short, wrong)]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].json()["error"]["code"] == "review.not_over"
    assert house.rows()["review"] == []
    nobody = await house.nobody().send("/api/reviews", RECORD)
    assert nobody.status_code == 401


@housed()
async def test_progress_is_told_while_it_is_in_work(house: House) -> None:
    """And nothing of what was found so far; who asks twice gets the same, who asks for more has to wait."""
    house.players.let.clear()
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    review = await ada.send("/api/reviews", RECORD)
    link = review.json()["review"]
    await until(lambda: len(house.players.looked) == 37)
    assert await state(ada, link) == {
        "state": "working",
        "done": 0,
        "of": 37,
        "own": True,
        "document": None,
    }
    assert await ask(ada) == link and len(house.players.looked) == 37
    for name in range(1, MAX_PER_GUEST):
        await ask(ada, another(f"A{name}"))
    busy = await ada.send("/api/reviews", another("Z"))
    assert busy.status_code == 503 and busy.json()["error"]["code"] == "review.waits"
    assert (await bob.send("/api/reviews", RECORD)).json()["review"] != link
    house.players.let.set()
    await until(lambda: house.services.reviews.work(link) is None)
    assert (await state(ada, link))["state"] == "ready"


@housed()
async def test_a_restart_goes_on_with_what_was_not_finished(house: House) -> None:
    """Under the same link."""
    ada = await house.guest("Ada")
    house.players.let.clear()
    review = await ask(ada)
    await until(lambda: len(house.players.looked) == 37)
    await house.restart()
    assert (await state(ada, review))["state"] == "working"
    house.players.let.set()
    await until(lambda: house.services.reviews.work(review) is None)
    assert (await state(ada, review))["state"] == "ready"


@housed()
async def test_what_could_not_be_finished_is_begun_again_when_it_is_asked_for(house: House) -> None:
    """It says so until then, and keeps its link."""
    ada = await house.guest("Ada")
    house.players.fault = RuntimeError("a worker was lost")
    review = await ada.review(RECORD)
    assert (await state(ada, review))["state"] == "stopped"
    assert (await ada.send(f"/api/reviews/{review}/again", b"")).json() == {"review": review}
    await until(lambda: house.services.reviews.work(review) is None)
    assert (await state(ada, review))["state"] == "stopped", "it fails again"
    eve = await house.guest("Eve")
    assert (await eve.send(f"/api/reviews/{review}/again", b"")).status_code == 403
    house.players.fault = None
    assert await ada.review(RECORD) == review
    assert (await state(ada, review))["state"] == "ready"
    looked = len(house.players.looked)
    assert (await ada.send(f"/api/reviews/{review}/again", b"")).status_code == 201
    assert len(house.players.looked) == looked, "what is ready is not begun again"


@housed()
async def test_what_was_found_is_kept_as_soon_as_the_disk_takes_it(house: House) -> None:
    """A disk that fails for a while loses nothing."""
    ada = await house.guest("Ada")
    house.players.let.clear()
    review = await ask(ada)
    with house.store.broken():
        house.players.let.set()
        await until(lambda: (work := house.services.reviews.work(review)) is not None and work.done == 37)
        assert (await state(ada, review))["document"] is None
    await until(lambda: house.services.reviews.work(review) is None)
    assert (await state(ada, review))["state"] == "ready"


@housed(reviews_per_guest=2)
async def test_the_oldest_gives_way(house: House) -> None:
    """So many are kept of one guest; another's stay."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    kept = await bob.review(RECORD)
    first, second, third = [await ada.review(another(name)) for name in "ABC"]
    gone = await ada.ask("GET", f"/api/reviews/{first}")
    assert gone.status_code == 404 and gone.json()["error"]["code"] == "review.unknown"
    for review in (kept, second, third):
        assert (await state(ada, review))["state"] == "ready"


@housed()
async def test_a_review_is_deleted_by_its_guest_alone_and_goes_with_the_guest(house: House) -> None:
    """No byte of it stays in the file; one that is in work is left."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    first, second = await ada.review(another("Sanspareil")), await bob.review(another("Rheinsberg"))
    refused = await bob.ask("DELETE", f"/api/reviews/{first}")
    assert refused.status_code == 403 and b"Sanspareil" in on_disk(house)
    assert (await ada.ask("DELETE", f"/api/reviews/{first}")).json() == {"deleted": True}
    assert (await ada.ask("GET", f"/api/reviews/{first}")).status_code == 404
    assert b"Sanspareil" not in on_disk(house) and b"Rheinsberg" in on_disk(house)
    house.players.let.clear()
    await ask(bob, another("Monbijou"))
    await until(lambda: len(house.players.looked) == 3 * 37)
    await bob.ask("DELETE", "/api/me")
    house.players.let.set()
    await until(lambda: not house.services.reviews._works)
    assert (await ada.ask("GET", f"/api/reviews/{second}")).status_code == 404
    assert b"Rheinsberg" not in on_disk(house) and b"Monbijou" not in on_disk(house)
    assert house.rows()["review"] == []
