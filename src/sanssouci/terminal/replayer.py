"""Stepping through a record, by key or by itself."""

import sys
import time

from sanssouci.notation import Record, replay, seat_names
from sanssouci.rules import State, Turn

from .desk import Desk, Leave
from .keys import read_key
from .screen import end_screen, table_screen
from .teller import told_end, told_garden, told_table, told_turn

_NEXT = {"n", " ", "\r", "\n", "right", "down", ""}
_PREVIOUS = {"p", "\x7f", "\b", "left", "up"}
_QUIT = {"q", "\x03", "\x04", "\x1b"}


class Replayer:
    """A game that is over or was stopped, seen turn by turn; ``seat`` sees only what it could see then."""

    def __init__(self, record: Record, seat: int | None) -> None:
        self.seat = seat
        self.names = seat_names(record)
        self.states: list[State] = [record.deal.start()]
        self.turns: list[Turn] = []
        for turn, state in replay(record):
            self.turns.append(turn)
            self.states.append(state)

    def run(self, desk: Desk, at: int, auto: float) -> None:
        """Show the position after a turn, then go where the keys say, or on and on."""
        self.show(desk, at)
        if auto:
            for later in range(at + 1, len(self.states)):
                time.sleep(auto)
                self.show(desk, later)
            return
        try:
            while (after := self._next_position(desk, at)) is not None:
                at = after
                self.show(desk, at)
        except Leave:
            return

    def show(self, desk: Desk, at: int) -> None:
        """The position after a turn, and the turn that led there."""
        desk.say("replay.position", turn=at, turns=len(self.turns))
        if at:
            desk.tell(
                told_turn(self.states[at - 1], self.turns[at - 1], self.states[at], self.names, desk.words)
            )
        state = self.states[at]
        moved = (at - 1) % len(self.names) if at else state.to_move
        viewer = moved if self.seat is None else self.seat
        view = state.view(viewer)
        if desk.plain and state.over:
            desk.tell(told_end(state, self.names, desk.words))
        elif desk.plain:
            desk.tell(told_table(view, self.names, desk.words))
            desk.tell(told_garden(self.names[viewer], state.gardens[viewer], desk.words))
        elif state.over:
            desk.show(end_screen(state, self.names, desk.words, desk.compact))
        else:
            desk.show(table_screen(view, self.names, desk.words, desk.compact))

    def _next_position(self, desk: Desk, at: int) -> int | None:
        """Where a key leads; None to stop. A key that leads nowhere is asked again."""
        while True:
            key = self._ask(desk)
            if key in _QUIT:
                return None
            if key in _NEXT and at < len(self.turns):
                return at + 1
            if key in _PREVIOUS and at > 0:
                return at - 1
            if key.startswith("g") and key[1:].strip().isdecimal() and int(key[1:]) < len(self.states):
                return int(key[1:])

    def _ask(self, desk: Desk) -> str:
        """A key at a terminal, else a line; ``g`` is followed by a number."""
        if desk.plain or not (sys.stdin.isatty() and desk.console.is_terminal):
            return desk.ask(desk.words.translate("replay.keys") + ":")
        desk.say("replay.keys")
        key = read_key()
        return f"g{desk.ask('g')}" if key == "g" else key
