"""A review: a game that is over, judged turn by turn."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from .scalars import Edition, Expansion, SeatNumber, Secret, TurnText, WireDict

Shares = Annotated[list[float], Field(min_length=2, max_length=4)]
"""One figure per seat."""


class ReviewStartedAnswer(WireDict):
    """The review that you have asked for."""

    review: Secret
    """Its id: whoever knows it may see the review."""


class ReviewDroppedAnswer(WireDict):
    """Your review is deleted."""

    deleted: bool
    """Always true."""


class ReviewAccount(WireDict):
    """How one seat came from where all begin to where it ended; the first four add up to the last."""

    start: float
    """The same for all: a fair part of the win, or no lead."""
    skill: float
    """By turns of its own."""
    others: float
    """By turns of the others."""
    luck: float
    """By the deal, and by all that came after."""
    end: float
    """Where it ended."""
    error: float
    """The standard error of its skill."""
    luck_error: float
    """That of its luck."""


class ReviewSeat(WireDict):
    """A seat of the game, and what its win came from."""

    name: str
    """What the record calls it."""
    player: NotRequired[str | None]
    """Which computer player; null for a person."""
    turns: Annotated[int, Field(ge=0)]
    """How many it played."""
    missed: Annotated[int, Field(ge=0)]
    """In how many of them a better one was missed."""
    win_share: ReviewAccount
    """Of its share of the win."""
    lead: ReviewAccount
    """Of its points over the mean of the others."""


class ReviewOutlook(WireDict):
    """What was to be expected at a moment."""

    win_share: Shares
    """The share of the win, which adds up to one."""
    score: Shares
    """The points at the end."""


class ReviewCost(WireDict):
    """What the best turn would have brought more to who played; below nought if it would not."""

    win_share: float
    """Of the win."""
    win_share_error: float
    """Its standard error."""
    lead: float
    """In points over the mean of the others."""
    lead_error: float
    """Its standard error."""


class ReviewChanges(WireDict):
    """What changed for every seat."""

    win_share: Shares
    """Of the share of the win."""
    lead: Shares
    """Of the lead."""


class ReviewTurn(WireDict):
    """A turn that was played, by what its seat could know."""

    turn: Annotated[int, Field(ge=1)]
    """Which one, counted from 1."""
    round: Annotated[int, Field(ge=1)]
    """In which round."""
    seat: SeatNumber
    """Whose."""
    played: TurnText
    """What was played."""
    best: TurnText
    """The best turn that was found; perhaps the same."""
    missed: bool
    """Whether it is clearly better."""
    why: list[str]
    """Why it is, in sentences; none if it is not."""
    before: ReviewOutlook
    """With the turn of a steward."""
    after: ReviewOutlook
    """With the turn that was played."""
    possible: ReviewOutlook
    """With the best turn."""
    cost: ReviewCost
    """What it cost not to play the best one."""
    skill: ReviewChanges
    """What the turn changed."""
    luck: ReviewChanges
    """What happened between it and the next."""


class ReviewPoint(WireDict):
    """A turning point: a large change of the win."""

    turn: Annotated[int, Field(ge=1)]
    """The turn that it was, or that it came after."""
    cause: Literal["skill", "missed", "luck"]
    """A turn that did much more or less than a steward's, one not seen, or luck."""
    seat: SeatNumber
    """Whose turn it was; of luck, whom it changed most."""
    change: float
    """Of the win share of that seat."""
    change_error: float
    """Its standard error."""


class ReviewDocument(WireDict):
    """What was found; docs/analysis.md explains every figure."""

    edition: Edition
    """Which edition was played."""
    expansions: list[Expansion]
    """Which expansions were played."""
    over: bool
    """Whether it was played to the last turn."""
    rollouts: Annotated[int, Field(ge=1)]
    """Imagined games for each position."""
    seats: Annotated[list[ReviewSeat], Field(min_length=2, max_length=4)]
    """In turn order."""
    turns: list[ReviewTurn]
    """Every turn, in order."""
    positions: list[ReviewOutlook]
    """Before each turn, all cards open, and after the last: one more than turns."""
    turning_points: Annotated[list[ReviewPoint], Field(max_length=3)]
    """In the order of the game."""


class ReviewAnswer(WireDict):
    """A review, as far as it is."""

    state: Literal["working", "ready", "stopped"]
    """`stopped`: it could not be finished; who asks for it again begins it again."""
    done: Annotated[int, Field(ge=0)]
    """Positions that were looked at."""
    of: Annotated[int, Field(ge=2)]
    """Positions that there are."""
    own: bool
    """Whether it is yours."""
    document: ReviewDocument | None
    """What was found, when it is ready."""
