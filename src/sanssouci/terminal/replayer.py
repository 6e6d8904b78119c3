"""Steps through a record, by keys or automatically."""

import sys
import time

from sanssouci.notation import Record, replay, seat_names
from sanssouci.rules import State, Turn

from .console import PlayerConsole, QuitGame
from .keys import read_key
from .plain_text import end_text, garden_text, table_text, turn_text
from .screen import end_screen, table_screen

_NEXT = {"n", " ", "\r", "\n", "right", "down", ""}
_PREVIOUS = {"p", "\x7f", "\b", "left", "up"}
_QUIT = {"q", "\x03", "\x04", "\x1b"}


class Replayer:
    """Shows a record turn by turn; with ``seat``, only what that seat could see then."""

    def __init__(self, record: Record, seat: int | None) -> None:
        self.seat = seat
        self.names = seat_names(record)
        self.states: list[State] = [record.deal.start()]
        self.turns: list[Turn] = []
        for turn, state in replay(record):
            self.turns.append(turn)
            self.states.append(state)

    def run(self, console: PlayerConsole, at: int, auto: float) -> None:
        """Show the position after a turn, then follow the keys, or advance every ``auto`` seconds."""
        self.show(console, at)
        if auto:
            for later in range(at + 1, len(self.states)):
                time.sleep(auto)
                self.show(console, later)
            return
        try:
            while (after := self._next_position(console, at)) is not None:
                at = after
                self.show(console, at)
        except QuitGame:
            return

    def show(self, console: PlayerConsole, at: int) -> None:
        """Show the position after a turn, and that turn."""
        console.print_message("replay.position", turn=at, turns=len(self.turns))
        if at:
            console.print_lines(
                turn_text(self.states[at - 1], self.turns[at - 1], self.states[at], self.names, console.words)
            )
        state = self.states[at]
        moved = (at - 1) % len(self.names) if at else state.to_move
        viewer = moved if self.seat is None else self.seat
        view = state.view(viewer)
        if console.plain and state.over:
            console.print_lines(end_text(state, self.names, console.words))
        elif console.plain:
            console.print_lines(table_text(view, self.names, console.words))
            console.print_lines(garden_text(self.names[viewer], state.gardens[viewer], console.words))
        elif state.over:
            console.show(end_screen(state, self.names, console.words, console.compact))
        else:
            console.show(table_screen(view, self.names, console.words, console.compact))

    def _next_position(self, console: PlayerConsole, at: int) -> int | None:
        """Read keys until one names a position; None to stop."""
        while True:
            key = self._ask(console)
            if key in _QUIT:
                return None
            if key in _NEXT and at < len(self.turns):
                return at + 1
            if key in _PREVIOUS and at > 0:
                return at - 1
            if key.startswith("g") and key[1:].strip().isdecimal() and int(key[1:]) < len(self.states):
                return int(key[1:])

    def _ask(self, console: PlayerConsole) -> str:
        """Read a key at a terminal, else a line; ``g`` is followed by a number."""
        if console.plain or not (sys.stdin.isatty() and console.rich.is_terminal):
            return console.ask(console.words.translate("replay.keys") + ":")
        console.print_message("replay.keys")
        key = read_key()
        return f"g{console.ask('g')}" if key == "g" else key
