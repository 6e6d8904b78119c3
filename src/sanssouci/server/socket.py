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

from sanssouci.locale import UserError
from sanssouci.notation import parse_json
from sanssouci.rules import Refused
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.table import Caller, CommandRejected, RejectReason, Viewer

from .auth.principal import count
from .error_responses import malformed, no, problem, retry_after
from .limits.quotas import Full
from .limits.rate_limits import Limit, RateLimited
from .limits.socket_limits import check_watchers
from .middleware.client_info import client_info
from .middleware.errors import language_of
from .send_queue import TOO_SLOW, CloseReason, SendQueue
from .services import Claims, Services, services_of
from .tables.execute import execute_command, rate_limit_of
from .tables.live_table import LiveTable, Subscriber
from .tables.table_registry import CommandResult
from .transport.websocket_guard import hang_up
from .wire.requests import CommandHead, Hello, Ping, RequestModel, SocketCommand

BAD_MESSAGE, BAD_TICKET, NO_HELLO, SEAT_LOST, TOO_MANY = 4400, 4401, 4402, 4403, 4429
"""Why the server closes a socket; TOO_SLOW is another."""
TRY_LATER = 1013
_HELLO_WITHIN = 10.0
_PONG = orjson.dumps({"type": "pong"})
_CLOSE_WITHIN = 5.0
"""Seconds in which a socket must take the message that closes it."""

M = TypeVar("M", bound=RequestModel)


class _Rejected(Exception):
    """The socket is closed with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


async def serve_socket(websocket: WebSocket) -> None:
    """A whole socket, from its first message to its end."""
    services = services_of(websocket)
    address = client_info(websocket.scope).address
    try:
        count(services, Limit.DIAL, address, None)
    except RateLimited as error:
        language = language_of(websocket.headers.get("accept-language", ""))
        await websocket.send_denial_response(no(error, language))
        return
    await websocket.accept()
    try:
        with services.socket_limits.counted(address), services.metrics.sockets.track_inprogress():
            await _serve(websocket, services)
    except _Rejected as rejected:
        await _close(websocket, rejected.code)
    except Unavailable:
        await _close(websocket, TRY_LATER)
    except Full:
        await _close(websocket, TOO_MANY)
    except WebSocketDisconnect:
        pass


async def _serve(websocket: WebSocket, services: Services) -> None:
    hello = await _greeted(websocket)
    if hello is None:
        return
    claims = services.tickets.redeem(hello.ticket, services.registry.dependencies.clock())
    if claims is None:
        raise _Rejected(BAD_TICKET)
    with services.socket_limits.known(claims.asker):
        live_table = await _found(services, claims, client_info(websocket.scope).address)
        await _Visit(websocket, services, claims, live_table, hello).run()


class _Visit:
    """What a socket does once its ticket was taken."""

    def __init__(
        self, websocket: WebSocket, services: Services, claims: Claims, live_table: LiveTable, hello: Hello
    ) -> None:
        settings = services.settings
        self._websocket = websocket
        self._services = services
        self._claims = claims
        self._hosted = live_table
        self._hello = hello
        self._outbox = SendQueue(settings.outbox_messages, settings.outbox_bytes)
        viewer = Viewer(claims.chair, claims.owner)
        self._address = client_info(websocket.scope).address
        self._listener = Subscriber(
            viewer, self._outbox, claims.guest, claims.by_link, claims.places, self._address
        )

    async def run(self) -> None:
        """Listen and speak until one side has enough."""
        self._hosted.subscribers.add(self._listener)
        self._outbox.put(self._hosted.update(self._listener.viewer, self._hello.seq))
        try:
            async with asyncio.TaskGroup() as both:
                speaking = both.create_task(self._speak())
                await self._hear()
                speaking.cancel()
        except ExceptionGroup as why:
            raise why.exceptions[0] from None
        finally:
            self._hosted.subscribers.discard(self._listener)

    async def _speak(self) -> None:
        """Send what the outbox holds; when it is done, so is the socket."""
        ending = await self._outbox.drain(lambda data: self._websocket.send_text(data.decode("utf-8")))
        if ending is CloseReason.OVERFLOWED:
            self._services.metrics.slow_readers.inc()
        raise _Rejected(TOO_SLOW if ending is CloseReason.OVERFLOWED else SEAT_LOST)

    async def _hear(self) -> None:
        """Carry out what is said, until the other side has gone."""
        while (data := await _received(self._websocket)) is not None:
            document = _document(data)
            if isinstance(document, dict) and document.get("type") == "ping":
                _parsed(Ping, document)
                self._outbox.put(_PONG)
                continue
            head = _parsed(CommandHead, document)
            try:
                await self._carry_out(self._understood(document))
            except (UserError, Refused) as error:
                self._refuse(error, head.command_id)

    def _understood(self, document: object) -> SocketCommand:
        """A command that can be counted as one; ``UserError`` if it cannot be told what is to be done."""
        try:
            message = SocketCommand.model_validate(document)
        except ValidationError as error:
            self._count(Limit.COMMAND)
            raise malformed(error.errors()) from None
        self._count(rate_limit_of(message))
        return message

    def _count(self, bucket: Limit) -> None:
        count(self._services, bucket, self._address, self._claims.asker)

    async def _carry_out(self, message: SocketCommand) -> None:
        """A repeat of a command is told again that it is done."""
        services, claims = self._services, self._claims
        await execute_command(
            services,
            self._hosted,
            message,
            Caller(claims.chair, self._listener.viewer.owner, undecided=claims.undecided),
            lambda: self._listener in self._hosted.subscribers,
            lambda done: self._acknowledge(done, message),
        )

    def _acknowledge(self, done: CommandResult, message: SocketCommand) -> None:
        self._say({"type": "done", "seq": done.event.seq, "repeated": done.repeated}, message.command_id)

    def _refuse(self, error: UserError | Refused, command_id: str) -> None:
        if isinstance(error, DamagedRow):
            self._services.registry.corrupt_tables.tell(error)
        refused: dict[str, object] = {
            "type": "refused",
            "error": problem(error, self._hello.language),
            "retry_after": retry_after(error),
        }
        self._say(refused, command_id)
        if isinstance(error, CommandRejected) and error.reason in (RejectReason.STALE, RejectReason.AHEAD):
            # Whatever has happened was told before, so there is no event that is told twice.
            self._outbox.put(self._hosted.update(self._listener.viewer, self._hosted.table.seq))

    def _say(self, document: dict[str, object], command_id: str) -> None:
        self._outbox.put(orjson.dumps({**document, "command_id": command_id}))


def _document(data: str) -> object:
    """What a message says, or the socket is closed: whoever speaks so does not speak this protocol."""
    try:
        return parse_json(data.encode("utf-8"))
    except UserError:
        raise _Rejected(BAD_MESSAGE) from None


def _parsed(kind: type[M], document: object) -> M:
    """A message of a kind, or the socket is closed."""
    try:
        return kind.model_validate(document)
    except ValidationError:
        raise _Rejected(BAD_MESSAGE) from None


async def _greeted(websocket: WebSocket) -> Hello | None:
    """The first message, if it comes in time; None if the other side has gone."""
    try:
        async with asyncio.timeout(_HELLO_WITHIN):
            data = await _received(websocket)
    except TimeoutError:
        raise _Rejected(NO_HELLO) from None
    return None if data is None else _parsed(Hello, _document(data))


async def _received(websocket: WebSocket) -> str | None:
    """The next message, or None if none will come; one in bytes is none of this protocol."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text = message.get("text")
    if text is None:
        raise _Rejected(BAD_MESSAGE)
    return str(text)


async def _found(services: Services, claims: Claims, address: str) -> LiveTable:
    """The table that a ticket was issued for, if the ticket is still good."""
    try:
        live_table = await services.registry.table(claims.table)
    except Unavailable:
        raise
    except UserError:
        raise _Rejected(BAD_TICKET) from None
    if not live_table.still_valid(claims.grants):
        raise _Rejected(SEAT_LOST)
    if claims.chair is None and not claims.owner:
        check_watchers(live_table, services.settings.watchers_per_table, address)
    return live_table


async def _close(websocket: WebSocket, code: int) -> None:
    """Close a socket, and hang up on one who does not even read that."""
    try:
        async with asyncio.timeout(_CLOSE_WITHIN):
            with contextlib.suppress(RuntimeError, OSError):  # it may be closed already
                await websocket.close(code)
    except TimeoutError:
        hang_up(websocket.scope)
