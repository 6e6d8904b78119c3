"""The hash chain through a game's events, which makes every later change detectable.

The hash of an event is SHA-256 over the JSON array ``["sanssouci event/1", prev_hash, game, seq, command_id,
seat, body, engine]``, written in ASCII without spaces; ``prev_hash`` of the first event is 64 zeros. Bodies
hold hidden information, so the hashes are secret too until the game is over.
"""

import json
from collections.abc import Iterable
from hashlib import sha256

from .changes import AppendEvent
from .rows import EventRow

GENESIS = "0" * 64
"""The hash before the first event."""
_SCHEME = "sanssouci event/1"
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def event_hash(prev_hash: str, event: AppendEvent | EventRow) -> str:
    fields = [
        _SCHEME,
        prev_hash,
        event.game,
        event.seq,
        event.command_id,
        event.seat,
        event.body,
        event.engine,
    ]
    return sha256(_encode(fields).encode("ascii")).hexdigest()


def is_chain(events: Iterable[EventRow]) -> bool:
    """Whether events of one game follow each other, wherever they begin."""
    before = None
    for event in events:
        follows = before is None or (event.seq, event.prev_hash) == (before.seq + 1, before.hash)
        if not follows or event.hash != event_hash(event.prev_hash, event):
            return False
        before = event
    return True


def check_chain(events: Iterable[EventRow], last: int | None = None) -> int | None:
    """The first seq at which the chain of a game is broken, or ``None``.

    It is broken at an event that is missing, out of order, of another game, or does not match its hash; with
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
