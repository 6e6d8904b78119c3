"""Tokens: the 256-bit secrets of guests and of seat, join and watch links.

Possession of the text is the credential. So only its SHA-256 is stored, a ``Token`` never prints itself, and
``redact`` removes anything that looks like a token from log text.
"""

import hmac
import re
import secrets
from hashlib import sha256

_TOKEN = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""32 bytes in URL-safe base64; the last character carries four bits only."""
_RUN = re.compile(r"(?<![\w-])(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{32,}", re.ASCII)
"""A long run with a capital or a digit, so long names in tracebacks stay. Truncated tokens match too; a
fragment too short to match leaves more than 64 bits unknown.
"""
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
HIDDEN = "[hidden]"
"""Replaces a secret in log text."""


class Token:
    """A secret text, available through ``reveal`` only."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def is_text(self, text: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(self._text.encode("utf-8"), text.encode("utf-8", "replace"))

    def __eq__(self, other: object) -> bool:
        return self.is_text(other._text) if isinstance(other, Token) else NotImplemented

    def __hash__(self) -> int:
        return hash(token_hash(self))

    def __repr__(self) -> str:
        return "Token(…)"


def new_token() -> Token:
    return Token(secrets.token_urlsafe(32))


def token_hash(token: Token | str) -> str:
    """The SHA-256 in hex, which is what the store keeps."""
    text = token.reveal() if isinstance(token, Token) else token
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def looks_like_token(text: str) -> bool:
    """Whether a text has the form of a token; otherwise no lookup is needed."""
    return _TOKEN.fullmatch(text) is not None


def redact(text: str) -> str:
    """Remove everything that may be a token or a seed. UUIDs stay."""
    return _RUN.sub(lambda run: run[0] if _UUID.fullmatch(run[0]) else HIDDEN, text)
