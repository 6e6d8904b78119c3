"""Names and descriptions of the computer players."""

from sanssouci.locale import printable, translate

from .registry import package_of

LEVELS = {f"level:{number}": str(number) for number in range(1, 7)}
"""The levels by name, and their keys in the catalogues."""
_OWN = ("random", "greedy", "steward", "planner", "master")


def character(name: str, language: str = "en") -> str:
    """The name of the character of a level; empty for other players."""
    return translate(f"character.{LEVELS[name]}", language) if name in LEVELS else ""


def display_name(name: str, language: str = "en") -> str:
    """The name of one of this project's other players; empty for third-party players."""
    return translate(f"player_name.{name}", language) if name in _OWN else ""


def about(name: str, language: str = "en") -> str:
    """One line on a player; for a third-party player, its package."""
    if name in LEVELS or name in _OWN:
        return translate(f"about.{LEVELS.get(name, name)}", language)
    return translate("about.package", language, package=printable(package_of(name)))
