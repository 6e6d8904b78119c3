"""Hostile HTTP requests as bytes: corrupted valid requests, and malformed ones."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanssouci.notation import LARGEST

from ..seeded_random import SeededRandom
from .hostile_values import STRINGS, TOML, HostileValues, Target

Json = dict[str, Any]

_ROOT = Path(__file__).parents[3]
RECORD: Json = json.loads((_ROOT / "tests/records/imperial-base-2.json").read_text(encoding="utf-8"))
BOARDS = (_ROOT / "src/sanssouci/editions/data/imperial.toml").read_text(encoding="utf-8")

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "BREW", "get")
_PATHS = (
    "/",
    "/api",
    "/api/../../etc/passwd",
    "//api//tables",
    "/api/tables/%2e%2e/%2e%2e",
    "/api/tables/" + "0" * 16 + "/../../players",
    "/api/tables/\x7f",
    "/api/tables/%00",
    "/api/tables/%ff%fe",
    "/api/tables/" + "a" * 4000,
    "/api/tables/0123456789ABCDEF",
    "/api/tables/0123456789abcdef%0a",
    "/metrics",
    "/metrics/../api/players",
    "/api/openapi.json",
    "/api/socket",
    "/api/records",
    "/api/records/steps",
    "/.git/config",
    "/static/..%5c..%5cboot.ini",
    "http://example.org/api/players",
    "*",
)
_QUERIES = (
    "",
    "chair=-1",
    "chair=99999999999999999999",
    "after=NaN",
    "after=-2",
    "chair=0&chair=1",
    "%",
    "a" * 3000,
)
_HEADERS = (
    ("host", "example.org"),
    ("host", "127.0.0.1:1\r\nx-injected: 1"),
    ("host", ""),
    ("origin", "https://evil.example"),
    ("origin", "null"),
    ("x-forwarded-for", "1.2.3.4, 5.6.7.8"),
    ("x-request-id", "x" * 200),
    ("authorization", "Bearer " + "A" * 43),
    ("authorization", "Bearer"),
    ("authorization", "Basic dXNlcjpwYXNz"),
    ("authorization", "Bearer \xff\xfe"),
    ("cookie", "sanssouci_guest=" + "A" * 43),
    ("cookie", "sanssouci_guest=\x01; =; ;;"),
    ("x-sanssouci-key", "A" * 43),
    ("x-sanssouci-key", "\xe9" * 43),
    ("accept-language", "de," * 500),
    ("accept-language", "\xff"),
    ("accept-encoding", "gzip, br"),
    ("content-type", "text/plain"),
    ("content-type", "application/x-www-form-urlencoded"),
    ("content-type", "multipart/form-data; boundary=x"),
    ("content-type", "application/json; charset=utf-16"),
    ("content-encoding", "gzip"),
    ("expect", "100-continue"),
    ("range", "bytes=0-18446744073709551615"),
    ("if-none-match", "*"),
    ("upgrade", "h2c"),
    ("x-http-method-override", "DELETE"),
    ("x-long", "y" * 9000),
)
_SMALL_VALUES = (b"[],", b"{},", b"1,", b"1.5,", b'"",', b'"\\u0041",', b'{"a":1},', b"[", b"[{}],")
_BROKEN = (
    b"\r\n\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nx: a\nb: c\r\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /api/guests HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    b"POST /api/guests HTTP/1.1\r\ncontent-length: 1, 2\r\n\r\nx",
    b"POST /api/guests HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\nx",
    b"POST /api/guests HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nabc",
    b"POST /api/guests HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n",
    b"POST /api/guests HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
    b'POST /api/guests HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\n',
    b"A" * 70_000,
    b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 5000 + b"\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
)


@dataclass(frozen=True)
class HostileRequest:
    """One message, and whether its connection can be used again."""

    kind: str
    data: bytes
    method: str = "GET"
    breaks_connection: bool = False
    """Whether the connection cannot be used afterwards."""
    creates: str = ""
    """The created thing if the request succeeds: a guest or a game."""


class HostileRequests:
    """Generates hostile requests to one server."""

    def __init__(self, target: Target, rng: SeededRandom) -> None:
        self._target = target
        self._rng = rng
        self._values = HostileValues(rng)

    def request(self) -> HostileRequest:
        choice = self._rng.below(100)
        if choice < 1:
            return self._large()
        if choice < 62:
            return self._corrupted()
        if choice < 80:
            return self._odd()
        if choice < 90:
            return self._foreign()
        return self._unfinished() if choice < 94 else self._broken()

    def _corrupted(self) -> HostileRequest:
        """A valid request with a corrupted body."""
        method, path, body = self._rng.choice(self._valid_requests())
        return self._request("body", method, path, self._values.corrupted(body), self._credentials())

    def _large(self) -> HostileRequest:
        """A record of the largest size, made of as many values as possible: expensive to parse."""
        value = self._rng.choice(_SMALL_VALUES)
        body = b"[" + value * ((LARGEST - 3) // len(value)) + b"1]"
        return self._request("large", "POST", "/api/records", body, [])

    def _odd(self) -> HostileRequest:
        """Unexpected paths, queries, methods and headers."""
        rng = self._rng
        method = rng.choice(_METHODS)
        path = rng.choice(
            (*_PATHS, f"/api/tables/{self._target.own}", f"/api/tables/{rng.choice(STRINGS)!r}")
        )
        headers = self._credentials() if rng.chance(50) else []
        headers += [rng.choice(_HEADERS) for _ in range(rng.below(4))]
        return self._request("odd", method, f"{path}?{rng.choice(_QUERIES)}", b"{}", headers)

    def _foreign(self) -> HostileRequest:
        """A valid request for another guest's table."""
        rng, table = self._rng, self._rng.choice(self._target.tables)
        method, path, body = rng.choice(
            [valid for valid in self._valid_requests() if self._target.own in valid[1]]
        )
        path = path.replace(self._target.own, table)
        data = self._values.corrupted(body) if rng.chance(50) else json.dumps(body).encode()
        return self._request("others' tables", method, path, data, self._credentials())

    def _unfinished(self) -> HostileRequest:
        """A body that never ends, or differs from its headers."""
        head = f"POST /api/tables HTTP/1.1\r\nhost: {self._target.host}\r\n"
        ends = (
            b"content-length: 100\r\n\r\n{",
            b'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
            b"content-length: 16384\r\n\r\n" + b" " * 16383,
            b"transfer-encoding: chunked\r\n\r\n" + (b"400\r\n" + b" " * 1024 + b"\r\n") * 17,
            b"x-half: ",
        )
        return HostileRequest(
            "unfinished", head.encode() + self._rng.choice(ends), "POST", breaks_connection=True
        )

    def _broken(self) -> HostileRequest:
        """Bytes that are not valid HTTP."""
        data = (
            self._rng.choice(_BROKEN)
            if self._rng.chance(60)
            else self._values.noise(1 + self._rng.below(300))
        )
        return HostileRequest("broken", data, breaks_connection=True)

    def _credentials(self) -> list[tuple[str, str]]:
        """The attacker's credentials, sometimes with a wrong secret or none."""
        found = [("authorization", f"Bearer {self._target.token}")]
        if self._rng.chance(20):
            found.append(
                ("x-sanssouci-key", self._rng.choice((self._target.join, "A" * 43, self._target.token[::-1])))
            )
        return found if self._rng.chance(90) else []

    def _valid_requests(self) -> tuple[tuple[str, str, Json], ...]:
        """Valid requests, of all kinds."""
        table = f"/api/tables/{self._target.own}"
        message: Json = {
            "command_id": "c1",
            "expected_seq": 3,
            "command": {"type": "play", "turn": "36@2-g3/g3"},
        }
        chairs = [{"sitter": "person", "name": "Ada"}, {"sitter": "computer", "player": "random"}]
        new: Json = {
            "chairs": chairs,
            "edition": "imperial",
            "expansions": ["rewards", "wild_boar"],
            "boards": None,
            "boards_file": self._boards(),
            "clock": {"pace": "turn", "amount": 60},
            "visibility": "open",
            "first": 0,
        }
        return (
            ("POST", "/api/guests", {"name": "", "cookie": False}),
            ("PATCH", "/api/me", {"name": "Ada"}),
            ("POST", "/api/tables", new),
            ("POST", f"{table}/seats", {"name": "Ben", "chair": 1, "colour": "teal"}),
            ("POST", f"{table}/seats/1/claim", {}),
            ("POST", f"{table}/links/join", {}),
            ("POST", f"{table}/commands", message),
            (
                "POST",
                f"{table}/commands",
                {**message, "command": {"type": "appoint", "chair": 1, "player": "random"}},
            ),
            (
                "POST",
                f"{table}/commands",
                {**message, "command": {"type": "wear", "chair": 1, "colour": "red"}},
            ),
            ("POST", f"{table}/commands", {**message, "command": {"type": "vote", "chair": 1}, "chair": 0}),
            ("POST", f"{table}/commands", {**message, "command": {"type": "ready", "commitment": "00" * 32}}),
            ("POST", f"{table}/tickets", {"chair": 0, "watch": False}),
            ("POST", f"{table}/hint", {"chair": 0}),
            ("POST", "/api/records", RECORD),
            ("POST", "/api/records/steps", RECORD),
        )

    def _boards(self) -> str:
        """An invalid boards file: nonsense, or a corrupted valid one."""
        if self._rng.chance(50):
            return self._rng.choice(TOML)
        return self._values.scrambled(BOARDS.encode()).decode("utf-8", "replace")[:12_000]

    def _request(
        self, kind: str, method: str, path: str, body: bytes, headers: list[tuple[str, str]]
    ) -> HostileRequest:
        named = {name for name, _ in headers}
        lines = [("host", self._target.host)] if "host" not in named else []
        lines += [("content-type", "application/json")] if "content-type" not in named else []
        header_lines = "".join(f"{name}: {value}\r\n" for name, value in (*lines, *headers))
        first = f"{method} {path} HTTP/1.1\r\n{header_lines}content-length: {len(body)}\r\n\r\n"
        creates = {"/api/guests": "guest", "/api/tables": "game"}.get(path.partition("?")[0], "")
        data = first.encode("utf-8", "surrogateescape" if first.isascii() else "replace") + body
        return HostileRequest(kind, data, method, creates=creates if method == "POST" else "")
