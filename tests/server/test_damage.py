"""Damage: what the data file holds of a game was changed by something else than a server."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from sanssouci.locale import LANGUAGES

from .house import NONCE, RECORD, House, housed

WAYS = {
    "a seed that is text": "UPDATE secret SET seed = 'seed' WHERE game = ?",
    "another seed": "UPDATE secret SET seed = zeroblob(32) WHERE game = ?",
    "no seed": "DELETE FROM secret WHERE game = ?",
    "an event that is none": """UPDATE event SET body = '{"no": "event"}' WHERE seq = 1 AND game = ?""",
    "an event that is not UTF-8": "UPDATE event SET body = CAST(x'ff' || CAST(body AS BLOB) AS TEXT)"
    " WHERE seq = 1 AND game = ?",
    "an event that is no text": "UPDATE event SET body = 7 WHERE seq = 1 AND game = ?",
    "no events": "DELETE FROM event WHERE game = ?",
    "the first event is lost": "DELETE FROM event WHERE seq = 0 AND game = ?",
}
HIDDEN = {
    "a kind of token that is none": "UPDATE token SET kind = 'key' WHERE game = ?",
}
LISTED = {
    "a summary that is no JSON": "UPDATE game SET summary = '{' WHERE id = ?",
    "a summary that is a number": "UPDATE game SET summary = 7 WHERE id = ?",
    "a summary of no table": "UPDATE game SET summary = '{}' WHERE id = ?",
}


async def _damaged(house: House, statement: str, table: str) -> None:
    """The server stops, somebody writes into its file, and it is started again."""
    await house.close()
    with closing(sqlite3.connect(house.path)) as connection, connection:
        assert connection.execute(statement, (table,)).rowcount > 0
    await house.open()


@pytest.mark.parametrize("way", WAYS)
@housed()
async def test_a_damaged_table_is_the_hosts_trouble_and_not_the_players(house: House, way: str) -> None:
    """500 with a sentence in every language, one line in the log, and no stack; the other table goes on."""
    ada = await house.guest("Ada")
    bad, good = await ada.open("person", "open"), await ada.open("person", "open")
    for table in (bad, good):
        await ada.do(table, "ready", nonce=NONCE)
    with capture_logs() as lines:
        await _damaged(house, WAYS[way], bad.id)
        sentences = set()
        for language in LANGUAGES:
            answer = await ada.ask("GET", f"/api/tables/{bad}", accept_language=language)
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
            sentences.add(answer.json()["error"]["sentence"])
        answer = await ada.ask("POST", f"/api/tables/{bad}/tickets", {})
        assert (answer.status_code, "retry-after" in answer.headers) == (500, False)
        assert (await ada.do(good, "unready"))["repeated"] is False
    assert len(sentences) == len(LANGUAGES) and all("admin check" in sentence for sentence in sentences)
    told = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["log_level"]) for line in told] == [(bad.id, "error")]
    assert not any("exc_info" in line for line in lines)
    assert told[0]["reason"] in ("audit.chain", "table.not_from_seed", "secret.seed", "event.body")


@pytest.mark.parametrize("way", HIDDEN)
@housed()
async def test_what_is_damaged_beside_a_log_is_told_too(house: House, way: str) -> None:
    """Whoever comes by that link; who does not need it does not hear of it."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    await _damaged(house, HIDDEN[way], table.id)
    answer = await house.nobody().key(table.watch).ask("GET", f"/api/tables/{table}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
    await ada.view(table)


NOT_UTF8 = "CAST(CAST({column} AS BLOB) || x'ff' AS TEXT)"
"""A text in SQL after which one byte has come that no text in UTF-8 has."""


def _spoilt(table: str, column: str, where: str) -> str:
    return f"UPDATE {table} SET {column} = {NOT_UTF8.format(column=column)} WHERE {where}"


@housed()
async def test_a_row_that_is_no_text_any_more_is_quoted_nowhere(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither to a seat, a watcher or a stranger nor in the log; the server is ready for all other games."""
    ada = await house.guest("Ada")
    bad, good = await ada.open("person", "person"), await ada.open("person", "person")
    for table in (bad, good):
        await house.play_out(table, {0: ada, 1: ada}, 8)
    with capture_logs() as lines:
        await _damaged(house, _spoilt("event", "body", "game = ?"), bad.id)
        for path in ("", "/events", "/past/1", "/record"):
            for viewer in (ada, house.nobody().key(bad.watch), house.nobody().key(bad.seats[1])):
                answer = await viewer.ask("GET", f"/api/tables/{bad}{path}")
                assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
                assert "answers" not in answer.text
            assert (await house.nobody().ask("GET", f"/api/tables/{bad}{path}")).status_code == 404
        assert (await ada.ask("GET", "/ready")).status_code == 200
        assert (await ada.view(good))["stage"] == "playing"
        assert len((await ada.get("/api/me/tables"))["tables"]) == 2, "its summary is sound"
    assert "answers" not in caplog.text + repr(lines)
    told = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["reason"]) for line in told] == [(bad.id, "event.body")]


@housed()
async def test_an_event_that_could_be_another_is_damage(house: House) -> None:
    """The chain of hashes says so where the rules would not: another name at the table."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    await _damaged(house, "UPDATE event SET body = replace(body, 'Ada', 'Eve') WHERE game = ?", table.id)
    assert (await ada.ask("GET", f"/api/tables/{table}")).status_code == 500


@housed()
async def test_lists_leave_rows_out_that_are_no_text_any_more(house: House) -> None:
    """A page is still full, and the next one goes on after it."""
    ada = await house.guest("Ada")
    first, bad, last = [await ada.open("person", "open", visibility="open") for _ in range(3)]
    with capture_logs() as lines:
        await _damaged(house, _spoilt("game", "summary", "id = ?"), bad.id)
        for path in ("/api/me/tables", "/api/tables"):
            listed = (await ada.get(path))["tables"]
            assert {table["table"] for table in listed} == {first.id, last.id}
    assert [line["table"] for line in lines if line["event"] == "table_damaged"] == [bad.id]


@housed()
async def test_a_damaged_guest_is_told_so(house: House) -> None:
    """This guest gets 500 `server.guest_damaged`; others are served."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    await _damaged(house, _spoilt("guest", "name", "name = ?"), "Ada")
    answer = await ada.ask("GET", "/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "server.guest_damaged")
    assert (await bob.get("/api/me"))["name"] == "Bob"


@pytest.mark.parametrize("column", ["record", "body"])
@housed()
async def test_a_damaged_review_gives_way_to_a_new_one(house: House, column: str) -> None:
    """Whether the row cannot be read or is no longer what was written."""
    ada = await house.guest("Ada")
    for way in (_spoilt("review", column, "id = ?"), f"UPDATE review SET {column} = '[]' WHERE id = ?"):
        review = await ada.review(RECORD)
        await _damaged(house, way, review)
        for path in (f"/api/reviews/{review}", f"/api/reviews/{review}/steps"):
            answer = await ada.ask("GET", path)
            if not (path.endswith("steps") and column == "body" and "[]" in way):
                assert (answer.status_code, answer.json()["error"]["code"]) == (500, "review.damaged")
        assert await ada.review(RECORD) != review


@housed()
async def test_statistics_leave_a_damaged_game_out(house: House) -> None:
    """The others are told as ever."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    for _ in range(2):
        table = await ada.open("person", "open")
        await bob.key(table.join).join(table)
        await house.play_out(table, {0: ada, 1: bob}, 6)
        await bob.do(table, "concede")
    await _damaged(house, "UPDATE played SET body = replace(body, 'seat', 'seal') WHERE game = ?", table.id)
    games = (await ada.get("/api/me/statistics"))["games"]
    assert len(games) == 1 and games[0]["table"] != table.id


@housed()
async def test_a_seat_link_that_opens_a_chair_of_another_is_damage(house: House) -> None:
    """Two links for one chair are never written: neither shows a hand."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person")
    await house.play_out(table, {0: ada, 1: ada}, 8)
    await _damaged(house, "UPDATE token SET chair = 1 WHERE kind = 'seat' AND game = ?", table.id)
    for key in table.seats.values():
        answer = await house.nobody().key(key).ask("GET", f"/api/tables/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")


@housed()
async def test_a_chair_on_which_nobody_sits_shows_nothing(house: House) -> None:
    """A guest who is said to hold a computer's chair, or none of the table's, sees no hand."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random")
    await house.play_out(table, {0: ada}, 6)
    await _damaged(house, "UPDATE holding SET chair = 1 WHERE chair = 0 AND game = ?", table.id)
    assert (await ada.view(table))["you"]["chair"] is None
    await _damaged(house, "UPDATE holding SET chair = -2 WHERE chair = 1 AND game = ?", table.id)
    answer = await ada.ask("GET", f"/api/tables/{table}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")


@housed()
async def test_what_cannot_be_read_is_not_told_as_a_failed_write(house: House) -> None:
    """503 with a sentence of its own; the server is not ready as long as it cannot be read."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    await _damaged(house, "UPDATE game SET seq = seq WHERE id = ?", table.id)  # so that it is not in memory
    with closing(sqlite3.connect(house.path)) as connection:
        connection.execute("ALTER TABLE event RENAME TO elsewhere")
        answer = await ada.ask("GET", f"/api/tables/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store.cannot_read")
        assert (await ada.ask("GET", "/api/me")).status_code == 200
        ready = await ada.ask("GET", "/ready")
        assert (ready.status_code, ready.json()["store"]) == (503, False)
        connection.execute("ALTER TABLE elsewhere RENAME TO event")
    assert (await ada.ask("GET", "/ready")).status_code == 200
    await ada.view(table)


@pytest.mark.parametrize("way", LISTED)
@housed()
async def test_lists_leave_a_damaged_table_out(house: House, way: str) -> None:
    """Those of whoever holds chairs there and of everyone; it is told once, and pages go on after it."""
    ada = await house.guest("Ada")
    first, bad, last = [await ada.open("person", "open", visibility="open") for _ in range(3)]
    with capture_logs() as lines:
        await _damaged(house, LISTED[way], bad.id)
        for path in ("/api/me/tables", "/api/tables"):
            listed = (await ada.get(path))["tables"]
            assert {table["table"] for table in listed} == {first.id, last.id}
    assert [line["table"] for line in lines if line["event"] == "table_damaged"] == [bad.id]


@housed()
async def test_a_page_may_end_with_a_damaged_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next page begins after it all the same."""
    monkeypatch.setattr("sanssouci.server.routes.tables.MAX_LISTED", 1)
    ada = await house.guest("Ada")
    first = await ada.open("person", "open", visibility="open")
    house.world.advance(1)
    bad = await ada.open("person", "open", visibility="open")
    await _damaged(house, LISTED["a summary that is no JSON"], bad.id)
    page = await ada.get("/api/tables")
    assert page["tables"] == [] and page["next"] is not None
    after = await ada.get(f"/api/tables?after={quote(page['next'])}")
    assert [table["table"] for table in after["tables"]] == [first.id]
