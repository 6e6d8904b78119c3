"""Requests to a server on this machine, by a client so light that hundreds share a core."""

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson

Json = dict[str, Any]
GONE = (OSError, EOFError)
"""What is raised where a server was."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The document that was answered."""
        return orjson.loads(self.body)


class Line:
    """One connection to a server, that is kept as long as it holds."""

    def __init__(self) -> None:
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, place: str, method: str, path: str, body: Json | None, headers: dict[str, str]
    ) -> Reply:
        """Make a request at a host and port; one of ``GONE`` if there is no answer."""
        try:
            return await self._asked(place, method, path, body, headers)
        except BaseException:  # a line on which an answer is missing is of no use any more
            self.hang_up()
            raise

    async def _asked(
        self, place: str, method: str, path: str, body: Json | None, headers: dict[str, str]
    ) -> Reply:
        if self._ends is None:
            host, _, port = place.partition(":")
            self._ends = await asyncio.open_connection(host, int(port))
        reader, writer = self._ends
        writer.write(_request(place, method, path, b"" if body is None else orjson.dumps(body), headers))
        return await _reply(reader)

    def hang_up(self) -> None:
        """Let go of the connection."""
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None


def _request(place: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
    told = {
        "host": place,
        "content-type": "application/json",
        "content-length": str(len(body)),
        **headers,
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


async def _reply(reader: asyncio.StreamReader) -> Reply:
    """The server says how long every answer is."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Reply(int(first.split()[1]), headers, body)
