"""The chain of hashes through a game's events: what was written once cannot be changed unseen.

The hash of an event is SHA-256 over the JSON array ``["sanssouci event/1", prev_hash, game, seq, command_id,
seat, body, engine]``, written in ASCII without spaces; ``prev_hash`` of the first event is 64 zeros. Bodies
hold what is hidden from players, so the hashes are as secret as they are until the game is over.
"""

import json
from collections.abc import Iterable
from hashlib import sha256

from .changes import AppendEvent
from .rows import EventRow

GENESIS = "0" * 64
"""What comes before the first event."""
_SCHEME = "sanssouci event/1"
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def event_hash(prev_hash: str, event: AppendEvent | EventRow) -> str:
    """The hash of an event that follows another."""
    told = [_SCHEME, prev_hash, event.game, event.seq, event.command_id, event.seat, event.body, event.engine]
    return sha256(_encode(told).encode("ascii")).hexdigest()


def check_chain(events: Iterable[EventRow], last: int | None = None) -> int | None:
    """The first seq at which the chain of a game is broken, or ``None``.

    It is broken where an event is missing, out of place, of another game, or not what was hashed; with
    ``last`` also where it ends before or after that seq.
    """
    game, before, seq = None, GENESIS, 0
    for seq, event in enumerate(events):
        game = event.game if game is None else game
        if (event.game, event.seq, event.prev_hash) != (game, seq, before):
            return seq
        if event.hash != event_hash(before, event):
            return seq
        before = event.hash
    length = 0 if game is None else seq + 1
    return None if last is None or last + 1 == length else min(last + 1, length)
