"""Tokens: the 256-bit secrets by which guests, seats, join and watch links are known.

Whoever has the text has the seat. So a text is kept as its SHA-256 only, a ``Token`` shows itself nowhere,
and ``redacted`` takes out of a text for the log whatever might be one.
"""

import hmac
import re
import secrets
from hashlib import sha256

_TOKEN = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""32 bytes in urlsafe base64; the last sign carries four bits only."""
_RUN = re.compile(r"(?<![\w-])(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{32,}", re.ASCII)
"""A long run with a capital or a digit, so that a long name in a traceback stays. A token that was cut off is
found too: what is left of a shorter piece hides more than 64 bits."""
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
HIDDEN = "[hidden]"
"""What stands in a text where a secret was."""


class Token:
    """A secret text; it is given out by ``reveal`` alone."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself, for the one whom it belongs to."""
        return self._text

    def is_text(self, text: str) -> bool:
        """Whether somebody has said it; how long that takes does not tell how much of it was right."""
        return hmac.compare_digest(self._text.encode("utf-8"), text.encode("utf-8", "replace"))

    def __eq__(self, other: object) -> bool:
        return self.is_text(other._text) if isinstance(other, Token) else NotImplemented

    def __hash__(self) -> int:
        return hash(token_hash(self))

    def __repr__(self) -> str:
        return "Token(…)"


def new_token() -> Token:
    """A token that nobody has seen yet."""
    return Token(secrets.token_urlsafe(32))


def token_hash(token: Token | str) -> str:
    """What is kept of a token: its SHA-256 in hex."""
    text = token.reveal() if isinstance(token, Token) else token
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def looks_like_token(text: str) -> bool:
    """Whether a text can be a token at all; if not, nothing needs to be looked up."""
    return _TOKEN.fullmatch(text) is not None


def redacted(text: str) -> str:
    """A text without anything in it that may be a token or a seed; a UUID is none."""
    return _RUN.sub(lambda run: run[0] if _UUID.fullmatch(run[0]) else HIDDEN, text)
