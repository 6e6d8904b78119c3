"""The terms of a table: which game is played on which boards, how fast, who may see it."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from sanssouci.dealer import daily_game
from sanssouci.editions import (
    SHIPPED,
    BoardSet,
    check_boards,
    load_edition,
    parse_boards,
    shipped_boards,
    write_boards,
)
from sanssouci.locale import UserError
from sanssouci.rules import EDITIONS, EXPANSIONS, REWARDS, WILD_BOAR, Refused, Variant, variant_refusal

Json = dict[str, Any]

STAND_IN = "level:3"
"""Who plays for a person that is absent."""
DAY = 86_400
SHORTEST_TURN, LONGEST_TURN, MOST_DAYS = 5, 6 * 3600, 30


class Visibility(Enum):
    """Who finds a table."""

    OPEN = "open"
    """It is listed, and anyone may join or watch."""
    LINK = "link"
    """Only with a link."""


class Pace(Enum):
    """What a clock counts."""

    NONE = "none"
    TURN = "turn"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a person may think about one turn; after that a stand-in plays."""

    pace: Pace = Pace.NONE
    amount: int = 0
    """Seconds, or days."""

    def __post_init__(self) -> None:
        known = {
            Pace.NONE: range(1),
            Pace.TURN: range(SHORTEST_TURN, LONGEST_TURN + 1),
            Pace.DAYS: range(1, MOST_DAYS + 1),
        }[self.pace]
        if self.amount not in known:
            raise UserError("terms.bad_clock", low=known[0], high=known[-1])

    @property
    def seconds(self) -> int | None:
        """How many seconds a turn may take; None is no limit."""
        return {Pace.NONE: None, Pace.TURN: self.amount, Pace.DAYS: self.amount * DAY}[self.pace]


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before anyone sits down."""

    variant: Variant
    boards: BoardSet
    clock: Clock = Clock()
    hints: bool = True
    visibility: Visibility = Visibility.LINK
    first: int | None = None
    """R8: the chair that starts; None if that is drawn."""
    stand_in: str = STAND_IN
    daily: str | None = None
    """The day whose deal is played, such as ``2026-11-16``; None where the table has a deal of its own."""

    def passed_on(self, first: int) -> "Terms":
        """The same for a rematch, with the start passed on and a deal of its own."""
        return replace(self, first=first, daily=None)

    def game_at(self, table: str) -> str:
        """Under which name chance deals: the table's, or the day's."""
        return table if self.daily is None else daily_game(self.daily)


def make_terms(
    seats: int, edition: str, expansions: list[str], boards: BoardSet | None = None, **others: Any
) -> Terms:
    """Terms that can be played, or ``UserError``, or ``Refused`` by a rule."""
    if edition not in EDITIONS:
        raise UserError("record.unknown_edition", known=", ".join(EDITIONS))
    if not set(expansions) <= set(EXPANSIONS):
        raise UserError("record.bad_expansions", known=", ".join(EXPANSIONS))
    chosen = load_edition(edition).boards if boards is None else boards
    variant = Variant(seats, edition, REWARDS in expansions, WILD_BOAR in expansions, chosen.deck)
    refusal = variant_refusal(variant)
    if refusal is not None:
        raise Refused(refusal)
    check_boards(chosen, variant)
    terms = Terms(variant, chosen, **others)
    if terms.first is not None and terms.first not in range(seats):
        raise UserError("terms.bad_first", seats=seats)
    return terms


def write_terms(terms: Terms) -> Json:
    """Terms as JSON, for everyone to read; a day is named only where there is one."""
    daily = {} if terms.daily is None else {"daily": terms.daily}
    return {
        "seats": terms.variant.seats,
        "edition": terms.variant.edition,
        "expansions": list(terms.variant.expansions),
        "boards": {"name": terms.boards.name, "sha256": terms.boards.sha256},
        "clock": {"pace": terms.clock.pace.value, "amount": terms.clock.amount},
        "hints": terms.hints,
        "visibility": terms.visibility.value,
        "first": terms.first,
        "stand_in": terms.stand_in,
        **daily,
    }


def keep_terms(terms: Terms) -> Json:
    """Terms for the log: boards of one's own are kept whole."""
    kept = write_terms(terms)
    return kept if _is_shipped(terms.boards) else kept | {"boards": {"file": write_boards(terms.boards)}}


def kept_terms(kept: Json) -> Terms:
    """The terms that a log holds, or ``UserError`` or another error if it holds none."""
    clock = kept["clock"]
    for name, kind in (("expansions", list), ("hints", bool), ("stand_in", str)):
        if type(kept[name]) is not kind:
            raise TypeError(f"{name} is no {kind.__name__}")
    return make_terms(
        kept["seats"],
        kept["edition"],
        kept["expansions"],
        _kept_boards(kept["boards"]),
        clock=Clock(Pace(clock["pace"]), clock["amount"]),
        hints=kept["hints"],
        visibility=Visibility(kept["visibility"]),
        first=kept["first"],
        stand_in=kept["stand_in"],
        daily=_kept_day(kept.get("daily")),
    )


def _kept_day(kept: str | None) -> str | None:
    if kept is not None:
        daily_game(kept)  # ValueError if it is no day
    return kept


def _is_shipped(boards: BoardSet) -> bool:
    return boards.name in SHIPPED and boards == shipped_boards(boards.name)


def _kept_boards(kept: Json) -> BoardSet:
    """The boards that a table was set up with; those that come with the project may have changed since."""
    if "file" in kept:
        return parse_boards(kept["file"].encode("utf-8"))
    name = kept["name"]
    if name not in SHIPPED or shipped_boards(name).sha256 != kept["sha256"]:
        raise UserError("table.other_boards", name=name)
    return shipped_boards(name)
