"""Scripted games for the power loss test: every event follows from its game and seq.

So any event in a data file can be checked without other data.
"""

from hashlib import sha256, shake_256

from sanssouci.store import Add, AddGame, AppendEvent, Change, GameRow, TokenKind, TokenRow, UpdateGame

GAMES = tuple(f"game-{number}" for number in range(6))
ENGINE = "test"


def event(game: str, seq: int) -> AppendEvent:
    """An event as it was sent. Most are short, some need several pages."""
    digest = sha256(f"{game} {seq}".encode()).digest()
    length = 3000 if digest[0] < 16 else 40 + 2 * digest[1]
    return AppendEvent(game, seq, digest.hex(), digest[2] % 4, shake_256(digest).hexdigest(length), ENGINE)


def row(game: str, seq: int) -> GameRow:
    """The row of a game after an event."""
    return GameRow(game, 0.0, float(seq), "play", "link", seq % 4, None, seq, f"{game} at {seq}")


def seed(game: str) -> bytes:
    return sha256(game.encode()).digest()


def token(game: str) -> TokenRow:
    """The only link of a game."""
    return TokenRow(sha256(seed(game)).hexdigest(), game, TokenKind.WATCH, None, None, 0.0)


def changes(game: str, seq: int) -> tuple[Change, ...]:
    """The changes that are written together for an event. The first event creates the game."""
    if seq == 0:
        return AddGame(row(game, 0), seed(game)), Add(token(game)), event(game, 0)
    return event(game, seq), UpdateGame(row(game, seq))
