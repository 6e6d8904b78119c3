"""Exposing the server to the local network, and the permission to do so."""

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from sanssouci.locale import UserError
from sanssouci.server import run
from sanssouci.server.middleware.origin_check import AllowedOrigins
from sanssouci.server.ops.exposure import Exposure, ExposureLevel
from sanssouci.server.settings import Settings
from sanssouci.store import Store

from ..harness.server import InProcessServer, with_server
from ..helpers import user_error
from ..processes import LOOPBACK_NETWORK
from ..workers.pools import run_with_timeout

LAN = "http://192.168.1.7:8017"
OTHER = "127.0.0.2"
"""Another address of this computer, on which nothing listens."""


class FakeListener:
    """Records the addresses on which it was asked to listen."""

    def __init__(self, fails: bool = False) -> None:
        self.addresses: list[str] = []
        self.fails = fails

    async def listen(self, address: str) -> None:
        if self.fails:
            raise UserError("server.port_taken", host=address, port=8017)
        self.addresses.append(address)


def _make_exposure(listener: FakeListener, *found: str, **settings: object) -> Exposure:
    return Exposure(Settings(**settings), 8017, listener.listen, lambda host, port: found)  # type: ignore[arg-type]


def test_a_server_is_local_until_opened() -> None:
    """A server is reachable from its computer only; opening it listens once on each network address."""
    listener = FakeListener()
    exposure = _make_exposure(listener, LAN, "http://10.0.0.7:8017")
    assert (exposure.extent, exposure.urls()) == (ExposureLevel.COMPUTER, ())
    for _ in range(2):
        run_with_timeout(exposure.open())
    assert (exposure.extent, exposure.urls()[0]) == (ExposureLevel.NETWORK, LAN)
    assert listener.addresses == ["192.168.1.7", "10.0.0.7"]


def test_opening_fails_without_network_or_port() -> None:
    """Without a network, or if the port is taken there, opening fails and nothing changes."""
    with user_error("server.no_network"):
        run_with_timeout(_make_exposure(FakeListener()).open())
    exposure = _make_exposure(FakeListener(fails=True), LAN)
    with user_error("server.port_taken"):
        run_with_timeout(exposure.open())
    assert exposure.extent is ExposureLevel.COMPUTER


@pytest.mark.parametrize(
    ("settings", "found", "extent", "urls"),
    [
        ({"host": "0.0.0.0"}, (LAN,), ExposureLevel.NETWORK, (LAN,)),
        ({"host": "192.168.1.9"}, (), ExposureLevel.NETWORK, ("http://192.168.1.9:8017",)),
        (
            {"public_url": "https://play.example.org"},
            (LAN,),
            ExposureLevel.PUBLIC,
            ("https://play.example.org",),
        ),
        ({"host": "::1"}, (LAN,), ExposureLevel.COMPUTER, ()),
        ({"host": "localhost"}, (LAN,), ExposureLevel.COMPUTER, ()),
    ],
)
def test_exposure_follows_the_settings(
    settings: dict[str, str], found: tuple[str, ...], extent: ExposureLevel, urls: tuple[str, ...]
) -> None:
    """Host and public URL determine the exposure level and the URLs."""
    exposure = _make_exposure(FakeListener(), *found, **settings)
    assert (exposure.extent, exposure.urls()) == (extent, urls)


def test_an_opened_address_is_an_allowed_origin() -> None:
    """The new address becomes an allowed host and origin, and no other."""
    origins = AllowedOrigins.of("127.0.0.1", 8017)
    assert not origins.allowed_host("192.168.1.7:8017")
    origins.add_address("192.168.1.7", 8017)
    assert origins.allowed_host("192.168.1.7:8017") and origins.allowed_origin(LAN, "192.168.1.7:8017")
    assert not origins.allowed_host("192.168.1.7:8018") and not origins.allowed_host("evil.example:8017")


def _fake_network(server: InProcessServer, listener: FakeListener) -> None:
    """Give the server a fake listener and a network address."""
    exposure = server.services.exposure
    exposure._listen, exposure._neighbours = listener.listen, lambda host, port: (LAN,)


@with_server()
async def test_only_local_clients_can_open_the_server(server: InProcessServer) -> None:
    """Remote and proxied clients neither see the network addresses nor can open the server."""
    listener = FakeListener()
    _fake_network(server, listener)
    away = server.client(peer="192.0.2.9")
    behind = server.client({"x-forwarded-for": "192.0.2.9"})
    for stranger in (away, behind):
        assert await stranger.get("/api/reach") == {"extent": "computer", "urls": [], "may_open": False}
        assert (await stranger.request("POST", "/api/reach")).status_code == 403
    assert listener.addresses == []
    here = server.client()
    assert (await here.get("/api/reach"))["may_open"]
    opened = await here.request("POST", "/api/reach")
    assert opened.json() == {"extent": "network", "urls": [LAN], "may_open": False}
    assert await away.get("/api/reach") == {"extent": "network", "urls": [], "may_open": False}


@with_server(public_url="https://play.example.org")
async def test_a_public_server_cannot_be_opened_by_request(server: InProcessServer) -> None:
    """Local requests to a public server may come from its proxy, so they are refused."""
    listener = FakeListener()
    _fake_network(server, listener)
    response = await server.client().request("POST", "/api/reach", host="play.example.org")
    assert response.status_code == 403 and listener.addresses == []


@LOOPBACK_NETWORK
def test_a_real_server_listens_on_the_new_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server answers on the new address after it was opened, and still on the first."""

    def neighbours(host: str, port: int) -> tuple[str, ...]:
        return (f"http://{OTHER}:{port}",)

    monkeypatch.setattr(run, "Exposure", partial(Exposure, neighbours=neighbours))
    run_with_timeout(
        _check_both_addresses(Settings(data=tmp_path / "tables.db", players=("random",), workers=1, port=0))
    )


async def _check_both_addresses(settings: Settings) -> None:
    with Store.open(settings.data) as store, run._listen_socket("127.0.0.1", 0) as bound:
        port, ready = bound.getsockname()[1], asyncio.Event()
        task = asyncio.create_task(run._serve(settings, store, bound, ready.set, lambda _: None))
        await ready.wait()
        async with httpx.AsyncClient() as browser:
            with pytest.raises(httpx.ConnectError):
                await browser.get(f"http://{OTHER}:{port}/health")
            here = f"http://127.0.0.1:{port}"
            opened = await browser.post(f"{here}/api/reach", headers={"origin": here})
            assert opened.json()["urls"] == [f"http://{OTHER}:{port}"]
            for address in (here, f"http://{OTHER}:{port}"):
                assert (await browser.get(f"{address}/api/editions")).status_code == 200
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
