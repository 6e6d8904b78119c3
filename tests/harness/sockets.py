"""A WebSocket client on any transport."""

import json
from collections.abc import Callable
from typing import Any

import orjson

from .builders import ready_arguments
from .transports import AsgiConnection, Closed, Connection

Json = dict[str, Any]


class Socket:
    """Messages of one socket; ``view`` and ``events`` collect the contents of all updates so far."""

    def __init__(
        self, connection: Connection, name: str = "", check: Callable[[str | bytes], object] | None = None
    ) -> None:
        """``name`` is the prefix of its command ids; ``check`` is called with every message of the server."""
        self.connection = connection
        self.view: Json = {}
        self.events: list[Json] = []
        self._check = check
        self._name, self._commands = name or f"socket-{id(self)}", 0

    @property
    def asgi(self) -> AsgiConnection:
        """The connection, where it is one to an application in this process: it can be paused and dropped."""
        assert isinstance(self.connection, AsgiConnection)
        return self.connection

    async def send(self, message: Json | str | bytes) -> None:
        """Send a JSON document, or text or bytes as they are."""
        await self.connection.send(json_text(message) if isinstance(message, dict) else message)

    async def send_command(self, kind: str, seq: int, command_id: str = "", **arguments: Any) -> None:
        """Send a command. ``ready`` with a nonce is sent with its commitment, where the table wants one."""
        if kind == "ready" and "nonce" in arguments and self.view:
            arguments = ready_arguments(self.view, arguments["nonce"])
        command = {"type": kind, **arguments}
        await self.send(command_message(command, seq, command_id or f"{kind}-{seq}") | {"type": "command"})

    async def receive(self) -> Json:
        """The next message, or ``Closed``."""
        data = await self.connection.receive()
        if self._check is not None:
            self._check(data)
        message: Json = orjson.loads(data)
        if message["type"] == "update":
            self.view = message["view"]
            self.events += message["events"]
        return message

    async def receive_until(self, kind: str) -> Json:
        """The next message of a type; others before it are skipped."""
        while (message := await self.receive())["type"] != kind:
            pass
        return message

    async def catch_up(self, seq: int) -> None:
        """Receive updates until the event of this number is known."""
        while not self.view or self.view["seq"] < seq:
            assert (await self.receive())["type"] == "update"

    async def do(self, kind: str, **arguments: Any) -> int:
        """Give a command, and repeat it while it is stale; returns the number of its event."""
        while True:
            self._commands += 1
            command_id = f"{self._name}-{self._commands}"
            await self.send_command(kind, self.view["seq"], command_id, **arguments)
            while (answer := await self.receive())["type"] == "update":
                pass
            assert answer["command_id"] == command_id
            if answer["type"] == "done":
                seq: int = answer["seq"]
                return seq
            assert answer["error"]["code"] == "declined.stale", answer
            assert (await self.receive())["type"] == "update", "an update follows a stale command"

    async def close_code(self) -> int:
        """The code with which the server closes the socket; messages before it are skipped."""
        try:
            while True:
                await self.receive()
        except Closed as closed:
            return closed.code

    async def close(self) -> None:
        await self.connection.close()


def command_message(command: Json, seq: int, command_id: str) -> Json:
    """A command as it is sent by HTTP."""
    return {"command_id": command_id, "expected_seq": seq, "command": command}


def json_text(document: object) -> str:
    """JSON in ASCII; unlike ``orjson`` it takes any number and any text."""
    return json.dumps(document, separators=(",", ":"))
