"""Proxy headers: the client's address and scheme behind trusted reverse proxies.

Each proxy appends the address of its client to ``X-Forwarded-For``. So the list is read from the right for as
long as its author is a trusted proxy; the rest may be forged.

uvicorn's proxy middleware overwrites the peer's address, which ``is_direct_and_local`` needs.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network
Headers = Iterable[tuple[bytes, bytes]]
_FORWARDING = (
    b"forwarded",
    b"via",
    b"x-forwarded-for",
    b"x-forwarded-host",
    b"x-forwarded-proto",
    b"x-real-ip",
)
_MAX_HOPS = 16


def client_address(peer: str, headers: Headers, trusted: tuple[Network, ...]) -> str:
    """The nearest address that is not a trusted proxy; invalid entries end the search."""
    address = peer
    for hop in _hops(headers):
        if not is_trusted(address, trusted):
            break
        found = parse_address(hop)
        if found is None:
            break
        address = str(found)
    return address


def was_secure(scheme: str, peer: str, headers: Headers, trusted: tuple[Network, ...]) -> bool:
    """Whether the client used HTTPS, to this server or to a trusted proxy."""
    said = [value for name, value in headers if name == b"x-forwarded-proto"]
    if said and is_trusted(peer, trusted):
        return said[-1].rpartition(b",")[2].strip().lower() in (b"https", b"wss")
    return scheme in ("https", "wss")


def is_trusted(address: str, trusted: tuple[Network, ...]) -> bool:
    """Whether an address belongs to a trusted proxy."""
    found = parse_address(address)
    return found is not None and any(found in network for network in trusted)


def is_direct_and_local(peer: str, headers: Headers) -> bool:
    """Whether a request comes from this machine, addresses it as such, and was not forwarded.

    A proxy that adds no header is recognised by the public host name in the request.
    """
    lines = list(headers)
    hosts = [value.decode("latin-1") for name, value in lines if name == b"host"]
    return (
        _is_loopback(peer)
        and len(hosts) == 1
        and (_is_loopback(hosts[0]) or hosts[0].lower().partition(":")[0] == "localhost")
        and not any(name in _FORWARDING for name, _ in lines)
    )


def _is_loopback(text: str) -> bool:
    found = parse_address(text)
    return found is not None and found.is_loopback


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address with or without a port; IPv4-mapped IPv6 becomes IPv4."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _hops(headers: Headers) -> Iterator[str]:
    """The entries of ``X-Forwarded-For``, last one first."""
    lines = [value for name, value in headers if name == b"x-forwarded-for"]
    hops = b",".join(lines).decode("latin-1").split(",") if lines else []
    for hop in hops[: -_MAX_HOPS - 1 : -1]:
        yield hop.strip()
