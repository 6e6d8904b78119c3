"""Network files: what is written is read, and what cannot be used is refused."""

import json
import zlib
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from sanssouci.network import Network, network_file, network_name, no_fits, read_network, write_network
from sanssouci.network.inference import OTHER_OUTPUT
from sanssouci.network.network_file import MAGIC, shipped_network

from ..helpers import user_error
from .networks import random_layers

NETWORK = Network(random_layers(2), (2,), {"commit": "abc", "games": 7})
MOST_BYTES = 6 << 20
"""All networks of the package together."""


def test_a_network_is_read_as_it_was_written() -> None:
    """Every integer, and where it comes from."""
    found = read_network(write_network(NETWORK), "a")
    pairs = zip(found.layers, NETWORK.layers, strict=True)
    assert all((np.asarray(one) == np.asarray(two)).all() for one, two in pairs)
    assert all(np.asarray(part).flags.c_contiguous for part in found.layers)
    assert (found.seats, found.origin) == (NETWORK.seats, NETWORK.origin)


@pytest.mark.parametrize("place", [3, 30, 300, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    """Anywhere in the file."""
    contents = bytearray(write_network(NETWORK))
    contents[place] ^= 1
    with user_error("network.damaged", name="a"):
        read_network(bytes(contents), "a")


@pytest.mark.parametrize("contents", [b"", MAGIC, MAGIC + b"{}\n", MAGIC + b"[]\n", b"\0" * 99])
def test_other_files_are_refused(contents: bytes) -> None:
    """No exception but ``NetworkError``."""
    with user_error("network.damaged"):
        read_network(contents, "a")


def test_a_short_file_is_damaged() -> None:
    """A download that broke off."""
    with user_error("network.damaged"):
        read_network(write_network(NETWORK)[:-9], "a")


@pytest.mark.parametrize("field", ["format", "inputs"])
def test_a_newer_file_is_refused(field: str) -> None:
    """With a sentence of its own: an update helps."""
    line, payload = write_network(NETWORK)[len(MAGIC) :].split(b"\n", 1)
    header = json.loads(line)
    header[field] += 1
    with user_error("network.too_new", name="a"):
        read_network(MAGIC + json.dumps(header).encode() + b"\n" + payload, "a")


def test_a_file_of_format_1_is_read() -> None:
    """It has no fits of the chances to win."""
    line, payload = write_network(NETWORK)[len(MAGIC) :].split(b"\n", 1)
    payload = zlib.compress(zlib.decompress(payload)[: -8 * no_fits().size])
    header = json.loads(line) | {"format": 1, "sha256": sha256(payload).hexdigest()}
    found = read_network(MAGIC + json.dumps(header).encode() + b"\n" + payload, "a").layers
    assert (found.win_fits == no_fits()).all()
    assert (found.output_bias == NETWORK.layers.output_bias).all()


def test_a_missing_file_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So is one for another number of seats."""
    monkeypatch.setattr(network_file, "files", lambda package: tmp_path)
    shipped_network.cache_clear()
    with user_error("network.missing", name=network_name(2)):
        shipped_network(2)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / network_name(3)).write_bytes(write_network(NETWORK))
    with user_error("network.damaged", name=network_name(3)):
        shipped_network(3)
    shipped_network.cache_clear()


def test_the_shipped_networks_are_sound() -> None:
    """They can be read, say where they come from, have room in the package, and every round was trained."""
    folder = Path(network_file.__file__).parent / "data"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= MOST_BYTES
    for seats in (2, 3, 4):
        network = shipped_network(seats)
        assert {"commit", "plan", "games", "positions", "seconds"} <= network.origin.keys()
        assert network.layers.weights.dtype == np.int16
        assert network.layers.output_bias[:, OTHER_OUTPUT].all(), "training begins with 0"
