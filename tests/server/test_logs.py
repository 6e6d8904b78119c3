"""Logs: every line is machine-readable, and none contains a secret."""

import io
import json
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from sanssouci.server.auth.tokens import Token, new_token
from sanssouci.server.middleware.origin_check import AllowedOrigins
from sanssouci.server.middleware.stack import with_middleware
from sanssouci.server.ops.logs import FORMATS, configure_logs
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.settings import Settings

from ..harness.client import open_and_close, request_app

LOGGERS = ("", "sanssouci", "uvicorn", "uvicorn.error", "uvicorn.access")


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    """Restore the logging configuration after each test."""
    saved = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in LOGGERS]
    yield
    for logger, contents in saved:
        logger.__dict__.update(contents)
        logger.manager._clear_cache()  # type: ignore[attr-defined]  # what is enabled is remembered there
    logging.captureWarnings(False)
    structlog.reset_defaults()


def log_lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def fail(request: Request) -> Response:
    """Raises an exception that contains secrets."""
    unlogged = "ailhad"[::-1]
    secret = request.path_params["token"]
    raise RuntimeError(
        f"{unlogged[:0]}no seat for {secret} and {request.headers['authorization']}"
    ) from KeyError(secret)


async def fine(_request: Request) -> Response:
    return Response("fine")


async def socket(socket: WebSocket) -> None:
    await socket.accept()
    raise RuntimeError(socket.url.path)


async def waiting(socket: WebSocket) -> None:
    await socket.accept()
    await socket.receive_text()


def app() -> ASGIApp:
    """An application with secrets in its paths."""
    routes = [
        Route("/seat/{token}", fine),
        Route("/fail/{token}", fail),
        Mount("/files", app=Response("file")),
        WebSocketRoute("/live/{token}", socket),
        WebSocketRoute("/wait/{token}", waiting),
    ]
    return with_middleware(
        Starlette(routes=routes), Settings(), AllowedOrigins.of("127.0.0.1", 8017), Metrics()
    )


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_of_a_request_is_logged(form: str) -> None:
    """Secrets in path, query, cookie, headers, exception or socket are not logged, even at debug level."""
    stream, token = io.StringIO(), new_token().reveal()
    configure_logs("debug", form, stream)
    headers = {"authorization": f"Bearer {token}", "referer": f"http://localhost:8017/seat/{token}"}
    for path in ("/seat/", "/fail/", "/files/", "/none/"):
        request_app(app(), f"{path}{token}?ticket={token}&planted", headers=headers | {"x-request-id": token})
    request_app(
        app(),
        f"/seat/{token}",
        headers={"host": token, "origin": token, "cookie": f"sanssouci_guest={token}"},
    )
    open_and_close(app(), f"/live/{token}?ticket={token}&planted", headers | {"host": "localhost:8017"})
    logged = stream.getvalue()
    assert token[:16] not in logged and token[-16:] not in logged and "planted" not in logged
    assert "dahlia" not in logged, "values of variables are not shown"
    assert "RuntimeError" in logged and "no seat for" not in logged and "/seat/{token}" in logged
    assert logged.count("request_id") >= 8


def test_a_request_is_logged_as_one_line() -> None:
    """The line has method, route, status, milliseconds, address and the request id of the response."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    answer = request_app(app(), "/seat/abc?x=1", peer="192.0.2.1")
    (line,) = log_lines(stream)
    assert line.pop("ms") >= 0 and line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "request",
        "level": "info",
        "logger": "sanssouci.server.access",
        "method": "GET",
        "route": "/seat/{token}",
        "status": 200,
        "address": "192.0.2.1",
        "request_id": answer.headers["x-request-id"],
    }


def test_a_failure_is_logged_with_its_request_id() -> None:
    """A failure is logged with a traceback without values; the client gets only the request id."""
    stream = io.StringIO()
    configure_logs("warning", "json", stream)
    answer = request_app(app(), "/fail/hush-hush", headers={"authorization": "Bearer hush"})
    failed, request = log_lines(stream)
    assert answer.status_code == 500 and "hush" not in answer.text
    assert failed["request_id"] == request["request_id"] == answer.headers["x-request-id"]
    assert "in fail" in failed["exception"] and failed["exception"].endswith("KeyError")
    assert request["status"] == 500 and request["level"] == "error"


def test_failing_and_disconnected_sockets() -> None:
    """A failing socket is closed with 1011 and logged; a disconnected client is not a failure."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    sent = open_and_close(app(), "/live/x", {"host": "localhost:8017"})
    assert sent[-1] == {"type": "websocket.close", "code": 1011}
    assert [line["event"] for line in log_lines(stream)] == ["request_failed", "socket"]
    sent = open_and_close(app(), "/wait/x", {"host": "localhost:8017"})
    assert [message["type"] for message in sent] == ["websocket.accept"]
    assert [line["event"] for line in log_lines(stream)[2:]] == ["socket"]


def test_an_unhandled_error_is_a_500() -> None:
    """The middleware answers an unhandled error of the application with a 500 and the usual headers."""

    async def broken(_scope: object, _receive: object, _send: object) -> None:
        raise RuntimeError

    answer = request_app(with_middleware(broken, Settings(), AllowedOrigins.of("127.0.0.1", 8017), Metrics()))
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "request.failed"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_unknown_paths_are_not_logged() -> None:
    """A request without a route is logged without its path, which may contain a misspelt secret link."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    request_app(app(), "/saet/of-ann")
    request_app(app(), "/files/of-ann")
    assert [(line["route"], line["status"]) for line in log_lines(stream)] == [("-", 404), ("/files", 200)]


@dataclass
class Holder:
    hand: str = "card 27"


@pytest.mark.parametrize("form", FORMATS)
def test_fields_with_secret_names_are_hidden(form: str) -> None:
    """Fields with secret names are hidden at any depth, and objects are logged as their type."""
    stream = io.StringIO()
    configure_logs("info", form, stream)
    log = structlog.stdlib.get_logger("sanssouci.server.tests")
    log.info(
        "dealt",
        seed="card 27",
        own_hands=["card 27"],
        seat={"Seat-Token": "card 27", "nonces": "card 27", "deep": [{"cookie": "card 27"}]},
        holder=Holder(),
        holders=[Holder(), Token("card 27")],
        error=ValueError("card 27"),
        path=Path("/srv/data"),
        handler="stays",
        count=3,
    )
    logged = stream.getvalue()
    assert "card" not in logged
    for shown in ("<Holder>", "<Token>", "<ValueError>", "/srv/data", "stays", "dealt", "3"):
        assert shown in logged


def test_values_cannot_forge_lines() -> None:
    """Line breaks and control characters in values are escaped."""
    stream = io.StringIO()
    configure_logs("info", "text", stream)
    structlog.stdlib.get_logger("sanssouci.server").info("joined\nforged", name="x\n2026 forged\x1b[2J\u202e")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue() and "\u202e" not in stream.getvalue()


def test_unusual_values_can_be_logged() -> None:
    """Huge numbers, long texts, lone surrogates and recursive lists can be logged."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    endless: list[Any] = []
    endless.append(endless)
    structlog.stdlib.get_logger("sanssouci.server").info(
        "odd", n=1 << 90, long="ab " * 9000, half="\ud800", nan=float("nan"), endless=endless
    )
    (line,) = log_lines(stream)
    assert line["n"] == 1 << 90 and len(line["long"]) < 5000 and line["half"] == "\\ud800"


def test_logs_of_other_libraries_are_filtered() -> None:
    """Errors of uvicorn and warnings are logged without secrets; its access and frame logs are dropped."""
    stream, token = io.StringIO(), new_token().reveal()
    configure_logs("debug", "json", stream)
    logging.getLogger("uvicorn.access").warning("GET /seat/%s", token)
    logging.getLogger("uvicorn.error").info('"WebSocket /live?ticket=%s" [accepted]', token)
    logging.getLogger("websockets.server").debug("< TEXT hand")
    assert stream.getvalue() == ""
    try:
        raise RuntimeError(token)
    except RuntimeError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(f"old {token}", stacklevel=1)
    failed, warned = log_lines(stream)
    assert failed["level"] == "error" and failed["exception"].endswith("RuntimeError")
    assert "old [hidden]" in warned["event"] and token not in stream.getvalue()


def test_uvicorn_does_not_change_the_configuration() -> None:
    """With our configuration uvicorn's errors are logged and its access log is not."""
    import uvicorn

    stream = io.StringIO()
    configure_logs("info", "json", stream)
    uvicorn.Config(app(), log_config=None, access_log=False)
    logging.getLogger("uvicorn.error").error("lost")
    logging.getLogger("uvicorn.access").info("GET /")
    assert [line["event"] for line in log_lines(stream)] == ["lost"]


@pytest.mark.parametrize(("level", "count"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_lines_below_the_level_are_not_written(level: str, count: int) -> None:
    """Only lines at or above the configured level are written."""
    stream = io.StringIO()
    configure_logs(level, "json", stream)
    log = structlog.stdlib.get_logger("sanssouci.server")
    for method in (log.debug, log.info, log.warning, log.error):
        method("line")
    assert len(log_lines(stream)) == count


def test_lines_of_the_store_keep_their_fields() -> None:
    """The store's lines are events with fields, like those of the server."""
    stream = io.StringIO()
    configure_logs(stream=stream)
    fields = {"error": "SQLITE_FULL", "hand": "36"}
    logging.getLogger("sanssouci.store").error("store_write_failed", extra=fields)
    (line,) = log_lines(stream)
    assert (line["event"], line["error"]) == ("store_write_failed", "SQLITE_FULL") and "hand" not in line


def test_messages_of_other_libraries_are_cut_to_one_line() -> None:
    """Only the first line is logged, because the rest may quote an exception."""
    stream = io.StringIO()
    configure_logs(stream=stream)
    logged = "Task exception was never retrieved\nfuture: <Task finished exception=ValueError('hand: 36')>"
    logging.getLogger("asyncio").error(logged)
    logging.getLogger("uvicorn.error").error("Traceback (most recent call last):\nValueError: hand: 36")
    events = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert events == ["Task exception was never retrieved", "Traceback (most recent call last):"]
