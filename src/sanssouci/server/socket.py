"""The WebSocket endpoint: sends a viewer updates of a table and receives commands.

The first message is a ``hello`` with a ticket and the last ``seq`` the client has. Then the server sends
``update`` messages with the missing events and the current view. A first connection and a reconnect work the
same way.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson
import structlog
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect
from structlog.contextvars import bound_contextvars

from sanssouci.locale import UserError
from sanssouci.notation import parse_json
from sanssouci.rules import Refused
from sanssouci.store import DamagedRow, Unavailable
from sanssouci.table import Caller, CommandRejected, RejectReason, Viewer

from .auth.principal import enforce_rate_limit
from .error_responses import error_json, error_response, malformed, retry_after
from .middleware.client_info import client_info, request_id
from .middleware.errors import language_of
from .quotas import QuotaExceeded, check_watchers
from .rate_limits import Limit, RateLimited
from .services import Claims, Services, services_of
from .tables.execute import execute_command, is_rematch
from .tables.live_table import SEAT_LOST, TOO_SLOW, LiveTable, SendQueue, Subscriber
from .tables.table_registry import CommandResult
from .transport.websocket_guard import hang_up, text_writer
from .wire.requests import CommandEnvelope, Hello, Nudge, Ping, RequestModel, SocketCommand
from .wire.responses import CommandDone, CommandRefused, Pong

BAD_MESSAGE, BAD_TICKET, NO_HELLO, TOO_MANY = 4400, 4401, 4402, 4429
"""Close codes; live_table.py has others."""
TRY_LATER = 1013
_HELLO_TIMEOUT = 10.0
_SLOW_COMMAND = 0.25
"""Seconds from which a command is logged at level info."""
_PONG = orjson.dumps(Pong(type="pong"))
_CLOSE_TIMEOUT = 5.0
"""Seconds for the client to read the close message."""

_log = structlog.get_logger("sanssouci.server.access")
M = TypeVar("M", bound=RequestModel)


class _CloseSocket(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


async def serve_socket(websocket: WebSocket) -> None:
    services = services_of(websocket)
    address = client_info(websocket.scope).address
    try:
        await enforce_rate_limit(services, Limit.DIAL, address, None)
        services.drain.check()
        counted = services.socket_limits.track_address(address)
    except (RateLimited, QuotaExceeded, Unavailable) as error:
        language = language_of(websocket.headers.get("accept-language", ""))
        await websocket.send_denial_response(error_response(error, language))
        return
    with counted, services.metrics.sockets.track_inprogress():
        await websocket.accept()
        await _serve_accepted(websocket, services)


async def _serve_accepted(websocket: WebSocket, services: Services) -> None:
    try:
        await _serve(websocket, services)
    except _CloseSocket as closing:
        await _close(websocket, closing.code)
    except Unavailable:
        await _close(websocket, TRY_LATER)
    except QuotaExceeded:
        await _close(websocket, TOO_MANY)
    except WebSocketDisconnect:
        pass


async def _serve(websocket: WebSocket, services: Services) -> None:
    hello = await _receive_hello(websocket)
    if hello is None:
        return
    claims = await services.redeem_ticket(hello.ticket)
    if claims is None:
        raise _CloseSocket(BAD_TICKET)
    with services.socket_limits.track_client(claims.client_key):
        live_table = await _find_table(services, claims, client_info(websocket.scope).address)
        await _Session(websocket, services, claims, live_table, hello).run()


@dataclass(frozen=True)
class _Malformed:
    """A command that is answered, but cannot be parsed."""

    command_id: str
    errors: Any


class _Session:
    """A socket after its ticket was redeemed."""

    def __init__(
        self, websocket: WebSocket, services: Services, claims: Claims, live_table: LiveTable, hello: Hello
    ) -> None:
        settings = services.settings
        self._websocket = websocket
        self._services = services
        self._claims = claims
        self._live_table = live_table
        self._hello = hello
        self._socket_id = client_info(websocket.scope).request_id
        self._send_queue = SendQueue(
            settings.outbox_messages, settings.outbox_bytes, text_writer(websocket.scope)
        )
        viewer = Viewer(claims.chair, claims.owner)
        self._address = client_info(websocket.scope).address
        self._subscriber = Subscriber(
            viewer,
            self._send_queue,
            claims.guest,
            claims.by_link,
            claims.roles,
            self._address,
            hello.presence,
        )
        self._presence = services.peer_sync.presence

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                senders: list[asyncio.Task[None]] = []
                self._send_queue.start_drain = lambda: senders.append(tasks.create_task(self._send_loop()))
                self._live_table.subscribers.add(self._subscriber)
                self._send_queue.put(self._live_table.update(self._subscriber.viewer, self._hello.seq))
                self._presence.enter(self._live_table, self._subscriber)
                await self._receive_loop()
                for sender in senders:
                    sender.cancel()
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            self._send_queue.start_drain = None  # it refers to this session
            self._live_table.subscribers.discard(self._subscriber)
            self._presence.leave(self._live_table)

    async def _send_loop(self) -> None:
        """Send queued messages; the socket is closed when the queue is."""
        await self._send_queue.drain(lambda data: self._websocket.send_text(data.decode("utf-8")))
        if self._send_queue.overflowed:
            self._services.metrics.slow_readers.inc()
            raise _CloseSocket(TOO_SLOW)
        raise _CloseSocket(self._send_queue.close_code)

    async def _receive_loop(self) -> None:
        while (data := await _receive(self._websocket)) is not None:
            await self._handle_message(_parse_json(data))
            await asyncio.sleep(0)  # others get their turn: many messages may have arrived at once

    async def _handle_message(self, document: object) -> None:
        kind = document.get("type") if isinstance(document, dict) else None
        if kind == "ping":
            _parse(Ping, document)
            self._send_queue.put(_PONG)
        elif kind == "nudge":
            await self._nudge(_parse(Nudge, document))
        else:
            command = _parse_command(document)
            # Log lines have the browser's command id, here and in the worker that answers the turn.
            with bound_contextvars(socket=self._socket_id, request_id=request_id(command.command_id)):
                await self._handle(command)

    async def _handle(self, command: "SocketCommand | _Malformed") -> None:
        clock = self._services.registry.dependencies.clock
        begun, outcome = clock(), "done"
        try:
            await self._check_rate(Limit.COMMAND)
            if isinstance(command, SocketCommand):
                await self._execute(command)
            else:
                raise malformed(command.errors)
        except (UserError, Refused) as error:
            outcome = "refused"
            self._refuse(error, command.command_id)
        seconds = clock() - begun
        log = _log.info if seconds >= _SLOW_COMMAND else _log.debug
        log("command", outcome=outcome, ms=round(seconds * 1000, 1))

    async def _nudge(self, nudge: Nudge) -> None:
        try:
            await self._check_rate(Limit.COMMAND)
        except RateLimited:
            return
        at = self._services.registry.time_at(self._live_table.table.id)
        self._presence.nudge(self._live_table, self._subscriber, nudge.chair, at)

    async def _check_rate(self, limit: Limit) -> None:
        await enforce_rate_limit(self._services, limit, self._address, self._claims.client_key)

    async def _execute(self, message: SocketCommand) -> None:
        """A repeated command is acknowledged again."""
        services, claims = self._services, self._claims
        if is_rematch(message):
            await self._check_rate(Limit.CREATE)
        await execute_command(
            services,
            self._live_table,
            message,
            Caller(claims.chair, self._subscriber.viewer.owner, undecided=claims.undecided),
            lambda: self._subscriber in self._live_table.subscribers,
            lambda done: self._acknowledge(done, message),
        )

    def _acknowledge(self, done: CommandResult, message: SocketCommand) -> None:
        self._send(
            CommandDone(
                type="done", command_id=message.command_id, seq=done.event.seq, repeated=done.repeated
            )
        )

    def _refuse(self, error: UserError | Refused, command_id: str) -> None:
        if isinstance(error, DamagedRow):
            self._services.registry.damage_log.report(error)
        self._send(
            CommandRefused(
                type="refused",
                command_id=command_id,
                error=error_json(error, self._hello.language),
                retry_after=retry_after(error),
            )
        )
        if isinstance(error, CommandRejected) and error.reason in (RejectReason.STALE, RejectReason.AHEAD):
            # All events were sent before, so this update contains none.
            self._send_queue.put(self._live_table.update(self._subscriber.viewer, self._live_table.table.seq))

    def _send(self, message: CommandDone | CommandRefused) -> None:
        self._send_queue.put(orjson.dumps(message))


def _parse_json(data: str) -> object:
    """Parse a message, or close the socket: the client does not speak this protocol."""
    try:
        return parse_json(data.encode("utf-8"), integral_as_int=True)
    except UserError:
        raise _CloseSocket(BAD_MESSAGE) from None


def _parse(kind: type[M], document: object) -> M:
    try:
        return kind.model_validate(document)
    except ValidationError:
        raise _CloseSocket(BAD_MESSAGE) from None


def _parse_command(document: object) -> SocketCommand | _Malformed:
    """A command. If not even its id can be read, the socket is closed."""
    try:
        return SocketCommand.model_validate(document)
    except ValidationError as error:
        return _Malformed(_parse(CommandEnvelope, document).command_id, error.errors())


async def _receive_hello(websocket: WebSocket) -> Hello | None:
    """The first message; None if the client disconnected. Closes the socket on a timeout."""
    try:
        async with asyncio.timeout(_HELLO_TIMEOUT):
            data = await _receive(websocket)
    except TimeoutError:
        raise _CloseSocket(NO_HELLO) from None
    return None if data is None else _parse(Hello, _parse_json(data))


async def _receive(websocket: WebSocket) -> str | None:
    """The next text message; None on disconnect. Binary messages close the socket."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text = message.get("text")
    if text is None:
        raise _CloseSocket(BAD_MESSAGE)
    return str(text)


async def _find_table(services: Services, claims: Claims, address: str) -> LiveTable:
    """The table of a ticket, if its grants are still valid."""
    try:
        live_table = await services.registry.table(claims.table)
    except Unavailable:
        raise
    except UserError:
        raise _CloseSocket(BAD_TICKET) from None
    if not claims.still_valid(live_table):
        raise _CloseSocket(SEAT_LOST)
    if claims.chair is None and not claims.owner:
        check_watchers(live_table, services.settings.watchers_per_table, address)
    return live_table


async def _close(websocket: WebSocket, code: int) -> None:
    """Close a socket, and abort the connection of a client that does not read the close message."""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT):
            with contextlib.suppress(RuntimeError, OSError):  # it may be closed already
                await websocket.close(code)
    except TimeoutError:
        hang_up(websocket.scope)
