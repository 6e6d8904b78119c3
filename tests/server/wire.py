"""A socket spoken to without a network: an ASGI app on its other end."""

import asyncio
import json
from typing import Any

from pydantic import TypeAdapter
from starlette.types import ASGIApp, Message

Json = dict[str, Any]
LONG = 60.0
"""Seconds after which something has failed that should have happened long ago."""


class Closed(Exception):
    """The server has closed the socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Wire:
    """One socket; every frame of the server is read by its model."""

    def __init__(self, app: ASGIApp, frames: "TypeAdapter[Any]", name: str = "wire") -> None:
        """The name begins the ids of its commands, so that no two sockets of a test meet."""
        self._app = app
        self._frames = frames
        self._to: asyncio.Queue[Message] = asyncio.Queue()
        self._from: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._name, self._ids = name, 0
        self.view: Json = {}
        """The table as it was last told."""
        self.events: list[Json] = []

    async def open(self, **hello: Any) -> "Wire":
        """Connect, and say hello if there is anything to say."""
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": "/api/socket",
            "raw_path": b"/api/socket",
            "query_string": b"",
            "root_path": "",
            "client": ("127.0.0.1", 4711),
            "subprotocols": [],
            "headers": [(b"host", b"127.0.0.1:8017")],
        }
        await self._to.put({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._run(scope))
        assert (await self._next())["type"] == "websocket.accept"
        if hello:
            await self.say({"type": "hello", **hello})
        return self

    async def _run(self, scope: Json) -> None:
        await self._app(scope, self._to.get, self._from.put)

    async def _next(self) -> Message:
        async with asyncio.timeout(LONG):
            return await self._from.get()

    async def say(self, document: object) -> None:
        """Send a message; a text is sent as it is."""
        text = document if isinstance(document, str) else json.dumps(document)
        await self._to.put({"type": "websocket.receive", "text": text})

    async def hear(self) -> Json:
        """The next message, or ``Closed``; it is what the description says."""
        message = await self._next()
        if message["type"] == "websocket.close":
            raise Closed(message["code"])
        self._frames.validate_json(message["text"])
        document: Json = json.loads(message["text"])
        if document["type"] == "update":
            self.view = document["view"]
            self.events += document["events"]
        return document

    async def hear_until(self, seq: int) -> None:
        """Hear updates until the table is known as far as an event."""
        while not self.view or self.view["seq"] < seq:
            assert (await self.hear())["type"] == "update"

    async def command(self, command: Json, **other: Any) -> Json:
        """Give a command and hear what comes of it; updates that come before it are taken note of."""
        self._ids += 1
        message = {
            "command_id": f"{self._name}-{self._ids}",
            "expected_seq": self.view["seq"],
            "command": command,
            **other,
        }
        await self.say({"type": "command", **message})
        while (answer := await self.hear())["type"] == "update":
            pass
        assert answer["command_id"] == message["command_id"]
        return answer

    async def do(self, kind: str, **arguments: Any) -> int:
        """Give a command until it is carried out: others may move the table on; the event that it becomes."""
        while (answer := await self.command({"type": kind, **arguments}))["type"] == "refused":
            assert answer["error"]["code"] == "declined.stale", answer
            assert (await self.hear())["type"] == "update", "what has happened comes after a stale command"
        seq: int = answer["seq"]
        return seq

    async def leave(self) -> None:
        """Go away, if that has not happened yet."""
        await self._to.put({"type": "websocket.disconnect", "code": 1000})
        if self._task is not None:
            await self._task
