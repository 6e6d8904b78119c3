"""Viewers of a game: people on chairs, the owner, a watcher, another guest, and no guest."""

from dataclasses import dataclass, field

import httpx
from starlette.types import Message

from sanssouci.server.auth.principal import KEY_HEADER
from sanssouci.server.middleware.origin_check import COOKIE

from ...harness.sockets import Json
from ...harness.transports import HOST, AsgiConnection
from .paired_server import Headers


@dataclass
class Side:
    """The credentials of a viewer at one server, and everything that it received there."""

    token: str = ""
    key: str = ""
    """The secret of a link."""
    ticket: str = ""
    """The last ticket, which is used."""
    connection: AsgiConnection | None = None
    received: list[bytes] = field(default_factory=list)
    """Everything received since the last comparison."""

    def receive(self) -> None:
        """Collect the messages of the socket."""
        if self.connection is not None:
            self.received += map(_written, self.connection.messages)
            self.connection.messages.clear()

    def take_response(self, response: httpx.Response) -> Json:
        """Collect a response. Returns its JSON document, if any."""
        headers = (name + b": " + value for name, value in response.headers.raw)
        self.received += [str(response.status_code).encode(), *headers, response.content]
        return response.json() if response.content.startswith(b"{") else {}


@dataclass
class Viewer:
    """A viewer at both servers."""

    name: str
    chair: int | None = None
    knows: bool = False
    """Whether the viewer may know the difference."""
    guest: bool = True
    cookie: bool = False
    """Whether it sends a cookie, like a browser, or a bearer token."""
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))

    @property
    def is_connected(self) -> bool:
        """Whether a socket is open at both servers."""
        return all(side.connection is not None and side.connection.is_open for side in self.sides)

    def headers(self, side: Side, language: str = "en") -> Headers:
        lines = {"accept-language": language, "content-type": "application/json"}
        lines["accept-encoding"] = "identity"
        if side.token and self.cookie:
            lines |= {"cookie": f"{COOKIE}={side.token}", "origin": f"http://{HOST}"}
        elif side.token:
            lines["authorization"] = f"Bearer {side.token}"
        if side.key:
            lines[KEY_HEADER] = side.key
        return lines


def _written(message: Message) -> bytes:
    return repr(sorted(message.items())).encode()
