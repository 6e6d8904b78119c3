"""A client of the server's HTTP interface, on any transport."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from copy import copy
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from typing import Any

import httpx
from starlette.types import ASGIApp, Message

from .builders import new_table, ready_arguments
from .sockets import Json, Socket, command_message, json_text
from .transports import AsgiConnection, AsgiTransport, Transport

_NUMBERS = count()
_RUN = token_hex(4)
"""For command ids that are unique, also in data that another run has left."""


@dataclass(frozen=True)
class CreatedTable:
    """A table, with the secrets of its links."""

    id: str
    seats: dict[int, str]
    join: str
    watch: str
    commitment: str | None

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class CommittedNonce:
    """A nonce that is to be revealed once everyone at the table is ready."""

    client: "Client"
    chair: int
    nonce: str


class Client:
    """Sends requests with the headers of a guest or of a link, or without any."""

    def __init__(
        self,
        transport: Transport,
        headers: dict[str, str] | None = None,
        check: Callable[[str | bytes], object] | None = None,
        find_seq: Callable[[str], int | None] = lambda table: None,
        committed: dict[str, list[CommittedNonce]] | None = None,
    ) -> None:
        """``check`` is called with every message of the sockets.

        ``find_seq`` returns the last event number of a table, or ``None`` if the table must be read.
        ``committed`` are the nonces of clients of the same server, by table.
        """
        self.transport = transport
        self.headers = headers or {}
        self._check, self._find_seq = check, find_seq
        self._committed = {} if committed is None else committed

    def with_headers(self, **headers: str) -> "Client":
        other = copy(self)
        other.headers = {**self.headers, **_hyphenated(headers)}
        return other

    def with_key(self, secret: str) -> "Client":
        """The same client with the secret of a link."""
        return self.with_headers(x_sanssouci_key=secret)

    async def as_guest(self, name: str = "Ada", browser: bool = False, **headers: str) -> "Client":
        """Create a guest: the client that is known by its token, or by its cookie as a browser is."""
        response = await self.request("POST", "/api/guests", {"name": name, "cookie": browser}, **headers)
        assert response.status_code == 201, response.text
        if browser:
            cookie = response.headers["set-cookie"].split(";")[0]
            return self.with_headers(cookie=cookie, origin=f"http://{self.transport.host}")
        return self.with_headers(authorization=f"Bearer {response.json()['token']}")

    async def request(self, method: str, path: str, json: Any = None, **more: Any) -> httpx.Response:
        """``json`` or the keyword ``content`` is the body, other keywords are headers.

        Content in parts is sent without a length.
        """
        content: bytes | Iterable[bytes] = more.pop("content", b"")
        sent = {**self.headers, **_hyphenated(more)}
        if json is not None:
            content = json_text(json).encode()
            sent.setdefault("content-type", "application/json")
        body = content if isinstance(content, bytes) else _parts(content)
        return await self.transport.request(method, path, sent, body)

    async def get(self, path: str) -> Json:
        """The JSON document of a successful response."""
        return ok(await self.request("GET", path))

    async def post(self, path: str, json: Any = None, **headers: str) -> Json:
        """The same for a POST."""
        return ok(await self.request("POST", path, json, **headers))

    async def create_table(self, *chairs: str, **settings: Any) -> CreatedTable:
        """Each chair is ``person``, ``open`` or the name of a computer player."""
        return created_table(await self.post("/api/tables", new_table(*chairs, **settings)))

    async def join(self, table: CreatedTable | str, chair: int | None = None, **wishes: Any) -> Json:
        return await self.post(f"/api/tables/{table}/seats", {"chair": chair, **wishes})

    async def review(self, record: bytes) -> str:
        """Request a review of a record, and wait until it is done."""
        review = str(ok(await self.request("POST", "/api/reviews", content=record))["review"])
        while (await self.get(f"/api/reviews/{review}"))["state"] == "working":
            await asyncio.sleep(0.005)
        return review

    async def view(self, table: CreatedTable | str, chair: int | None = None) -> Json:
        return await self.get(f"/api/tables/{table}" + ("" if chair is None else f"?chair={chair}"))

    async def command(
        self,
        table: CreatedTable | str,
        type: str,
        *,
        at: int | None = None,
        command_id: str = "",
        seq: int | None = None,
        **arguments: Any,
    ) -> httpx.Response:
        """Give a command from the chair ``at``; without ``seq``, as the table is now.

        ``ready`` with a nonce is sent with its commitment, where the table wants one. If everyone is ready
        then, the nonces of all clients are revealed.
        """
        seen = await self._seen(table, at) if type == "ready" and "nonce" in arguments else None
        nonce = str(arguments.get("nonce"))
        if seen is not None:
            arguments = ready_arguments(seen, nonce)
        command_id = command_id or f"command-{_RUN}-{next(_NUMBERS)}"
        seq = self._find_seq(str(table)) if seq is None else seq
        seq = (await self.view(table))["seq"] if seq is None else seq
        message = command_message({"type": type, **arguments}, seq, command_id)
        response = await self.request("POST", f"/api/tables/{table}/commands", {**message, "chair": at})
        if seen is not None and response.status_code == 200:
            await self._reveal(str(table), CommittedNonce(self, seen["you"]["chair"], nonce))
        return response

    async def _seen(self, table: CreatedTable | str, chair: int | None) -> Json | None:
        """The table from a chair, if the client may see it."""
        path = f"/api/tables/{table}" + ("" if chair is None else f"?chair={chair}")
        response = await self.request("GET", path)
        view: Json = response.json() if response.status_code == 200 else {}
        return view if view and view["you"]["chair"] is not None else None

    async def _reveal(self, table: str, committed: CommittedNonce) -> None:
        self._committed.setdefault(table, []).append(committed)
        view = await self.view(table, committed.chair)
        if view["shuffling"]:
            for one in self._committed.pop(table):
                if one.chair in view["waiting"]:
                    await one.client.do(table, "reveal", at=one.chair, nonce=one.nonce)

    async def do(self, table: CreatedTable | str, type: str, **details: Any) -> Json:
        """Give a command that must be executed."""
        return ok(await self.command(table, type, **details))

    async def ticket(self, table: CreatedTable | str, chair: int | None = None, watch: bool = False) -> str:
        answer = await self.post(f"/api/tables/{table}/tickets", {"chair": chair, "watch": watch})
        return str(answer["ticket"])

    async def connect(
        self, table: CreatedTable | str, chair: int | None = None, watch: bool = False, seq: int = -1
    ) -> Socket:
        """A socket at a table, opened with a new ticket; its first update is still to be read."""
        return await self.connect_with(await self.ticket(table, chair, watch), seq)

    async def connect_with(self, ticket: str, seq: int = -1) -> Socket:
        socket = await self.open_socket()
        await socket.send({"type": "hello", "ticket": ticket, "seq": seq})
        return socket

    async def open_socket(self) -> Socket:
        """A socket on which nothing was sent yet."""
        return Socket(await self.transport.connect(self.headers), f"socket-{next(_NUMBERS)}", self._check)

    async def close(self) -> None:
        await self.transport.close()


def request_app(
    app: ASGIApp,
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    content: bytes | Iterable[bytes] = b"",
    peer: str = "127.0.0.1",
) -> httpx.Response:
    """One request to an ASGI application."""
    return asyncio.run(Client(AsgiTransport(app, peer), headers).request(method, path, content=content))


def open_and_close(app: ASGIApp, path: str, headers: dict[str, str]) -> list[Message]:
    """The messages that an ASGI application sends to a client that opens a socket and disconnects."""

    async def main() -> list[Message]:
        connection = AsgiConnection(app, headers, path=path)
        connection.start()
        await connection.close()
        return list(connection.messages)

    return asyncio.run(main())


def created_table(answer: Json) -> CreatedTable:
    seats = {seat["chair"]: seat["token"] for seat in answer["seats"]}
    return CreatedTable(answer["table"], seats, answer["join"], answer["watch"], answer["commitment"])


def ok(response: httpx.Response) -> Json:
    """The JSON document of a response, which must be successful."""
    assert response.status_code in (200, 201), f"{response.status_code} {response.text}"
    found: Json = response.json()
    return found


def _hyphenated(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


async def _parts(content: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in content:
        yield part
