"""Where the server can be reached: on this computer, in the local network, or at a public site.

By default a server listens on this computer only. A user of this computer can open it to the local network
until it is stopped.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from sanssouci.locale import UserError

from ..settings import Settings

_FOUR, _SIX = "0.0.0.0", "::"
_FAR = {
    _FOUR: ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254"),
    _SIX: ("2001:db8::1", "fd00::1"),
}
"""Remote addresses: a reserved one, and the ends of the private networks. Nothing is sent to them."""
_PORT = 9


def lan_urls(host: str, port: int) -> tuple[str, ...]:
    """The URLs to share; empty if the server listens on one address only, or has no network."""
    found = dict.fromkeys(_address_towards(far) for far in _FAR.get(host, ()))
    return tuple(
        f"http://{f'[{text}]' if host == _SIX else text}:{port}" for text in found if _is_for_others(text)
    )


def _address_towards(far: str) -> str:
    """The local address that the system would use to reach a remote one; no packet is sent."""
    family = socket.AF_INET6 if ":" in far else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as line:
        line.connect((far, _PORT))
        return str(line.getsockname()[0])
    return ""


def _is_for_others(text: str) -> bool:
    if not text:
        return False
    address = ip_address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


Listen = Callable[[str], Awaitable[None]]
"""Listens on one more address; ``UserError`` if that fails."""


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
        if self._opened or not is_loopback(self._settings.host):
            return ExposureLevel.NETWORK
        return ExposureLevel.COMPUTER

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
            found = self._neighbours(_FOUR, self._port)
            if not found or self._listen is None:
                raise UserError("server.no_network")
            for url in found:
                await self._listen(urlsplit(url).hostname or "")
            self._opened = found

    def _own(self) -> tuple[str, ...]:
        host = self._settings.host
        return (f"http://{f'[{host}]' if ':' in host else host}:{self._port}",)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a server that listens on this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
