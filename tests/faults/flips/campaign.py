"""Many flips, one after the other, on a server in this process.

A flip in a column is made while the server runs, and undone by restoring the undamaged file. Tables are
reloaded for each flip. A flip in the file itself, or in its schema version, is made before the server starts.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import orjson

from sanssouci.lessons import lessons
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.store.sqlite import remove_file

from ...cli.data_files import admin
from ...harness.description import OPERATIONS
from ...harness.logs import CapturedLog, captured_log
from ...harness.server import InProcessServer
from ...harness.transports import Closed
from ...playthrough import RECORDS
from ...workers.pools import until
from ..report import Progress, Row
from . import GOAL, TEST
from .fixture import VIEWERS, Fixture, play, review_position
from .flip import Flip, columns, flip_anywhere, flip_column
from .judge import Judge, Question, Reply

FLIPS = 5000
IN_FILE_EVERY = 20
"""One flip in so many is anywhere in the file."""
ADMIN_CHECK_EVERY = 38
"""Admin commands run after one flip in so many; no multiple of the number of columns."""
_EXAMPLES = 5
_TIMEOUT = 60.0
"""Seconds within which a socket must receive a message or be closed."""
_OFFLINE = ("alembic_version", "file")
_PATH_VALUES = {
    "turn": 1,
    "edition": "imperial",
    "boards": "imperial",
    "lesson": lessons()[0].id,
    "chair": 1,
    "link": "watch",
}
_TABLE_ROUTES = [route for method, route in OPERATIONS if method == "GET" and "{table}" in route]
_STORE_ROUTES = ["/api/me", "/api/me/tables", "/api/me/statistics", "/api/tables"]
_STORE_ROUTES += ["/api/reviews/{review}", "/api/reviews/{review}/steps"]
_OTHER_ROUTES = [
    route for method, route in OPERATIONS if method == "GET" and route not in (*_TABLE_ROUTES, *_STORE_ROUTES)
]
"""Routes that read nothing from the store except the caller's guest."""
_COMMANDS, _TICKETS = "/api/tables/{table}/commands", "/api/tables/{table}/tickets"
_WRITE_ROUTES = [
    (method, route)
    for method, route in OPERATIONS
    if method != "GET"
    and route not in (_COMMANDS, _TICKETS, "/api/reach")  # which opens a port to the network
]
_RECORD = orjson.loads((RECORDS / "stopped-early.json").read_bytes())
_BODIES: dict[str, Any] = {
    "/api/guests": {"name": "Fay", "cookie": False},
    "/api/me": {"name": "Fay"},
    "/api/tables": {"chairs": [{"sitter": "person"}, {"sitter": "open"}]},
    "/api/tables/{table}/seats": {"chair": 2},
    "/api/tables/{table}/hint": {"chair": 0},
    "/api/records": _RECORD,
    "/api/records/steps": _RECORD,
    "/api/reviews": _RECORD,
    "/api/lessons/{lesson}/answer": {"turn": None},
    "/api/scores": {},
    "/api/boards": {},
    "/api/boards/draft": {},
    _TICKETS: {"watch": False},
}


@dataclass
class Report:
    """The results of all flips."""

    flips: int = 0
    answers: int = 0
    sockets: int = 0
    """Sockets that received a first message."""
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    columns: set[tuple[str, str]] = field(default_factory=set)
    not_opened: int = 0
    checks: int = 0

    def row(self) -> Row:
        measured = (
            f"{len(self.faults)} wrong; {self.answers:,} answers, {self.sockets:,} sockets, "
            f"{len(self.columns)} columns, "
            f"{self.statuses[500]:,} × 500, {self.not_opened} files refused, {self.checks} × admin check"
        )
        if self.faults:
            measured += "; " + "; ".join(self.faults[:_EXAMPLES])
        return Row(TEST, self.flips, measured, GOAL, not self.faults)


def run(
    folder: Path,
    flips: Iterable[int],
    thorough: bool,
    progress: Progress = lambda text: None,
    most: int | None = None,
) -> Report:
    """Flip bits by their numbers, until ``most`` wrong answers are found.

    If ``thorough``, every viewer sends requests after each flip, else they take turns.
    """
    return asyncio.run(_run(folder, flips, thorough, progress, most))


def full(flips: Iterable[int], progress: Progress) -> Row:
    """Flip bits by their numbers, with requests of every viewer."""
    with TemporaryDirectory() as folder:
        return run(Path(folder), flips, True, progress).row()


async def _run(
    folder: Path, flips: Iterable[int], thorough: bool, progress: Progress, most: int | None
) -> Report:
    with captured_log() as log, patch("asyncio.to_thread", _run_inline):
        campaign = Campaign(folder, await play(folder), log, thorough)
        log.read()
        await campaign.begin()
        for number in flips:
            await campaign.flip(number)
            if most is not None and len(campaign.report.faults) >= most:
                break
            if number % 100 == 99:
                progress(f"{number + 1:,} flips, {len(campaign.report.faults)} wrong")
        await campaign.end()
    return campaign.report


async def _run_inline(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Replaces ``asyncio.to_thread``, as nothing else needs the event loop."""
    return work(*args, **kwargs)


class Campaign:
    """A server whose data is damaged again and again."""

    def __init__(self, folder: Path, fixture: Fixture, log: CapturedLog, thorough: bool) -> None:
        self.report = Report()
        self._fixture, self._log, self._thorough = fixture, log, thorough
        self._undamaged = folder / "undamaged.db"
        self._undamaged.write_bytes(fixture.data)
        self._columns = columns(self._undamaged)
        self._server = InProcessServer(folder, name="flipped")
        self._server.players.review_position = review_position  # type: ignore[method-assign]
        self._judge = Judge()

    async def begin(self) -> None:
        """Open the undamaged file and learn its answers."""
        await self._server.open()
        replies = {question: await self._ask(question) for question in self._all_questions()}
        self._judge.learn(self._undamaged, replies, self._log.read())
        for viewer in VIEWERS:
            for table in self._fixture.tables:
                self._judge.show(viewer, await self._first_message(viewer, table) or "")

    async def end(self) -> None:
        await self._server.close()

    async def flip(self, number: int) -> None:
        """Flip a bit, send requests, and judge the answers."""
        table, column = self._columns[number % len(self._columns)]
        if number % IN_FILE_EVERY == IN_FILE_EVERY - 1:
            table, column = "file", ""
        self.report.flips += 1
        self.report.columns.add((table, column))
        if table in _OFFLINE:
            await self._flip_closed(number, table, column)
        else:
            self._restore()
            flip = flip_column(self._server.path, number, table, column)
            await self._check(flip)

    async def _flip_closed(self, number: int, table: str, column: str) -> None:
        """Flip a bit while the server is down."""
        path = self._server.path
        await self._server.close()
        self._replace()
        flip = flip_anywhere(path, number) if table == "file" else flip_column(path, number, table, column)
        try:
            await self._server.open()
        except UserError as user_error:
            self.report.not_opened += 1
            message = "\n".join(user_error.translate(language) for language in LANGUAGES)
            self._note(flip, self._judge.log_fault(message))
        else:
            await self._check(flip)
            await self._server.close()
        self._note(flip, self._judge.log_fault(self._log.read()))
        self._replace()
        await self._server.open()

    def _replace(self) -> None:
        """Replace the data file and its WAL file by the undamaged file."""
        remove_file(self._server.path)
        self._server.path.write_bytes(self._fixture.data)

    def _restore(self) -> None:
        """Restore the undamaged data and clear all caches. The number of the server that writes stays."""
        with (
            closing(sqlite3.connect(self._undamaged)) as undamaged,
            closing(sqlite3.connect(self._server.path)) as damaged,
        ):
            damaged.execute("PRAGMA synchronous=OFF")
            (writer,) = damaged.execute("PRAGMA user_version").fetchone()
            undamaged.backup(damaged)
            damaged.execute(f"PRAGMA user_version={writer}")
        registry = self._server.services.registry
        registry._loaded.clear()
        registry._alive.clear()
        registry.damage_log._reported.clear()

    async def _check(self, flip: Flip) -> None:
        """Send every viewer's requests about the damaged table, and some about another."""
        names = {seating.id: name for name, seating in self._fixture.tables.items()}
        table = names.get(flip.game or "", "hidden")
        await self._check_socket(flip, table)
        viewers = VIEWERS if self._thorough else (VIEWERS[flip.number % len(VIEWERS)],)
        damaged = False
        for question in (*self._questions(viewers, table), self._rotating(flip.number)):
            reply = await self._judged_reply(flip, question)
            damaged = damaged or b'"table.damaged"' in reply.body
        if flip.table != "file":
            await self._check_other_game(flip, "watched" if table == "hidden" else "hidden")
        if flip.number % ADMIN_CHECK_EVERY == 0:
            self._run_admin_commands(flip, damaged)
        if flip.table not in _OFFLINE:
            await self._check_write(flip, table)
        self._note(flip, self._judge.log_fault(self._log.read()))

    def _run_admin_commands(self, flip: Flip, damaged: bool) -> None:
        """Check and export the data while the server runs. A damaged game must be named."""
        path = self._server.path
        for words in (("check",), ("export", path.with_name("games.jsonl"), "--force")):
            done = admin(*words, "--data", path)
            self.report.checks += 1
            if done.exit_code not in (0, 1, 2) or not isinstance(
                done.exception, SystemExit | UserError | None
            ):
                self._note(flip, f"admin {words[0]} ends with {type(done.exception).__name__}")
            is_named = done.exit_code == 1 and (flip.game or "") in done.output
            if damaged and words == ("check",) and not is_named:
                self._note(flip, f"admin check does not name the damaged game {flip.game}")
            self._note(flip, self._judge.admin_fault(done.output))

    async def _judged_reply(self, flip: Flip, question: Question) -> Reply:
        reply = await self._ask(question)
        self.report.answers += 1
        self.report.statuses[reply.status] += 1
        self._note(flip, self._judge.fault(question, reply, flip.table != "file"))
        return reply

    async def _check_other_game(self, flip: Flip, table: str) -> None:
        """Another game still works for its watcher, whose only row in the file is the link."""
        question = Question("watcher", "GET", "/api/tables/{table}", table)
        ready = await self._judged_reply(flip, Question("nobody", "GET", "/ready", table))
        reply = await self._judged_reply(flip, question)
        if ready.status != 200:
            self._note(flip, "the server is not ready")
        if flip.game is not None and reply != self._judge.expected[question]:
            self._note(flip, f"another game is answered {reply.status}")

    async def _check_socket(self, flip: Flip, table: str) -> None:
        """Open a socket at the table, by one viewer in turn."""
        viewer = VIEWERS[flip.number % len(VIEWERS)]
        text = await self._first_message(viewer, table)
        if text is not None:
            self.report.sockets += 1
            self._note(flip, self._judge.socket_fault(viewer, text))

    async def _first_message(self, viewer: str, table: str) -> str | None:
        """The first message of a socket. None if no ticket was given or the socket was closed."""
        reply = await self._ask(Question(viewer, "POST", _TICKETS, table))
        if reply.status >= 300:
            return None
        client = self._server.client(self._fixture.headers(viewer, table))
        socket = await client.connect_with(orjson.loads(reply.body)["ticket"])
        try:
            async with asyncio.timeout(_TIMEOUT):
                return orjson.dumps(await socket.receive()).decode()
        except Closed:
            return None
        finally:
            await socket.close()

    async def _check_write(self, flip: Flip, table: str) -> None:
        """Request one of the routes that change something, by one viewer in turn."""
        method, route = _WRITE_ROUTES[flip.number % len(_WRITE_ROUTES)]
        question = Question(VIEWERS[flip.number // len(_WRITE_ROUTES) % len(VIEWERS)], method, route, table)
        reply = await self._ask(question)
        self.report.answers += 1
        self.report.statuses[reply.status] += 1
        if self._judge.fault(question, reply):  # unless the undamaged file gives the same answer
            await self._settle()
            self._restore()
            for before in self._commands(table):
                await self._ask(before)
            self._judge.show(question.viewer, (await self._ask(question)).body.decode())
        self._note(flip, self._judge.fault(question, reply))
        await self._settle()

    async def _settle(self) -> None:
        """Wait for turns of computer players and for reviews."""
        await self._server.settle()
        await until(lambda: not self._server.services.reviews._running)

    def _note(self, flip: Flip, fault: str) -> None:
        if fault:
            self.report.faults.append(f"{flip}: {fault}")

    def _all_questions(self) -> Iterator[Question]:
        for table in self._fixture.tables:
            yield from self._questions(VIEWERS, table, reading=True)
        for viewer in VIEWERS:
            yield from (Question(viewer, "GET", route, "hidden") for route in _OTHER_ROUTES)

    def _questions(self, viewers: Sequence[str], table: str, reading: bool = False) -> Iterator[Question]:
        """Reads, then tickets, and finally a command, because it changes the table."""
        for viewer in viewers:
            yield from (Question(viewer, "GET", route, table) for route in (*_TABLE_ROUTES, *_STORE_ROUTES))
            yield Question(viewer, "GET", "/api/tables", table, urlencode({"begun": "true"}))
        if not reading:
            yield from (Question(viewer, "POST", _TICKETS, table) for viewer in viewers)
            yield from self._commands(table)

    def _commands(self, table: str) -> Iterator[Question]:
        """The next command of the player to move, if any."""
        seating = self._fixture.tables[table]
        if seating.command is not None:
            yield Question(seating.player, "POST", _COMMANDS, table)

    def _rotating(self, number: int) -> Question:
        """A request of one of the other routes, by one viewer in turn."""
        route = _OTHER_ROUTES[number % len(_OTHER_ROUTES)]
        return Question(VIEWERS[number // len(_OTHER_ROUTES) % len(VIEWERS)], "GET", route, "hidden")

    async def _ask(self, question: Question) -> Reply:
        seating = self._fixture.tables[question.table]
        path = question.route.format(table=seating.id, review=self._fixture.review, **_PATH_VALUES)
        body = seating.command if question.route == _COMMANDS else _BODIES.get(question.route)
        body = body if question.method in ("POST", "PATCH") else None
        client = self._server.client(self._fixture.headers(question.viewer, question.table))
        response = await client.request(question.method, f"{path}?{question.query}", body)
        kind = response.headers["content-type"].partition(";")[0]
        return Reply(response.status_code, kind, response.content)
