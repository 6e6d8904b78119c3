"""A guard around a player: if the player fails, the game goes on.

A fault is stored and logged, and greedy plays a legal turn for the seat. So no fault of a player can stop a
game, and callers can report what went wrong.
"""

import json
import logging
import traceback
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from sanssouci.locale import UserError
from sanssouci.rules import Phase, Refusal, RefusalCode, Refused, Result, SetupView, Turn, View

from .external_engine import EnginePlayer
from .fallback import fallback_turn
from .fault import CAUGHT, PlayerFault, ask_pick, ask_turn
from .player import Player

T = TypeVar("T")

_log = logging.getLogger("sanssouci.players")
_log.addHandler(logging.NullHandler())  # silent unless logging is configured; a terminal is for the game


class Guard:
    """A player that always makes a legal choice: that of the wrapped player, or a substitute if it fails."""

    def __init__(self, player: Player, chances: int = 1, ignores_interrupt: bool = False) -> None:
        """After ``chances`` faults the player has lost the seat and is not asked again.

        In a process that ignores Ctrl-C, a ``KeyboardInterrupt`` is a fault of the player too.
        """
        self._player = player
        self._chances = chances
        self._caught = (BaseException,) if ignores_interrupt else CAUGHT
        self.faults: list[PlayerFault] = []
        """The faults so far, at most ``chances``."""
        self.turns = 0
        """The number of turns the player was asked for."""
        self.seconds = 0.0
        """The time the player took for them."""

    def pick(self, view: SetupView) -> int:
        """The side that the player picks, or the first."""
        return self._answer(
            lambda: ask_pick(self._player, view, lambda side: check_side(view, side), self._caught),
            lambda: view.sides()[0],
        )

    def decide(self, view: View) -> Turn:
        """The turn that the player decides on, or greedy's."""
        return self._answer(lambda: self._ask_turn(view), lambda: fallback_turn(view))

    def _ask_turn(self, view: View) -> Turn:
        begun = perf_counter()
        try:
            return ask_turn(self._player, view, lambda turn: check_turn(view, turn), self._caught)
        finally:
            self.turns += 1
            self.seconds += perf_counter() - begun

    def finish(self, result: Result | None) -> None:
        """Report the end of the game to an engine, or stop it."""
        if isinstance(self._player, EnginePlayer):
            self._player.finish(result if self._may_play else None)

    def transcript(self) -> bytes:
        """The transcript up to the last fault, as JSON lines, with the fault at the end."""
        fault = self.faults[-1]
        lines: list[dict[str, object]] = []
        if isinstance(self._player, EnginePlayer):
            lines += self._player.said
        elif fault.__cause__ is not None:
            lines.append({"traceback": "".join(traceback.format_exception(fault.__cause__))})
        lines.append({"fault": {"seat": fault.seat, "turn": fault.turn, "reason": fault.why()}})
        return b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)

    @property
    def _may_play(self) -> bool:
        return len(self.faults) < self._chances

    def _answer(self, ask: Callable[[], T], otherwise: Callable[[], T]) -> T:
        if self._may_play:
            try:
                return ask()
            except PlayerFault as fault:
                self.faults.append(fault)
                _log.error("%s", fault, exc_info=fault.__cause__)
                if isinstance(self._player, EnginePlayer):
                    self._player.finish(None)
        return otherwise()


class UnavailablePlayer:
    """Stands in for a player that could not be created, and raises the reason when asked."""

    def __init__(self, reason: UserError) -> None:
        self._reason = reason

    def pick(self, view: SetupView) -> int:
        raise self._reason

    def decide(self, view: View) -> Turn:
        raise self._reason


def check_side(view: SetupView, side: int) -> int:
    """The side, or ``Refused`` if it cannot be picked."""
    if side not in view.sides():
        garden = view.phase is Phase.GARDEN_SIDES
        code = RefusalCode.NO_SUCH_GARDEN_SIDE if garden else RefusalCode.NO_SUCH_REWARD_SIDE
        raise Refused(Refusal.of(code, side=side))
    return side


def check_turn(view: View, turn: Turn) -> Turn:
    """The turn, or ``Refused`` if it is not legal."""
    refusal = view.options().refusal(turn)
    if refusal is not None:
        raise Refused(refusal)
    return turn
