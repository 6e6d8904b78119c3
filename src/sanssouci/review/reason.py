"""A reason for a turn: a verifiable fact about it, as a key with arguments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sanssouci.editions import Words

Detail = int | tuple[int, ...]
"""A number of the game: a square, a row, a seat, points; or several squares."""

THEMES: dict[str, str] = {
    "as_much": "now",
    "becomes_free": "card",
    "best_walk": "now",
    "boar_area": "boar",
    "boar_cornered": "boar",
    "boar_leaves": "boar",
    "boar_shut_in": "boar",
    "column_complete": "column",
    "column_grows": "short",
    "column_short": "short",
    "denies": "rival",
    "denies_column": "rival",
    "denies_row": "rival",
    "final_most": "now",
    "final_nothing": "now",
    "goes_on": "stops",
    "joins": "stops",
    "keeps_choice": "card",
    "kept_next": "card",
    "mission": "mission",
    "mission_way": "mission stops",
    "more_now": "now",
    "most_now": "now",
    "new_stop": "stops",
    "new_stops": "stops",
    "no_loss": "now",
    "one_of_stops": "stops",
    "one_step": "stops",
    "only_walk": "now",
    "opens_walk": "now",
    "reward": "reward",
    "row_complete": "row",
    "row_grows": "short",
    "row_short": "short",
    "saves_stops": "now",
    "spares": "reward",
    "stays_free": "card",
    "stop_to_come": "stops",
    "tile_stop": "stops",
    "trial": "trial",
}
"""The topics of every key; a second reason on the same topic adds little."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact in favour of a turn."""

    key: str
    details: tuple[tuple[str, Detail], ...] = ()
    weight: float = field(default=0.0, compare=False)
    """Its importance, roughly in points; used for the order only."""

    @classmethod
    def of(cls, key: str, weight: float, **details: Detail) -> "Reason":
        """A reason with its arguments by name."""
        return cls(key, tuple(details.items()), weight)

    def repeats(self, other: "Reason") -> bool:
        """Whether it shares a topic with another reason."""
        return not set(THEMES[self.key].split()).isdisjoint(THEMES[other.key].split())


def say_reason(reason: Reason, edition: str, language: str = "en", names: Sequence[str] = ()) -> str:
    """A reason as a sentence, with the names of an edition; ``names`` are those of the seats."""
    words = Words(language, edition)
    said = {name: _say(name, detail, words, names) for name, detail in reason.details}
    return words.translate(f"reason.{reason.key}", **said)


_WRITERS: dict[str, Callable[[Words, Any], str]] = {
    "card": Words.card_name,
    "column": Words.column,
    "gaps": Words.squares,
    "less": Words.points,
    "loss": Words.points,
    "noble": Words.noble,
    "place": Words.place,
    "points": Words.points,
    "square": Words.square,
    "squares": Words.squares,
    "stood": Words.place,
    "stop": Words.square,
    "stops": Words.squares,
    "tile": Words.tile,
    "ways": lambda words, squares: words.one_of([words.square(square) for square in squares]),
}
"""Formatters for details that are not plain numbers, by the detail's name."""


def _say(name: str, detail: Detail, words: Words, names: Sequence[str]) -> str:
    if name == "seat" and isinstance(detail, int):
        return names[detail] if names else words.translate("seat.person", number=detail + 1)
    return _WRITERS[name](words, detail) if name in _WRITERS else str(detail)
