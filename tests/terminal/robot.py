"""Types in a real pseudo-terminal, and chooses only from what is on the screen."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pexpect

from ..cli.terminal import Terminal

CHOICE = re.compile(r"^  ([a-i*x-]|[0-9]|[2-5][3-6]|[a-i][1-6])(?: {1,3}|\s*$)(.*)$")


class Robot:
    """Reads and types lines in a terminal."""

    def __init__(
        self,
        *arguments: str,
        folder: Path,
        columns: int = 80,
        language: str = "en",
        prepare: Callable[[], None] | None = None,
        **more: str,
    ) -> None:
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME")
            or str(Path.home() / ".cache"),  # compiled code
            "LANG": f"{language}_XX.UTF-8",
            "LC_ALL": "",
            "PYTHONIOENCODING": "utf-8",
            "TERM": "xterm-256color",
            **more,
        }
        self.language = language
        self.child = Terminal(*arguments, environment=self.environment, columns=columns, prepare=prepare)
        self.seen = ""

    def read_until(self, prompts: list[str]) -> int:
        """Read until a prompt or the end; return the index of the prompt, or -1 at the end."""
        patterns = [re.escape(prompt) + " " for prompt in prompts]
        found: int = self.child.expect([*patterns, pexpect.EOF])
        self.seen = str(self.child.before)
        return found if found < len(prompts) else -1

    def type(self, text: str) -> None:
        self.child.sendline(text)

    def lines(self) -> list[str]:
        """The lines since the last prompt, without colours."""
        return (
            re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen)
            .replace("\r", "")
            .replace("\xa0", " ")
            .split("\n")
        )

    def choices(self) -> list[str]:
        """The keys in front of the choices."""
        return [found[1] for line in self.lines() if (found := CHOICE.match(line))]

    def drawn_choices(self) -> list[str]:
        """The choices where a drawing shows the squares: their keys are in the last paragraph."""
        last = [line for line in self.lines() if line.strip()][-4:]
        keys = re.findall(r"(?<=\s)([a-i][1-6])(?=\s|$)", " " + " ".join(last))
        return self.choices() + keys if self.choices()[:1] in ([], ["-"]) else self.choices()


Start = Callable[..., Robot]
"""Starts a robot with the arguments of a command."""
