"""Asks players that may be third-party code: a failure becomes a ``PlayerFault``, not a traceback."""

from collections.abc import Callable
from operator import index
from typing import TypeVar

from sanssouci.locale import UserError
from sanssouci.notation import write_refusal
from sanssouci.rules import Refusal, Refused, SetupView, Turn, View

from .engine_process import EngineFault
from .player import Player
from .registry import BrokenPlayer, describe_error

T = TypeVar("T")


class PlayerFault(UserError):
    """A player raised an exception or chose something illegal; carries seat, turn and reason."""

    @property
    def seat(self) -> int:
        """The seat, counted from 0."""
        return int(str(self.details["seat"])) - 1

    @property
    def turn(self) -> int:
        """The turn, counted from 1; 0 is before the first."""
        return int(str(self.details.get("turn", 0)))

    def why(self, language: str = "en") -> str:
        """The reason alone."""
        reason = self.details["reason"]
        return reason.translate(language) if isinstance(reason, UserError) else str(reason)

    @classmethod
    def at(cls, seat: int, turn: int, reason: object) -> "PlayerFault":
        """A fault of a seat counted from 0 in a turn counted from 1, or 0."""
        if turn == 0:
            return cls("player.fault_pick", seat=seat + 1, reason=reason)
        return cls("player.fault", seat=seat + 1, turn=turn, reason=reason)


class WrongKind(UserError):
    """An answer that is no turn, or no whole number."""


class RefusedChoice(UserError):
    """A refusal as a ``UserError``, so that it can be translated."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"refusal.{refusal.code.text}")
        self.refusal = refusal

    def translate(self, language: str = "en") -> str:
        """The rule's number and the reason."""
        return write_refusal(self.refusal, language)


Caught = tuple[type[BaseException], ...]
CAUGHT: Caught = (Exception, SystemExit)
"""Exceptions that count as the player's fault; Ctrl-C is the user's."""


def ask_pick(player: Player, view: SetupView, take: Callable[[int], T], caught: Caught = CAUGHT) -> T:
    """Ask for a side and pass it to ``take``; returns its result, or raises ``PlayerFault``."""
    try:
        return take(_whole(player.pick(view)))
    except caught as error:
        raise PlayerFault.at(_own(view.seat), 0, _reason(error)) from error


def ask_turn(player: Player, view: View, take: Callable[[Turn], T], caught: Caught = CAUGHT) -> T:
    """Ask for a turn and pass it to ``take``; returns its result, or raises ``PlayerFault``."""
    try:
        return take(_plain(player.decide(view)))
    except caught as error:
        raise PlayerFault.at(_own(view.seat), view.turn + 1, _reason(error)) from error


def _plain(turn: object) -> Turn:
    """The turn with plain Python integers: players that compute with NumPy return others."""
    if not isinstance(turn, Turn):
        raise WrongKind("player.wrong_kind", wanted="Turn", found=repr(turn)[:60])
    card, space, square = _whole(turn.card), _whole(turn.space), _whole(turn.square)
    boar, noble = (None if place is None else _whole(place) for place in (turn.boar, turn.noble))
    return Turn(card, space, square, bool(turn.gardener), boar, noble)


def _whole(value: object) -> int:
    try:
        return index(value)  # type: ignore[arg-type]  # that is what is asked here
    except TypeError:
        raise WrongKind("player.wrong_kind", wanted="int", found=repr(value)[:60]) from None


def _own(seat: int | None) -> int:
    assert seat is not None, "a player is asked with its own view"
    return seat


def _reason(error: BaseException) -> UserError:
    if isinstance(error, Refused):
        return RefusedChoice(error.refusal)
    if isinstance(error, (EngineFault, BrokenPlayer, WrongKind)):
        return error
    return UserError("player.raised", reason=describe_error(error))
