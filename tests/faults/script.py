"""What is played while the power may go: games whose every event follows from its game and seq.

So whoever finds an event in a data file can say what it must be, without having been there.
"""

from hashlib import sha256, shake_256

from sanssouci.store import AddGame, AddToken, AppendEvent, Change, GameRow, TokenKind, TokenRow, UpdateGame

GAMES = tuple(f"game-{number}" for number in range(6))
ENGINE = "test"


def event(game: str, seq: int) -> AppendEvent:
    """An event as it was sent; most are short, some need several pages."""
    digest = sha256(f"{game} {seq}".encode()).digest()
    length = 3000 if digest[0] < 16 else 40 + 2 * digest[1]
    return AppendEvent(game, seq, digest.hex(), digest[2] % 4, shake_256(digest).hexdigest(length), ENGINE)


def row(game: str, seq: int) -> GameRow:
    """A game as it is listed after an event."""
    return GameRow(game, 0.0, float(seq), "play", "link", seq % 4, None, seq, f"{game} at {seq}")


def seed(game: str) -> bytes:
    """The seed of a game."""
    return sha256(game.encode()).digest()


def token(game: str) -> TokenRow:
    """The one link that leads to a game."""
    return TokenRow(sha256(seed(game)).hexdigest(), game, TokenKind.WATCH, None, None, 0.0)


def changes(game: str, seq: int) -> tuple[Change, ...]:
    """What is written together for an event: the first makes the game."""
    if seq == 0:
        return AddGame(row(game, 0), seed(game)), AddToken(token(game)), event(game, 0)
    return event(game, seq), UpdateGame(row(game, seq))
