"""Network files: the integers of a network, and where they come from.

::

    SANSSOUCI NETWORK                                one line
    {"format": 2, "inputs": 1, "seats": [2], ...}    one line of JSON: origin, shapes, the hash of the rest
    ...                                              zlib: the low bytes of all 16-bit integers, then their
                                                     high bytes, then the 64-bit output biases and win fits

Files of format 1 have no win fits.

High bytes are nearly all 0 or 255, so a file has little more than one byte for each weight.
"""

import json
import logging
import zlib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import numpy as np

from sanssouci.locale import UserError

from .inference import BUCKETS, OUTPUTS, Layers, no_fits
from .inputs import BITS, MOST_WORDS

MAGIC = b"SANSSOUCI NETWORK\n"
FORMAT = 2
INPUTS = 1
"""The version of ``inputs``: a network cannot judge with other inputs than it has learned."""
SUFFIX = ".network"
_MOST_HIDDEN = 8192
_MOST_SHIFT = 40
_LOG = logging.getLogger("sanssouci.players")


class NetworkError(UserError):
    """A network file that cannot be used."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network, and how it was made."""

    layers: Layers
    seats: tuple[int, ...]
    """The numbers of seats that it has learned."""
    origin: dict[str, Any]
    """The commit, the configuration and the games of its training run."""


def write_network(network: Network) -> bytes:
    """The contents of a file."""
    layers = network.layers
    shorts = np.concatenate([part.ravel() for part in (layers.weights, layers.bias, layers.outputs)])
    octets = shorts.astype("<i2").view(np.uint8).reshape(-1, 2)
    longs = np.concatenate([layers.output_bias.ravel(), layers.win_fits.ravel()]).astype("<i8")
    payload = zlib.compress(octets[:, 0].tobytes() + octets[:, 1].tobytes() + longs.tobytes(), 9)
    header = {
        "format": FORMAT,
        "inputs": INPUTS,
        "seats": list(network.seats),
        "words": len(layers.weights) // BITS,
        "hidden": len(layers.bias),
        "shift": int(layers.shift[0]),
        "sha256": sha256(payload).hexdigest(),
        "origin": network.origin,
    }
    return MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n" + payload


def read_network(contents: bytes, name: str) -> Network:
    """The network of a file; ``NetworkError`` if it is damaged or was written by a newer version."""
    try:
        return _read(contents, name)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError("network.damaged", name=name) from error


def _read(contents: bytes, name: str) -> Network:
    if not contents.startswith(MAGIC):
        raise ValueError("no network")
    line, _, payload = contents[len(MAGIC) :].partition(b"\n")
    header = json.loads(line)
    if header["format"] > FORMAT or header["inputs"] > INPUTS:
        raise NetworkError("network.too_new", name=name)
    words, hidden, shift = header["words"], header["hidden"], header["shift"]
    sound = 0 < words <= MOST_WORDS and 0 < hidden <= _MOST_HIDDEN and 0 <= shift <= _MOST_SHIFT
    if not sound or header["inputs"] != INPUTS or sha256(payload).hexdigest() != header["sha256"]:
        raise ValueError("other contents")
    counts = (BITS * words * hidden, hidden, BUCKETS * OUTPUTS * hidden)
    fits = no_fits()
    shorts, biases = sum(counts), BUCKETS * OUTPUTS
    longs = biases + (fits.size if header["format"] > 1 else 0)
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(payload, 2 * shorts + 8 * longs)
    if len(plain) != 2 * shorts + 8 * longs:
        raise ValueError("too short")
    octets = np.frombuffer(plain, np.uint8, 2 * shorts).reshape(2, shorts)
    values = np.ascontiguousarray(octets.T).view("<i2").astype(np.int16).ravel()
    weights, bias, outputs = np.split(values, np.cumsum(counts)[:2])
    wide = np.frombuffer(plain, "<i8", offset=2 * shorts).astype(np.int64)
    if header["format"] > 1:
        fits = wide[biases:].reshape(fits.shape)
    layers = Layers(
        weights.reshape(BITS * words, hidden),
        bias,
        outputs.reshape(BUCKETS, OUTPUTS, hidden),
        wide[:biases].reshape(BUCKETS, OUTPUTS),
        np.array([shift], np.int64),
        fits,
    )
    return Network(layers, tuple(header["seats"]), dict(header["origin"]))


def network_name(seats: int) -> str:
    """The file for games of this many seats."""
    return f"two-seats{SUFFIX}" if seats == 2 else f"more-seats{SUFFIX}"


@cache
def shipped_network(seats: int) -> Network:
    """The network for games of this many seats; ``NetworkError`` if it is missing, damaged or too new."""
    name = network_name(seats)
    try:
        contents = files(__package__).joinpath("data", name).read_bytes()
    except OSError as error:
        raise NetworkError("network.missing", name=name) from error
    network = read_network(contents, name)
    if seats not in network.seats:
        raise NetworkError("network.damaged", name=name)
    return network


def network_faults() -> tuple[NetworkError, ...]:
    """Why the network files that cannot be used cannot be used."""
    found = []
    for seats in (2, 3):
        try:
            shipped_network(seats)
        except NetworkError as error:
            found.append(error)
    return tuple(found)


@cache
def usable_network(seats: int) -> Network | None:
    """The network for games of this many seats; None, logged once, if its file cannot be used."""
    try:
        return shipped_network(seats)
    except NetworkError as error:
        _LOG.warning("%s", error)
        return None
