"""Strict JSON request bodies: duplicate keys are rejected, as in records."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from sanssouci.locale import UserError
from sanssouci.notation import parse_json


class BadJson(HTTPException):
    """The body is not JSON, or has duplicate keys."""

    def __init__(self, reason: UserError) -> None:
        super().__init__(400)
        self.reason = reason


class StrictJsonRoute(APIRoute):
    """An ``APIRoute`` that parses bodies with ``parse_json``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answered = super().get_route_handler()

        async def answer(request: Request) -> Response:
            return await answered(_StrictRequest(request.scope, request.receive))

        return answer


class _StrictRequest(Request):
    async def json(self) -> Any:
        try:
            return parse_json(await self.body())
        except UserError as reason:
            raise BadJson(reason) from None
