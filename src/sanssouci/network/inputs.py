"""The inputs of a value network: what a seat knows after its turn, as words of up to 63 bits.

The network judges an *afterstate*: a seat has played its turn, and neither the refill nor the draw is known.
All words are derived from what that seat may know. No input names a garden, so any printed squares are judged
alike.

::

    0 SITUATION  bits 0-17 the round, 18-20 two to four seats, 21-24 the seat, 25 rewards, 26 wild boar
    1 POUCH      9 k + m: more than k tiles of motif m are left in the pouch, k from 0 to 6
    2 UNPLAYED   20 bits for each other seat: the cards it has not played
    3 LEAD       21 bits for each other seat: its own lead in steps of three points, one bit set
    4-7          its own nobles, their stops, and both in the columns of the missions
    8-18         the rest of its own garden
    19 CARDS     20 bits the kept card, 20 its own pile, 9 the missions
    20-23        the tiles on the display by their squares: shown, shown twice, free in its own garden,
                 and those that the kept card could take
    24 + 12 k    the garden of the seat that plays k + 1 places later, 12 words

Most words are sets of squares. Numbers are one-hot: ``5 * missing + row - 2`` for rows, ``9 * missing +
column`` for columns, ``16 * kind + place`` for reward marks on free squares. A word that does not apply is 0.
"""

import numpy as np
import numpy.typing as npt

from sanssouci.kernel.bits import first
from sanssouci.kernel.compiler import compiled
from sanssouci.kernel.layout import (
    BOAR,
    BUILT,
    CONNECTED,
    DISPLAY,
    EXPANSIONS,
    FIRST,
    GARDENERS,
    HAND,
    HEADER,
    MARKS,
    MOST_SEATS,
    NOBLES,
    PILE,
    POUCH,
    SEAT_SIZE,
    SEATS,
    SECOND,
    TURN,
    Ints,
)
from sanssouci.kernel.play import points_so_far
from sanssouci.rules import ALL, COLUMN, EMPTY, REWARD_SQUARES, ROW
from sanssouci.rules.cards import takes
from sanssouci.rules.display import motif_on, with_tile
from sanssouci.rules.walk import neighbours, noble_stops, own_square, stroll

SITUATION, POUCH_WORD, UNPLAYED, LEAD, OWN_NOBLES, OWN_STOPS, MISSION_NOBLES, MISSION_STOPS = range(8)
OWN_BUILT, OWN_GARDENERS, OWN_CONNECTED, OWN_BESIDE, OWN_NEAR, OWN_ROWS, OWN_COLUMNS = range(8, 15)
OWN_GAINS, OWN_LOSSES, OWN_BOAR, OWN_BOAR_AREA = range(15, 19)
CARDS, SHOWN, SHOWN_TWICE, SHOWN_FREE, KEPT_TAKES = range(19, 24)
OTHERS = 24
OTHER_SIZE = 12
TILES_FREE, BUILT_THERE, GARDENERS_THERE, CONNECTED_THERE, BESIDE_THERE, ROWS_THERE = range(6)
COLUMNS_THERE, NOBLES_THERE, STOPS_THERE, GAINS_THERE, LOSSES_THERE, AREA_THERE = range(6, 12)
BY_NOBLE, BY_TILE = LEAD, OWN_BUILT
"""The words from BY_NOBLE on differ between turns of one list; those from BY_TILE on only if more than the
noble's move
differs, and from OTHERS on only TILES_FREE."""
MOST_WORDS = OTHERS + OTHER_SIZE * (MOST_SEATS - 1)
BITS = 64
"""Inputs a word; bit 63 is never set."""

_ROUND_BITS, _SEATS_BITS, _SEAT_BITS, _EXPANSION_BITS = 0, 18, 21, 25
_CARD_BITS = 20
_LEADS, _LEAD_STEP = 21, 3
_POUCH_LEVELS = 7
_PLACES = len(REWARD_SQUARES)
_SQUARE_OF_PLACE = np.array(REWARD_SQUARES, np.int64)


def words_of(seats: int) -> int:
    """How many words describe a game of this many seats."""
    return OTHERS + OTHER_SIZE * (seats - 1)


@compiled
def fill_inputs(state: Ints, seat: int, turn: int, words: Ints) -> None:
    """Fill ``words`` after ``play`` has played ``turn``, before ``answer``."""
    fill_situation(state, seat, words)
    fill_display(state, seat, turn, words)
    fill_own_ground(state, seat, words)
    fill_own_nobles(state, seat, words)


@compiled
def fill_situation(state: Ints, seat: int, words: Ints) -> None:
    """Fill everything that the own turn does not change."""
    seats = state[SEATS]
    words[SITUATION] = (
        1 << (_ROUND_BITS + state[TURN] // seats)
        | 1 << (_SEATS_BITS + seats - 2)
        | 1 << (_SEAT_BITS + seat)
        | state[EXPANSIONS] << _EXPANSION_BITS
    )
    pouch = 0
    for motif in range(9):
        count = min(state[POUCH] >> 4 * motif & 15, _POUCH_LEVELS)
        for level in range(count):
            pouch |= 1 << (9 * level + motif)
    words[POUCH_WORD] = pouch
    unplayed = 0
    for place in range(seats - 1):
        at = HEADER + SEAT_SIZE * ((seat + 1 + place) % seats)
        unplayed |= (state[at + HAND] | state[at + PILE]) << _CARD_BITS * place
        _fill_other_garden(state, at, words, OTHERS + OTHER_SIZE * place)
    words[UNPLAYED] = unplayed
    for word in range(OTHERS + OTHER_SIZE * (seats - 1), words.size):
        words[word] = 0


@compiled
def _fill_other_garden(state: Ints, at: int, words: Ints, start: int) -> None:
    built, gardeners, connected = state[at + BUILT], state[at + GARDENERS], state[at + CONNECTED]
    words[start + BUILT_THERE] = built
    words[start + GARDENERS_THERE] = gardeners
    words[start + CONNECTED_THERE] = connected
    words[start + BESIDE_THERE] = neighbours(connected) & ~built
    words[start + ROWS_THERE] = row_gaps(built)
    words[start + COLUMNS_THERE] = column_gaps(built)
    words[start + NOBLES_THERE] = state[at + NOBLES]
    words[start + STOPS_THERE] = noble_stops(connected, gardeners, state[at + NOBLES])
    words[start + GAINS_THERE] = marked(state[at + MARKS], built, 1)
    words[start + LOSSES_THERE] = marked(state[at + MARKS], built, 4)
    words[start + AREA_THERE] = stroll(state[at + BOAR], ALL & ~built)


@compiled
def fill_own_ground(state: Ints, seat: int, words: Ints) -> None:
    """Fill what the tile and the boar change in the own garden; the display must have been filled."""
    at = HEADER + SEAT_SIZE * seat
    built, connected, marks = state[at + BUILT], state[at + CONNECTED], state[at + MARKS]
    beside, cut = neighbours(connected) & ~built, built & ~connected
    words[OWN_BUILT] = built
    words[OWN_GARDENERS] = state[at + GARDENERS]
    words[OWN_CONNECTED] = connected
    words[OWN_BESIDE] = beside
    words[OWN_NEAR] = stroll(neighbours(beside) & cut, cut)
    words[OWN_ROWS] = row_gaps(built)
    words[OWN_COLUMNS] = column_gaps(built)
    words[OWN_GAINS] = marked(marks, built, 1)
    words[OWN_LOSSES] = marked(marks, built, 4)
    words[OWN_BOAR] = state[at + BOAR]
    words[OWN_BOAR_AREA] = stroll(state[at + BOAR], ALL & ~built)
    words[SHOWN_FREE] = words[SHOWN] & ~built


@compiled
def fill_own_nobles(state: Ints, seat: int, words: Ints) -> None:
    """Fill what the move of a noble changes: nobles, stops and the lead."""
    at, seats = HEADER + SEAT_SIZE * seat, state[SEATS]
    nobles = state[at + NOBLES]
    stops = noble_stops(state[at + CONNECTED], state[at + GARDENERS], nobles)
    missions = COLUMN[state[at + FIRST]] | COLUMN[state[at + SECOND]]
    words[OWN_NOBLES] = nobles
    words[OWN_STOPS] = stops
    words[MISSION_NOBLES] = nobles & missions
    words[MISSION_STOPS] = stops & missions
    own, lead = points_so_far(state, at), 0
    for place in range(seats - 1):
        other = points_so_far(state, HEADER + SEAT_SIZE * ((seat + 1 + place) % seats))
        step = (own - other + _LEAD_STEP * _LEADS // 2) // _LEAD_STEP
        lead |= 1 << (_LEADS * place + min(max(step, 0), _LEADS - 1))
    words[LEAD] = lead


@compiled
def fill_display(state: Ints, seat: int, turn: int, words: Ints) -> None:
    """Fill the own cards and the display without the tile that ``turn`` took."""
    at, seats = HEADER + SEAT_SIZE * seat, state[SEATS]
    display = with_tile(state[DISPLAY], turn >> 5 & 15, EMPTY)
    kept = state[at + HAND] & ~(1 << (turn & 31))
    missions = 1 << state[at + FIRST] | 1 << state[at + SECOND]
    words[CARDS] = kept | state[at + PILE] << _CARD_BITS | missions << 2 * _CARD_BITS
    taken = takes(first(kept), display) if kept != 0 else 0
    shown, twice, takeable = 0, 0, 0
    for space in range(10):
        motif = motif_on(display, space)
        if motif != EMPTY:
            square = 1 << own_square(motif, space)
            twice |= shown & square
            shown |= square
            if taken >> space & 1:
                takeable |= square
    words[SHOWN] = shown
    words[SHOWN_TWICE] = twice
    words[KEPT_TAKES] = takeable
    for place in range(seats - 1):
        other = HEADER + SEAT_SIZE * ((seat + 1 + place) % seats)
        words[OTHERS + OTHER_SIZE * place + TILES_FREE] = shown & ~state[other + BUILT]


@compiled
def row_gaps(built: int) -> int:
    """How many squares the rows 2-6 miss, one-hot."""
    gaps = 0
    for row in range(2, 7):
        gaps |= 1 << (5 * (9 - (built & ROW[row]).bit_count()) + row - 2)
    return gaps


@compiled
def column_gaps(built: int) -> int:
    """How many squares the columns miss, one-hot."""
    gaps = 0
    for column in range(9):
        gaps |= 1 << (9 * (6 - (built & COLUMN[column]).bit_count()) + column)
    return gaps


@compiled
def marked(marks: int, built: int, kind: int) -> int:
    """The free squares of a reward board with one of three kinds of marks, from ``kind`` on, one-hot."""
    found = 0
    if marks != 0:
        for place in range(_PLACES):
            mark = (marks >> 3 * place & 7) - kind
            if 0 <= mark < 3 and not built >> _SQUARE_OF_PLACE[place] & 1:
                found |= 1 << (_PLACES * mark + place)
    return found


def mirror_inputs(words: int) -> npt.NDArray[np.int64]:
    """``[64 * words]``: where each input goes when gardens and motifs are mirrored left to right."""
    bits = np.arange(BITS)
    lanes = np.where(bits < 63, 9 * (bits // 9) + 8 - bits % 9, bits)
    cards = bits.copy()
    for start in range(0, 60, _CARD_BITS):  # the missions, bits 40-48 of CARDS, are mirrored like motif cards
        cards[start : start + 9] = start + 8 - np.arange(9)
    places = bits.copy()
    for place, square in enumerate(REWARD_SQUARES):
        mirrored = REWARD_SQUARES.index(9 * (square // 9) + 8 - square % 9)
        places[place : 3 * _PLACES : _PLACES] = mirrored + _PLACES * np.arange(3)
    orders = {
        SITUATION: bits, UNPLAYED: cards, CARDS: cards, LEAD: bits,
        OWN_ROWS: bits, OWN_GAINS: places, OWN_LOSSES: places,
    }  # fmt: skip
    for start in range(OTHERS, MOST_WORDS, OTHER_SIZE):
        orders |= {start + ROWS_THERE: bits, start + GAINS_THERE: places, start + LOSSES_THERE: places}
    return np.concatenate([BITS * word + orders.get(word, lanes) for word in range(words)])
