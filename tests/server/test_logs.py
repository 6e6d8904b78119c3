"""Logs: every line can be read by a program, and no line has a secret in it."""

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
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.middleware.stack import with_middleware
from sanssouci.server.ops.logs import FORMATS, configure_logs
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.settings import Settings

from .asking import ask, open_socket

OURS = ("", "sanssouci", "uvicorn", "uvicorn.error", "uvicorn.access")


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    """What is configured here is undone."""
    kept = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in OURS]
    yield
    for logger, contents in kept:
        logger.__dict__.update(contents)
        logger.manager._clear_cache()  # type: ignore[attr-defined]  # what is enabled is remembered there
    logging.captureWarnings(False)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """What was logged."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def fail(request: Request) -> Response:
    """Raises some of what it knows."""
    unspoken = "ailhad"[::-1]
    secret = request.path_params["token"]
    raise RuntimeError(
        f"{unspoken[:0]}no seat for {secret} and {request.headers['authorization']}"
    ) from KeyError(secret)


async def fine(_request: Request) -> Response:
    """Answers."""
    return Response("fine")


async def socket(socket: WebSocket) -> None:
    """Accepts and fails."""
    await socket.accept()
    raise RuntimeError(socket.url.path)


async def waiting(socket: WebSocket) -> None:
    """Accepts and waits for a word."""
    await socket.accept()
    await socket.receive_text()


def app() -> ASGIApp:
    """An app with secrets in its paths."""
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
    """Planted in path, query, cookie, header, exception and socket, at the loudest level."""
    stream, token = io.StringIO(), new_token().reveal()
    configure_logs("debug", form, stream)
    headers = {"authorization": f"Bearer {token}", "referer": f"http://localhost:8017/seat/{token}"}
    for path in ("/seat/", "/fail/", "/files/", "/none/"):
        ask(app(), f"{path}{token}?ticket={token}&planted", headers=headers | {"x-request-id": token})
    ask(
        app(),
        f"/seat/{token}",
        headers={"host": token, "origin": token, "cookie": f"sanssouci_guest={token}"},
    )
    open_socket(
        app(),
        f"/live/{token}",
        headers | {"host": "localhost:8017"},
        b"ticket=" + token.encode() + b"&planted",
    )
    said = stream.getvalue()
    assert token[:16] not in said and token[-16:] not in said and "planted" not in said
    assert "dahlia" not in said, "what a variable holds is not shown"
    assert "RuntimeError" in said and "no seat for" not in said and "/seat/{token}" in said
    assert said.count("request_id") >= 8


def test_a_request_is_one_line() -> None:
    """Method, template of the route, status, milliseconds, address and the id that the answer has too."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    answer = ask(app(), "/seat/abc?x=1", peer="192.0.2.1")
    (line,) = lines(stream)
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


def test_a_failure_is_logged_under_its_request() -> None:
    """With a traceback and without variables; the one who asked learns the id only."""
    stream = io.StringIO()
    configure_logs("warning", "json", stream)
    answer = ask(app(), "/fail/hush-hush", headers={"authorization": "Bearer hush"})
    failed, request = lines(stream)
    assert answer.status_code == 500 and "hush" not in answer.text
    assert failed["request_id"] == request["request_id"] == answer.headers["x-request-id"]
    assert "in fail" in failed["exception"] and failed["exception"].endswith("KeyError")
    assert request["status"] == 500 and request["level"] == "error"


def test_a_socket_that_fails_is_closed_and_one_that_is_left_is_no_failure() -> None:
    """Its client learns that it is the server's fault; one who goes troubles nobody."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    sent = open_socket(app(), "/live/x", {"host": "localhost:8017"})
    assert sent[-1] == {"type": "websocket.close", "code": 1011}
    assert [line["event"] for line in lines(stream)] == ["request_failed", "socket"]
    sent = open_socket(app(), "/wait/x", {"host": "localhost:8017"})
    assert [message["type"] for message in sent] == ["websocket.accept"]
    assert [line["event"] for line in lines(stream)[2:]] == ["socket"]


def test_an_app_that_fails_by_itself_is_answered_for() -> None:
    """Where nothing further in has said a word, the edge does."""

    async def broken(_scope: object, _receive: object, _send: object) -> None:
        raise RuntimeError

    answer = ask(with_middleware(broken, Settings(), AllowedOrigins.of("127.0.0.1", 8017), Metrics()))
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "request.failed"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_what_has_no_route_is_logged_without_its_path() -> None:
    """A misspelt link has its secret in it all the same."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    ask(app(), "/saet/of-ann")
    ask(app(), "/files/of-ann")
    assert [(line["route"], line["status"]) for line in lines(stream)] == [("-", 404), ("/files", 200)]


@dataclass
class Holder:
    """Has a hand."""

    hand: str = "card 27"


@pytest.mark.parametrize("form", FORMATS)
def test_what_has_a_secret_name_is_hidden(form: str) -> None:
    """On every depth; and things are shown as what they are, not as what they hold."""
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
    said = stream.getvalue()
    assert "card" not in said
    for shown in ("<Holder>", "<Token>", "<ValueError>", "/srv/data", "stays", "dealt", "3"):
        assert shown in said


def test_no_value_makes_a_line_of_its_own() -> None:
    """Whoever puts a line break or a terminal's sign into a name forges nothing."""
    stream = io.StringIO()
    configure_logs("info", "text", stream)
    structlog.stdlib.get_logger("sanssouci.server").info("joined\nforged", name="x\n2026 forged\x1b[2J\u202e")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue() and "\u202e" not in stream.getvalue()


def test_odd_values_do_not_stop_a_line() -> None:
    """Numbers of any size, texts without end, halves of characters, things within themselves."""
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    endless: list[Any] = []
    endless.append(endless)
    structlog.stdlib.get_logger("sanssouci.server").info(
        "odd", n=1 << 90, long="ab " * 9000, half="\ud800", nan=float("nan"), endless=endless
    )
    (line,) = lines(stream)
    assert line["n"] == 1 << 90 and len(line["long"]) < 5000 and line["half"] == "\\ud800"


def test_other_libraries_speak_through_the_same_gate() -> None:
    """uvicorn's errors as lines of ours, its paths and frames not at all."""
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
    failed, warned = lines(stream)
    assert failed["level"] == "error" and failed["exception"].endswith("RuntimeError")
    assert "old [hidden]" in warned["event"] and token not in stream.getvalue()


def test_uvicorn_leaves_the_logs_alone() -> None:
    """Configured as we say, its errors still come to us and its access log to nobody."""
    import uvicorn

    from sanssouci.server.ops.logs import UVICORN

    stream = io.StringIO()
    configure_logs("info", "json", stream)
    uvicorn.Config(app(), **UVICORN)
    logging.getLogger("uvicorn.error").error("lost")
    logging.getLogger("uvicorn.access").info("GET /")
    assert [line["event"] for line in lines(stream)] == ["lost"]


@pytest.mark.parametrize(("level", "count"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_lines_below_the_level_are_not_written(level: str, count: int) -> None:
    """As the host has it."""
    stream = io.StringIO()
    configure_logs(level, "json", stream)
    log = structlog.stdlib.get_logger("sanssouci.server")
    for method in (log.debug, log.info, log.warning, log.error):
        method("line")
    assert len(lines(stream)) == count


def test_what_another_library_says_is_cut_to_its_first_line() -> None:
    """The rest is a traceback or the repr of a task, and quotes what was raised."""
    stream = io.StringIO()
    configure_logs(stream=stream)
    said = "Task exception was never retrieved\nfuture: <Task finished exception=ValueError('hand: 36')>"
    logging.getLogger("asyncio").error(said)
    logging.getLogger("uvicorn.error").error("Traceback (most recent call last):\nValueError: hand: 36")
    lines = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert lines == ["Task exception was never retrieved", "Traceback (most recent call last):"]
