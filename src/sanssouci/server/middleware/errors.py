"""Problems: how a no is told, and what is answered to a request that does not get as far as a route."""

from typing import Any

import orjson
from starlette.types import Scope, Send

from sanssouci.locale import LANGUAGES, UserError

from .client_info import header

Json = dict[str, Any]


def error_body(user_error: UserError, language: str, rule: str | None = None) -> Json:
    """A user error as JSON: its key for programs, the rule if one says so, its sentence for people."""
    return {"code": user_error.key, "rule": rule, "sentence": user_error.translate(language)}


async def send_error(
    scope: Scope, send: Send, status: int, user_error: UserError, more: dict[str, str] | None = None
) -> None:
    """Answer a request, or one for a socket, with a problem, in the language of whoever asks."""
    language = language_of(header(scope, b"accept-language") or "")
    body = orjson.dumps({"error": error_body(user_error, language)})
    told = {"content-type": "application/json", "content-length": str(len(body)), **(more or {})}
    headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in told.items()]
    answer = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{answer}.start", "status": status, "headers": headers})
    await send({"type": f"{answer}.body", "body": body})


def language_of(accepted: str) -> str:
    """The first language of a browser's list that the catalogues have."""
    for part in accepted[:200].split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in LANGUAGES:
            return language
    return "en"
