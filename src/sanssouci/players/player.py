"""What a player is, and the players that come with the project."""

from collections.abc import Callable
from typing import Protocol

from sanssouci.dealer import Stream
from sanssouci.locale import Complaint
from sanssouci.rules import SetupView, Turn, View

from .random import RandomPlayer


class Player(Protocol):
    """Decides for one seat of one game; it is never given more than that seat may know."""

    def pick(self, view: SetupView) -> int:
        """The side of the own board, one of ``view.sides()``."""
        ...

    def decide(self, view: View) -> Turn:
        """A legal turn, one of ``view.options()``."""
        ...


PLAYERS: dict[str, Callable[[Stream], Player]] = {"random": RandomPlayer}
"""The players by name; each is made with the stream it may draw from."""


class UnknownPlayer(Complaint):
    """A name that no player has."""


def check_player(name: str, also: tuple[str, ...] = ()) -> None:
    """``UnknownPlayer`` unless there is one of that name, or it is among some others."""
    if name not in PLAYERS and name not in also:
        raise UnknownPlayer("player.unknown", name=name, known=", ".join((*also, *sorted(PLAYERS))))


def make_player(name: str, stream: Stream) -> Player:
    """A new player by its name."""
    check_player(name)
    return PLAYERS[name](stream)
