"""Where others find a server: at the addresses of its machine, and no packet is sent to find out."""

import socket
from typing import Any

import pytest

from sanssouci.server import lan_urls

OWN = {"192.0.2.1": "192.168.1.5", "10.255.255.254": "10.8.0.2", "2001:db8::1": "2001:db8:7::5"}
"""By what is far away: the address of the network that leads there."""


class Line:
    """A socket on a machine with two networks; whatever would send a packet is missing."""

    def __init__(self, family: socket.AddressFamily, kind: socket.SocketKind) -> None:
        assert kind is socket.SOCK_DGRAM, "a connection would send something"
        self._towards = ""

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was opened."""

    def connect(self, address: tuple[str, int]) -> None:
        """Only remembered."""
        if address[0] == "172.31.255.254":
            raise OSError("no route")
        self._towards = address[0]

    def getsockname(self) -> tuple[str, int]:
        """The address of the network that leads there; else one that is of no use to others."""
        return OWN.get(self._towards, "127.0.0.1" if "." in self._towards else "fe80::1"), 4711

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
def test_all_addresses_are_told_where_the_server_listens_at_all(
    monkeypatch: pytest.MonkeyPatch, host: str, urls: tuple[str, ...]
) -> None:
    """Each once; not the loopback, not one that is good for one cable only."""
    monkeypatch.setattr(socket, "socket", Line)
    assert lan_urls(host, 8017) == urls


def test_a_machine_without_network_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that is no mistake."""

    def no_network(*_: object) -> None:
        raise OSError("unreachable")

    monkeypatch.setattr(Line, "connect", no_network)
    monkeypatch.setattr(socket, "socket", Line)
    assert lan_urls("0.0.0.0", 8017) == ()
