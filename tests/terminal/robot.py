"""Types at a real pseudo-terminal, and chooses only from what the screen says."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pexpect

from ..cli.terminal import Terminal

CHOICE = re.compile(r"^  ([a-i*x-]|[0-9]|[2-5][3-6]|[a-i][1-6])(?: {1,3}|\s*$)(.*)$")


class Robot:
    """A person at a terminal who reads lines and types lines."""

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
        """Read until one of the prompts comes, or the end; which one, -1 at the end."""
        patterns = [re.escape(prompt) + " " for prompt in prompts]
        found: int = self.child.expect([*patterns, pexpect.EOF])
        self.seen = str(self.child.before)
        return found if found < len(prompts) else -1

    def type(self, text: str) -> None:
        """One line."""
        self.child.sendline(text)

    def lines(self) -> list[str]:
        """What was shown since the last prompt, without colour."""
        return (
            re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen)
            .replace("\r", "")
            .replace("\xa0", " ")
            .split("\n")
        )

    def choices(self) -> list[str]:
        """The signs that stand in front of choices."""
        return [found[1] for line in self.lines() if (found := CHOICE.match(line))]

    def drawn_choices(self) -> list[str]:
        """The same where a drawing shows the squares: their signs stand in one paragraph at the end."""
        last = [line for line in self.lines() if line.strip()][-4:]
        signs = re.findall(r"(?<=\s)([a-i][1-6])(?=\s|$)", " " + " ".join(last))
        return self.choices() + signs if self.choices()[:1] in ([], ["-"]) else self.choices()


Start = Callable[..., Robot]
"""Starts a robot with the words of a command."""
