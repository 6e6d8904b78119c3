"""Hostile requests, as bytes for the wire: good ones gone bad, and what was never a request."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lot import Lot
from .malice import STRINGS, TOML, Malice
from .prey import Prey

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
class Shot:
    """One message, and whether an answer can be read from the same connection."""

    kind: str
    data: bytes
    method: str = "GET"
    spoils: bool = False
    """Whether nothing more can be sent after it."""
    makes: str = ""
    """What comes to be where the answer is yes: a guest, a game."""


class Requests:
    """Hostile requests to one server."""

    def __init__(self, prey: Prey, lot: Lot) -> None:
        self._prey = prey
        self._lot = lot
        self._malice = Malice(lot)

    def shot(self) -> Shot:
        """The next one."""
        choice = self._lot.below(100)
        if choice < 62:
            return self._spoilt()
        if choice < 80:
            return self._odd()
        if choice < 90:
            return self._others()
        return self._unfinished() if choice < 94 else self._broken()

    def _spoilt(self) -> Shot:
        """A good request, its body gone bad."""
        method, path, body = self._lot.one(self._good())
        return self._request("body", method, path, self._malice.spoilt(body), self._known())

    def _odd(self) -> Shot:
        """Paths, queries, methods and headers that are not meant so."""
        lot = self._lot
        method = lot.one(_METHODS)
        path = lot.one((*_PATHS, f"/api/tables/{self._prey.own}", f"/api/tables/{lot.one(STRINGS)!r}"))
        headers = self._known() if lot.often(50) else []
        headers += [lot.one(_HEADERS) for _ in range(lot.below(4))]
        return self._request("odd", method, f"{path}?{lot.one(_QUERIES)}", b"{}", headers)

    def _others(self) -> Shot:
        """What would be good at one's own table, at another's."""
        lot, table = self._lot, self._lot.one(self._prey.tables)
        method, path, body = lot.one([good for good in self._good() if self._prey.own in good[1]])
        path = path.replace(self._prey.own, table)
        data = self._malice.spoilt(body) if lot.often(50) else json.dumps(body).encode()
        return self._request("others' tables", method, path, data, self._known())

    def _unfinished(self) -> Shot:
        """A body that never ends, or not as it was said."""
        head = f"POST /api/tables HTTP/1.1\r\nhost: {self._prey.place}\r\n"
        ends = (
            b"content-length: 100\r\n\r\n{",
            b'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
            b"content-length: 16384\r\n\r\n" + b" " * 16383,
            b"transfer-encoding: chunked\r\n\r\n" + (b"400\r\n" + b" " * 1024 + b"\r\n") * 17,
            b"x-half: ",
        )
        return Shot("unfinished", head.encode() + self._lot.one(ends), "POST", spoils=True)

    def _broken(self) -> Shot:
        """What is no HTTP."""
        data = self._lot.one(_BROKEN) if self._lot.often(60) else self._malice.noise(1 + self._lot.below(300))
        return Shot("broken", data, spoils=True)

    def _known(self) -> list[tuple[str, str]]:
        """By what the attacker is known, mostly; sometimes by a secret that is none."""
        found = [("authorization", f"Bearer {self._prey.token}")]
        if self._lot.often(20):
            found.append(
                ("x-sanssouci-key", self._lot.one((self._prey.join, "A" * 43, self._prey.token[::-1])))
            )
        return found if self._lot.often(90) else []

    def _good(self) -> tuple[tuple[str, str, Json], ...]:
        """Requests that can be meant well."""
        table = f"/api/tables/{self._prey.own}"
        order: Json = {
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
            ("POST", f"{table}/commands", order),
            (
                "POST",
                f"{table}/commands",
                {**order, "command": {"type": "appoint", "chair": 1, "player": "random"}},
            ),
            (
                "POST",
                f"{table}/commands",
                {**order, "command": {"type": "wear", "chair": 1, "colour": "red"}},
            ),
            ("POST", f"{table}/commands", {**order, "command": {"type": "vote", "chair": 1}, "chair": 0}),
            ("POST", f"{table}/commands", {**order, "command": {"type": "ready", "nonce": "00" * 8}}),
            ("POST", f"{table}/tickets", {"chair": 0, "watch": False}),
            ("POST", f"{table}/hint", {"chair": 0}),
            ("POST", "/api/records", RECORD),
            ("POST", "/api/records/steps", RECORD),
        )

    def _boards(self) -> str:
        """A boards file: none at all, or a good one gone bad."""
        if self._lot.often(50):
            return self._lot.one(TOML)
        return self._malice.scrambled(BOARDS.encode()).decode("utf-8", "replace")[:12_000]

    def _request(
        self, kind: str, method: str, path: str, body: bytes, headers: list[tuple[str, str]]
    ) -> Shot:
        named = {name for name, _ in headers}
        lines = [("host", self._prey.place)] if "host" not in named else []
        lines += [("content-type", "application/json")] if "content-type" not in named else []
        told = "".join(f"{name}: {value}\r\n" for name, value in (*lines, *headers))
        first = f"{method} {path} HTTP/1.1\r\n{told}content-length: {len(body)}\r\n\r\n"
        makes = {"/api/guests": "guest", "/api/tables": "game"}.get(path.partition("?")[0], "")
        data = first.encode("utf-8", "surrogateescape" if first.isascii() else "replace") + body
        return Shot(kind, data, method, makes=makes if method == "POST" else "")
