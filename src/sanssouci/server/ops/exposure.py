"""Where the server can be reached: on this computer, in the local network, or at a public site.

By default a server listens on this computer only. A user of this computer can open it to the local network
until it is stopped.
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
"""Listens on one more address; ``UserError`` if that fails."""
_EVERYWHERE = "0.0.0.0"


class ExposureLevel(StrEnum):
    COMPUTER = "computer"
    NETWORK = "network"
    PUBLIC = "public"


class Exposure:
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
        if self._settings.public_url is not None:
            return ExposureLevel.PUBLIC
        return (
            ExposureLevel.NETWORK
            if self._opened or not is_loopback(self._settings.host)
            else ExposureLevel.COMPUTER
        )

    def urls(self) -> tuple[str, ...]:
        """The URLs for others, likeliest first; empty if only this computer can connect."""
        if self._settings.public_url is not None:
            return (self._settings.public_url,)
        host = self._settings.host
        return self._opened or (
            () if is_loopback(host) else self._neighbours(host, self._port) or self._own()
        )

    async def open(self) -> None:
        """Also listen in the local network, until the server stops. ``UserError`` if that fails."""
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
        """The one address that the server listens on."""
        host = self._settings.host
        return (f"http://{f'[{host}]' if ':' in host else host}:{self._port}",)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a server that listens on this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
