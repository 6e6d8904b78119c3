"""A socket to an ASGI app, without a server between.

>>> line = Line(app, {"host": "localhost:8017"})              # doctest: +SKIP
>>> await line.open()                                         # doctest: +SKIP
>>> await line.send({"type": "hello", "ticket": ticket})      # doctest: +SKIP
>>> (await line.next())["type"]                               # doctest: +SKIP
'update'

``next`` raises ``Closed`` with the code when the server has closed the socket. A line that is ``paused``
reads nothing: what the app sends waits, as it does on a connection whose other end sleeps.
"""

import asyncio
import json
from collections import deque
from typing import Any

from starlette.types import ASGIApp, Message

Json = dict[str, Any]


class Closed(Exception):
    """The server has closed the socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Line:
    """One socket."""

    def __init__(self, app: ASGIApp, headers: dict[str, str], peer: str = "127.0.0.1") -> None:
        self._app = app
        self._scope: dict[str, Any] = {
            "type": "websocket",
            "scheme": "ws",
            "path": "/api/socket",
            "raw_path": b"/api/socket",
            "query_string": b"",
            "root_path": "",
            "client": (peer, 4711),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
        }
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._from_app: deque[Message] = deque()
        self._news = asyncio.Event()
        self._reading = asyncio.Event()
        self._reading.set()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> "Line":
        """Connect; ``Closed`` with a code or a status if that is refused."""
        self._to_app.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(_called(self._app, self._scope, self._to_app.get, self._take))
        first = await self._message()
        if first["type"] != "websocket.accept":
            raise Closed(int(first.get("code") or first["status"]))
        return self

    async def send(self, message: Json | str | bytes) -> None:
        """Say something: a document, or whatever it is."""
        match message:
            case bytes():
                self._to_app.put_nowait({"type": "websocket.receive", "bytes": message})
            case str():
                self._to_app.put_nowait({"type": "websocket.receive", "text": message})
            case _:
                self._to_app.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def command(self, kind: str, seq: int, command_id: str = "", **arguments: Any) -> None:
        """Give a command."""
        await self.send(
            {
                "type": "command",
                "command_id": command_id or f"{kind}-{seq}",
                "expected_seq": seq,
                "command": {"type": kind, **arguments},
            }
        )

    async def next(self) -> Json:
        """The next message of the server, or ``Closed``."""
        message = await self._message()
        if message["type"] == "websocket.close":
            raise Closed(int(message.get("code", 1000)))
        found: Json = json.loads(message["text"])
        return found

    async def until(self, kind: str) -> Json:
        """The next message of a kind; others before it are passed over."""
        while (message := await self.next())["type"] != kind:
            pass
        return message

    async def closed(self) -> int:
        """The code with which the server closes the socket, whatever it says before."""
        try:
            while True:
                await self.next()
        except Closed as closed:
            return closed.code

    @property
    def unread(self) -> list[Json]:
        """What has been sent and not read yet."""
        return [json.loads(message["text"]) for message in self._from_app if "text" in message]

    def pause(self) -> None:
        """Read nothing any more."""
        self._reading.clear()

    def resume(self) -> None:
        """Read again."""
        self._reading.set()

    def drop(self) -> None:
        """Leave."""
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1001})
        self.resume()

    async def hang_up(self) -> None:
        """Leave, and wait until the app has noticed."""
        self.drop()
        if self._task is not None:
            await self._task

    async def _take(self, message: Message) -> None:
        await self._reading.wait()
        self._from_app.append(message)
        self._news.set()
        if message["type"] == "websocket.close":
            self._to_app.put_nowait({"type": "websocket.disconnect", "code": message.get("code", 1000)})

    async def _message(self) -> Message:
        while not self._from_app:
            self._news.clear()
            await self._news.wait()
        return self._from_app.popleft()


async def _called(app: ASGIApp, *args: Any) -> None:
    await app(*args)
