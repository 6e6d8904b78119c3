"""Connections of somebody who writes bytes as they are, from an address of their own."""

import asyncio
import json
import struct
from typing import Any

from .frames import CLOSE, TEXT, frame

Json = dict[str, Any]
GONE = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
PATIENCE = 30.0
"""Seconds after which a server that says nothing has failed."""
_UPGRADE = (
    "GET /api/socket HTTP/1.1\r\nhost: {place}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Wire:
    """One connection."""

    def __init__(self, place: str, address: str) -> None:
        self._place = place
        self._address = address
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Both ends, connected if they are not."""
        if self._ends is None:
            host, _, port = self._place.partition(":")
            local = (self._address, 0)
            self._ends = await asyncio.open_connection(host, int(port), local_addr=local, limit=1 << 22)
        return self._ends

    def close(self) -> None:
        """Let go."""
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None

    async def send(self, data: bytes) -> None:
        """Write bytes."""
        _, writer = await self.open()
        writer.write(data)
        await writer.drain()

    async def say_no_more(self) -> None:
        """End one's own side; the other may still write."""
        _, writer = await self.open()
        writer.write_eof()

    async def answer(self, method: str = "GET") -> tuple[int, bytes]:
        """Status and body of the next answer; one of ``GONE`` if there is none."""
        reader, _ = await self.open()
        async with asyncio.timeout(PATIENCE):
            status, headers = 100, {}
            while status == 100:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                status, headers = int(first.split()[1]), dict(_header(line) for line in lines if line)
            size = 0 if method == "HEAD" else int(headers.get("content-length", 0))
            body = await reader.readexactly(size)
        if headers.get("connection") == "close":
            self.close()
        return status, body

    async def ask(self, method: str, path: str, body: Json, token: str = "", key: str = "") -> Json:
        """A request that is meant well: what was answered, with its status."""
        data = json.dumps(body).encode()
        told = {"host": self._place, "content-type": "application/json", "content-length": str(len(data))}
        told |= {"authorization": f"Bearer {token}"} if token else {}
        told |= {"x-sanssouci-key": key} if key else {}
        lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        await self.send(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + data)
        status, answer = await self.answer()
        return {**json.loads(answer), "status": status}


class Socket(Wire):
    """A WebSocket, frame by frame."""

    async def upgrade(self) -> None:
        """Make it one."""
        reader, _ = await self.open()
        await self.send(_UPGRADE.format(place=self._place).encode())
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head:
            raise EOFError(head.decode("latin-1"))

    async def say(self, message: Json) -> None:
        """A message that is meant well."""
        await self.send(frame(TEXT, json.dumps(message).encode()))

    async def hear(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        reader, _ = await self.open()
        first, size = await reader.readexactly(2)
        if size >= 126:
            long = await reader.readexactly(2 if size == 126 else 8)
            size = struct.unpack("!H" if len(long) == 2 else "!Q", long)[0]
        return first & 15, await reader.readexactly(size)

    async def closing(self) -> int:
        """Read to the end: the code with which the server closes; 1006 if it does not say."""
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    opcode, payload = await self.hear()
                    if opcode == CLOSE:
                        return int.from_bytes(payload[:2], "big")
        except TimeoutError:
            raise
        except GONE:
            return 1006
        finally:
            self.close()


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.lower(), value.strip()
