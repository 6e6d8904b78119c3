"""Many flips, one after the other, on a server in this process.

A flip in a column is made while the server runs, and undone by copying the sound file back: tables are read
anew for each. A flip in the file itself, or in the version of its tables, is made before the server starts.
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

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.store.sqlite import remove_file

from ...cli.hosting import admin
from ...playthrough import RECORDS
from ...server.described_house import OPERATIONS
from ...server.house import HOST, House
from ...server.line import Closed, Line
from ...workers.pools import until
from ..fault import Progress
from ..interference.lines import Log, logging_into
from ..table import Row
from . import GOAL, TEST
from .flip import Flip, columns, flip_anywhere, flip_column
from .judge import Judge, Question, Reply
from .scene import VIEWERS, Scene, look, play

FLIPS = 5000
IN_FILE = 20
"""One flip in so many is somewhere in the file."""
CHECKED = 38
"""After one flip in so many the host looks at the data file; no multiple of the number of columns."""
_EXAMPLES = 5
_ANSWERED = 60.0
"""Seconds within which a socket is sent something, or closed."""
_OPENING = ("alembic_version", "file")
_WORDS = {
    "turn": 1,
    "edition": "imperial",
    "boards": "imperial",
    "lesson": "ways-1",
    "chair": 1,
    "link": "watch",
}
_ABOUT_TABLES = [route for method, route in OPERATIONS if method == "GET" and "{table}" in route]
_OF_THE_STORE = ["/api/me", "/api/me/tables", "/api/me/statistics", "/api/tables"]
_OF_THE_STORE += ["/api/reviews/{review}", "/api/reviews/{review}/steps"]
_OTHERS = [
    route for method, route in OPERATIONS if method == "GET" and route not in (*_ABOUT_TABLES, *_OF_THE_STORE)
]
"""Routes that read nothing from the store but the caller's guest."""
_COMMANDS, _TICKETS = "/api/tables/{table}/commands", "/api/tables/{table}/tickets"
_WRITES = [
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
    _TICKETS: {"watch": False},
}


@dataclass
class Report:
    """What came of all flips."""

    flips: int = 0
    asked: int = 0
    heard: int = 0
    """First messages of sockets."""
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    columns: set[tuple[str, str]] = field(default_factory=set)
    not_opened: int = 0
    checks: int = 0

    def row(self) -> Row:
        """For the table of all fault tests."""
        measured = (
            f"{len(self.faults)} wrong; {self.asked:,} answers, {self.heard:,} sockets, "
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
    """Flip bits by their numbers, until so many answers are found to be wrong.

    ``thorough`` asks as every viewer after each flip, and not as one after the other.
    """
    return asyncio.run(_run(folder, flips, thorough, progress, most))


def full(flips: Iterable[int], progress: Progress) -> Row:
    """Flip bits by their numbers, and ask as every viewer."""
    with TemporaryDirectory() as folder:
        return run(Path(folder), flips, True, progress).row()


async def _run(
    folder: Path, flips: Iterable[int], thorough: bool, progress: Progress, most: int | None
) -> Report:
    log = Log()
    with logging_into(log), patch("asyncio.to_thread", _at_once):
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


async def _at_once(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Work that a server does in another thread; here nobody else waits for the event loop."""
    return work(*args, **kwargs)


class Campaign:
    """A server that is damaged again and again."""

    def __init__(self, folder: Path, scene: Scene, log: Log, thorough: bool) -> None:
        self.report = Report()
        self._scene, self._log, self._thorough = scene, log, thorough
        self._sound = folder / "sound.db"
        self._sound.write_bytes(scene.data)
        self._columns = columns(self._sound)
        self._house = House(folder, world="asked")
        self._house.players.review_position = look  # type: ignore[method-assign]
        self._judge = Judge()

    async def begin(self) -> None:
        """Open the sound file, and learn what is answered of it."""
        await self._house.open()
        replies = {question: await self._ask(question) for question in self._all_questions()}
        self._judge.learn(self._sound, replies, self._log.read().decode())
        for viewer in VIEWERS:
            for table in self._scene.tables:
                self._judge.show(viewer, await self._hear(viewer, table) or "")

    async def end(self) -> None:
        """Stop the server."""
        await self._house.close()

    async def flip(self, number: int) -> None:
        """Flip a bit, ask, and look at what comes."""
        table, column = self._columns[number % len(self._columns)]
        if number % IN_FILE == IN_FILE - 1:
            table, column = "file", ""
        self.report.flips += 1
        self.report.columns.add((table, column))
        if table in _OPENING:
            await self._flip_closed(number, table, column)
        else:
            self._restore()
            flip = flip_column(self._house.path, number, table, column)
            await self._question(flip)

    async def _flip_closed(self, number: int, table: str, column: str) -> None:
        """Flip a bit while the server is down."""
        path = self._house.path
        await self._house.close()
        self._replace()
        flip = flip_anywhere(path, number) if table == "file" else flip_column(path, number, table, column)
        try:
            await self._house.open()
        except UserError as user_error:
            self.report.not_opened += 1
            said = "\n".join(user_error.translate(language) for language in LANGUAGES)
            self._note(flip, self._judge.log_fault(said))
        else:
            await self._question(flip)
            await self._house.close()
        self._note(flip, self._judge.log_fault(self._log.read().decode()))
        self._replace()
        await self._house.open()

    def _replace(self) -> None:
        """The sound file takes the place of the other, also of a log that nobody has emptied."""
        remove_file(self._house.path)
        self._house.path.write_bytes(self._scene.data)

    def _restore(self) -> None:
        """The data file is sound again, and nothing of it is in memory."""
        with (
            closing(sqlite3.connect(self._sound)) as sound,
            closing(sqlite3.connect(self._house.path)) as damaged,
        ):
            damaged.execute("PRAGMA synchronous=OFF")
            sound.backup(damaged)
        registry = self._house.services.registry
        registry._loaded.clear()
        registry._alive.clear()
        registry.corrupt_tables._reported.clear()

    async def _question(self, flip: Flip) -> None:
        """Ask everyone's questions about the table that is damaged, and some about another."""
        names = {seating.id: name for name, seating in self._scene.tables.items()}
        table = names.get(flip.game or "", "hidden")
        await self._listen(flip, table)
        viewers = VIEWERS if self._thorough else (VIEWERS[flip.number % len(VIEWERS)],)
        damaged = False
        for question in (*self._questions(viewers, table), self._rotating(flip.number)):
            reply = await self._judged(flip, question)
            damaged = damaged or b'"table.damaged"' in reply.body
        if flip.table != "file":
            await self._untouched(flip, "watched" if table == "hidden" else "hidden")
        if flip.number % CHECKED == 0:
            self._administer(flip, damaged)
        if flip.table not in _OPENING:
            await self._write(flip, table)
        self._note(flip, self._judge.log_fault(self._log.read().decode()))

    def _administer(self, flip: Flip, damaged: bool) -> None:
        """The host checks and exports the data beside the server; a damaged game is named."""
        path = self._house.path
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

    async def _judged(self, flip: Flip, question: Question) -> Reply:
        reply = await self._ask(question)
        self.report.asked += 1
        self.report.statuses[reply.status] += 1
        self._note(flip, self._judge.fault(question, reply, flip.table != "file"))
        return reply

    async def _untouched(self, flip: Flip, table: str) -> None:
        """Another game still works for its watcher, whose only row in the file is the link."""
        question = Question("watcher", "GET", "/api/tables/{table}", table)
        ready = await self._judged(flip, Question("nobody", "GET", "/ready", table))
        reply = await self._judged(flip, question)
        if ready.status != 200:
            self._note(flip, "the server is not ready")
        if flip.game is not None and reply != self._judge.usual[question]:
            self._note(flip, f"another game is answered {reply.status}")

    async def _listen(self, flip: Flip, table: str) -> None:
        """A socket at the table, by one viewer, each in its turn."""
        viewer = VIEWERS[flip.number % len(VIEWERS)]
        heard = await self._hear(viewer, table)
        if heard is not None:
            self.report.heard += 1
            self._note(flip, self._judge.heard_fault(viewer, heard))

    async def _hear(self, viewer: str, table: str) -> str | None:
        """What a socket is sent first; None if there is no ticket for it, or it is closed."""
        reply = await self._ask(Question(viewer, "POST", _TICKETS, table))
        if reply.status >= 300:
            return None
        headers = {"host": HOST, **self._scene.headers(viewer, table)}
        line = await Line(self._house.app, headers).open()
        await line.send({"type": "hello", "ticket": orjson.loads(reply.body)["ticket"], "seq": -1})
        try:
            async with asyncio.timeout(_ANSWERED):
                return orjson.dumps(await line.next()).decode()
        except Closed:
            return None
        finally:
            await line.hang_up()

    async def _write(self, flip: Flip, table: str) -> None:
        """One of the routes that change something, by one viewer, each in its turn."""
        method, route = _WRITES[flip.number % len(_WRITES)]
        question = Question(VIEWERS[flip.number // len(_WRITES) % len(VIEWERS)], method, route, table)
        reply = await self._ask(question)
        self.report.asked += 1
        self.report.statuses[reply.status] += 1
        if self._judge.fault(question, reply):  # what is shown of a sound file too is no fault
            await self._settle()
            self._restore()
            for before in self._commands(table):
                await self._ask(before)
            self._judge.show(question.viewer, (await self._ask(question)).body.decode())
        self._note(flip, self._judge.fault(question, reply))
        await self._settle()

    async def _settle(self) -> None:
        """What a request has begun is done: turns of computer players, and reviews."""
        await self._house.quiet()
        await until(lambda: not self._house.services.reviews._works)

    def _note(self, flip: Flip, fault: str) -> None:
        if fault:
            self.report.faults.append(f"{flip}: {fault}")

    def _all_questions(self) -> Iterator[Question]:
        for table in self._scene.tables:
            yield from self._questions(VIEWERS, table, reading=True)
        for viewer in VIEWERS:
            yield from (Question(viewer, "GET", route, "hidden") for route in _OTHERS)

    def _questions(self, viewers: Sequence[str], table: str, reading: bool = False) -> Iterator[Question]:
        """Reads, then tickets, and last a command, because it changes the table."""
        for viewer in viewers:
            yield from (Question(viewer, "GET", route, table) for route in (*_ABOUT_TABLES, *_OF_THE_STORE))
            yield Question(viewer, "GET", "/api/tables", table, urlencode({"begun": "true"}))
        if not reading:
            yield from (Question(viewer, "POST", _TICKETS, table) for viewer in viewers)
            yield from self._commands(table)

    def _commands(self, table: str) -> Iterator[Question]:
        """The next command of the player to move, if there is one."""
        seating = self._scene.tables[table]
        if seating.command is not None:
            yield Question(seating.player, "POST", _COMMANDS, table)

    def _rotating(self, number: int) -> Question:
        """One of the routes that hardly read the store, by one viewer, each in its turn."""
        route = _OTHERS[number % len(_OTHERS)]
        return Question(VIEWERS[number // len(_OTHERS) % len(VIEWERS)], "GET", route, "hidden")

    async def _ask(self, question: Question) -> Reply:
        seating = self._scene.tables[question.table]
        path = question.route.format(table=seating.id, review=self._scene.review, **_WORDS)
        body = seating.command if question.route == _COMMANDS else _BODIES.get(question.route)
        body = body if question.method in ("POST", "PATCH") else None
        headers = self._scene.headers(question.viewer, question.table)
        return await ask(self._house.app, question.method, path, question.query, headers, body)


async def ask(app: Any, method: str, path: str, query: str, headers: dict[str, str], body: Any) -> Reply:
    """Ask an app in this process, without a client between."""
    sent: list[dict[str, Any]] = []
    content = b"" if body is None else orjson.dumps(body)
    told = {"host": HOST, **headers, **({"content-type": "application/json"} if content else {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "headers": [(name.encode("ascii"), value.encode("ascii")) for name, value in told.items()],
        "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8017),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    kinds = [value.decode() for name, value in sent[0]["headers"] if name == b"content-type"]
    answered = b"".join(message.get("body", b"") for message in sent[1:])
    return Reply(sent[0]["status"], kinds[0].partition(";")[0], answered)
