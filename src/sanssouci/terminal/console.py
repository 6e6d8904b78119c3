"""Where a person sits: what is shown to them, and what they type."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console, RenderableType
from rich.status import Status

from sanssouci.editions import Words

from .text_wrap import lines_of, spelled

FULL_WIDTH = 80
"""Columns that the own garden and the display beside it need."""


def quit_words(words: Words) -> tuple[str, ...]:
    """How a person says that they want to stop."""
    return ("quit", "q", "exit", *words.translate("command.quit").split())


class QuitGame(Exception):
    """The person wants to stop, or is gone; the game is kept."""


class PlayerConsole:
    """A terminal: drawings where wanted, plain lines otherwise."""

    def __init__(self, console: Console, words: Words, plain: bool) -> None:
        self.rich = console
        self.words = words
        self.plain = plain

    @property
    def compact(self) -> bool:
        """Whether the terminal is too narrow for the full drawing."""
        return self.rich.width < FULL_WIDTH

    def show(self, drawing: RenderableType) -> None:
        """A drawing; nothing of it is shown in plain lines."""
        if not self.plain:
            self.rich.print(drawing)

    def tell(self, lines: str | Iterable[str]) -> None:
        """Sentences, one a line."""
        for line in [lines] if isinstance(lines, str) else lines:
            for part in self._lines(line, self.rich.width):
                self.rich.print(part, markup=False, highlight=False, soft_wrap=True)

    def _lines(self, text: str, width: int) -> list[str]:
        """A text in signs that the terminal has; in plain lines it is one."""
        encoding = self.rich.encoding
        return [spelled(text, encoding)] if self.plain else lines_of(text, width, encoding)

    def say(self, key: str, **args: object) -> None:
        """A sentence of the catalogue."""
        self.tell(self.words.translate(key, **args))

    def ask(self, prompt: str) -> str:
        """A line that the person types; ``Leave`` when there is none any more."""
        *before, last = self._lines(prompt, self.rich.width - 2)
        self.tell(before)
        try:
            return input(f"{last} ").strip()
        except (EOFError, KeyboardInterrupt, RuntimeError):  # RuntimeError: there is no standard input
            self.tell("")
            raise QuitGame from None

    def waiting(self, key: str, **args: object) -> AbstractContextManager[Status | None]:
        """Says what takes a moment: a line that moves on a terminal and is gone when it is done."""
        if self.plain:
            self.say(key, **args)
            return nullcontext()
        return self.rich.status(self.words.translate(key, **args))

    @contextmanager
    def counting(self, key: str, total: int) -> Iterator[Callable[[], None]]:
        """The same for something in steps: what it gives is called after each of them."""
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            if line is not None:
                line.update(self.words.translate(key, done=done, total=total))

        with self.waiting(key, done=0, total=total) as line:
            yield step

    def cover(self, name: str) -> None:
        """Between two people at one terminal: nothing of the one's cards is left for the other to see."""
        if self.rich.is_dumb_terminal:
            self.rich.print("\n" * 2 * max(self.rich.height, 50))
        elif self.rich.is_terminal:
            self.rich.clear()
            self.rich.file.write("\x1b[3J")  # also what has scrolled away
        while text := self.ask(self.words.translate("desk.pass", name=name)):
            if text.lower() in quit_words(self.words):  # who leaves here must not see the other's hand first
                raise QuitGame
