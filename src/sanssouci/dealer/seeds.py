"""Seeds: 256 bits, written as an integer or as 64 hex digits."""

import re
import secrets
from hashlib import sha256
from typing import TypeAlias

from sanssouci.locale import UserError

Seed: TypeAlias = bytes

_HEX = re.compile("[0-9a-fA-F]{64}")
_INTEGER = re.compile("[0-9]{1,78}")


def new_seed() -> Seed:
    """A random seed from the operating system."""
    return secrets.token_bytes(32)


def check_seed(seed: Seed) -> None:
    """``ValueError`` unless these are 256 bits."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")


def parse_seed(text: str) -> Seed:
    """The seed that a text names: 64 hex digits, else an integer from 0 below 2 ** 256."""
    if _HEX.fullmatch(text):
        return bytes.fromhex(text)
    if _INTEGER.fullmatch(text) and int(text) < 1 << 256:
        return int(text).to_bytes(32, "big")
    raise UserError("seed.bad", text=text)


def write_seed(seed: Seed) -> str:
    """A seed as 64 hex digits."""
    return seed.hex()


def derive_seed(seed: Seed, purpose: str) -> Seed:
    """A seed derived from another one for a purpose; the same every time."""
    return sha256(seed + purpose.encode()).digest()
