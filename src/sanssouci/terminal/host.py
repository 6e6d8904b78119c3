"""Leads through a game at a terminal: the picks, the turns of people and computers, the end."""

import time
from collections.abc import Callable

from rich.text import Text

from sanssouci.rules import Phase, State, Turn

from .desk import Desk
from .picking import pick_side
from .screen import end_screen, score_table, table_screen, verdict
from .session import Session
from .teller import told_turn
from .turn_dialogue import TurnDialogue

Keep = Callable[[], None]
"""Keeps the game; called after every pick and every turn."""


class Host:
    """Plays a session to its end, or until ``Leave``."""

    def __init__(self, session: Session, desk: Desk, keep: Keep, pause: float) -> None:
        self.session = session
        self.desk = desk
        self.keep = keep
        self.pause = pause
        self.names = [seat.name for seat in session.seats]
        self.people = [place for place, seat in enumerate(session.seats) if seat.is_person]

    def run(self) -> None:
        """The whole game from where it stands."""
        self._greet()
        while seats := self.session.seats_to_pick():
            self._pick(seats[0])
        while not self.session.over:
            self._turn(self.session.state.to_move)
        self._end()

    def _greet(self) -> None:
        commitment = self.session.dealer.commitment
        self.desk.say("host.commitment", commitment=commitment)
        if self.session.turns:
            self.desk.say("host.resumed", turns=len(self.session.turns))
        elif self.people:
            self.desk.say("host.help")
            self.desk.show(Text(self.desk.words.say("screen.legend")))

    def _pick(self, seat: int) -> None:
        if self.session.seats[seat].is_person:
            self._cover(seat)
            side = pick_side(self.session.setup.view(seat), self.names[seat], self.desk)
        else:
            side = self.session.computer(seat).pick(self.session.setup.view(seat))
        self.session.pick(seat, side)
        self.keep()
        if self.session.setup.phase is Phase.READY:
            self.desk.say("host.dealt")

    def _turn(self, seat: int) -> None:
        state = self.session.state
        if self.session.seats[seat].is_person:
            self._cover(seat)
            turn = TurnDialogue(self.session, self.desk).run()
        else:
            turn = self.session.computer(seat).decide(state.view(seat))
        after = self.session.play(turn)
        self.keep()
        self._tell(state, turn, after)

    def _tell(self, before: State, turn: Turn, after: State) -> None:
        self.desk.tell(told_turn(before, turn, after, self.names, self.desk.words))
        self.desk.tell("")
        by_computer = not self.session.seats[before.to_move].is_person
        if by_computer and self.desk.console.is_terminal:
            time.sleep(self.pause)
        if not self.people and not after.over and after.to_move == 0:
            self.desk.show(table_screen(after.view(None), self.names, self.desk.words, self.desk.compact))

    def _cover(self, seat: int) -> None:
        """Where several people share the terminal, hands are covered in between."""
        if len(self.people) > 1:
            self.desk.cover(self.names[seat])

    def _end(self) -> None:
        words, state = self.desk.words, self.session.state
        if self.desk.plain:
            self.desk.tell(str(score_table(state, self.names, words)).splitlines())
            self.desk.tell(verdict(state, self.names, words))
        else:
            self.desk.show(end_screen(state, self.names, words))
        dealer = self.session.dealer
        self.desk.say("host.seed", seed=dealer.seed.hex(), nonces=", ".join(dealer.nonces) or "-")
