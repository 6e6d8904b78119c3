"""Bodies as JSON, read as strictly as records are: a key that stands twice means nothing."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from sanssouci.locale import UserError
from sanssouci.notation import parse_json


class BadJson(HTTPException):
    """A body is no JSON, or not one that can be read in one way only."""

    def __init__(self, reason: UserError) -> None:
        super().__init__(400)
        self.reason = reason


class StrictJsonRoute(APIRoute):
    """A route whose body is read so."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
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
