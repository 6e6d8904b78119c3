"""Checks answers and log lines for secrets, and answers against the API description.

Secrets are found as runs of characters: all runs of a certain length in stored data and in what seated
viewers see, except for those that a viewer is shown when no bit is flipped.
"""

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sanssouci.notation import validator
from sanssouci.server.middleware.errors import ErrorAnswer

from ...harness.description import DESCRIPTION, MODELS, OPERATIONS

RUN_LENGTH = 14
"""Characters in a run: more than two texts share by chance, fewer than a hand or a hash."""
MIN_DISTINCT = 4
"""Different characters in a run that can be a secret."""
_STORED = """
    SELECT CAST(body AS BLOB) FROM event UNION SELECT CAST(record AS BLOB) FROM review
    UNION SELECT CAST(body AS BLOB) FROM review UNION SELECT CAST(body AS BLOB) FROM played
    UNION SELECT CAST(hash AS BLOB) FROM event UNION SELECT CAST(hash AS BLOB) FROM token
    UNION SELECT CAST(id AS BLOB) FROM review UNION SELECT CAST(id AS BLOB) FROM guest
    UNION SELECT CAST(lower(hex(seed)) AS BLOB) FROM secret
"""
_TABLE = re.compile('"table": "[^"]{1,32}"')
"""The id of a table in the log, which is not secret."""
_COMMITMENT = re.compile('"commitment":"[0-9a-f]{64}"')
"""Public; two commitments may share a run by chance."""
_NAMED = re.compile("(game|guest) ([0-9A-Za-z-]{1,32}|'[^'\n]{1,40}')")
"""An id that an admin command may print. A damaged one is quoted and escaped."""
_SEATED = ("owner", "other", "seat link")


@dataclass(frozen=True)
class Question:
    """A request of a viewer: the route as documented, and its table."""

    viewer: str
    method: str
    route: str
    table: str
    query: str = ""


@dataclass(frozen=True)
class Reply:
    """The answer to a request."""

    status: int
    kind: str
    body: bytes


@dataclass
class Judge:
    """Compares answers with those of the undamaged file."""

    stored: set[str] = field(default_factory=set)
    shown: dict[str, set[str]] = field(default_factory=dict)
    expected: dict[Question, Reply] = field(default_factory=dict)
    logged: set[str] = field(default_factory=set)
    _seen: dict[tuple[Question, Reply], str] = field(default_factory=dict)

    def learn(self, path: Path, replies: dict[Question, Reply], log: str) -> None:
        """Learn from an undamaged data file, its answers and its log."""
        with closing(sqlite3.connect(path)) as connection:
            for (text,) in connection.execute(_STORED):
                self.stored |= runs(text.decode("utf-8"))
        self.expected = replies
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
        """Allow a viewer to see a text."""
        self.shown[viewer] |= runs(text)
        self._seen.clear()

    def fault(self, question: Question, reply: Reply, file_is_sound: bool = True) -> str:
        """The fault of an answer, or an empty string."""
        expected = self.expected.get(question)
        if expected == reply:
            return ""
        if expected is not None and expected.status == 404 and reply.status in (200, 201):
            return f"{question}: access is granted"
        known = (question, reply)
        if known not in self._seen:
            self._seen[known] = self._leak(question, reply) or _undocumented(question, reply, file_is_sound)
        return self._seen[known]

    def socket_fault(self, viewer: str, text: str) -> str:
        """The fault of a message on a socket, or an empty string."""
        found = self._secrets(runs(text) - self.shown[viewer])
        return f"{viewer} receives {min(found)!r}" if found else ""

    def log_fault(self, log: str) -> str:
        """The secret in a log, or an empty string."""
        found = self._secrets(runs(_TABLE.sub("", log)) - self.logged)
        return f"the log has {min(found)!r}" if found else ""

    def admin_fault(self, output: str) -> str:
        """Which secret an admin command prints, or an empty string. Ids of games and guests are allowed."""
        found = self._secrets(runs(_NAMED.sub("", output)))
        return f"a command prints {min(found)!r}" if found else ""

    def _leak(self, question: Question, reply: Reply) -> str:
        text = reply.body.decode("utf-8", "replace")
        found = self._secrets(runs(_COMMITMENT.sub("", text)) - self.shown[question.viewer])
        return f"{question}: {min(found)!r} is hidden from this viewer" if found else ""

    def _secrets(self, found: set[str]) -> set[str]:
        """Runs of stored data. Two numbers can share a run like ``10000000000000``, which is no secret."""
        return {run for run in found & self.stored if len(set(run)) >= MIN_DISTINCT}


def runs(text: str) -> set[str]:
    """All runs of characters in a text. Backslashes are ignored, so that quoted texts have the same runs."""
    text = text.replace("\\", "")
    return {text[place : place + RUN_LENGTH] for place in range(len(text) - RUN_LENGTH + 1)}


def _without_viewer(text: str) -> str:
    """An answer without the part about the viewer's own rights."""
    document: Any = json.loads(text)
    for part in (document, document.get("view") if isinstance(document, dict) else None):
        if isinstance(part, dict):
            part.pop("you", None)
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _undocumented(question: Question, reply: Reply, file_is_sound: bool) -> str:
    """The undocumented part of an answer, or an empty string."""
    answer = f"{question}: {reply.status} {reply.body[:200]!r}"
    described = OPERATIONS[question.method, question.route]["responses"].get(str(reply.status))
    if described is None:
        return f"{answer} is not documented"
    if reply.status == 503 and file_is_sound:
        return f"{answer}: one row takes the server down"
    wrong = _undescribed_content(described["content"].get(reply.kind), reply)
    return f"{answer}: {wrong}" if wrong else ""


def _undescribed_content(content: Any, reply: Reply) -> str:
    if content is None:
        return f"{reply.kind} is not documented"
    if "$ref" not in content["schema"]:
        return ""
    try:
        model = MODELS[content["schema"]["$ref"].rpartition("/")[2]]
        found = validator(model).validate_json(reply.body)
    except ValidationError as error:
        return f"{error.errors()[0]['loc']} is not as documented"
    if model is ErrorAnswer:
        code, listed = found["error"]["code"], DESCRIPTION["x-errors"]
        if code == "request.failed" or listed.get(code, {}).get("status") != reply.status:
            return "an unexpected error"
    return ""
