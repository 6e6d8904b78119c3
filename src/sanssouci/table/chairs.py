"""A chair at a table: who sits on it, and whether that one is there.

A *chair* is a place as the table was set up; a *seat* is a place in turn order, known when the game starts.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Json = dict[str, Any]


class Sitter(Enum):
    """Who sits on a chair."""

    OPEN = "open"
    PERSON = "person"
    COMPUTER = "computer"


ColourName = Literal["red", "blue", "brown", "violet", "teal", "grey"]


class Colour(Enum):
    """A colour that can be worn; those without a wish get them in this order."""

    RED = "red"
    BLUE = "blue"
    BROWN = "brown"
    VIOLET = "violet"
    TEAL = "teal"
    GREY = "grey"


@dataclass(frozen=True, slots=True)
class Chair:
    """One place at a table."""

    sitter: Sitter = Sitter.OPEN
    name: str = ""
    player: str = ""
    """A computer player's name among the players."""
    colour: Colour | None = None
    """Nobody else's at this table; none while nobody sits here."""
    nonce: str | None = field(default=None, repr=False)
    """What a person adds to the shuffle, in hex, once ready."""
    away: bool = False
    """A stand-in plays for the person."""
    late: bool = False
    """The person was sent away, and the stand-in has not acted yet: until then there is no coming back."""
    conceded: bool = False
    votes: frozenset[int] = frozenset()
    """The chairs that want a stand-in here."""

    @property
    def is_person(self) -> bool:
        """Whether a person sits here, there or away."""
        return self.sitter is Sitter.PERSON

    @property
    def is_ready(self) -> bool:
        """Whether the game may start for this chair."""
        return self.sitter is Sitter.COMPUTER or (self.is_person and self.nonce is not None)

    @property
    def decides(self) -> bool:
        """Whether a person decides here, and not a computer."""
        return self.is_person and not self.away and not self.conceded


def write_chair(chair: Chair) -> Json:
    """A chair as everyone may see it."""
    return {
        "sitter": chair.sitter.value,
        "name": chair.name,
        "player": chair.player or None,
        "colour": None if chair.colour is None else chair.colour.value,
        "ready": chair.is_ready,
        "away": chair.away,
        "conceded": chair.conceded,
        "votes": sorted(chair.votes),
    }


class ChairJson(TypedDict):
    """A chair of a new table in the event log."""

    sitter: Literal["open", "person", "computer"]
    name: str
    player: str
    colour: NotRequired[ColourName]
    """Only where one was chosen."""


def dump_chair(chair: Chair) -> ChairJson:
    dumped: ChairJson = {"sitter": chair.sitter.value, "name": chair.name, "player": chair.player}
    if chair.colour is not None:
        dumped["colour"] = chair.colour.value
    return dumped


def load_chair(dumped: ChairJson) -> Chair:
    colour = Colour(dumped["colour"]) if "colour" in dumped else None
    return new_chair(Sitter(dumped["sitter"]), dumped["name"], dumped["player"], colour)


def new_chair(sitter: Sitter, name: str = "", player: str = "", colour: Colour | None = None) -> Chair:
    """A chair as it is when the table is set up."""
    if sitter is Sitter.OPEN:
        return Chair()
    return Chair(sitter, name, player if sitter is Sitter.COMPUTER else "", colour)
