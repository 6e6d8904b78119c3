"""``sanssouci admin check`` reports every change of a data file, with the game and the event."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanssouci.locale import translate
from sanssouci.store import GENESIS, EventRow, event_hash
from sanssouci.store.tables import METADATA

from .command import run
from .data_files import STAGES, admin, data_file, tamper

EVERY_COLUMN = {
    "guest.id": "UPDATE guest SET id = 'nobody' WHERE id = 'friedrich'",
    "game.id": "UPDATE game SET id = 'elsewhere' WHERE id = 'a-lobby'",
    "game.created_at": "UPDATE game SET created_at = 7 WHERE id = 'c-playing'",
    "game.updated_at": "UPDATE game SET updated_at = 7 WHERE id = 'c-playing'",
    "game.phase": "UPDATE game SET phase = 'over' WHERE id = 'c-playing'",
    "game.visibility": "UPDATE game SET visibility = 'open' WHERE id = 'c-playing'",
    "game.waiting": "UPDATE game SET waiting = 3 - waiting WHERE id = 'c-playing'",
    "game.deadline": "UPDATE game SET deadline = NULL WHERE id = 'c-playing'",
    "game.seq": "UPDATE game SET seq = seq + 1 WHERE id = 'c-playing'",
    "game.summary": "UPDATE game SET summary = replace(summary, 'Ada', 'Eve') WHERE id = 'c-playing'",
    "secret.game": "UPDATE secret SET game = 'elsewhere' WHERE game = 'c-playing'",
    "secret.seed": "UPDATE secret SET seed = zeroblob(32) WHERE game = 'a-lobby'",
    "event.game": "UPDATE event SET game = 'a-lobby' WHERE game = 'c-playing' AND seq = 4",
    "event.seq": "UPDATE event SET seq = 99 WHERE game = 'c-playing' AND seq = 4",
    "event.command_id": "UPDATE event SET command_id = 'x' WHERE game = 'c-playing' AND seq = 4",
    "event.seat": "UPDATE event SET seat = 1 - seat WHERE game = 'c-playing' AND seq = 4",
    "event.body": "UPDATE event SET body = body || ' ' WHERE game = 'c-playing' AND seq = 4",
    "event.engine": "UPDATE event SET engine = 'x' WHERE game = 'c-playing' AND seq = 4",
    "event.prev_hash": "UPDATE event SET prev_hash = hash WHERE game = 'c-playing' AND seq = 4",
    "event.hash": "UPDATE event SET hash = prev_hash WHERE game = 'c-playing' AND seq = 4",
    "token.game": "UPDATE token SET game = 'elsewhere' WHERE game = 'a-lobby' AND kind = 'join'",
    "token.kind": "UPDATE token SET kind = 'watch' WHERE game = 'a-lobby' AND kind = 'seat'",
    "token.chair": "UPDATE token SET chair = 1 WHERE game = 'a-lobby' AND kind = 'seat'",
    "token.guest": "UPDATE token SET guest = 'friedrich' WHERE game = 'a-lobby' AND kind = 'seat'",
    "holding.game": "UPDATE holding SET game = 'elsewhere' WHERE game = 'a-lobby' AND chair = 0",
    "holding.chair": "UPDATE holding SET chair = 2 WHERE game = 'a-lobby' AND chair = 0",
    "holding.guest": "UPDATE holding SET guest = 'nobody' WHERE game = 'a-lobby'",
    "barred.game": "UPDATE barred SET game = 'elsewhere'",
    "barred.guest": "UPDATE barred SET guest = 'nobody'",
    "played.guest": "UPDATE played SET guest = 'nobody' WHERE guest = 'friedrich'",
    "played.body": "UPDATE played SET body = replace(body, 'imperial', 'imperious')",
    "review.id": "UPDATE review SET id = 'guessed'",
    "review.guest": "UPDATE review SET guest = 'nobody'",
    "review.subject": "UPDATE review SET subject = 'another'",
    "review.created_at": "UPDATE review SET created_at = -1",
    "review.record": "UPDATE review SET record = replace(record, '@', '@@')",
    "review.body": "UPDATE review SET body = replace(body, 'shares', 'parts')",
}
"""A statement that changes each column."""
UNDETECTABLE = {
    "expired.at",
    "expired.game",
    "game.access",
    "lease.game",
    "lease.holder",
    "lease.until",
    "lease.progress",
    "ticket.hash",
    "ticket.body",
    "ticket.until",
    "guest.name",
    "guest.created_at",
    "guest.seen_at",
    "token.hash",
    "token.created_at",
}
UNDETECTABLE |= {"barred.missed", "played.game", "played.ended_at"}
"""Nothing else in the file determines these values."""

MISSING_OR_INVALID = {
    "last event missing": "DELETE FROM event WHERE game = 'c-playing' AND command_id LIKE '%c9'",
    "event missing": "DELETE FROM event WHERE game = 'c-playing' AND seq = 3",
    "all events missing": "DELETE FROM event WHERE game = 'c-playing'",
    "seed missing": "DELETE FROM secret WHERE game = 'c-playing'",
    "game missing": "DELETE FROM game WHERE id = 'c-playing'",
    "seed too short": "UPDATE secret SET seed = x'00' WHERE game = 'c-playing'",
    "seed is text": "UPDATE secret SET seed = 'seed' WHERE game = 'c-playing'",
    "body is not UTF-8": "UPDATE event SET body = x'ff' WHERE game = 'c-playing' AND seq = 4",
    "number is text": "UPDATE game SET waiting = 'all' WHERE id = 'c-playing'",
    "unknown token kind": "UPDATE token SET kind = 'king' WHERE game = 'c-playing'",
}


def failed_check(path: Path) -> dict[str, Any]:
    """The report of a check, which must find faults."""
    done = admin("check", "--data", path, "--json")
    assert done.exit_code == 1, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["faults"] and all(fault["reason"] for fault in document["faults"])
    return document


def test_an_untouched_data_file_passes(tmp_path: Path) -> None:
    """A file with games in every stage has no faults, and the exit status is 0."""
    path = data_file(tmp_path)
    done = run("admin", "check", "--data", path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 guests, 7 games" in done.stderr and "no problems found" in done.stderr
    document = json.loads(admin("check", "--data", path, "--json").stdout)
    assert document["faults"] == [] and (document["guests"], document["games"]) == (2, len(STAGES))
    assert document["events"] > 70


def test_every_column_is_tried() -> None:
    """Every new column must be listed as detectable or undetectable."""
    columns = {str(column) for table in METADATA.sorted_tables for column in table.columns}
    assert set(EVERY_COLUMN) | UNDETECTABLE == columns and not set(EVERY_COLUMN) & UNDETECTABLE


@pytest.mark.parametrize("column", EVERY_COLUMN)
def test_a_changed_column_is_found(tmp_path: Path, column: str) -> None:
    """A change of any detectable column is reported, and the other games are still checked."""
    path = data_file(tmp_path)
    tamper(path, EVERY_COLUMN[column])
    document = failed_check(path)
    assert document["games"] == len(STAGES) and document["bad_games"] <= 2
    if column.startswith("game.") and column != "game.id":
        assert any(f"“{column[5:]}”" in fault["reason"] for fault in document["faults"])
    if column.startswith("event.") and column not in ("event.game", "event.seq"):
        assert {"c-playing", 4} <= {fault["game"] for fault in document["faults"]} | {
            fault["event"] for fault in document["faults"]
        }
    if column == "secret.seed":
        (fault,) = document["faults"]
        assert (fault["game"], fault["event"]) == ("a-lobby", 0)


@pytest.mark.parametrize("case", MISSING_OR_INVALID)
def test_missing_and_invalid_values_are_found(tmp_path: Path, case: str) -> None:
    """Missing rows and invalid values are reported, and the check continues."""
    path = data_file(tmp_path)
    tamper(path, MISSING_OR_INVALID[case])
    document = failed_check(path)
    assert document["games"] >= len(STAGES) - 1
    assert all(
        "c-playing" in f"{fault['game']} {fault['reason']}" or fault["game"] is None
        for fault in document["faults"]
    )


def forge(path: Path, game: str, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the event bodies of a game and recompute its hash chain."""
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = [
            EventRow(*row)
            for row in connection.execute("SELECT * FROM event WHERE game = ? ORDER BY seq", [game])
        ]
        bodies = [json.loads(row.body) for row in rows]
        change(bodies)
        before = GENESIS
        for row, body in zip(rows, bodies, strict=True):
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            forged = replace(row, body=text, prev_hash=before)
            before = event_hash(before, forged)
            connection.execute(
                "UPDATE event SET body = ?, prev_hash = ?, hash = ? WHERE game = ? AND seq = ?",
                [text, forged.prev_hash, before, game, row.seq],
            )


def test_recomputing_the_chain_alone_is_not_a_fault(tmp_path: Path) -> None:
    """Recomputing hash chains without a change passes, so the next tests find the forgeries."""
    path = data_file(tmp_path)
    for game in STAGES:
        forge(path, game, lambda bodies: None)
    assert admin("check", "--data", path).exit_code == 0


ANSWERS = ("order", "gardens", "missions", "rewards", "hands", "display", "refill", "draw")


@pytest.mark.parametrize("question", ANSWERS)
def test_a_deal_that_differs_from_the_seed_is_found(tmp_path: Path, question: str) -> None:
    """A forged deal in a running game is found by its stored seed, although the chain is intact."""
    path = data_file(tmp_path)
    at: list[int] = []

    def change(bodies: list[dict[str, Any]]) -> None:
        seq = max(seq for seq, body in enumerate(bodies) if body["answers"].get(question))
        answers = bodies[seq]["answers"]
        answers[question] = (
            answers[question][::-1] if len(answers[question]) > 1 else other(answers[question])
        )
        at.append(seq)

    forge(path, "c-playing", change)
    (fault,) = failed_check(path)["faults"]
    assert (fault["game"], fault["event"]) == ("c-playing", at[0])


def other(sign: str) -> str:
    """Another tile or card."""
    return "b" if sign == "a" else "a"


FORGERIES: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "illegal turn": lambda bodies: bodies[-1]["command"].update(turn="36@2-g3/g3"),
    "turn of the other seat": lambda bodies: bodies.__setitem__(-1, bodies[-2]),
    "changed commitment": lambda bodies: bodies[0]["command"].update(commitment="0" * 64),
    "changed name": lambda bodies: bodies[0]["command"]["chairs"][0].update(name="Eve"),
    "changed nonce": lambda bodies: bodies[1]["command"].update(nonce="ff" * 8),
    "changed time": lambda bodies: bodies[-1].update(at=1.5),
    "attributed to the server": lambda bodies: bodies[1].update(house=True),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_game_is_found(tmp_path: Path, name: str) -> None:
    """A forged event with an intact chain is found by the rules, the seed or the game's row."""
    path = data_file(tmp_path)
    forge(path, "c-playing", FORGERIES[name])
    assert {fault["game"] for fault in failed_check(path)["faults"]} == {"c-playing"}


def test_a_fault_is_a_line_with_game_and_event(tmp_path: Path) -> None:
    """Each fault is one line in the chosen language with game and event, without hidden information."""
    path = data_file(tmp_path)
    tamper(path, EVERY_COLUMN["event.body"], EVERY_COLUMN["game.waiting"])
    done = run("admin", "check", "--data", path, "--lang", "de")
    assert done.returncode == 1
    chain, row = done.stdout.splitlines()
    assert chain.startswith("Spiel c-playing, Ereignis 4: ") and row.startswith("Spiel c-playing: ")
    assert "2 Fehler" in done.stderr and "1 Spiel" in done.stderr and "1 Spiele" not in done.stderr


def test_an_overwritten_page_is_reported(tmp_path: Path) -> None:
    """An overwritten database page is reported as damage of the file, without a traceback."""
    path = data_file(tmp_path)
    whole = path.read_bytes()
    half = len(whole) // 2 // 4096 * 4096
    path.write_bytes(whole[:half] + b"\xaa" * 4096 + whole[half + 4096 :])
    done = admin("check", "--data", path)
    assert done.exit_code == 1 and "damaged" in done.stdout


@pytest.mark.parametrize("pages", [1, 2])
def test_an_unreadable_file_suggests_a_backup(tmp_path: Path, pages: int) -> None:
    """If only the first pages are intact, the damage is reported once, with the advice to use a backup."""
    path = data_file(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: 4096 * pages] + b"\xaa" * (len(whole) - 4096 * pages))
    done = run("admin", "check", "--data", path, "--lang", "en")
    output = done.stdout + done.stderr
    assert done.returncode != 0 and output.count("damaged") == 1 and "Traceback" not in output
    assert "backup" in output and "; damaged: " not in output and "cannot be saved" not in output


def test_a_missing_database_table_is_reported(tmp_path: Path) -> None:
    """A missing database table is reported although SQLite's integrity check passes."""
    path = data_file(tmp_path)
    tamper(path, "DROP TABLE event")
    done = admin("check", "--data", path, "--lang", "de")
    assert done.exit_code == 1 and translate("os_error.other_tables", "de") in done.stdout
    assert "no such table" not in done.output


def test_the_summary_uses_the_singular(tmp_path: Path) -> None:
    """The summary uses the singular for one fault and one game."""
    path = data_file(tmp_path)
    tamper(path, EVERY_COLUMN["secret.seed"])
    done = admin("check", "--data", path, "--lang", "en")
    assert "1 fault; damaged: 1 game" in " ".join(done.stderr.split())
