"""LAN addresses of the server, found without sending a packet."""

import socket
from typing import Any

import pytest

from sanssouci.server import lan_urls

OWN = {"192.0.2.1": "192.168.1.5", "10.255.255.254": "10.8.0.2", "2001:db8::1": "2001:db8:7::5"}
"""The local address by destination."""


class FakeSocket:
    """A datagram socket on a machine with two networks; methods that send packets are missing."""

    def __init__(self, family: socket.AddressFamily, kind: socket.SocketKind) -> None:
        assert kind is socket.SOCK_DGRAM, "a connection would send something"
        self._destination = ""

    def __enter__(self) -> "FakeSocket":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was opened."""

    def connect(self, address: tuple[str, int]) -> None:
        if address[0] == "172.31.255.254":
            raise OSError("no route")
        self._destination = address[0]

    def getsockname(self) -> tuple[str, int]:
        """The local address for the destination, or an address that others cannot reach."""
        return OWN.get(self._destination, "127.0.0.1" if "." in self._destination else "fe80::1"), 4711

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} is not needed")


@pytest.mark.parametrize(
    ("host", "urls"),
    [
        ("0.0.0.0", ("http://192.168.1.5:8017", "http://10.8.0.2:8017")),
        ("::", ("http://[2001:db8:7::5]:8017",)),
        ("127.0.0.1", ()),
        ("192.168.1.5", ()),
        ("garden.local", ()),
    ],
)
def test_lan_urls(monkeypatch: pytest.MonkeyPatch, host: str, urls: tuple[str, ...]) -> None:
    """A server on all interfaces has one URL per network, without loopback and link-local addresses."""
    monkeypatch.setattr(socket, "socket", FakeSocket)
    assert lan_urls(host, 8017) == urls


def test_lan_urls_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a network has no URLs, and no error is raised."""

    def no_network(*_: object) -> None:
        raise OSError("unreachable")

    monkeypatch.setattr(FakeSocket, "connect", no_network)
    monkeypatch.setattr(socket, "socket", FakeSocket)
    assert lan_urls("0.0.0.0", 8017) == ()
