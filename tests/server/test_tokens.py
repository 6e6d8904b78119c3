"""Tokens: long, never shown, and redacted from every log text."""

import base64
import pickle
import string
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanssouci.server.auth.tokens import HIDDEN, Token, looks_like_token, new_token, redact, token_hash

TOKENS = st.binary(min_size=32, max_size=32).map(
    lambda secret: base64.urlsafe_b64encode(secret).rstrip(b"=").decode("ascii")
)


def test_new_tokens_are_unique() -> None:
    """New tokens are 43 characters of URL-safe base64, and all different."""
    texts = {new_token().reveal() for _ in range(200)}
    assert len(texts) == 200
    assert all(looks_like_token(text) for text in texts)


def test_a_token_is_never_shown() -> None:
    """No string representation contains the token, also inside other objects."""

    @dataclass
    class Seat:
        token: Token

    token = new_token()
    text = token.reveal()
    for shown in (repr(token), str(token), f"{token}", f"{token!r:>9}", repr([token]), repr(Seat(token))):
        assert text not in shown and text[:8] not in shown
        assert "Token(…)" in shown


def test_tokens_are_compared_by_their_text() -> None:
    """Tokens with the same text are equal and have the same hash."""
    token = Token("x" * 43)
    assert token == Token("x" * 43) and hash(token) == hash(Token("x" * 43))
    assert token != Token("y" * 43) and token != "x" * 43
    assert token.is_text("x" * 43) and not token.is_text("x" * 42) and not token.is_text("\ud800ü")
    assert pickle.loads(pickle.dumps(token)) == token


def test_the_hash_is_sha256_of_the_text() -> None:
    """The hash of a token or of its text matches a known value."""
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert token_hash("abc") == token_hash(Token("abc")) == known
    assert len(token_hash("\ud800")) == 64, "any text from a client has a hash"


@pytest.mark.parametrize(
    "text", ["", "x", "a" * 42, "a" * 44, "a" * 42 + "B", "ä" * 43, "a" * 42 + "\n", "a" * 42 + "="]
)
def test_looks_like_token(text: str) -> None:
    """Texts with a wrong length or character are not tokens."""
    assert not looks_like_token(text)


@settings(deadline=None)
@given(TOKENS, st.sampled_from(["", " ", "/t/", "?ticket=", "sanssouci_guest=", "Bearer ", "('", "\\n", "é"]))
def test_tokens_are_redacted(token: str, before: str) -> None:
    """Tokens, and longer parts of them, are redacted from any text."""
    assert looks_like_token(token)
    assert token[:12] not in redact(f"GET {before}{token}&x=1") + redact(f"{before}{token[:32]}…")


def test_other_texts_are_not_redacted() -> None:
    """UUIDs, addresses, timestamps and long names are not redacted."""
    plain = (
        'File "/x/server/tests.py", line 5, in a_function_with_a_name_that_is_rather_long_for_python\n'
        "2026-01-02T03:04:05.678901Z 2001:db8::1 3f2b8a90-1c2d-4e5f-8a9b-0c1d2e3f4a5b " + string.punctuation
    )
    assert redact(plain) == plain
    assert redact("seed " + "0a" * 32) == f"seed {HIDDEN}"
