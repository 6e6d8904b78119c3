"""Chairs: a table's places, and the people and computer players on them.

A *chair* is a place as the table was set up; a *seat* is a place in turn order, known when the game starts.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from sanssouci.notation.json_types import ChairNumber, HashText, JsonObject, SeatNumber


class Sitter(Enum):
    OPEN = "open"
    PERSON = "person"
    COMPUTER = "computer"


SitterName = Literal["open", "person", "computer"]
ColourName = Literal["red", "blue", "brown", "violet", "teal", "grey"]


class Colour(Enum):
    """The colours, in the order in which chairs without a chosen one get them."""

    RED = "red"
    BLUE = "blue"
    BROWN = "brown"
    VIOLET = "violet"
    TEAL = "teal"
    GREY = "grey"


@dataclass(frozen=True, slots=True)
class Chair:
    sitter: Sitter = Sitter.OPEN
    name: str = ""
    player: str = ""
    """The computer player, by its name among the players, such as ``level:3``."""
    colour: Colour | None = None
    """Unique at the table; None while the chair is open."""
    commitment: str | None = None
    """The person's commitment to the nonce; None until they are ready, and under ``fair/1``."""
    nonce: str | None = field(default=None, repr=False)
    """The person's contribution to the shuffle, in hex; None until they are ready, or have revealed it."""
    missed: int = 0
    """How many shuffles were given up because of the person, also on other chairs of the table."""
    away: bool = False
    """A stand-in plays for the person."""
    late: bool = False
    """The person was sent away, and cannot return until the stand-in has acted."""
    conceded: bool = False
    votes: frozenset[int] = frozenset()
    """The chairs that have voted for a stand-in here."""

    @property
    def is_person(self) -> bool:
        """Whether the chair belongs to a person, present or away."""
        return self.sitter is Sitter.PERSON

    @property
    def is_ready(self) -> bool:
        added = self.nonce is not None or self.commitment is not None
        return self.sitter is Sitter.COMPUTER or (self.is_person and added)

    @property
    def decides(self) -> bool:
        """Whether a person decides for this chair, not a computer player or stand-in."""
        return self.is_person and not self.away and not self.conceded

    def after_turn(self) -> "Chair":
        """The chair once a turn has been played at the table: votes against it lapse."""
        return replace(self, late=False, votes=frozenset()) if self.late or self.votes else self


class SummaryChair(JsonObject):
    """A chair in the stored summary of a table; ``away`` is left out where it is false."""

    sitter: SitterName
    name: str
    player: str | None
    away: NotRequired[bool]


class ListedChair(JsonObject):
    """A chair in a list of tables."""

    sitter: SitterName
    """Nobody yet, a person, or a computer player."""
    name: str
    """The display name; empty for an open chair."""
    player: str | None
    """The computer player; null for people."""
    away: bool
    """Whether a stand-in plays for the person."""


class ChairView(ListedChair):
    """A chair at the table."""

    chair: ChairNumber
    """Its number, the same as its index in the list."""
    seat: SeatNumber | None
    """Its place in turn order; null in the lobby."""
    colour: ColourName | None
    """Unique at the table; null for an open chair."""
    ready: bool
    """Whether the game may start for this chair."""
    commitment: HashText | None
    """The person's commitment to the nonce, from `ready` on; null for others and under `fair/1`."""
    conceded: bool
    """Whether the person has conceded."""
    votes: list[ChairNumber]
    """The chairs that have voted for a stand-in on this one."""


def write_chair(chair: Chair, place: int, seat: int | None) -> ChairView:
    """The chair as everyone may see it."""
    return {
        "chair": place,
        "seat": seat,
        "sitter": chair.sitter.value,
        "name": chair.name,
        "player": chair.player or None,
        "colour": None if chair.colour is None else chair.colour.value,
        "ready": chair.is_ready,
        "commitment": chair.commitment,
        "away": chair.away,
        "conceded": chair.conceded,
        "votes": sorted(chair.votes),
    }


class ChairJson(TypedDict):
    """A chair of a new table in the event log."""

    sitter: SitterName
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
    """A chair of a new table."""
    if sitter is Sitter.OPEN:
        return Chair()
    return Chair(sitter, name, player if sitter is Sitter.COMPUTER else "", colour)
