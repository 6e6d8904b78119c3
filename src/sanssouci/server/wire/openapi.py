"""The OpenAPI document of the server.

OpenAPI does not cover WebSockets. Their messages are in ``components.schemas``, and ``x-socket`` lists those
of each side and the close codes. ``x-errors`` lists every ``error.code`` with its status, rule and sentence.
"""

import ast
from functools import cache
from inspect import cleandoc, getsource
from itertools import pairwise
from typing import Any, Union, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import get_original_bases, is_typeddict

from sanssouci.table import ClientCommand

from ..auth.principal import KEY_HEADER
from ..error_responses import all_codes
from ..middleware.origin_check import COOKIE
from ..socket import BAD_MESSAGE, BAD_TICKET, NO_HELLO, TOO_MANY, TRY_LATER
from ..tables.live_table import RESTARTING, SEAT_LOST, TOO_SLOW
from .requests import Hello, Nudge, Ping, RequestModel, SocketCommand
from .responses import CommandDone, CommandRefused, NudgeMessage, Pong, PresenceMessage, Update
from .route_docs import ANSWERS, REF, ref

Json = dict[str, Any]

SOCKET = "/api/socket"
CLIENT_SAYS: tuple[type, ...] = (Hello, SocketCommand, Ping, Nudge)
SERVER_SAYS: tuple[type, ...] = (
    Update,
    CommandDone,
    CommandRefused,
    Pong,
    PresenceMessage,
    NudgeMessage,
)
CLOSINGS = {
    1001: "The server is stopping, or one side went away. Reconnect a little later.",
    1009: "A message exceeded the size limit.",
    1011: "Pings were not answered, or the server had an internal error. Reconnect.",
    RESTARTING: "The server is stopping. Reconnect within a second, at a random time.",
    TRY_LATER: "The server cannot read its data file. Reconnect a little later.",
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
    ("guests", "There are no accounts and no sign-up: a guest chooses a name and gets a token."),
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
    "metricsToken": {"type": "http", "scheme": "bearer", "description": "The host's token for metrics."},
}
_GENERATED = ("HTTPValidationError", "ValidationError")
"""FastAPI's schemas for validation errors, which this server does not send."""


def describe(app: FastAPI) -> Json:
    """The document of an app's routes and of the socket; the same on every machine."""
    document: Json = get_openapi(
        title=app.title,
        version=app.version,
        description="The board game Sanssouci over the network; docs/protocol.md is for human readers.",
        routes=app.routes,
        tags=[{"name": name, "description": text} for name, text in _TAGS],
        separate_input_output_schemas=False,
    )
    schemas = document["components"]["schemas"] | _schemas()
    _add_docstrings(schemas)
    document["components"] = {
        "schemas": {name: schemas[name] for name in sorted(schemas) if name not in _GENERATED},
        "securitySchemes": _SECURITY,
    }
    for operation in operations(document).values():
        _correct_responses(operation)
    document["x-errors"] = all_codes()
    document["x-socket"] = {
        "path": SOCKET,
        "client_says": [ref(model) for model in CLIENT_SAYS],
        "server_says": [ref(model) for model in SERVER_SAYS],
        "closings": {str(code): text for code, text in sorted(CLOSINGS.items())},
    }
    return document


def operations(document: Json) -> dict[tuple[str, str], Json]:
    """The operations of a document by method and path."""
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


def _add_docstrings(schemas: Json) -> None:
    """Describe the fields of request bodies and commands by their docstrings.

    Pydantic can do that too, but would parse the source code whenever a server starts.
    """
    for model in (*RequestModel.__subclasses__(), *get_args(ClientCommand)):
        fields = schemas.get(model.__name__, {}).get("properties", {})
        for name, text in _docstrings(model).items():
            fields[name]["description"] = text


def _docstrings(model: type) -> dict[str, str]:
    """The docstrings of a class's fields, by their names in JSON."""
    definition = ast.parse(getsource(model)).body[0]
    assert isinstance(definition, ast.ClassDef), "it is the source of a class"
    aliases = {name: field.alias or name for name, field in getattr(model, "model_fields", {}).items()}
    found: dict[str, str] = {}
    for field, text in pairwise(definition.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                found[aliases.get(name, name)] = cleandoc(said)
    return found


class _SchemaGenerator(GenerateJsonSchema):
    """Completes the descriptions of fields, which pydantic takes from docstrings."""

    def normalize_name(self, name: str) -> str:
        """``GardenJson``, the shape of the class ``Garden``, has the name of the class."""
        return super().normalize_name(name).removesuffix("Json")

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


def _correct_responses(operation: Json) -> None:
    """Remove FastAPI's own 422 (this server sends 400), and JSON where a route answers with text."""
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    for response in responses.values():
        if len(response["content"]) > 1:
            del response["content"]["application/json"]
    operation["responses"] = {status: responses[status] for status in sorted(responses)}
