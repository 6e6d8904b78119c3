"""Compares responses and messages of a server with its API description."""

import re
from functools import cache

import httpx
from pydantic import TypeAdapter

from sanssouci.notation import validator
from sanssouci.server import bare_app
from sanssouci.server.error_responses import DOCUMENTS
from sanssouci.server.middleware.errors import ErrorAnswer
from sanssouci.server.wire.openapi import operations
from sanssouci.server.wire.responses import ServerMessage
from sanssouci.server.wire.route_docs import ANSWERS

SOCKET = TypeAdapter(ServerMessage)
DESCRIPTION = bare_app().openapi()
OPERATIONS = operations(DESCRIPTION)
MODELS = {model.__name__: model for model in ANSWERS}


class DescriptionCheck:
    """Fails if a response or message does not match the API description."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str, int]] = set()
        """Method, path as described, and status of every response so far."""

    def response(self, method: str, path: str, response: httpx.Response) -> None:
        path = _described_path(method, path)
        status = response.status_code
        self.seen.add((method, path, status))
        described = OPERATIONS[method, path]["responses"]
        assert str(status) in described, (method, path, status, response.text)
        kind = response.headers["content-type"].partition(";")[0]
        schema = described[str(status)]["content"][kind]["schema"]
        if "$ref" in schema:
            model = MODELS[schema["$ref"].rpartition("/")[2]]
            found = validator(model).validate_json(response.content)
            if model is ErrorAnswer:
                _check_code(found["error"]["code"], status)

    def message(self, data: str | bytes) -> None:
        SOCKET.validate_json(data)


def _check_code(code: str, status: int) -> None:
    if code in DESCRIPTION["x-errors"]:
        assert DESCRIPTION["x-errors"][code]["status"] == status, code
    else:
        assert code.startswith(DOCUMENTS) and status == 422, code


def _described_path(method: str, path: str) -> str:
    found = [known for asked, known in OPERATIONS if asked == method and _pattern(known).fullmatch(path)]
    assert len(found) == 1, (method, path)
    return found[0]


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub("{[a-z]+}", "[^/]+", path))
