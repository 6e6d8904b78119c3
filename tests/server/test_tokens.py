"""Tokens: long, never shown, and taken out of every text for the log."""

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


def test_a_token_has_256_bits_and_is_new() -> None:
    """43 signs of urlsafe base64, and no two alike."""
    texts = {new_token().reveal() for _ in range(200)}
    assert len(texts) == 200
    assert all(looks_like_token(text) for text in texts)


def test_a_token_shows_itself_nowhere() -> None:
    """Neither alone nor within something else that is shown."""

    @dataclass
    class Seat:
        token: Token

    token = new_token()
    text = token.reveal()
    for shown in (repr(token), str(token), f"{token}", f"{token!r:>9}", repr([token]), repr(Seat(token))):
        assert text not in shown and text[:8] not in shown
        assert "Token(…)" in shown


def test_tokens_are_compared_by_their_text() -> None:
    """The same text is the same token, and has the same hash; another is none."""
    token = Token("x" * 43)
    assert token == Token("x" * 43) and hash(token) == hash(Token("x" * 43))
    assert token != Token("y" * 43) and token != "x" * 43
    assert token.is_text("x" * 43) and not token.is_text("x" * 42) and not token.is_text("\ud800ü")
    assert pickle.loads(pickle.dumps(token)) == token


def test_the_hash_is_sha256_of_the_text() -> None:
    """A known answer, the same for a token and for its text."""
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert token_hash("abc") == token_hash(Token("abc")) == known
    assert len(token_hash("\ud800")) == 64, "whatever a client sends has a hash"


@pytest.mark.parametrize(
    "text", ["", "x", "a" * 42, "a" * 44, "a" * 42 + "B", "ä" * 43, "a" * 42 + "\n", "a" * 42 + "="]
)
def test_what_cannot_be_a_token_is_not_looked_up(text: str) -> None:
    """Too short, too long, with a sign that base64 never has there."""
    assert not looks_like_token(text)


@settings(deadline=None)
@given(TOKENS, st.sampled_from(["", " ", "/t/", "?ticket=", "sanssouci_guest=", "Bearer ", "('", "\\n", "é"]))
def test_every_token_is_taken_out_of_a_text(token: str, before: str) -> None:
    """Wherever it stands, and also the longer part of one that was cut off."""
    assert looks_like_token(token)
    assert token[:12] not in redact(f"GET {before}{token}&x=1") + redact(f"{before}{token[:32]}…")


def test_other_texts_stay_as_they_are() -> None:
    """UUIDs, addresses, moments, and names in a traceback, however long."""
    plain = (
        'File "/x/server/tests.py", line 5, in a_function_with_a_name_that_is_rather_long_for_python\n'
        "2026-01-02T03:04:05.678901Z 2001:db8::1 3f2b8a90-1c2d-4e5f-8a9b-0c1d2e3f4a5b " + string.punctuation
    )
    assert redact(plain) == plain
    assert redact("seed " + "0a" * 32) == f"seed {HIDDEN}"
