"""The commands at the prompts of a turn, in English and in the player's language."""

from enum import Enum

from sanssouci.editions import Words

from .console import PlayerConsole, quit_words


class Command(Enum):
    HELP = "help"
    RULE = "?"
    HINT = "hint"
    ACCEPT = "accept"
    OPTIONS = "options"
    WHY = "why"
    BACK = "back"
    UNDO = "undo"
    LOOK = "look"
    CARDS = "cards"
    LOG = "log"
    SAVE = "save"
    QUIT = "quit"
    YES = "yes"


def read_command(text: str, words: Words) -> tuple[Command, str] | None:
    """The command in a line and its argument; None if the line is not a command."""
    first, _, rest = text.partition(" ")
    for command in Command:
        takes_more = command in (Command.WHY, Command.SAVE)
        if first.lower() in spellings(command, words) and (takes_more or not rest):
            return command, rest.strip()
    return None


def spellings(command: Command, words: Words) -> tuple[str, ...]:
    """The accepted spellings: the English word, the translated word, and short forms."""
    if command is Command.RULE:
        return ("?",)
    local = words.translate(f"command.{command.value}").split()
    # Short forms must not be letters from a to i, which name cards.
    if command is Command.QUIT:
        return quit_words(words)
    english = ("yes", "y") if command is Command.YES else (command.value,)
    return (*english, *local)


def help_lines(console: PlayerConsole) -> list[str]:
    """Every command with its description, and the legend of the drawings."""
    words = console.words
    lines = []
    for command in Command:
        key = "rule" if command is Command.RULE else command.value
        word = "?" if command is Command.RULE else words.translate(f"command.{command.value}").split()[0]
        lines.append(f"  {word:<10} {words.translate(f'help.{key}')}")
    return lines if console.plain else [*lines, *legend(console)]


def legend(console: PlayerConsole) -> list[str]:
    """The legend of the drawings; a narrow terminal has no large drawing."""
    small = console.words.translate("screen.small_legend")
    return [small] if console.compact else [console.words.translate("screen.legend"), small]
