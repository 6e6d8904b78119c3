"""Proxies: who asks, where others pass the request on.

Every proxy adds the address that it was asked from at the right end of ``X-Forwarded-For``. So the list is
read from the right, as long as the one who wrote it is trusted; the rest anybody may have made up.
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
_MOST_HOPS = 16


def client_address(peer: str, headers: Headers, trusted: tuple[Network, ...]) -> str:
    """The nearest address that is not a trusted proxy's; what is no address is not believed."""
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
    """Whether the one who asks speaks HTTPS, to us or to a proxy that we believe."""
    said = [value for name, value in headers if name == b"x-forwarded-proto"]
    if said and is_trusted(peer, trusted):
        return said[-1].rpartition(b",")[2].strip().lower() in (b"https", b"wss")
    return scheme in ("https", "wss")


def is_trusted(address: str, trusted: tuple[Network, ...]) -> bool:
    """Whether an address belongs to one of the proxies."""
    found = parse_address(address)
    return found is not None and any(found in network for network in trusted)


def is_direct_and_local(peer: str, headers: Headers) -> bool:
    """Whether somebody on this machine asks, by a name for it, and nobody has passed the request on.

    A proxy that adds no header gives itself away by the name that its visitors have asked for.
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
    """An address, with or without a port; one of IPv4 in the clothes of IPv6 is one of IPv4."""
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
    """What the proxies wrote, the last of them first."""
    lines = [value for name, value in headers if name == b"x-forwarded-for"]
    hops = b",".join(lines).decode("latin-1").split(",") if lines else []
    for hop in hops[: -_MOST_HOPS - 1 : -1]:
        yield hop.strip()
