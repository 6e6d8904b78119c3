"""Where others find the server: nowhere but on this computer, in the local network, or at its public site.

A server begins on this computer only, unless its host says otherwise. Whoever sits there can let it listen in
the local network too, until it is stopped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from sanssouci.locale import UserError

from ..settings import Settings
from .lan_addresses import lan_urls

Listen = Callable[[str], Awaitable[None]]
"""Listens at one more address; ``UserError`` if that cannot be."""
_EVERYWHERE = "0.0.0.0"


class ExposureLevel(StrEnum):
    """How far a server can be heard."""

    COMPUTER = "computer"
    NETWORK = "network"
    PUBLIC = "public"


class Exposure:
    """How far this one can be."""

    def __init__(
        self,
        settings: Settings,
        port: int,
        listen: Listen | None = None,
        neighbours: Callable[[str, int], tuple[str, ...]] = lan_urls,
    ) -> None:
        self._settings = settings
        self._port = port
        self._listen = listen
        self._neighbours = neighbours
        self._opened: tuple[str, ...] = ()
        self._opening = asyncio.Lock()

    @property
    def extent(self) -> ExposureLevel:
        """How far it can be heard now."""
        if self._settings.public_url is not None:
            return ExposureLevel.PUBLIC
        return (
            ExposureLevel.NETWORK
            if self._opened or not is_loopback(self._settings.host)
            else ExposureLevel.COMPUTER
        )

    def urls(self) -> tuple[str, ...]:
        """What others write into their browsers; the likeliest first, none where nobody else can come."""
        if self._settings.public_url is not None:
            return (self._settings.public_url,)
        host = self._settings.host
        return self._opened or (
            () if is_loopback(host) else self._neighbours(host, self._port) or self._own()
        )

    async def open(self) -> None:
        """Listen in the local network too; it stays so. ``UserError`` if there is none, or it cannot be."""
        async with self._opening:
            if self.extent is not ExposureLevel.COMPUTER:
                return
            found = self._neighbours(_EVERYWHERE, self._port)
            if not found or self._listen is None:
                raise UserError("server.no_network")
            for url in found:
                await self._listen(urlsplit(url).hostname or "")
            self._opened = found

    def _own(self) -> tuple[str, ...]:
        """Where the server listens at one address only, that one."""
        host = self._settings.host
        return (f"http://{f'[{host}]' if ':' in host else host}:{self._port}",)


def is_loopback(host: str) -> bool:
    """Whether only this computer finds a server that listens there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
