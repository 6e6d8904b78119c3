"""A review: a game that is over, judged turn by turn."""

from typing import Annotated, Literal

from pydantic import Field

from .game_view import Edition, Expansion
from .scalars import SeatNumber, Secret, TurnText, WireModel

Shares = Annotated[list[float], Field(min_length=2, max_length=4, description="Per seat.")]


class ReviewStartedAnswer(WireModel):
    """The review that you have asked for."""

    review: Annotated[Secret, Field(description="Its id: whoever knows it may see the review.")]


class ReviewDroppedAnswer(WireModel):
    """Your review is deleted."""

    deleted: Annotated[bool, Field(description="Always true.")]


class ReviewAccount(WireModel):
    """How one seat came from where all begin to where it ended; the first four add up to the last."""

    start: Annotated[float, Field(description="The same for all: a fair part of the win, or no lead.")]
    skill: Annotated[float, Field(description="By turns of its own.")]
    others: Annotated[float, Field(description="By turns of the others.")]
    luck: Annotated[float, Field(description="By the deal, and by all that came after.")]
    end: Annotated[float, Field(description="Where it ended.")]
    error: Annotated[float, Field(description="The standard error of its skill.")]
    luck_error: Annotated[float, Field(description="That of its luck.")]


class ReviewSeat(WireModel):
    """A seat of the game, and what its win came from."""

    name: Annotated[str, Field(description="What the record calls it.")]
    player: Annotated[str | None, Field(description="Which computer player; null for a person.")] = None
    turns: Annotated[int, Field(ge=0, description="How many it played.")]
    missed: Annotated[int, Field(ge=0, description="In how many of them a better one was missed.")]
    win_share: Annotated[ReviewAccount, Field(description="Of its share of the win.")]
    lead: Annotated[ReviewAccount, Field(description="Of its points over the mean of the others.")]


class ReviewOutlook(WireModel):
    """What was to be expected at a moment."""

    win_share: Annotated[Shares, Field(description="The share of the win, which adds up to one.")]
    score: Annotated[Shares, Field(description="The points at the end.")]


class ReviewCost(WireModel):
    """What the best turn would have brought more to who played; below nought if it would not."""

    win_share: Annotated[float, Field(description="Of the win.")]
    win_share_error: Annotated[float, Field(description="Its standard error.")]
    lead: Annotated[float, Field(description="In points over the mean of the others.")]
    lead_error: Annotated[float, Field(description="Its standard error.")]


class ReviewChanges(WireModel):
    """What changed for every seat."""

    win_share: Annotated[Shares, Field(description="Of the share of the win.")]
    lead: Annotated[Shares, Field(description="Of the lead.")]


class ReviewTurn(WireModel):
    """A turn that was played, by what its seat could know."""

    turn: Annotated[int, Field(ge=1, description="Which one, counted from 1.")]
    round: Annotated[int, Field(ge=1, description="In which round.")]
    seat: Annotated[SeatNumber, Field(description="Whose.")]
    played: Annotated[TurnText, Field(description="What was played.")]
    best: Annotated[TurnText, Field(description="The best turn that was found; perhaps the same.")]
    missed: Annotated[bool, Field(description="Whether it is clearly better.")]
    why: Annotated[list[str], Field(description="Why it is, in sentences; none if it is not.")]
    before: Annotated[ReviewOutlook, Field(description="With the turn of a steward.")]
    after: Annotated[ReviewOutlook, Field(description="With the turn that was played.")]
    possible: Annotated[ReviewOutlook, Field(description="With the best turn.")]
    cost: Annotated[ReviewCost, Field(description="What it cost not to play the best one.")]
    skill: Annotated[ReviewChanges, Field(description="What the turn changed.")]
    luck: Annotated[ReviewChanges, Field(description="What happened between it and the next.")]


class ReviewPoint(WireModel):
    """A turning point: a large change of the win."""

    turn: Annotated[int, Field(ge=1, description="The turn that it was, or that it came after.")]
    cause: Annotated[
        Literal["skill", "missed", "luck"],
        Field(description="A turn that did much more or less than a steward's, one not seen, or luck."),
    ]
    seat: Annotated[SeatNumber, Field(description="Whose turn it was; of luck, whom it changed most.")]
    change: Annotated[float, Field(description="Of the win share of that seat.")]
    change_error: Annotated[float, Field(description="Its standard error.")]


class ReviewDocument(WireModel):
    """What was found; docs/analysis.md explains every figure."""

    edition: Annotated[Edition, Field(description="Which edition was played.")]
    expansions: Annotated[list[Expansion], Field(description="Which expansions were played.")]
    over: Annotated[bool, Field(description="Whether it was played to the last turn.")]
    rollouts: Annotated[int, Field(ge=1, description="Imagined games for each position.")]
    seats: Annotated[list[ReviewSeat], Field(min_length=2, max_length=4, description="In turn order.")]
    turns: Annotated[list[ReviewTurn], Field(description="Every turn, in order.")]
    positions: Annotated[
        list[ReviewOutlook],
        Field(description="Before each turn, all cards open, and after the last: one more than turns."),
    ]
    turning_points: Annotated[list[ReviewPoint], Field(max_length=3, description="In the order of the game.")]


class ReviewAnswer(WireModel):
    """A review, as far as it is."""

    state: Annotated[
        Literal["working", "ready", "stopped"],
        Field(description="`stopped`: it could not be finished; who asks for it again begins it again."),
    ]
    done: Annotated[int, Field(ge=0, description="Positions that were looked at.")]
    of: Annotated[int, Field(ge=2, description="Positions that there are.")]
    own: Annotated[bool, Field(description="Whether it is yours.")]
    document: Annotated[ReviewDocument | None, Field(description="What was found, when it is ready.")]
