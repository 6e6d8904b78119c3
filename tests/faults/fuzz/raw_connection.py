"""Connections on which an attacker writes raw bytes, from a separate address."""

import asyncio
import json
import struct
from typing import Any

from .hostile_frames import CLOSE, TEXT, frame

Json = dict[str, Any]
DISCONNECTED = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
TIMEOUT = 30.0
"""Seconds after which a silent server has failed."""
_UPGRADE = (
    "GET /api/socket HTTP/1.1\r\nhost: {host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class RawConnection:
    """An HTTP connection."""

    def __init__(self, host: str, address: str) -> None:
        self._host = host
        self._address = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Reader and writer, connected if necessary."""
        if self._streams is None:
            host, _, port = self._host.partition(":")
            local = (self._address, 0)
            self._streams = await asyncio.open_connection(host, int(port), local_addr=local, limit=1 << 22)
        return self._streams

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def send(self, data: bytes) -> None:
        _, writer = await self.open()
        writer.write(data)
        await writer.drain()

    async def end_sending(self) -> None:
        """Close the sending direction. The server may still write."""
        _, writer = await self.open()
        writer.write_eof()

    async def answer(self, method: str = "GET") -> tuple[int, bytes]:
        """Status and body of the next answer. Raises one of ``DISCONNECTED`` if there is none."""
        reader, _ = await self.open()
        async with asyncio.timeout(TIMEOUT):
            status, headers = 100, {}
            while status == 100:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                status, headers = int(first.split()[1]), dict(_header(line) for line in lines if line)
            size = 0 if method == "HEAD" else int(headers.get("content-length", 0))
            body = await reader.readexactly(size)
        if headers.get("connection") == "close":
            self.close()
        return status, body

    async def request(self, method: str, path: str, body: Json, token: str) -> Json:
        """Send a valid request. Returns the answer and its status."""
        data = json.dumps(body).encode()
        headers = {"host": self._host, "content-type": "application/json", "content-length": str(len(data))}
        headers |= {"authorization": f"Bearer {token}"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        await self.send(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + data)
        status, answer = await self.answer()
        return {**json.loads(answer), "status": status}


class RawSocket(RawConnection):
    """A WebSocket, frame by frame."""

    async def upgrade(self) -> None:
        reader, _ = await self.open()
        await self.send(_UPGRADE.format(host=self._host).encode())
        async with asyncio.timeout(TIMEOUT):
            head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head:
            raise EOFError(head.decode("latin-1"))

    async def send_json(self, message: Json) -> None:
        await self.send(frame(TEXT, json.dumps(message).encode()))

    async def receive(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        reader, _ = await self.open()
        first, size = await reader.readexactly(2)
        if size >= 126:
            long = await reader.readexactly(2 if size == 126 else 8)
            size = struct.unpack("!H" if len(long) == 2 else "!Q", long)[0]
        return first & 15, await reader.readexactly(size)

    async def close_code(self) -> int:
        """Read to the end. Returns the close code, or 1006 without one."""
        try:
            async with asyncio.timeout(TIMEOUT):
                while True:
                    opcode, payload = await self.receive()
                    if opcode == CLOSE:
                        return int.from_bytes(payload[:2], "big")
        except TimeoutError:
            raise
        except DISCONNECTED:
            return 1006
        finally:
            self.close()


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.lower(), value.strip()
