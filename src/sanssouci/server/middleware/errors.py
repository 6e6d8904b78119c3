"""Error responses: their JSON, and sending them to requests that never reach a route."""

from typing import Annotated

import orjson
from pydantic import Field
from starlette.types import Scope, Send

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.notation.json_types import JsonObject, RuleNumber

from .client_info import header


class ErrorBody(JsonObject):
    """Why something was not done."""

    code: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_0-9]+$")]
    """For programs, from the list of codes."""
    rule: RuleNumber | None
    """The rule of the game that says so, if one does."""
    sentence: str
    """For people, in their language."""


class ErrorAnswer(JsonObject):
    """A request was refused; nothing has changed."""

    error: ErrorBody
    """Why."""


def error_body(user_error: UserError, language: str, rule: str | None = None) -> ErrorBody:
    """A user error as JSON: its code for programs, the rule if there is one, a sentence for people."""
    return {"code": user_error.key, "rule": rule, "sentence": user_error.translate(language)}


async def send_error(
    scope: Scope, send: Send, status: int, user_error: UserError, headers: dict[str, str] | None = None
) -> None:
    """Send an error response, also to a WebSocket handshake, in the client's language."""
    language = language_of(header(scope, b"accept-language") or "")
    body = orjson.dumps(ErrorAnswer(error=error_body(user_error, language)))
    fields = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    lines = [(name.encode("ascii"), value.encode("ascii")) for name, value in fields.items()]
    answer = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{answer}.start", "status": status, "headers": lines})
    await send({"type": f"{answer}.body", "body": body})


def language_of(accepted: str) -> str:
    """The first supported language of an ``Accept-Language`` header."""
    for part in accepted[:200].split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in LANGUAGES:
            return language
    return "en"
