"""Asking a player that anyone may have written: what goes wrong is a sentence, not a traceback."""

from collections.abc import Callable
from operator import index
from typing import TypeVar

from sanssouci.locale import Complaint
from sanssouci.notation import write_refusal
from sanssouci.rules import Refusal, Refused, SetupView, Turn, View

from .player import Player
from .registry import told

T = TypeVar("T")


class PlayerFault(Complaint):
    """A player that raised, or chose what the rules refuse: at which seat, in which turn, and why."""


class RefusedChoice(Complaint):
    """A refusal in the words of a complaint, so that it is said in the reader's language."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"refusal.{refusal.code.text}")
        self.refusal = refusal

    def say(self, language: str = "en") -> str:
        """The rule's number and the reason."""
        return write_refusal(self.refusal, language)


def ask_pick(player: Player, view: SetupView, take: Callable[[int], T]) -> T:
    """What ``take`` makes of the side that a player picks, or ``PlayerFault``."""
    try:
        return take(_whole(player.pick(view)))
    except (Exception, SystemExit) as error:
        raise PlayerFault("player.fault_pick", seat=_place(view.seat), reason=_reason(error)) from error


def ask_turn(player: Player, view: View, take: Callable[[Turn], T]) -> T:
    """What ``take`` makes of the turn that a player decides on, or ``PlayerFault``."""
    try:
        return take(_plain(player.decide(view)))
    except (Exception, SystemExit) as error:
        seat, number, reason = _place(view.seat), view.turn + 1, _reason(error)
        raise PlayerFault("player.fault", seat=seat, turn=number, reason=reason) from error


def _plain(turn: object) -> Turn:
    """The turn in Python's own numbers: one that was computed with arrays may hold others."""
    if not isinstance(turn, Turn):
        raise Complaint("player.wrong_kind", wanted="Turn", found=repr(turn)[:60])
    card, space, square = _whole(turn.card), _whole(turn.space), _whole(turn.square)
    boar, noble = (None if place is None else _whole(place) for place in (turn.boar, turn.noble))
    return Turn(card, space, square, bool(turn.gardener), boar, noble)


def _whole(value: object) -> int:
    try:
        return index(value)  # type: ignore[arg-type]  # that is what is asked here
    except TypeError:
        raise Complaint("player.wrong_kind", wanted="int", found=repr(value)[:60]) from None


def _place(seat: int | None) -> int:
    assert seat is not None, "a player is asked with its own view"
    return seat + 1


def _reason(error: BaseException) -> Complaint:
    if isinstance(error, Refused):
        return RefusedChoice(error.refusal)
    if isinstance(error, Complaint) and error.key == "player.wrong_kind":
        return error
    return Complaint("player.raised", reason=told(error))
