"""Where others in the local network find a server that listens at all addresses of its machine."""

import socket
from contextlib import suppress
from ipaddress import ip_address

_FOUR, _SIX = "0.0.0.0", "::"
_FAR = {
    _FOUR: ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254"),
    _SIX: ("2001:db8::1", "fd00::1"),
}
"""Addresses elsewhere: of no machine at all, and at the ends of networks at home. Nothing is sent to them."""
_PORT = 9


def lan_urls(host: str, port: int) -> tuple[str, ...]:
    """The addresses to tell others; none where the server listens at one address only, or has no network."""
    found = dict.fromkeys(_address_towards(far) for far in _FAR.get(host, ()))
    return tuple(
        f"http://{f'[{text}]' if host == _SIX else text}:{port}" for text in found if _is_for_others(text)
    )


def _address_towards(far: str) -> str:
    """The own address from which a packet would go there; empty if none would. None is sent."""
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
