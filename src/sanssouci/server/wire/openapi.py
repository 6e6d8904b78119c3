"""The server's description for other programs: OpenAPI, with the messages of the socket among its schemas.

OpenAPI knows no sockets. So what is said there is in ``components.schemas`` like everything else, and
``x-socket`` names the messages of each side and the codes with which a socket is closed. ``x-errors`` has
every ``error.code`` with its status, rule and sentence.
"""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ..auth.principal import KEY_HEADER
from ..middleware.origin_check import COOKIE
from ..send_queue import TOO_SLOW
from ..socket import BAD_MESSAGE, BAD_TICKET, NO_HELLO, SEAT_LOST, TOO_MANY, TRY_LATER
from .error_codes import all_codes
from .requests import Hello, Ping, SocketCommand
from .route_docs import ANSWERS, REF, ref
from .socket_messages import CommandDone, CommandRefused, Pong, Update

Json = dict[str, Any]

SOCKET = "/api/socket"
CLIENT_SAYS: tuple[type[BaseModel], ...] = (Hello, SocketCommand, Ping)
SERVER_SAYS: tuple[type[BaseModel], ...] = (Update, CommandDone, CommandRefused, Pong)
CLOSINGS = {
    1001: "The server is stopping, or one side goes away. Come back a little later.",
    1009: "A message was larger than the server takes.",
    1011: "Pings were not answered, or something went wrong on the server. Come back.",
    1012: "The server is stopping. Come back a little later.",
    TRY_LATER: "There is no room for another socket now, or the disk fails. Come back a little later.",
    TOO_SLOW: "You read too slowly, and too much was waiting for you. Come back with your last `seq`.",
    BAD_MESSAGE: "A message was none of this protocol, and no command that could be answered: a mistake in"
    " the client. Coming back does not help.",
    BAD_TICKET: "The ticket is unknown, used already, or too old. Ask for another one.",
    NO_HELLO: "No hello came within ten seconds.",
    SEAT_LOST: "The chair is not yours any more: you rose, the owner gave it away, its link was renewed,"
    " somebody has claimed it, or the guest was forgotten. Or you watched by a link that was renewed."
    " Coming back does not help.",
    TOO_MANY: "You have as many sockets as one may have, or as many watch the table as may.",
}
"""Why a socket ends, by its close code."""

_TAGS = (
    ("guests", "Who you are. There is no sign-up: a guest chooses a name and keeps a token."),
    ("tables", "Setting tables up, joining, seeing and commanding them."),
    ("records", "Games that are over, as documents: checking them, looking at every position."),
    ("daily", "One deal a day, the same for everyone."),
    ("scores", "For owners of the box: counting up a real table, checking boards."),
    ("house", "What the server offers, and whether it is well."),
)
_SECURITY: Json = {
    "guestCookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "A guest's token in a browser; requests that change something, and sockets, need an"
        " `Origin` too.",
    },
    "guestToken": {"type": "http", "scheme": "bearer", "description": "A guest's token in a program."},
    "linkSecret": {
        "type": "apiKey",
        "in": "header",
        "name": "-".join(part.capitalize() for part in KEY_HEADER.split("-")),
        "description": "The secret of a seat link, join link or watch link.",
    },
    "metricsToken": {"type": "http", "scheme": "bearer", "description": "What the host has set for metrics."},
}
_GENERATED = ("HTTPValidationError", "ValidationError")
"""What FastAPI adds for its own errors; this server words its own."""


def describe(app: FastAPI) -> Json:
    """The description of an app's routes and of the socket; the same on every machine."""
    document: Json = get_openapi(
        title=app.title,
        version=app.version,
        description="The board game Sanssouci by network. docs/protocol.md tells the same to people.",
        routes=app.routes,
        tags=[{"name": name, "description": text} for name, text in _TAGS],
        separate_input_output_schemas=False,
    )
    schemas = document["components"]["schemas"] | _schemas()
    document["components"] = {
        "schemas": {name: schemas[name] for name in sorted(schemas) if name not in _GENERATED},
        "securitySchemes": _SECURITY,
    }
    for operation in operations(document).values():
        _put_right(operation)
    document["x-errors"] = all_codes()
    document["x-socket"] = _socket()
    return document


def operations(document: Json) -> dict[tuple[str, str], Json]:
    """Every route of a description, by method and path."""
    return {
        (method.upper(), path): operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def _schemas() -> Json:
    """All that is said on sockets, and all that routes answer."""
    models = [(model, "validation") for model in (*CLIENT_SAYS, *SERVER_SAYS, *ANSWERS)]
    _, found = models_json_schema(models, ref_template=REF)  # type: ignore[arg-type]
    schemas: Json = found["$defs"]
    return schemas


def _put_right(operation: Json) -> None:
    """FastAPI describes a 422 of its own wherever there is something to check (ours is a 400), and JSON."""
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    for response in responses.values():
        if len(response["content"]) > 1:
            del response["content"]["application/json"]
    operation["responses"] = {status: responses[status] for status in sorted(responses)}


def _socket() -> Json:
    return {
        "path": SOCKET,
        "client_says": [ref(model) for model in CLIENT_SAYS],
        "server_says": [ref(model) for model in SERVER_SAYS],
        "closings": {str(code): text for code, text in sorted(CLOSINGS.items())},
    }
