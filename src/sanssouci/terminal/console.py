"""Input and output of a player at a terminal."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console, RenderableType
from rich.status import Status

from sanssouci.editions import Words

from .text_wrap import lines_of, spelled

FULL_WIDTH = 80
"""Columns needed for the own garden with the display next to it."""


def quit_words(words: Words) -> tuple[str, ...]:
    return ("quit", "q", "exit", *words.translate("command.quit").split())


class QuitGame(Exception):
    """The player quits, or the input has ended; the game is saved."""


class PlayerConsole:
    """A terminal that shows drawings, or plain text only."""

    def __init__(self, console: Console, words: Words, plain: bool) -> None:
        self.rich = console
        self.words = words
        self.plain = plain

    @property
    def compact(self) -> bool:
        """Whether the terminal is too narrow for the full drawing."""
        return self.rich.width < FULL_WIDTH

    def show(self, drawing: RenderableType) -> None:
        """Show a drawing; does nothing in plain text."""
        if not self.plain:
            self.rich.print(drawing)

    def print_lines(self, lines: str | Iterable[str]) -> None:
        """Print sentences, one per line."""
        for line in [lines] if isinstance(lines, str) else lines:
            for part in self._lines(line, self.rich.width):
                self.rich.print(part, markup=False, highlight=False, soft_wrap=True)

    def _lines(self, text: str, width: int) -> list[str]:
        """Wrap a text, in characters that the terminal can show; plain text is not wrapped."""
        encoding = self.rich.encoding
        return [spelled(text, encoding)] if self.plain else lines_of(text, width, encoding)

    def print_message(self, key: str, **args: object) -> None:
        self.print_lines(self.words.translate(key, **args))

    def ask(self, prompt: str) -> str:
        """Read a line; ``QuitGame`` at the end of the input."""
        *before, last = self._lines(prompt, self.rich.width - 2)
        self.print_lines(before)
        try:
            return input(f"{last} ").strip()
        except (EOFError, KeyboardInterrupt, RuntimeError):  # RuntimeError: there is no standard input
            self.print_lines("")
            raise QuitGame from None

    def waiting(self, key: str, **args: object) -> AbstractContextManager[Status | None]:
        """Shows a message during slow work; a spinner on a terminal, removed at the end."""
        if self.plain:
            self.print_message(key, **args)
            return nullcontext()
        return self.rich.status(self.words.translate(key, **args))

    @contextmanager
    def counting(self, key: str, total: int) -> Iterator[Callable[[], None]]:
        """Shows progress in steps; call the yielded function after each of them."""
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            if line is not None:
                line.update(self.words.translate(key, done=done, total=total))

        with self.waiting(key, done=0, total=total) as line:
            yield step

    def cover(self, name: str) -> None:
        """Clear the screen between two players at one terminal, so that neither sees the other's cards."""
        if self.rich.is_dumb_terminal:
            self.rich.print("\n" * 2 * max(self.rich.height, 50))
        elif self.rich.is_terminal:
            self.rich.clear()
            self.rich.file.write("\x1b[3J")  # also clears the scrollback
        while text := self.ask(self.words.translate("terminal.pass_keyboard", name=name)):
            if text.lower() in quit_words(self.words):  # quit before the other player's hand is shown
                raise QuitGame
