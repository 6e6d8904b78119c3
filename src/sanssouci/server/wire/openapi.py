"""The server's description for other programs: OpenAPI, with the messages of the socket among its schemas.

OpenAPI knows no sockets. So what is said there is in ``components.schemas`` like everything else, and
``x-socket`` names the messages of each side and the codes with which a socket is closed. ``x-errors`` has
every ``error.code`` with its status, rule and sentence.
"""

from functools import cache
from typing import Any, Union

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import get_original_bases, is_typeddict

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
CLIENT_SAYS: tuple[type, ...] = (Hello, SocketCommand, Ping)
SERVER_SAYS: tuple[type, ...] = (Update, CommandDone, CommandRefused, Pong)
CLOSINGS = {
    1001: "The server is stopping, or one side went away. Reconnect a little later.",
    1009: "A message exceeded the size limit.",
    1011: "Pings were not answered, or the server had an internal error. Reconnect.",
    1012: "The server is stopping. Reconnect a little later.",
    TRY_LATER: "The server has too many sockets, or its disk is failing. Reconnect a little later.",
    TOO_SLOW: "You read too slowly, and too many messages were waiting. Reconnect with your last `seq`.",
    BAD_MESSAGE: "A message was invalid and had no usable `command_id`: a bug in the client."
    " Do not reconnect.",
    BAD_TICKET: "The ticket is unknown, used or expired. Request another one.",
    NO_HELLO: "No `hello` arrived within ten seconds.",
    SEAT_LOST: "You no longer hold the chair: you left it, the owner reassigned it, its link was renewed,"
    " it was claimed, or the guest was forgotten. Or the watch link you used was renewed. Do not reconnect.",
    TOO_MANY: "You have too many open sockets, or the table has too many spectators.",
}
"""The reason for each close code of a socket."""

_TAGS = (
    ("guests", "Guest accounts. There is no sign-up: a guest chooses a name and gets a token."),
    ("tables", "Create, join and view tables, and send commands."),
    ("records", "Records of finished games: verify them, view every position."),
    ("daily", "One deal a day, the same for everyone."),
    ("scores", "For owners of the physical game: score sheets and boards files."),
    ("system", "Health, metrics, computer players, and where the server can be reached."),
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
    """The schemas of all socket messages and responses."""
    everything: Any = Union[(*CLIENT_SAYS, *SERVER_SAYS, *ANSWERS)]  # one adapter reads each of them once
    document = TypeAdapter(everything).json_schema(ref_template=REF, schema_generator=_SchemaGenerator)
    schemas: Json = document["$defs"]
    return schemas


class _SchemaGenerator(GenerateJsonSchema):
    """Completes the descriptions of fields, which pydantic takes from docstrings."""

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Join wrapped lines, and describe inherited fields, whose docstrings pydantic does not see."""
        document = super().typed_dict_schema(schema)
        for base in filter(is_typeddict, get_original_bases(schema["cls"])):
            for name, description in _field_descriptions(base).items():
                document["properties"][name].setdefault("description", description)
        for field in document["properties"].values():
            if "description" in field:
                field["description"] = " ".join(field["description"].split())
        return document


@cache
def _field_descriptions(definition: Any) -> dict[str, str]:
    if not definition.__annotations__:
        return {}
    fields = TypeAdapter(definition).json_schema(schema_generator=_SchemaGenerator)["properties"]
    return {name: field["description"] for name, field in fields.items() if "description" in field}


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
