"""Where others find the server, and who may let it be found."""

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from sanssouci.locale import UserError
from sanssouci.server import run
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.ops.exposure import Exposure, ExposureLevel
from sanssouci.server.settings import Settings
from sanssouci.store import Store

from ..processes import LOOPBACK_NETWORK
from ..workers.pools import within
from .house import House, Person, housed

LAN = "http://192.168.1.7:8017"
OTHER = "127.0.0.2"
"""Another address of this computer, at which nobody listens."""


class Ears:
    """Notes at which addresses it was asked to listen."""

    def __init__(self, deaf: bool = False) -> None:
        self.addresses: list[str] = []
        self.deaf = deaf

    async def listen(self, address: str) -> None:
        """Listen there, or say why not."""
        if self.deaf:
            raise UserError("server.port_taken", host=address, port=8017)
        self.addresses.append(address)


def _reach(ears: Ears, *found: str, **settings: object) -> Exposure:
    return Exposure(Settings(**settings), 8017, ears.listen, lambda host, port: found)  # type: ignore[arg-type]


def test_a_server_begins_on_its_own_computer() -> None:
    """Nobody else finds it until it is opened; then it listens at each address, once."""
    ears = Ears()
    exposure = _reach(ears, LAN, "http://10.0.0.7:8017")
    assert (exposure.extent, exposure.urls()) == (ExposureLevel.COMPUTER, ())
    for _ in range(2):
        within(exposure.open())
    assert (exposure.extent, exposure.urls()[0]) == (ExposureLevel.NETWORK, LAN)
    assert ears.addresses == ["192.168.1.7", "10.0.0.7"]


def test_what_cannot_be_opened_stays_as_it_is() -> None:
    """Without a network, or where the port is another's there; a sentence says why."""
    with pytest.raises(UserError, match="not on a local network"):
        within(_reach(Ears()).open())
    exposure = _reach(Ears(deaf=True), LAN)
    with pytest.raises(UserError, match="in use by another"):
        within(exposure.open())
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
def test_what_the_host_has_said_counts(
    settings: dict[str, str], found: tuple[str, ...], extent: ExposureLevel, urls: tuple[str, ...]
) -> None:
    """An address to listen at, or a public site."""
    exposure = _reach(Ears(), *found, **settings)
    assert (exposure.extent, exposure.urls()) == (extent, urls)


def test_a_page_from_the_new_address_may_ask() -> None:
    """And none from elsewhere: the name that a browser asks for is looked at as before."""
    origins = AllowedOrigins.of("127.0.0.1", 8017)
    assert not origins.allowed_host("192.168.1.7:8017")
    origins.add_address("192.168.1.7", 8017)
    assert origins.allowed_host("192.168.1.7:8017") and origins.allowed_origin(LAN, "192.168.1.7:8017")
    assert not origins.allowed_host("192.168.1.7:8018") and not origins.allowed_host("evil.example:8017")


def _heard(house: House, ears: Ears) -> None:
    """The house has ears, and a network."""
    exposure = house.services.exposure
    exposure._listen, exposure._neighbours = ears.listen, lambda host, port: (LAN,)


@housed()
async def test_only_who_sits_at_the_computer_opens_it(house: House) -> None:
    """Others are neither told the addresses of its network, nor may they open it; a proxy is another."""
    ears = Ears()
    _heard(house, ears)
    away = Person(house, peer="192.0.2.9")
    behind = Person(house, {"x-forwarded-for": "192.0.2.9"})
    for stranger in (away, behind):
        assert await stranger.get("/api/reach") == {"extent": "computer", "urls": [], "may_open": False}
        assert (await stranger.ask("POST", "/api/reach")).status_code == 403
    assert ears.addresses == []
    here = house.nobody()
    assert (await here.get("/api/reach"))["may_open"]
    opened = await here.ask("POST", "/api/reach")
    assert opened.json() == {"extent": "network", "urls": [LAN], "may_open": False}
    assert await away.get("/api/reach") == {"extent": "network", "urls": [], "may_open": False}


@housed(public_url="https://play.example.org")
async def test_a_public_server_is_opened_by_its_host_alone(house: House) -> None:
    """What seems to come from its own computer comes through its proxy."""
    ears = Ears()
    _heard(house, ears)
    asked = await house.nobody().ask("POST", "/api/reach", host="play.example.org")
    assert asked.status_code == 403 and ears.addresses == []


@LOOPBACK_NETWORK
def test_a_real_server_is_heard_at_the_new_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before it was opened; then it answers there, and the first address stays."""

    def neighbours(host: str, port: int) -> tuple[str, ...]:
        return (f"http://{OTHER}:{port}",)

    monkeypatch.setattr(run, "Exposure", partial(Exposure, neighbours=neighbours))
    within(_heard_elsewhere(Settings(data=tmp_path / "tables.db", players=("random",), workers=1, port=0)))


async def _heard_elsewhere(settings: Settings) -> None:
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
