"""Facts about the card that stays in hand (R15-R17)."""

from collections.abc import Iterator

from sanssouci.rules import (
    EMPTY,
    FREE,
    Card,
    Display,
    Options,
    members,
    motif_on,
    row_of,
    showing,
    takes,
    turn_score,
    with_tile,
)

from ..candidate import Candidate
from ..gains import best_stop, laying_points
from ..reason import Reason

_WORTH_A_WORD = 3
"""Minimum points of a later turn for it to be a reason to keep a card."""


def card_facts(step: Candidate) -> Iterator[Reason]:
    """The uses of the other card in the hand."""
    if step.kept is None:
        return
    display = with_tile(step.view.display, step.turn.space, EMPTY)
    yield from _free_choice(step, step.kept, display)
    yield from _next_turn(step, step.kept, display)


def _free_choice(step: Candidate, card: Card, display: Display) -> Iterator[Reason]:
    """R16, R17: a motif card without its motif on display takes any tile."""
    if card == FREE:
        yield Reason.of("keeps_choice", 0.5, card=card)
    elif card < 9 and not showing(display, card):
        if showing(step.view.display, card):
            yield Reason.of("becomes_free", 0.9, card=card)
        else:
            yield Reason.of("stays_free", 0.4, card=card)


def _next_turn(step: Candidate, card: Card, display: Display) -> Iterator[Reason]:
    """The best next turn of the card, with a tile that it needs."""
    options = Options(1 << card, display, step.after)
    score = turn_score(step.before, step.score, step.turn)
    idle = max(map(row_of, members(step.stops_after)), default=0)
    best = max(_WORTH_A_WORD, idle)
    found = None
    for space in members(takes(card, display)):
        square = options.own_square(space)
        if options.gardener(space):
            continue
        points = laying_points(options, space, square, score) + best_stop(options, square, gardener=False)
        if points > best:
            best, found = points, (space, square)
    if found is not None:
        space, square = found
        tile = motif_on(display, space)
        yield Reason.of("kept_next", 0.2 * best, card=card, tile=tile, square=square, points=best)
