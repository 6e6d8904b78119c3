"""Answers requests for the OpenAPI document."""

import asyncio
import sys
from subprocess import PIPE

from starlette.responses import Response

COMMAND = (sys.executable, "-P", "-m", "sanssouci.server.wire.openapi_file", "-")


class Description:
    """The OpenAPI document, written by another process for the first request.

    That takes about a second of a core. In this process, every turn at every table would wait meanwhile, even
    if a thread did it.
    """

    def __init__(self) -> None:
        self._writing: asyncio.Task[bytes] | None = None

    async def get(self) -> Response:
        if self._writing is None or (self._writing.done() and self._writing.exception()):
            self._writing = asyncio.create_task(_write())
        return Response(await asyncio.shield(self._writing), media_type="application/json")


async def _write() -> bytes:
    process = await asyncio.create_subprocess_exec(*COMMAND, stdout=PIPE)
    document, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(COMMAND)} failed with status {process.returncode}")
    return document
