"""Damage: what the data file holds of a game was changed by something else than a server."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from sanssouci.locale import LANGUAGES

from .house import NONCE, House, housed

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
    monkeypatch.setattr("sanssouci.server.routes.tables.MOST_LISTED", 1)
    ada = await house.guest("Ada")
    first = await ada.open("person", "open", visibility="open")
    house.world.advance(1)
    bad = await ada.open("person", "open", visibility="open")
    await _damaged(house, LISTED["a summary that is no JSON"], bad.id)
    page = await ada.get("/api/tables")
    assert page["tables"] == [] and page["next"] is not None
    after = await ada.get(f"/api/tables?after={quote(page['next'])}")
    assert [table["table"] for table in after["tables"]] == [first.id]
