"""Corrupt data: rows that were changed by something other than the server."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from sanssouci.locale import LANGUAGES

from ..harness.builders import NONCE, RECORD
from ..harness.server import InProcessServer, with_server

BAD_GAMES = {
    "a seed that is text": "UPDATE secret SET seed = 'seed' WHERE game = ?",
    "another seed": "UPDATE secret SET seed = zeroblob(32) WHERE game = ?",
    "no seed": "DELETE FROM secret WHERE game = ?",
    "an invalid event": """UPDATE event SET body = '{"no": "event"}' WHERE seq = 1 AND game = ?""",
    "an event that is not UTF-8": "UPDATE event SET body = CAST(x'ff' || CAST(body AS BLOB) AS TEXT)"
    " WHERE seq = 1 AND game = ?",
    "an event that is not text": "UPDATE event SET body = 7 WHERE seq = 1 AND game = ?",
    "no events": "DELETE FROM event WHERE game = ?",
    "the first event is lost": "DELETE FROM event WHERE seq = 0 AND game = ?",
}
BAD_TOKENS = {"an unknown kind of token": "UPDATE token SET kind = 'key' WHERE game = ?"}
BAD_SUMMARIES = {
    "a summary that is no JSON": "UPDATE game SET summary = '{' WHERE id = ?",
    "a summary that is a number": "UPDATE game SET summary = 7 WHERE id = ?",
    "an empty summary": "UPDATE game SET summary = '{}' WHERE id = ?",
}


async def _corrupt(server: InProcessServer, statement: str, table: str) -> None:
    """Stop the server, change its data file, and start it again."""
    await server.close()
    with closing(sqlite3.connect(server.path)) as connection, connection:
        assert connection.execute(statement, (table,)).rowcount > 0
    await server.open()


@pytest.mark.parametrize("way", BAD_GAMES)
@with_server()
async def test_a_damaged_table_is_reported(server: InProcessServer, way: str) -> None:
    """A damaged table gives a 500 with a message in every language and one line in the log; others work."""
    ada = await server.guest("Ada")
    bad, good = await ada.create_table("person", "open"), await ada.create_table("person", "open")
    for table in (bad, good):
        await ada.do(table, "ready", nonce=NONCE)
    with capture_logs() as lines:
        await _corrupt(server, BAD_GAMES[way], bad.id)
        sentences = set()
        for language in LANGUAGES:
            answer = await ada.request("GET", f"/api/tables/{bad}", accept_language=language)
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
            sentences.add(answer.json()["error"]["sentence"])
        answer = await ada.request("POST", f"/api/tables/{bad}/tickets", {})
        assert (answer.status_code, "retry-after" in answer.headers) == (500, False)
        assert (await ada.do(good, "unready"))["repeated"] is False
    assert len(sentences) == len(LANGUAGES) and all("admin check" in sentence for sentence in sentences)
    reports = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["log_level"]) for line in reports] == [(bad.id, "error")]
    assert not any("exc_info" in line for line in lines)
    assert reports[0]["reason"] in ("audit.chain", "table.not_from_seed", "secret.seed", "event.body")


@pytest.mark.parametrize("way", BAD_TOKENS)
@with_server()
async def test_a_damaged_token_is_reported(server: InProcessServer, way: str) -> None:
    """A damaged link token is a 500 for clients with that link only."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await _corrupt(server, BAD_TOKENS[way], table.id)
    answer = await server.client().with_key(table.watch).request("GET", f"/api/tables/{table}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
    await ada.view(table)


NOT_UTF8 = "CAST(CAST({column} AS BLOB) || x'ff' AS TEXT)"
"""An SQL expression that appends a byte which is not valid UTF-8."""


def _make_invalid(table: str, column: str, where: str) -> str:
    return f"UPDATE {table} SET {column} = {NOT_UTF8.format(column=column)} WHERE {where}"


@with_server()
async def test_an_event_that_is_not_utf8_is_never_quoted(
    server: InProcessServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither responses nor the log quote the row, and the server stays ready for other games."""
    ada = await server.guest("Ada")
    bad, good = await ada.create_table("person", "person"), await ada.create_table("person", "person")
    for table in (bad, good):
        await server.play_out(table, {0: ada, 1: ada}, 8)
    with capture_logs() as lines:
        await _corrupt(server, _make_invalid("event", "body", "game = ?"), bad.id)
        for path in ("", "/events", "/past/1", "/record"):
            for viewer in (ada, server.client().with_key(bad.watch), server.client().with_key(bad.seats[1])):
                answer = await viewer.request("GET", f"/api/tables/{bad}{path}")
                assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
                assert "answers" not in answer.text
            assert (await server.client().request("GET", f"/api/tables/{bad}{path}")).status_code == 404
        assert (await ada.request("GET", "/ready")).status_code == 200
        assert (await ada.view(good))["stage"] == "playing"
        assert len((await ada.get("/api/me/tables"))["tables"]) == 2, "its summary is intact"
    assert "answers" not in caplog.text + repr(lines)
    reports = [line for line in lines if line["event"] == "table_damaged"]
    assert [(line["table"], line["reason"]) for line in reports] == [(bad.id, "event.body")]


@with_server()
async def test_a_plausible_change_breaks_the_hash_chain(server: InProcessServer) -> None:
    """A changed name in an event is detected by the hash chain."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await _corrupt(server, "UPDATE event SET body = replace(body, 'Ada', 'Eve') WHERE game = ?", table.id)
    assert (await ada.request("GET", f"/api/tables/{table}")).status_code == 500


@with_server()
async def test_lists_omit_rows_that_are_not_utf8(server: InProcessServer) -> None:
    """Lists omit a table whose summary is not UTF-8, and it is reported once."""
    ada = await server.guest("Ada")
    first, bad, last = [await ada.create_table("person", "open", visibility="open") for _ in range(3)]
    with capture_logs() as lines:
        await _corrupt(server, _make_invalid("game", "summary", "id = ?"), bad.id)
        for path in ("/api/me/tables", "/api/tables"):
            listed = (await ada.get(path))["tables"]
            assert {table["table"] for table in listed} == {first.id, last.id}
    assert [line["table"] for line in lines if line["event"] == "table_damaged"] == [bad.id]


@with_server()
async def test_a_damaged_guest(server: InProcessServer) -> None:
    """A damaged guest gets a 500 ``server.guest_damaged``; other guests are served."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    await _corrupt(server, _make_invalid("guest", "name", "name = ?"), "Ada")
    answer = await ada.request("GET", "/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "server.guest_damaged")
    assert (await bob.get("/api/me"))["name"] == "Bob"


@pytest.mark.parametrize("column", ["record", "body"])
@with_server()
async def test_a_damaged_review_is_replaced(server: InProcessServer, column: str) -> None:
    """A damaged review is a 500, and requesting it again creates a new review."""
    ada = await server.guest("Ada")
    for way in (_make_invalid("review", column, "id = ?"), f"UPDATE review SET {column} = '[]' WHERE id = ?"):
        review = await ada.review(RECORD)
        await _corrupt(server, way, review)
        for path in (f"/api/reviews/{review}", f"/api/reviews/{review}/steps"):
            answer = await ada.request("GET", path)
            if not (path.endswith("steps") and column == "body" and "[]" in way):
                assert (answer.status_code, answer.json()["error"]["code"]) == (500, "review.damaged")
        assert await ada.review(RECORD) != review


@with_server()
async def test_statistics_omit_a_damaged_game(server: InProcessServer) -> None:
    """Statistics omit a damaged result and show the others."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    for _ in range(2):
        table = await ada.create_table("person", "open")
        await bob.with_key(table.join).join(table)
        await server.play_out(table, {0: ada, 1: bob}, 6)
        await bob.do(table, "concede")
    await _corrupt(server, "UPDATE played SET body = replace(body, 'seat', 'seal') WHERE game = ?", table.id)
    games = (await ada.get("/api/me/statistics"))["games"]
    assert len(games) == 1 and games[0]["table"] != table.id


@with_server()
async def test_two_seat_links_for_one_chair_are_damage(server: InProcessServer) -> None:
    """If two seat links open the same chair, neither shows the game."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "person")
    await server.play_out(table, {0: ada, 1: ada}, 8)
    await _corrupt(server, "UPDATE token SET chair = 1 WHERE kind = 'seat' AND game = ?", table.id)
    for key in table.seats.values():
        answer = await server.client().with_key(key).request("GET", f"/api/tables/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")


@with_server()
async def test_a_guest_with_an_invalid_chair_sees_no_hand(server: InProcessServer) -> None:
    """A guest stored as the holder of a computer's chair or of a missing chair sees no hand."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random")
    await server.play_out(table, {0: ada}, 6)
    await _corrupt(server, "UPDATE holding SET chair = 1 WHERE chair = 0 AND game = ?", table.id)
    assert (await ada.view(table))["you"]["chair"] is None
    await _corrupt(server, "UPDATE holding SET chair = -2 WHERE chair = 1 AND game = ?", table.id)
    answer = await ada.request("GET", f"/api/tables/{table}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")


@with_server()
async def test_an_unreadable_store_is_unavailable(server: InProcessServer) -> None:
    """A failed read gives a 503 ``store.cannot_read``, and the server is not ready until it can be read."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await _corrupt(server, "UPDATE game SET seq = seq WHERE id = ?", table.id)  # so that it is not in memory
    with closing(sqlite3.connect(server.path)) as connection:
        connection.execute("ALTER TABLE event RENAME TO elsewhere")
        answer = await ada.request("GET", f"/api/tables/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store.cannot_read")
        assert (await ada.request("GET", "/api/me")).status_code == 200
        ready = await ada.request("GET", "/ready")
        assert (ready.status_code, ready.json()["store"]) == (503, False)
        connection.execute("ALTER TABLE elsewhere RENAME TO event")
    assert (await ada.request("GET", "/ready")).status_code == 200
    await ada.view(table)


@pytest.mark.parametrize("way", BAD_SUMMARIES)
@with_server()
async def test_lists_omit_a_table_with_a_damaged_summary(server: InProcessServer, way: str) -> None:
    """Lists omit a table with an invalid summary, and it is reported once."""
    ada = await server.guest("Ada")
    first, bad, last = [await ada.create_table("person", "open", visibility="open") for _ in range(3)]
    with capture_logs() as lines:
        await _corrupt(server, BAD_SUMMARIES[way], bad.id)
        for path in ("/api/me/tables", "/api/tables"):
            listed = (await ada.get(path))["tables"]
            assert {table["table"] for table in listed} == {first.id, last.id}
    assert [line["table"] for line in lines if line["event"] == "table_damaged"] == [bad.id]


@with_server()
async def test_a_page_may_end_with_a_damaged_table(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a page ends with a damaged table, the next page continues after it."""
    monkeypatch.setattr("sanssouci.server.routes.tables.MAX_LISTED", 1)
    ada = await server.guest("Ada")
    first = await ada.create_table("person", "open", visibility="open")
    server.clock.advance(1)
    bad = await ada.create_table("person", "open", visibility="open")
    await _corrupt(server, BAD_SUMMARIES["a summary that is no JSON"], bad.id)
    page = await ada.get("/api/tables")
    assert page["tables"] == [] and page["next"] is not None
    after = await ada.get(f"/api/tables?after={quote(page['next'])}")
    assert [table["table"] for table in after["tables"]] == [first.id]
