"""The message catalogues, and ``UserError``, an error that can be translated."""

import json
from functools import cache
from importlib.resources import files

LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es")


@cache
def catalogue(language: str) -> dict[str, str]:
    """All sentences of a language by key."""
    text = files("sanssouci.locale").joinpath(f"{language}.json").read_text(encoding="utf-8")
    sentences: dict[str, str] = json.loads(text)
    return sentences


def translate(key: str, language: str = "en", **args: object) -> str:
    """The sentence of a key with its arguments filled in."""
    return catalogue(language)[key].format(**args)


class UserError(ValueError):
    """Wrong input by a user, as a message key with arguments; ``str`` gives the English message.

    ::

        ValueError
        +-- Refused             a turn, a pick or a deal that the rules refuse (carries a Refusal)
        +-- UserError           any other mistake of a person
            +-- NotationError   a text that names no square, card, turn ...
            +-- RecordError     a record that is none, with its place and rule
            |   +-- RefusedRecord
            +-- BoardsError     a boards file, with its field
            +-- ProofError      a set-up that its seed does not deal
            +-- UnknownPlayer, BrokenPlayer
            +-- PlayerFault     a player that raised or broke a rule, and MatchFault with its deal
            +-- EngineFault     a program that does not speak the engine protocol, or not in time

    A detail may be a ``UserError`` itself; it is translated too. Texts are shown in one line and
    without what a terminal would obey.
    """

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def translate(self, language: str = "en") -> str:
        """The sentence in a language."""
        said = {
            name: detail.translate(language) if isinstance(detail, UserError) else printable(detail)
            for name, detail in self.details.items()
        }
        return translate(self.key, language, **said)

    def __str__(self) -> str:
        return self.translate()

    def __reduce__(self) -> tuple[object, ...]:
        return _revived, (type(self), self.__dict__)


def _revived(kind: type[UserError], contents: dict[str, object]) -> UserError:
    """A user error that comes from another process."""
    user_error = kind.__new__(kind)
    user_error.__dict__.update(contents)
    return user_error


def printable(value: object, longest: int = 200) -> str:
    """A value in one line, not too long, without control characters."""
    text = str(value)
    short = text if len(text) <= longest else text[:longest] + "…"
    return short if short.isprintable() else ascii(short)
