"""The dialogue for a person's turn: staging, whole turns, explanations, undo and confirmation."""

import os
from pathlib import Path

from sanssouci.locale import UserError, os_error_reason, printable
from sanssouci.notation import NotationError, parse_turn, write_turn
from sanssouci.review import Hint, gain
from sanssouci.rules import Garden, Refusal, Square, Turn, motif_on, turn_score

from .choices import Choice, choices, read_value
from .commands import Command, help_lines, read_command
from .console import PlayerConsole, QuitGame
from .drawing import Highlights
from .explain import explain
from .hints import ask_for_hint, hint_text
from .plain_text import garden_text, table_text
from .rule_page import rule_lines
from .savefile import AutoSave, write_game
from .screen import own_garden, small_table, table_screen, unplayed_lines
from .session import Session
from .staging import Staged, TurnStep

_QUESTIONS = {
    TurnStep.CARD: "ask.card",
    TurnStep.SPACE: "ask.space",
    TurnStep.SQUARE: "ask.square",
    TurnStep.BOAR: "ask.boar",
    TurnStep.NOBLE: "ask.noble",
    TurnStep.CONFIRM: "ask.confirm",
}


class TurnDialogue:
    """Runs until the person confirms a turn."""

    def __init__(self, session: Session, console: PlayerConsole, keeper: AutoSave) -> None:
        self.session = session
        self.keeper = keeper
        self.console = console
        self.words = console.words
        self.names = [seat.name for seat in session.seats]
        self.view = session.state.view(session.state.to_move)
        self.options = self.view.options()
        self.score = self.view.scores[self.view.to_move]
        self.staged = Staged(self.options).settled()
        self.confirmed = False
        self.hint: Hint | None = None

    def run(self) -> Turn:
        self._look()
        while not self.confirmed:
            self._show_choices()
            self._answer(
                self.console.ask(self.words.translate(_QUESTIONS[self.staged.step], name=self._name()))
            )
        return self.staged.turn()

    def _name(self) -> str:
        return self.names[self.view.to_move]

    def _look(self) -> None:
        """Show the whole table, before anything is staged."""
        if self.console.plain:
            self.console.print_lines(table_text(self.view, self.names, self.words))
            self.console.print_lines(garden_text(self._name(), self.options.garden, self.words))
        else:
            self.console.show(table_screen(self.view, self.names, self.words, self.console.compact))

    def _draw_garden(self) -> None:
        """Draw the garden as it would be, and the display, with the current choices."""
        staged, step = self.staged, self.staged.step
        found = choices(staged, self.score, self.words)
        pointed = {c.value: c.brings for c in found if c.value is not None and step >= TurnStep.SQUARE}
        takeable = sum(1 << (c.value or 0) for c in found) if step is TurnStep.SPACE else 0
        highlights = Highlights(pointed, self._laid())
        draw = small_table if self.console.compact else own_garden
        self.console.show(draw(self.view, self._preview(), self.words, highlights, takeable))

    def _laid(self) -> Square | None:
        return self.staged.chosen[TurnStep.SQUARE] if self.staged.step > TurnStep.SQUARE else None

    def _preview(self) -> Garden:
        """The garden after the staged turn."""
        if self.staged.step <= TurnStep.SQUARE:
            return self.options.garden
        return self.options.garden.after(self.staged.turn())

    def _show_choices(self) -> None:
        if self.staged.step is TurnStep.CONFIRM:
            self._show_summary()
        else:
            self._list_choices(choices(self.staged, self.score, self.words))

    def _list_choices(self, found: list[Choice]) -> None:
        """One line per choice; squares and stops are only named if a drawing shows them."""
        if self.console.plain or self.staged.step < TurnStep.SQUARE:
            self.console.print_lines(f"  {choice.sign:<3} {choice.meaning}" for choice in found)
        else:
            signs = [f"{choice.sign}\N{NO-BREAK SPACE}{choice.brings}".strip() for choice in found]
            self.console.print_lines("  " + "   ".join(signs))

    def _show_summary(self) -> None:
        """Print the effects and the points of the staged turn."""
        turn = self.staged.turn()
        reward = turn_score(self.options.garden, self.score, turn).rewards - self.score.rewards
        motif = motif_on(self.options.display, turn.space)
        self.console.print_lines(self.words.turn(self._name(), turn, motif, reward))
        points = self.words.points(gain(self.options, self.score, turn))
        self.console.print_message("ask.summary", turn=write_turn(turn), points=points)

    def _answer(self, text: str) -> None:
        """Handle a line of input: a command, a whole turn, or a choice at the open step."""
        command = read_command(text, self.words)
        if command is not None:
            self._run_command(*command)
            return
        try:
            self._choose(text)
        except NotationError as error:
            self.console.print_lines(error.translate(self.words.language))

    def _choose(self, text: str) -> None:
        if "@" in text:
            self._stage_whole(parse_turn(text))
            return
        if self.staged.step is TurnStep.CONFIRM:
            raise NotationError("ask.yes_or_back")
        value = read_value(self.staged.step, text)
        if value in self.staged.choices():
            self._stage(self.staged.choose(value))
        else:
            self._refuse(self.options.refusal(self.staged.turn(value)))

    def _stage_whole(self, turn: Turn) -> None:
        refusal = self.options.refusal(turn)
        if refusal is not None:
            self._refuse(refusal)
            return
        chosen = (turn.card, turn.space, turn.square, turn.boar, turn.noble)
        self._stage(Staged(self.options, chosen))

    def _stage(self, staged: Staged) -> None:
        """Continue at another step, and show the garden there."""
        self.staged = staged
        self._draw_garden()

    def _refuse(self, refusal: Refusal | None) -> None:
        if refusal is not None:
            self.console.print_lines(self.words.refusal(refusal))

    def _run_command(self, command: Command, rest: str) -> None:
        match command:
            case Command.ACCEPT:
                self._accept()
            case Command.BACK:
                self._stage(self.staged.back())
            case Command.UNDO:
                self._stage(Staged(self.options).settled())
            case Command.SAVE:
                self._save(rest)
            case Command.QUIT:
                raise QuitGame
            case Command.YES:
                self._confirm()
            case _:
                self._run_query(command, rest)

    def _run_query(self, command: Command, rest: str) -> None:
        """Commands that show information and stage nothing."""
        match command:
            case Command.HELP:
                self.console.print_lines(help_lines(self.console))
            case Command.RULE:
                self._explain()
            case Command.HINT:
                self._hint()
            case Command.OPTIONS:
                self._list_turns()
            case Command.WHY:
                self._why(rest)
            case Command.LOOK:
                self._redraw_large()
            case Command.CARDS:
                self.console.print_lines(unplayed_lines(self.view, self.names, self.words))
            case Command.LOG:
                self._log()

    def _confirm(self) -> None:
        if self.staged.step is TurnStep.CONFIRM:
            self.confirmed = True
        else:
            self.console.print_message("ask.not_complete")

    def _hint(self) -> None:
        """Show a good turn with reasons; stages nothing, and uses none of the game's own randomness."""
        if self.hint is None:
            self.hint = ask_for_hint(self.view, self.console)
        self.console.print_lines(hint_text(self.hint, self.view, self.names, self.words))

    def _accept(self) -> None:
        if self.hint is None:
            self.console.print_message("hint.none")
        else:
            self._stage_whole(self.hint.turn)

    def _explain(self) -> None:
        """Show the rules for the open step."""
        for number in self._rules_at_hand():
            self.console.print_lines(rule_lines(number, self.words))

    def _rules_at_hand(self) -> tuple[int, ...]:
        match self.staged.step:
            case TurnStep.CARD | TurnStep.CONFIRM:
                return (14,)
            case TurnStep.SPACE:
                card = self.staged.chosen[TurnStep.CARD] or 0
                return (16,) if card < 9 else (15,) if card < 19 else (17,)
            case TurnStep.SQUARE:
                return (18, 19)
            case TurnStep.BOAR:
                return (35, 36)
            case TurnStep.NOBLE:
                return (20, 21)

    def _list_turns(self) -> None:
        """List every turn that continues the staged one; turns that differ only in the noble share a line."""
        chosen = self.staged.chosen
        lines: dict[str, list[str]] = {}
        for turn in self.options:
            if (turn.card, turn.space, turn.square, turn.boar, turn.noble)[: len(chosen)] == chosen:
                laid, _, stop = write_turn(turn).partition("/")
                lines.setdefault(laid, []).extend([f"/{stop}"] if stop else [])
        self.console.print_message(
            "ask.turns", count=len([t for stops in lines.values() for t in stops]) + len(lines)
        )
        self.console.print_lines(f"  {laid:<12} {' '.join(stops)}" for laid, stops in lines.items())

    def _why(self, text: str) -> None:
        """Explain why a turn, square, card or space is not legal."""
        try:
            self.console.print_lines(explain(self.staged, text, self.words))
        except NotationError as error:
            self.console.print_lines(error.translate(self.words.language))

    def _redraw_large(self) -> None:
        self._look()
        if self.staged.chosen:
            self._draw_garden()
        if self.console.plain:
            for seat, name in enumerate(self.names):
                if seat != self.view.to_move:
                    self.console.print_lines(garden_text(name, self.view.gardens[seat], self.words))

    def _log(self) -> None:
        """List all turns so far, with the score after each."""
        if not self.session.turns:
            self.console.print_message("log.empty")
        for number, turn in enumerate(self.session.turns):
            seat = number % len(self.names)
            total = self.session.states[number + 1].scores[seat].total
            self.console.print_message(
                "log.line", number=number + 1, name=self.names[seat], turn=write_turn(turn), total=total
            )

    def _save(self, name: str) -> None:
        if not name:
            self.console.print_message("save.kept" if self.keeper.kept else "terminal.not_kept")
            return
        try:
            path = Path(name).expanduser()
            if os.path.lexists(path):
                raise UserError("cli.file_exists_here", path=path)
            write_game(self.session, path)
            self.console.print_message("save.written", path=printable(path))
        except UserError as user_error:
            self.console.print_lines(user_error.translate(self.words.language))
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: ~nobody is no home
            reason = (
                UserError("os_error.no_home") if isinstance(error, RuntimeError) else os_error_reason(error)
            )
            unwritable = UserError("cli.unwritable", path=name, reason=reason)
            self.console.print_lines(unwritable.translate(self.words.language))
