"""What a server sends to a page, kept as it came, so that a test can ask what the page might have known."""

import json
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, WebSocket, WebSocketRoute

Json = dict[str, Any]
CUT = 1012
"""How a socket is closed by a server that comes back."""
_TICKETS = "**/tickets"


class Post:
    """All messages that have come to a page by its sockets."""

    def __init__(self, page: Page) -> None:
        self._texts: list[str] = []
        page.on("websocket", self._open)

    def _open(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self._texts.append(str(text)))

    @property
    def views(self) -> list[Json]:
        """The table as it was told, from the first message to the last."""
        messages = [json.loads(text) for text in self._texts]
        return [message["view"] for message in messages if "view" in message]

    def secrets(self) -> list[str]:
        """What was told of others while it was secret, each in words; none, if all is well."""
        return [secret for view in self.views for secret in _secrets(view)]


class Line:
    """The line between a page and its server, which can be slow, or cut."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sockets: list[WebSocketRoute] = []
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        self._holds = False
        page.route_web_socket("**/api/socket", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        def deliver(text: str | bytes) -> None:
            if self._holds:
                self._held.append((socket, text))
            else:
                socket.send(text)

        self._sockets.append(socket)
        socket.connect_to_server().on_message(deliver)

    def hold(self) -> None:
        """Deliver nothing from the server from now on."""
        self._holds = True

    def release(self) -> None:
        """Deliver what was held back, and all that comes."""
        self._holds = False
        while self._held:
            socket, text = self._held.pop(0)
            socket.send(text)

    def cut(self) -> None:
        """Close the connection, and let no new one be made."""
        self._page.route(_TICKETS, lambda route: route.abort())
        self._sockets[-1].close(code=CUT)

    def mend(self) -> None:
        """Let connections be made again; the browser notices that its network is back."""
        self._page.unroute(_TICKETS)
        come_back(self._page)


def come_back(page: Page) -> None:
    """The browser's network is back: the page does not wait until it would try again by itself."""
    page.evaluate("dispatchEvent(new Event('online'))")


def _secrets(view: Json) -> Iterator[str]:
    """Who plays knows the own two cards and missions, and the seed only when all is over (R8, R11)."""
    seat, game, at = view["you"]["seat"], view["game"], f"{view['stage']} {view['seq']}"
    hands = [path for path, key in _keys(view) if key == "hand"]
    if hands != (["game"] if game else []):
        yield f"{at}: hands in {hands}"
    if game and not set(game["hand"]) <= set(game["unplayed"][seat] if seat is not None else ()):
        yield f"{at}: the hand {game['hand']}"
    if view["stage"] != "over":
        missions = (game or view["setup"] or {"missions": []})["missions"]
        yield from (
            f"{at}: missions of {other}" for other, two in enumerate(missions) if two and other != seat
        )
        yield from (f"{at}: {path}.{key}" for path, key in _keys(view) if key in ("seed", "nonces", "token"))


def _keys(document: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every key of a document, with the way to it."""
    if isinstance(document, list):
        for one in document:
            yield from _keys(one, path)
    if isinstance(document, dict):
        for key, value in document.items():
            yield path, key
            yield from _keys(value, f"{path}.{key}".lstrip("."))
