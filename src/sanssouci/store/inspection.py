"""Looking through what is kept: every chain of hashes, and whatever the rules have to say to a game."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from sanssouci.locale import Complaint

from . import sqlite
from .chain import check_chain
from .rows import EventRow, GameRow
from .store import Store

Examine: TypeAlias = Callable[[GameRow, Sequence[EventRow]], None]
"""Plays a game through the rules; ``Complaint`` if it is not one."""


def inspect_game(game: GameRow, events: Sequence[EventRow], examine: Examine) -> None:
    """``Complaint`` if the chain of a game is broken, or its examination finds something."""
    broken = check_chain(events, last=game.seq)
    if broken is not None:
        raise Complaint("store.broken_chain", game=game.id, seq=broken)
    examine(game, events)


def inspect_games(store: Store, examine: Examine) -> Iterator[tuple[GameRow, Complaint | None]]:
    """Every game with what is wrong with it, if anything."""
    for game in store.all_games():
        try:
            inspect_game(game, store.events(game.id), examine)
        except Complaint as complaint:
            yield game, complaint
        else:
            yield game, None


def inspect_file(store: Store) -> None:
    """``Complaint`` if the data file itself is damaged."""
    wrong = sqlite.damage(store.path)
    if wrong is not None:
        raise Complaint("store.damaged", path=store.path, reason=wrong)
