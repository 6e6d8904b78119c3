"""The socket of one viewer: it hears what happens at a table, and gives commands.

The first message is a ``hello`` with a ticket. Then come ``update`` messages: the events that the viewer does
not have yet, and the view as it is now. A first connection, a lost one and a gap are all the same.
"""

import asyncio
import contextlib
from typing import TypeVar

import orjson
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from sanssouci.locale import Complaint
from sanssouci.rules import Refused
from sanssouci.table import Caller, Declined, No, Viewer

from .callers import caller_of
from .hall import Done, UnknownTable
from .hosted import Hosted, Listener
from .limits import Bucket
from .messages import Hello, Message, SocketCommand
from .orders import give
from .outbox import TOO_SLOW, Ending, Outbox
from .replies import problem, retry_after
from .services import Claims, Services, services_of
from .visitor import TooOften

BAD_MESSAGE, BAD_TICKET, NO_HELLO, SEAT_LOST = 4400, 4401, 4402, 4403
"""Why the server closes a socket; TOO_SLOW is another."""
_HELLO_WITHIN = 10.0

M = TypeVar("M", bound=Message)


class _Rejected(Exception):
    """The socket is closed with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


async def serve_socket(websocket: WebSocket) -> None:
    """A whole socket, from its first message to its end."""
    services = services_of(websocket)
    await websocket.accept()
    try:
        async with asyncio.timeout(_HELLO_WITHIN):
            hello = _parsed(Hello, await _received(websocket))
        claims, hosted = await _redeemed(services, hello)
        with services.metrics.sockets.track_inprogress():
            await _Visit(websocket, services, claims, hosted, hello).run()
    except _Rejected as rejected:
        await _close(websocket, rejected.code)
    except TimeoutError:
        await _close(websocket, NO_HELLO)
    except WebSocketDisconnect:
        pass


class _Visit:
    """What a socket does once its ticket was taken."""

    def __init__(
        self, websocket: WebSocket, services: Services, claims: Claims, hosted: Hosted, hello: Hello
    ) -> None:
        settings = services.settings
        self._websocket = websocket
        self._services = services
        self._claims = claims
        self._hosted = hosted
        self._hello = hello
        self._outbox = Outbox(settings.outbox_messages, settings.outbox_bytes)
        self._listener = Listener(Viewer(claims.chair, claims.owner), self._outbox)
        self._address = caller_of(websocket.scope).address

    async def run(self) -> None:
        """Listen and speak until one side has enough."""
        self._hosted.listeners.add(self._listener)
        self._outbox.put(self._hosted.update(self._listener.viewer, self._hello.seq))
        sending = asyncio.create_task(self._send())
        try:
            while True:
                await self._hear(await _received(self._websocket))
        finally:
            self._hosted.listeners.discard(self._listener)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send(self) -> None:
        """Send what the outbox holds; when it is done, so is the socket."""
        ending = await self._outbox.drain(lambda data: self._websocket.send_text(data.decode("utf-8")))
        if ending is Ending.OVERFLOWED:
            self._services.metrics.slow_readers.inc()
        await _close(self._websocket, TOO_SLOW if ending is Ending.OVERFLOWED else SEAT_LOST)

    async def _hear(self, data: str) -> None:
        """A repeat of a command is told again that it is done."""
        message = _parsed(SocketCommand, data)
        try:
            await self._carry_out(message)
        except (Complaint, Refused) as error:
            self._refuse(error, message)

    async def _carry_out(self, message: SocketCommand) -> None:
        services, claims = self._services, self._claims
        if self._listener not in self._hosted.listeners:
            raise Declined(No.NOT_ALLOWED)
        verdict = services.limits.ask(Bucket.COMMAND, self._address, claims.asker)
        if not verdict:
            services.metrics.limited(Bucket.COMMAND)
            raise TooOften(verdict.retry_after)
        caller = Caller(claims.chair, claims.owner)
        await give(services, self._hosted, message, caller, lambda done: self._acknowledge(done, message))

    def _acknowledge(self, done: Done, message: SocketCommand) -> None:
        self._say({"type": "done", "seq": done.event.seq, "repeated": done.repeated}, message)

    def _refuse(self, error: Complaint | Refused, message: SocketCommand) -> None:
        refused: dict[str, object] = {
            "type": "refused",
            "error": problem(error, self._hello.language),
            "retry_after": retry_after(error),
        }
        self._say(refused, message)
        if isinstance(error, Declined) and error.no is No.STALE:
            # Whatever has happened was told before, so there is no event that is told twice.
            self._outbox.put(self._hosted.update(self._listener.viewer, self._hosted.table.seq))

    def _say(self, document: dict[str, object], message: SocketCommand) -> None:
        self._outbox.put(orjson.dumps({**document, "command_id": message.command_id}))


def _parsed(kind: type[M], data: str) -> M:
    """A message of a kind, or the socket is closed: whoever speaks so does not speak this protocol."""
    try:
        return kind.model_validate_json(data)
    except ValidationError:
        raise _Rejected(BAD_MESSAGE) from None


async def _received(websocket: WebSocket) -> str:
    """The next message; one in bytes is read as text."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    text = message.get("text")
    if text is None:
        raise _Rejected(BAD_MESSAGE)
    return str(text)


async def _redeemed(services: Services, hello: Hello) -> tuple[Claims, Hosted]:
    """What the ticket was issued for, if it is still good."""
    claims = services.tickets.redeem(hello.ticket, services.hall.means.clock())
    if claims is None:
        raise _Rejected(BAD_TICKET)
    try:
        hosted = await services.hall.table(claims.table)
    except UnknownTable:
        raise _Rejected(BAD_TICKET) from None
    if claims.chair is not None and hosted.turnover.get(claims.chair, 0) != claims.turnover:
        raise _Rejected(SEAT_LOST)
    return claims, hosted


async def _close(websocket: WebSocket, code: int) -> None:
    with contextlib.suppress(RuntimeError, OSError):  # it may be closed already
        await websocket.close(code)
