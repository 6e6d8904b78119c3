"""How a client reaches a server: by calling the ASGI application, or over TCP."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol
from urllib.parse import quote, unquote

import httpx
import websockets
from starlette.types import ASGIApp, Message
from websockets.asyncio.client import ClientConnection, connect

HOST = "localhost:8017"
ORIGIN = f"http://{HOST}"
SOCKET = "/api/socket"
Check = Callable[[str, str, httpx.Response], None]
"""Called with method, path and response."""
Body = bytes | AsyncIterator[bytes]
_URL = "/%:;=@?&+$,!~*'()#[]"
"""Characters that are not escaped in a URL, besides letters and digits."""


class Closed(ConnectionError):
    """The server has closed the socket, or refused to open it: ``code`` is a close code or an HTTP status."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection(Protocol):
    """An open WebSocket."""

    async def send(self, message: str | bytes) -> None: ...

    async def receive(self) -> str | bytes:
        """The next message; ``Closed`` if the server has closed the socket."""

    async def close(self) -> None: ...


class Transport(Protocol):
    host: str

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Body = b""
    ) -> httpx.Response: ...

    async def connect(self, headers: Mapping[str, str]) -> Connection: ...

    async def close(self) -> None: ...


def scope(
    kind: str, path: str, headers: Mapping[str, str], peer: str = "127.0.0.1", **more: Any
) -> dict[str, Any]:
    """The ASGI scope of a request (``kind`` is ``http``) or a socket (``websocket``)."""
    path, _, query = quote(path, safe=_URL).partition("?")
    scheme = {"http": "http", "websocket": "ws"}[kind]
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": scheme,
        "path": unquote(path),
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "client": (peer, 4711),
        "server": ("127.0.0.1", 8017),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        **more,
    }


class AsgiTransport:
    """Calls an ASGI application in this process."""

    def __init__(
        self, app: ASGIApp, peer: str = "127.0.0.1", host: str = HOST, check: Check | None = None
    ) -> None:
        self.app = app
        self.peer = peer
        self.host = host
        self._check = check

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Body = b""
    ) -> httpx.Response:
        """A streamed body is sent without a length. If the application fails, the response is a 500."""
        exchange = _Exchange(body)
        sent_headers = {"host": self.host, "accept": "*/*", "accept-encoding": "gzip", **headers}
        if isinstance(body, bytes) and (body or method in ("POST", "PATCH", "PUT")):
            sent_headers.setdefault("content-length", str(len(body)))
        try:
            await self.app(
                scope("http", path, sent_headers, self.peer, method=method), exchange.receive, exchange.send
            )
        except Exception:
            exchange.status = exchange.status or 500
        response = exchange.response(method, f"http://{self.host}{path}")
        if self._check is not None:
            self._check(method, path.partition("?")[0], response)
        return response

    async def connect(self, headers: Mapping[str, str]) -> "AsgiConnection":
        return await AsgiConnection(self.app, {"host": self.host, **headers}, self.peer).open()

    async def close(self) -> None:
        pass


class _Exchange:
    """One request to an application, and its response."""

    def __init__(self, body: Body) -> None:
        self.status = 0
        self._headers: list[tuple[bytes, bytes]] = []
        self._parts: list[bytes] = []
        self._body = body
        self._done = asyncio.Event()
        self._sent = False

    async def receive(self) -> Message:
        if self._sent:
            await self._done.wait()
            return {"type": "http.disconnect"}
        if isinstance(self._body, bytes):
            self._sent = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        part = await anext(self._body, None)
        self._sent = part is None
        return {"type": "http.request", "body": part or b"", "more_body": part is not None}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self._headers = message["status"], list(message.get("headers", ()))
        else:
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                self._done.set()

    def response(self, method: str, url: str) -> httpx.Response:
        request = httpx.Request(method, "http://server/")
        return httpx.Response(
            self.status, headers=self._headers, content=b"".join(self._parts), request=request
        )


class AsgiConnection:
    """A WebSocket to an application in this process.

    While it is paused, messages of the application wait, as on a connection whose client does not read.
    """

    def __init__(
        self, app: ASGIApp, headers: Mapping[str, str], peer: str = "127.0.0.1", path: str = SOCKET
    ) -> None:
        self.messages: deque[Message] = deque()
        """Received and not read yet."""
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._news, self._reading = asyncio.Event(), asyncio.Event()
        self._reading.set()
        self._app_waits = False
        extensions: dict[str, Any] = {"websocket.http.response": {}}
        self._scope = scope("websocket", path, headers, peer, subprotocols=[], extensions=extensions)
        self._app = app
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to connect."""
        self._to_app.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._run())

    async def open(self) -> "AsgiConnection":
        self.start()
        first = await self._message()
        if first["type"] != "websocket.accept":
            raise Closed(int(first.get("code") or first["status"]))
        return self

    async def send(self, message: str | bytes) -> None:
        kind = "bytes" if isinstance(message, bytes) else "text"
        self._to_app.put_nowait({"type": "websocket.receive", kind: message})

    async def receive(self) -> str | bytes:
        message = await self._message()
        if message["type"] == "websocket.close":
            raise Closed(int(message.get("code", 1000)))
        text: str | bytes = message["text"]
        return text

    def pause(self) -> None:
        self._reading.clear()

    def resume(self) -> None:
        self._reading.set()

    def drop(self) -> None:
        """Disconnect without waiting for the application."""
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1001})
        self.resume()

    async def close(self) -> None:
        self.drop()
        if self._task is not None:
            await self._task

    @property
    def is_open(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def is_idle(self) -> bool:
        """Whether the application waits for the next message, or has ended."""
        return not self.is_open or (self._app_waits and self._to_app.empty())

    async def _run(self) -> None:
        await self._app(self._scope, self._receive, self._send)

    async def _receive(self) -> Message:
        self._app_waits = True
        message = await self._to_app.get()
        self._app_waits = False
        return message

    async def _send(self, message: Message) -> None:
        await self._reading.wait()
        self.messages.append(message)
        self._news.set()
        if message["type"] == "websocket.close":
            self._to_app.put_nowait({"type": "websocket.disconnect", "code": message.get("code", 1000)})

    async def _message(self) -> Message:
        while not self.messages:
            self._news.clear()
            await self._news.wait()
        return self.messages.popleft()


class TcpTransport:
    """One HTTP connection, kept alive as long as possible, so light that hundreds of clients share a core."""

    def __init__(self, host: str, local_address: str | None = None) -> None:
        self.host = host
        self._local = None if local_address is None else (local_address, 0)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Body = b""
    ) -> httpx.Response:
        """``OSError`` or ``EOFError`` if there is no response."""
        assert isinstance(body, bytes)
        sent_headers = {"host": self.host, "content-length": str(len(body)), **headers}
        lines = [
            f"{method} {path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in sent_headers.items()),
            "",
            "",
        ]
        try:
            reader, writer = await self._open()
            writer.write("\r\n".join(lines).encode("ascii") + body)
            return await _read_response(reader, method)
        except BaseException:  # a connection with a response outstanding cannot be used again
            await self.close()
            raise

    async def connect(self, headers: Mapping[str, str]) -> "TcpConnection":
        url = f"ws://{self.host}{SOCKET}"
        try:
            return TcpConnection(
                await connect(
                    url,
                    compression=None,
                    proxy=None,
                    open_timeout=30,
                    max_size=None,
                    additional_headers=headers,
                    local_addr=self._local,
                )
            )
        except websockets.WebSocketException as error:
            raise ConnectionError(str(error)) from error

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            host, _, port = self.host.rpartition(":")
            self._streams = await asyncio.open_connection(host, int(port), local_addr=self._local)
        return self._streams


async def _read_response(reader: asyncio.StreamReader, method: str) -> httpx.Response:
    """Read a response; the server sends Content-Length with every body."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines if line)]
    response = httpx.Response(int(first.split()[1]), headers=headers)
    size = 0 if method == "HEAD" else int(response.headers.get("content-length", "0"))
    return httpx.Response(response.status_code, headers=headers, content=await reader.readexactly(size))


class TcpConnection:
    """A WebSocket over TCP."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, message: str | bytes) -> None:
        try:
            await self._socket.send(message)
        except websockets.ConnectionClosed as closed:
            raise _closed(closed) from closed

    async def receive(self) -> str | bytes:
        try:
            return await self._socket.recv()
        except websockets.ConnectionClosed as closed:
            raise _closed(closed) from closed

    async def close(self) -> None:
        await self._socket.close()


def _closed(closed: websockets.ConnectionClosed) -> Closed:
    return Closed(1006 if closed.rcvd is None else closed.rcvd.code)
