"""Those who look at a game: on a chair, as its owner, by the watch link, as a stranger, or as nobody."""

import json
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Message

from sanssouci.server.auth.principal import KEY_HEADER
from sanssouci.server.middleware.origin_check import COOKIE

from .house import HOST, Headers, Line

Json = dict[str, Any]


@dataclass
class Side:
    """What somebody has, and is told, in one of the houses."""

    token: str = ""
    key: str = ""
    """The secret of a link."""
    ticket: str = ""
    """The last one; it is used up."""
    line: Line | None = None
    told: list[bytes] = field(default_factory=list)
    """Everything, byte for byte, since it was last compared."""

    def hear(self) -> None:
        """Take what the socket has said."""
        if self.line is not None:
            self.told += map(_written, self.line.heard)
            self.line.heard.clear()

    def take(self, status: int, headers: Headers, body: bytes) -> Json:
        """Take an answer; what it says, if that is JSON."""
        self.told += [str(status).encode(), *(name + b": " + value for name, value in headers), body]
        return json.loads(body) if body.startswith(b"{") else {}


@dataclass
class Viewer:
    """Somebody, in both houses."""

    name: str
    chair: int | None = None
    knows: bool = False
    """Whether the difference is something of one's own."""
    guest: bool = True
    cookie: bool = False
    """Known by a cookie, as a browser is; else by a bearer token."""
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))

    @property
    def has_line(self) -> bool:
        """Whether a socket is open, in both houses."""
        return all(side.line is not None and side.line.open for side in self.sides)

    def headers(self, side: Side, language: str = "en") -> Headers:
        """By what one is known in a house."""
        lines = {"accept-language": language, "content-type": "application/json"}
        if side.token and self.cookie:
            lines |= {"cookie": f"{COOKIE}={side.token}", "origin": f"http://{HOST}"}
        elif side.token:
            lines["authorization"] = f"Bearer {side.token}"
        if side.key:
            lines[KEY_HEADER] = side.key
        return [(name.encode(), value.encode()) for name, value in lines.items()]


def _written(message: Message) -> bytes:
    """A message of a socket; its text as it is."""
    return repr(sorted(message.items())).encode()
