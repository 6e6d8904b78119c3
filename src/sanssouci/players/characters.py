"""Who the players are: what a person should know of each before choosing one."""

from sanssouci.locale import printable, translate

from .registry import package_of

LEVELS = {f"level:{number}": str(number) for number in range(1, 6)}
"""The levels by name, and their keys in the catalogues."""
_OWN = ("random", "greedy", "steward", "planner")


def character(name: str, language: str = "en") -> str:
    """What a level is called; empty for a player that is not a person."""
    return translate(f"character.{LEVELS[name]}", language) if name in LEVELS else ""


def display_name(name: str, language: str = "en") -> str:
    """What one of our players is called who is no person, by its work at court; empty for a stranger."""
    return translate(f"calling.{name}", language) if name in _OWN else ""


def about(name: str, language: str = "en") -> str:
    """One line on a player; of a stranger, where it comes from."""
    if name in LEVELS or name in _OWN:
        return translate(f"about.{LEVELS.get(name, name)}", language)
    return translate("about.package", language, package=printable(package_of(name)))
