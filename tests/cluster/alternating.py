"""Two servers on one database that look like one: requests and sockets go to each in turn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import URL, text
from starlette.types import Receive, Scope, Send

from sanssouci.store.tables import METADATA

from ..harness.server import InProcessServer

_UNSTABLE = {"ticket", "lease"}
"""Tables that reading requests may change."""


class AlternatingServer(InProcessServer):
    """The first of two servers; every other request is answered by the second."""

    def __init__(self, folder: Path, url: URL, **settings: Any) -> None:
        super().__init__(folder, name="server 0", data=url, **settings)
        self.peer = InProcessServer(folder, name="server 1", data=url, **settings)
        self.peer.clock, self.peer.committed = self.clock, self.committed
        self._numbers = count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.peer.app if next(self._numbers) % 2 else self.app)(scope, receive, send)

    async def open(self) -> None:
        await super().open()
        await self.peer.open()

    async def close(self) -> None:
        await self.peer.close()
        await super().close()

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        with self.store._database.readers.connect() as connection:
            return {
                name: sorted(map(tuple, connection.execute(text(f'SELECT * FROM "{name}"'))), key=repr)
                for name in METADATA.tables
                if name not in _UNSTABLE
            }


@asynccontextmanager
async def alternating_servers(folder: Path, url: URL, **settings: Any) -> AsyncIterator[AlternatingServer]:
    server = AlternatingServer(folder, url, **settings)
    await server.open()
    try:
        yield server
    finally:
        await server.close()
