"""Trusted proxies: the client address is the nearest one in the chain that is not a trusted proxy."""

from ipaddress import ip_network

import pytest

from sanssouci.server.middleware.client_info import client_address, is_direct_and_local, was_secure

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("::1/128"), ip_network("127.0.0.1"))


def forwarded(*lines: str) -> list[tuple[bytes, bytes]]:
    """X-Forwarded-For headers with these lines."""
    return [(b"x-forwarded-for", line.encode("latin-1")) for line in lines]


@pytest.mark.parametrize(
    ("peer", "lines", "address"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["203.0.113.9"], "192.0.2.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1", "203.0.113.9", "10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, "], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
        ("::1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("::ffff:10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("", ["203.0.113.9"], ""),
        ("testclient", ["203.0.113.9"], "testclient"),
        ("10.0.0.1", [",".join(["1.1.1.1"] + ["10.0.0.2"] * 100)], "10.0.0.2"),
    ],
)
def test_client_address(peer: str, lines: list[str], address: str) -> None:
    """X-Forwarded-For is read from the right, as long as the sender is trusted."""
    assert client_address(peer, forwarded(*lines), TRUSTED) == address


def test_forwarded_headers_need_a_trusted_proxy() -> None:
    """Without trusted proxies X-Forwarded-For is ignored, even from this machine."""
    assert client_address("127.0.0.1", forwarded("203.0.113.9"), ()) == "127.0.0.1"


@pytest.mark.parametrize(
    ("scheme", "peer", "proto", "secure"),
    [
        ("http", "10.0.0.1", "https", True),
        ("ws", "10.0.0.1", "HTTPS", True),
        ("http", "10.0.0.1", "https, http", False),
        ("http", "192.0.2.1", "https", False),
        ("https", "192.0.2.1", "http", True),
        ("http", "10.0.0.1", None, False),
        ("wss", "10.0.0.1", None, True),
    ],
)
def test_was_secure(scheme: str, peer: str, proto: str | None, secure: bool) -> None:
    """A connection is secure if it uses TLS itself or a trusted proxy says so."""
    headers = [] if proto is None else [(b"x-forwarded-proto", proto.encode("ascii"))]
    assert was_secure(scheme, peer, headers, TRUSTED) is secure


def test_is_direct_and_local() -> None:
    """A request with a foreign host or any proxy header is not local, even from a loopback address."""
    for peer in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"):
        for own in (b"localhost", b"LOCALHOST:8017", b"127.0.0.1:8017", b"[::1]:8017"):
            assert is_direct_and_local(peer, [(b"host", own)])
        for other in (b"play.example.org", b"192.0.2.1:8017", b"localhost.evil.example", b""):
            assert not is_direct_and_local(peer, [(b"host", other)])
        assert not is_direct_and_local(peer, [])
        for name in (b"x-forwarded-for", b"forwarded", b"via", b"x-real-ip"):
            assert not is_direct_and_local(peer, [(b"host", b"localhost"), (name, b"127.0.0.1")])
    for peer in ("10.0.0.1", ""):
        assert not is_direct_and_local(peer, [(b"host", b"localhost")])
