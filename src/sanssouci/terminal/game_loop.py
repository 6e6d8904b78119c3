"""The game loop: picks, the turns of people and computers, and the end."""

import time
from collections.abc import Callable
from typing import TypeVar

from sanssouci.players import Guard
from sanssouci.rules import Phase, State, Turn

from .commands import legend
from .console import PlayerConsole
from .picking import pick_side
from .plain_text import draw_text, end_text, outcome_text, turn_text
from .savefile import AutoSave
from .screen import end_screen, table_screen
from .session import Session
from .turn_dialogue import TurnDialogue

T = TypeVar("T")


class GameLoop:
    """Plays a session until its end or ``QuitGame``."""

    def __init__(self, session: Session, console: PlayerConsole, keeper: AutoSave, pause: float) -> None:
        self.session = session
        self.console = console
        self.keeper = keeper
        self.pause = pause
        self.names = [seat.name for seat in session.seats]
        self.people = [place for place, seat in enumerate(session.seats) if seat.is_person]
        self.news: dict[int, list[str]] = {seat: self._greeting() for seat in self.people}
        """Unread news for each person, because the screen is cleared between two people."""

    def run(self) -> None:
        """Play the rest of the game."""
        while seats := self.session.seats_to_pick():
            self._pick(seats[0])
        while not self.session.over:
            self._turn(self.session.state.to_move)
        self._end()

    def _greeting(self) -> list[str]:
        words = self.console.words
        if self.session.turns:
            return [words.translate("terminal.resumed", turns=len(self.session.turns))]
        drawn = [] if self.console.plain else legend(self.console)
        return [words.translate("terminal.goal"), words.translate("terminal.help"), *drawn, ""]

    def _pick(self, seat: int) -> None:
        view = self.session.setup.view(seat)
        if self.session.seats[seat].is_person:
            self._call(seat)
            self.session.pick(seat, pick_side(view, self.names[seat], self.console))
        else:
            self.session.pick(seat, self._computed(seat, lambda guard: guard.pick(view)))
        self.keeper.keep()
        if self.session.setup.phase is Phase.READY:
            dealt = self.console.words.translate("terminal.dealt")
            self._announce([dealt], {person: [dealt] for person in self.people})

    def _turn(self, seat: int) -> None:
        before = self.session.state
        if self.session.seats[seat].is_person:
            self._call(seat)
            after = self.session.play(TurnDialogue(self.session, self.console, self.keeper).run())
        else:
            after = self.session.play(self._computed(seat, lambda guard: guard.decide(before.view(seat))))
        self.keeper.keep()
        self._describe_turn(before, self.session.turns[-1], after)

    def _computed(self, seat: int, ask: Callable[[Guard], T]) -> T:
        """The answer of a computer player; after a fault, that of ``greedy``; everyone sees the reason."""
        guard = self.session.computer(seat)
        heard = len(guard.faults)
        answer = ask(guard)
        for fault in guard.faults[heard:]:
            reason = fault.why(self.console.words.language)
            message = self.console.words.translate("terminal.fault", name=self.names[seat], reason=reason)
            self._announce([message], {person: [message] for person in self.people})
        return answer

    def _describe_turn(self, before: State, turn: Turn, after: State) -> None:
        """Announce a turn to everyone; the player who made it gets only the outcome."""
        seat, words = before.to_move, self.console.words
        lines = [*turn_text(before, turn, after, self.names, words), ""]
        outcome = [*outcome_text(before, turn, after, self.names, words)]
        drawn = draw_text(before, after, self.names[seat], words)
        own = {person: [*outcome, *drawn, ""] if person == seat else lines for person in self.people}
        self._announce(lines, own)
        if seat not in self.people and self.console.rich.is_terminal:
            time.sleep(self.pause)
        if not self.people and not after.over and after.to_move == 0:
            self.console.show(table_screen(after.view(None), self.names, words, self.console.compact))

    def _announce(self, lines: list[str], to_people: dict[int, list[str]]) -> None:
        """At once for a single person or spectators; several people read it when it is their turn."""
        for person in self.people:
            self.news[person] += to_people[person]
        if len(self.people) == 1:
            self._read_news(self.people[0])
        elif not self.people:
            self.console.print_lines(lines)

    def _call(self, seat: int) -> None:
        """Hand the keyboard to a person: hide the other hands, then show the news."""
        if len(self.people) > 1:
            self.console.cover(self.names[seat])
        self._read_news(seat)

    def _read_news(self, seat: int) -> None:
        self.console.print_lines(self.news[seat])
        self.news[seat] = []

    def _end(self) -> None:
        words, state, dealer = self.console.words, self.session.state, self.session.dealer
        if self.console.plain:
            self.console.print_lines(end_text(state, self.names, words))
        else:
            self.console.show(end_screen(state, self.names, words, self.console.compact))
        self.console.print_message("terminal.commitment", commitment=dealer.commitment)
        nonces = ", ".join(nonce for nonce in dealer.nonces if nonce) or "-"
        self.console.print_message("terminal.seed", seed=dealer.seed.hex(), nonces=nonces)
