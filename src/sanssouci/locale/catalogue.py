"""The catalogues and how a sentence is taken from one."""

import json
from functools import cache
from importlib.resources import files

LANGUAGES: tuple[str, ...] = ("en",)


@cache
def catalogue(language: str) -> dict[str, str]:
    """All sentences of a language by key."""
    text = files("sanssouci.locale").joinpath(f"{language}.json").read_text(encoding="utf-8")
    sentences: dict[str, str] = json.loads(text)
    return sentences


def say(key: str, language: str = "en", **args: object) -> str:
    """The sentence of a key with its arguments filled in."""
    return catalogue(language)[key].format(**args)


class Complaint(ValueError):
    """Something a person gave us is wrong: a key and arguments; ``str`` is the English sentence."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details

    def say(self, language: str = "en") -> str:
        """The sentence in a language."""
        return say(self.key, language, **self.details)

    def __str__(self) -> str:
        return self.say()
