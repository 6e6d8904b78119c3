"""What no answer and no line of a log may hold, and which answers are documented.

What is hidden is searched for as runs of signs: all runs of a certain length in what is stored, and in what
others see at the table, but for those that a viewer is shown anyway when no bit is flipped.
"""

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sanssouci.server.wire.errors import ErrorAnswer
from sanssouci.server.wire.scalars import validator

from ...server.described_house import DESCRIPTION, MODELS, OPERATIONS

RUN = 14
"""Signs of a run: more than any word that two texts share by chance, less than a hand or a hash."""
_STORED = """
    SELECT CAST(body AS BLOB) FROM event UNION SELECT CAST(record AS BLOB) FROM review
    UNION SELECT CAST(body AS BLOB) FROM review UNION SELECT CAST(body AS BLOB) FROM played
    UNION SELECT CAST(hash AS BLOB) FROM event UNION SELECT CAST(hash AS BLOB) FROM token
    UNION SELECT CAST(id AS BLOB) FROM review UNION SELECT CAST(id AS BLOB) FROM guest
    UNION SELECT CAST(lower(hex(seed)) AS BLOB) FROM secret
"""
_TABLE = re.compile('"table": "[^"]{1,32}"')
"""The id of a table in the log, which is no secret."""
_COMMITMENT = re.compile('"commitment":"[0-9a-f]{64}"')
"""Is public; that of a new table begins as another by chance."""
_NAMED = re.compile("(game|guest) [0-9A-Za-z-]{1,32}")
_SEATED = ("owner", "other", "seat link")


@dataclass(frozen=True)
class Question:
    """A request of a viewer: the route as the description has it, and the table it is about."""

    viewer: str
    method: str
    route: str
    table: str
    query: str = ""


@dataclass(frozen=True)
class Reply:
    """What was answered."""

    status: int
    kind: str
    body: bytes


@dataclass
class Judge:
    """Knows what each viewer is answered when nothing is wrong."""

    stored: set[str] = field(default_factory=set)
    shown: dict[str, set[str]] = field(default_factory=dict)
    usual: dict[Question, Reply] = field(default_factory=dict)
    logged: set[str] = field(default_factory=set)
    _seen: dict[tuple[Question, Reply], str] = field(default_factory=dict)

    def learn(self, path: Path, replies: dict[Question, Reply], log: str) -> None:
        """Take in a sound data file, and what is answered and logged of it."""
        with closing(sqlite3.connect(path)) as connection:
            for (text,) in connection.execute(_STORED):
                self.stored |= runs(text.decode("utf-8"))
        self.usual = replies
        self.logged = runs(_TABLE.sub("", log))
        hidden: set[str] = set()
        for question, reply in replies.items():
            text = reply.body.decode("utf-8")
            self.shown.setdefault(question.viewer, set()).update(runs(text))
            seated = question.viewer in _SEATED and "{table}" in question.route
            if seated and reply.status == 200 and reply.kind == "application/json":
                hidden |= runs(_without_viewer(text))
        self.stored |= hidden - self.shown["watcher"]

    def show(self, viewer: str, text: str) -> None:
        """Learn that a viewer may see a text."""
        self.shown[viewer] |= runs(text)
        self._seen.clear()

    def fault(self, question: Question, reply: Reply, file_is_sound: bool = True) -> str:
        """What is wrong with an answer, or nothing."""
        usual = self.usual.get(question)
        if usual == reply:
            return ""
        if usual is not None and usual.status == 404 and reply.status in (200, 201):
            return f"{question}: is let in"
        known = (question, reply)
        if known not in self._seen:
            self._seen[known] = self._leak(question, reply) or _undocumented(question, reply, file_is_sound)
        return self._seen[known]

    def heard_fault(self, viewer: str, text: str) -> str:
        """What a socket must not be sent, or nothing."""
        found = (runs(text) & self.stored) - self.shown[viewer]
        return f"{viewer} hears {min(found)!r}" if found else ""

    def log_fault(self, log: str) -> str:
        """What is hidden and was logged, or nothing."""
        found = (runs(_TABLE.sub("", log)) - self.logged) & self.stored
        return f"the log has {min(found)!r}" if found else ""

    def admin_fault(self, output: str) -> str:
        """What a command for the host must not print, or nothing; ids of games and guests it may."""
        found = runs(_NAMED.sub("", output)) & self.stored
        return f"a command prints {min(found)!r}" if found else ""

    def _leak(self, question: Question, reply: Reply) -> str:
        text = reply.body.decode("utf-8", "replace")
        found = (runs(_COMMITMENT.sub("", text)) & self.stored) - self.shown[question.viewer]
        return f"{question}: {min(found)!r} is hidden from this viewer" if found else ""


def runs(text: str) -> set[str]:
    """All runs of signs in a text; a text that is quoted in another, with more backslashes, has the same."""
    text = text.replace("\\", "")
    return {text[place : place + RUN] for place in range(len(text) - RUN + 1)}


def _without_viewer(text: str) -> str:
    """An answer without what it says of the viewer's own rights."""
    document: Any = json.loads(text)
    for part in (document, document.get("view") if isinstance(document, dict) else None):
        if isinstance(part, dict):
            part.pop("you", None)
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _undocumented(question: Question, reply: Reply, file_is_sound: bool) -> str:
    """What the description does not say of an answer, or nothing."""
    told = f"{question}: {reply.status} {reply.body[:200]!r}"
    described = OPERATIONS[question.method, question.route]["responses"].get(str(reply.status))
    if described is None:
        return f"{told} is not described"
    if reply.status == 503 and file_is_sound:
        return f"{told}: one row takes the server down"
    wrong = _undescribed_content(described["content"].get(reply.kind), reply)
    return f"{told}: {wrong}" if wrong else ""


def _undescribed_content(content: Any, reply: Reply) -> str:
    if content is None:
        return f"{reply.kind} is not described"
    if "$ref" not in content["schema"]:
        return ""
    try:
        model = MODELS[content["schema"]["$ref"].rpartition("/")[2]]
        found = validator(model).validate_json(reply.body)
    except ValidationError as error:
        return f"{error.errors()[0]['loc']} is not as described"
    if model is ErrorAnswer:
        code, listed = found["error"]["code"], DESCRIPTION["x-errors"]
        if code == "request.failed" or listed.get(code, {}).get("status") != reply.status:
            return "an unexpected error"
    return ""
