"""Why a turn is refused. Of several reasons the first in the order of a turn is given: the card (R14),
the space (R15-R17), the square (R18, R19), the boar (R34-R36), the noble (R20).
"""

from dataclasses import replace

from .cards import FREE, Card, Cards, takes
from .display import Display, Space, motif_on, showing
from .garden import Garden
from .refusal import Refusal, RefusalCode
from .squares import SQUARES, Squares, column_of
from .turn import LEAVES, Turn
from .walk import gardener_squares, own_square, passed


def turn_refusal(hand: Cards, display: Display, garden: Garden, turn: Turn) -> Refusal | None:
    """Why a seat with this hand and garden may not play a turn, or None if it may."""
    if turn.card < 0 or not hand >> turn.card & 1:
        return Refusal.of(RefusalCode.CARD_NOT_IN_HAND, card=turn.card)
    if turn.space < 0 or not takes(turn.card, display) >> turn.space & 1:
        return _space_refusal(turn.card, turn.space, display)
    own = own_square(motif_on(display, turn.space), turn.space)
    return (
        _square_refusal(turn, own, garden)
        or _boar_refusal(turn, garden)
        or (_noble_refusal(turn, garden) if turn.noble is not None else None)
    )


def _space_refusal(card: Card, space: Space, display: Display) -> Refusal:
    if 9 <= card < FREE:
        code = RefusalCode.SPACE_OF_OTHER_ROW
    elif card != FREE and showing(display, card):
        code = RefusalCode.SPACE_OF_OTHER_MOTIF
    else:
        code = RefusalCode.NO_TILE_THERE
    return Refusal.of(code, card=card, space=space)


def _square_refusal(turn: Turn, own: int, garden: Garden) -> Refusal | None:
    """R18 speaks of the square of a structure, R19 of gardeners."""
    own_is_free = not garden.built >> own & 1
    if turn.square != own and (own_is_free or not turn.gardener):
        return Refusal.of(RefusalCode.NOT_ITS_OWN_SQUARE, square=turn.square, own=own)
    if own_is_free:
        return Refusal.of(RefusalCode.GARDENER_BY_CHOICE, own=own) if turn.gardener else None
    if not turn.gardener:
        return Refusal.of(RefusalCode.OWN_SQUARE_BUILT, own=own)
    if turn.square in SQUARES and gardener_squares(own, garden.built) >> turn.square & 1:
        return None
    if turn.square in SQUARES and garden.built >> turn.square & 1:
        return Refusal.of(RefusalCode.GARDENER_ON_BUILT_SQUARE, square=turn.square)
    return Refusal.of(RefusalCode.GARDENER_OUT_OF_LINE, square=turn.square, own=own)


def _boar_refusal(turn: Turn, garden: Garden) -> Refusal | None:
    if garden.boar >> turn.square & 1:
        return _boar_move_refusal(turn.boar, garden.boar_squares_after(turn.square))
    if turn.boar is None:
        return None
    return Refusal.of(RefusalCode.BOAR_NOT_DISTURBED if garden.boar else RefusalCode.NO_BOAR)


def _boar_move_refusal(goal: int | None, goals: Squares) -> Refusal | None:
    if not goals:
        return None if goal == LEAVES else Refusal.of(RefusalCode.BOAR_MUST_LEAVE)
    if goal is None:
        return Refusal.of(RefusalCode.BOAR_MUST_MOVE)
    if goal == LEAVES:
        return Refusal.of(RefusalCode.BOAR_MAY_NOT_LEAVE)
    in_reach = goal in SQUARES and goals >> goal & 1
    return None if in_reach else Refusal.of(RefusalCode.BOAR_OUT_OF_REACH, square=goal)


def _noble_refusal(turn: Turn, garden: Garden) -> Refusal | None:
    stop = turn.noble
    assert stop is not None
    if stop in SQUARES and garden.noble_stops_after(turn.square, turn.gardener) >> stop & 1:
        return None
    laid = garden.after(replace(turn, noble=None))
    if stop not in SQUARES or not laid.built >> stop & 1:
        code = RefusalCode.NOBLE_ON_FREE_SQUARE
    elif laid.gardeners >> stop & 1:
        code = RefusalCode.NOBLE_ON_GARDENER
    elif passed(garden.nobles) >> stop & 1:
        code = RefusalCode.NOBLE_NOT_LOWER
    else:
        code = RefusalCode.NOBLE_NOT_CONNECTED
    return Refusal.of(code, square=stop, column=column_of(stop))
