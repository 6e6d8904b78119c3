"""The settings of a table: variant, boards, time control, visibility."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, final

from typing_extensions import TypedDict

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
from sanssouci.notation import within
from sanssouci.notation.json_types import (
    ChairNumber,
    Count,
    DayText,
    EditionName,
    ExpansionName,
    HashText,
    JsonObject,
)
from sanssouci.rules import (
    EDITIONS,
    EXPANSIONS,
    REWARDS,
    SEATS,
    WILD_BOAR,
    Refused,
    Variant,
    variant_refusal,
)

STAND_IN = "level:3"
"""The computer player that stands in for people who are away."""
DAY = 86_400
SHORTEST_TURN, LONGEST_TURN, MOST_DAYS = 5, 6 * 3600, 30


class Visibility(Enum):
    OPEN = "open"
    """Listed; anyone may join or watch."""
    LINK = "link"
    """Only people with a link may join or watch."""


class TimeControlKind(Enum):
    NONE = "none"
    TURN = "turn"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time a person has for one turn. When it runs out, a stand-in plays."""

    kind: TimeControlKind = TimeControlKind.NONE
    amount: int = 0
    """Seconds, or days."""

    def __post_init__(self) -> None:
        known = {
            TimeControlKind.NONE: range(1),
            TimeControlKind.TURN: range(SHORTEST_TURN, LONGEST_TURN + 1),
            TimeControlKind.DAYS: range(1, MOST_DAYS + 1),
        }[self.kind]
        if self.amount not in known:
            raise UserError("terms.bad_clock", low=known[0], high=known[-1])

    @property
    def seconds(self) -> int | None:
        """The time limit of a turn in seconds, or None."""
        return {
            TimeControlKind.NONE: None,
            TimeControlKind.TURN: self.amount,
            TimeControlKind.DAYS: self.amount * DAY,
        }[self.kind]


@dataclass(frozen=True, slots=True)
class TableSettings:
    variant: Variant
    boards: BoardSet
    time_control: TimeControl = TimeControl()
    hints: bool = True
    visibility: Visibility = Visibility.LINK
    first: int | None = None
    """R8: the chair that starts; None to draw it."""
    stand_in: str = STAND_IN
    daily: str | None = None
    """The day of a daily garden, such as ``2026-11-16``; None where the table has its own deal."""

    def passed_on(self, first: int) -> "TableSettings":
        """The settings of a rematch, in which another chair starts. A rematch is not a daily garden."""
        return replace(self, first=first, daily=None)

    def game_at(self, table: str) -> str:
        """The game's name in the commitment and the shuffle: that of the table, or of the day."""
        return table if self.daily is None else daily_game(self.daily)


def make_settings(
    seats: int, edition: str, expansions: list[str], boards: BoardSet | None = None, **others: Any
) -> TableSettings:
    """Checked settings; ``UserError`` or ``Refused`` if they cannot be played."""
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
    settings = TableSettings(variant, chosen, **others)
    if settings.first is not None and settings.first not in range(seats):
        raise UserError("terms.bad_first", seats=seats)
    return settings


@final
class BoardsTerms(JsonObject):
    """The set of boards in play."""

    name: str
    """Its name."""
    sha256: HashText
    """The hash of its contents; /api/editions lists those of the boards supplied."""


@final
class OwnBoardsJson(TypedDict):
    file: str
    """The text of a boards file."""


class ClockTerms(JsonObject):
    """The time limit of a person's turn."""

    pace: Literal["none", "turn", "days"]
    """No limit, seconds per turn, or days per turn."""
    amount: Count
    """Seconds or days; 0 for no limit."""


class _SettingsFields(JsonObject):
    seats: Annotated[int, within(SEATS)]
    """The number of chairs."""
    edition: EditionName
    """The edition."""
    expansions: list[ExpansionName]
    """The expansions in play."""
    clock: ClockTerms
    """The time limit of a turn, after which a stand-in plays."""
    hints: bool
    """Whether hints are allowed."""
    visibility: Literal["open", "link"]
    """`open`: listed, and anyone may join or watch; `link`: only with a link."""
    first: ChairNumber | None
    """The chair that starts; null if it is drawn."""
    stand_in: str
    """The computer player that plays for people who are away."""
    daily: NotRequired[DayText]
    """The day of a daily garden; missing at other tables."""


class Terms(_SettingsFields):
    """The settings of a table."""

    boards: BoardsTerms


class SettingsJson(_SettingsFields):
    """The settings in the event log, which holds boards that are not shipped in full."""

    boards: OwnBoardsJson | BoardsTerms


def write_settings(settings: TableSettings) -> Terms:
    """The settings as everyone may see them."""
    written: Terms = {
        "seats": settings.variant.seats,
        "edition": settings.variant.edition,
        "expansions": list(settings.variant.expansions),
        "boards": {"name": settings.boards.name, "sha256": settings.boards.sha256},
        "clock": {"pace": settings.time_control.kind.value, "amount": settings.time_control.amount},
        "hints": settings.hints,
        "visibility": settings.visibility.value,
        "first": settings.first,
        "stand_in": settings.stand_in,
    }
    if settings.daily is not None:
        written["daily"] = settings.daily
    return written


def dump_settings(settings: TableSettings) -> SettingsJson:
    """The settings for the event log, with boards that are not shipped written out."""
    written = write_settings(settings)
    if _is_shipped(settings.boards):
        return {**written}
    return {**written, "boards": {"file": write_boards(settings.boards)}}


def load_settings(stored: SettingsJson) -> TableSettings:
    """The settings in an event log; ``UserError`` or ``Refused`` if they cannot be played."""
    clock = stored["clock"]
    return make_settings(
        stored["seats"],
        stored["edition"],
        stored["expansions"],
        _load_boards(stored["boards"]),
        time_control=TimeControl(TimeControlKind(clock["pace"]), clock["amount"]),
        hints=stored["hints"],
        visibility=Visibility(stored["visibility"]),
        first=stored["first"],
        stand_in=stored["stand_in"],
        daily=_load_day(stored.get("daily")),
    )


def _load_day(stored: str | None) -> str | None:
    if stored is not None:
        daily_game(stored)  # ValueError if it is no day
    return stored


def _is_shipped(boards: BoardSet) -> bool:
    return boards.name in SHIPPED and boards == shipped_boards(boards.name)


def _load_boards(stored: OwnBoardsJson | BoardsTerms) -> BoardSet:
    """The boards of a table; ``UserError`` if shipped boards have changed since it was set up."""
    if "file" in stored:
        return parse_boards(stored["file"].encode("utf-8"))
    name = stored["name"]
    if name not in SHIPPED or shipped_boards(name).sha256 != stored["sha256"]:
        raise UserError("table.other_boards", name=name)
    return shipped_boards(name)
