"""Socket messages between a page and its server: recorded, delayed or cut."""

import json
import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, WebSocket, WebSocketRoute

Json = dict[str, Any]
RESTART_CODE = 1012
"""The close code of a restarting server."""
_TICKETS = "**/tickets"


class SocketTraffic:
    """All socket messages that a page has received."""

    def __init__(self, page: Page) -> None:
        self._texts: list[str] = []
        page.on("websocket", self._open)

    def _open(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self._texts.append(str(text)))

    @property
    def views(self) -> list[Json]:
        """All views received, from first to last."""
        messages = [json.loads(text) for text in self._texts]
        return [message["view"] for message in messages if "view" in message]

    def secrets(self) -> list[str]:
        """Secrets of others in the views, as text."""
        return [secret for view in self.views for secret in _secrets(view)]


class SocketProxy:
    """A proxy between a page and its server, which can delay messages or disconnect."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sockets: list[WebSocketRoute] = []
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        self._holds = False
        page.route_web_socket(re.compile("/api/socket"), self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        def deliver(text: str | bytes) -> None:
            if self._holds:
                self._held.append((socket, text))
            else:
                socket.send(text)

        self._sockets.append(socket)
        socket.connect_to_server().on_message(deliver)

    def hold(self) -> None:
        """Hold back all messages of the server."""
        self._holds = True

    def release(self) -> None:
        """Deliver the held messages and all later ones."""
        self._holds = False
        while self._held:
            socket, text = self._held.pop(0)
            socket.send(text)

    def disconnect(self) -> None:
        """Close the connection and prevent new ones."""
        self._page.route(_TICKETS, lambda route: route.abort())
        self._sockets[-1].close(code=RESTART_CODE)

    def restore(self) -> None:
        """Permit connections again and report the network as online."""
        self._page.unroute(_TICKETS)
        go_online(self._page)


def go_online(page: Page) -> None:
    """Fire the browser's ``online`` event, so that the page reconnects at once."""
    page.evaluate("dispatchEvent(new Event('online'))")


def _secrets(view: Json) -> Iterator[str]:
    """Violations in a view: others' cards and missions, or the seed before the end (R8, R11)."""
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
    """Every key of a document with its path."""
    if isinstance(document, list):
        for item in document:
            yield from _keys(item, path)
    if isinstance(document, dict):
        for key, value in document.items():
            yield path, key
            yield from _keys(value, f"{path}.{key}".lstrip("."))
