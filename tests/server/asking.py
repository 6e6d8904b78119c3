"""Asks an ASGI app, without a server between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpx
from starlette.types import ASGIApp, Message

BASE = "http://localhost:8017"


def ask(
    app: ASGIApp,
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    content: bytes | Iterable[bytes] | None = None,
    peer: str = "127.0.0.1",
) -> httpx.Response:
    """The answer to one request; content in parts is sent without a length."""

    async def main() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 4711))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            body = content if isinstance(content, bytes | None) else _parts(content)
            return await client.request(method, path, headers=headers, content=body)

    return asyncio.run(main())


async def _parts(content: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in content:
        yield part


def open_socket(app: ASGIApp, path: str, headers: dict[str, str], query: bytes = b"") -> list[Message]:
    """What an app sends to somebody who opens a socket and leaves."""
    received: list[Message] = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1001}]
    sent: list[Message] = []
    scope: dict[str, Any] = {
        "type": "websocket",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode("ascii"),
        "query_string": query,
        "root_path": "",
        "client": ("127.0.0.1", 4711),
        "subprotocols": [],
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
    }

    async def receive() -> Message:
        return received.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(_called(app, scope, receive, send))
    return sent


async def _called(app: ASGIApp, *args: Any) -> None:
    await app(*args)
