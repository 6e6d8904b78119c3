"""URLs under which others in the local network can reach a server that listens on all addresses."""

import socket
from contextlib import suppress
from ipaddress import ip_address

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
