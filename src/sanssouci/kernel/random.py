"""The player ``random`` in the kernel: draw for draw what ``players.RandomPlayer`` decides."""

from sanssouci.rules.cards import takes
from sanssouci.rules.walk import noble_stops, tile_squares

from .bits import member
from .compiler import inlined
from .layout import BUILT, CONNECTED, DISPLAY, GARDENERS, HAND, NOBLES, Ints
from .options import boar_goals, own_square_of
from .play import finish, lay
from .rng import Words, below, one_of
from .turns import NO_NOBLE, NOBLE_GOES, coded


@inlined
def play_at_random(state: Ints, at: int, who: int, streams: Words) -> int:
    """Choose and play a turn, stage by stage: card, space, square, boar, noble; returns its code.

    The tile is laid before the noble is chosen, because the stops depend on it.
    """
    built = state[at + BUILT]
    card = one_of(streams, who, state[at + HAND])
    space = one_of(streams, who, takes(card, state[DISPLAY]))
    own = own_square_of(state, space)
    gardener = built >> own & 1
    square = one_of(streams, who, tile_squares(own, built))
    boar = one_of(streams, who, boar_goals(state, at, square))
    lay(state, at, square, gardener)
    stops = noble_stops(state[at + CONNECTED], state[at + GARDENERS], state[at + NOBLES])
    count = stops.bit_count()
    chosen = below(streams, who, count + 1)
    noble = NO_NOBLE if chosen == count else member(stops, chosen) + NOBLE_GOES
    finish(state, at, square, gardener, boar, noble)
    return coded(card, space, square, gardener, boar, noble)
