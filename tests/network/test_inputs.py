"""The inputs of the network: each is what its description says, and hides what the seat may not know."""

from dataclasses import replace

import numpy as np

from sanssouci.kernel import encode, flatten, flatten_view
from sanssouci.kernel.layout import Ints, seat_at
from sanssouci.kernel.play import play
from sanssouci.network import fill_inputs, mirror_inputs, words_of
from sanssouci.rules import (
    COLUMN,
    COLUMNS,
    EMPTY,
    REWARD_SQUARES,
    ROW,
    Garden,
    Mark,
    State,
    Turn,
    View,
    lay_out,
    members,
    pack_marks,
    set_of,
    stroll,
    tiles_on,
)
from sanssouci.rules.cards import takes
from sanssouci.rules.display import with_tile
from sanssouci.rules.rewards import marked_squares
from sanssouci.rules.state import turn_score
from sanssouci.rules.walk import neighbours, noble_stops, own_square

from .networks import positions


def inputs(flat: Ints, seat: int, turn: Turn) -> list[int]:
    """The words after a turn."""
    words = np.full(words_of(4), -1, np.int64)
    play(flat, seat_at(seat), encode(turn))
    fill_inputs(flat, seat, encode(turn), words)
    return [int(word) for word in words]


def expected(view: View, turn: Turn) -> list[int]:
    """The words from the values of the rules, one after the other as they are documented."""
    seat, seats = view.to_move, view.variant.seats
    own = view.gardens[seat].after(turn)
    others = [view.gardens[(seat + 1 + place) % seats] for place in range(seats - 1)]
    points = turn_score(view.gardens[seat], view.scores[seat], turn).total
    leads = [points - view.scores[(seat + 1 + place) % seats].total for place in range(seats - 1)]
    display = with_tile(view.display, turn.space, EMPTY)
    tiles = [own_square(motif, space) for space, motif in enumerate(tiles_on(display)) if motif is not None]
    kept = view.hand & ~(1 << turn.card)
    takeable = takes(members(kept)[0], display) if kept else 0
    missions = view.missions[seat]
    assert missions is not None
    columns = COLUMN[missions[0]] | COLUMN[missions[1]]
    stops = noble_stops(own.connected, own.gardeners, own.nobles)
    cut = own.built & ~own.connected
    beside = neighbours(own.connected) & ~own.built
    words = [
        1 << view.turn // seats
        | 1 << 18 + seats - 2
        | 1 << 21 + seat
        | view.variant.rewards << 25
        | view.variant.wild_boar << 26,
        set_of(9 * level + motif for motif, left in enumerate(view.pouch) for level in range(min(left, 7))),
        sum(view.unplayed[(seat + 1 + place) % seats] << 20 * place for place in range(seats - 1)),
        sum(1 << 21 * place + min(max((lead + 31) // 3, 0), 20) for place, lead in enumerate(leads)),
        own.nobles,
        stops,
        own.nobles & columns,
        stops & columns,
        own.built,
        own.gardeners,
        own.connected,
        beside,
        stroll(neighbours(beside) & cut, cut),
        row_gaps(own),
        column_gaps(own),
        marks(own, 1),
        marks(own, 4),
        own.boar,
        stroll(own.boar, own.free),
        kept | view.pile << 20 | set_of(missions) << 40,
        set_of(tiles),
        set_of(square for square in tiles if tiles.count(square) == 2),
        set_of(tiles) & own.free,
        set_of(
            own_square(motif, space)
            for space, motif in enumerate(tiles_on(display))
            if motif is not None and takeable >> space & 1
        ),
    ]
    for other in others:
        words += [
            set_of(tiles) & other.free,
            other.built,
            other.gardeners,
            other.connected,
            neighbours(other.connected) & other.free,
            row_gaps(other),
            column_gaps(other),
            other.nobles,
            noble_stops(other.connected, other.gardeners, other.nobles),
            marks(other, 1),
            marks(other, 4),
            stroll(other.boar, other.free),
        ]
    return words + [0] * (words_of(4) - len(words))


def row_gaps(garden: Garden) -> int:
    return set_of(5 * (ROW[row] & garden.free).bit_count() + row - 2 for row in range(2, 7))


def column_gaps(garden: Garden) -> int:
    return set_of(9 * (COLUMN[column] & garden.free).bit_count() + column for column in COLUMNS)


def marks(garden: Garden, kind: int) -> int:
    return set_of(
        16 * (mark - kind) + REWARD_SQUARES.index(square)
        for square, mark in marked_squares(garden.marks).items()
        if kind <= mark < kind + 3 and garden.free >> square & 1
    )


def some_turns(state: State) -> list[Turn]:
    """A few turns, the first and the last among them."""
    turns = list(state.options())
    return turns[:: max(1, len(turns) // 4)] + turns[-1:]


def test_every_word_is_what_the_rules_say() -> None:
    """In every variant, on odd boards, from a view and from the state it shows."""
    for state in positions():
        for turn in some_turns(state):
            view = state.view(state.to_move)
            words = expected(view, turn)
            assert inputs(flatten_view(view), state.to_move, turn) == words
            assert inputs(flatten(state), state.to_move, turn) == words, "nothing hidden is read"


def test_mirrored_gardens_have_mirrored_inputs() -> None:
    """Training uses every position twice: gardens and motifs can be mirrored together."""
    order = mirror_inputs(words_of(4))
    assert sorted(order) == list(range(len(order)))
    for state in positions(11):
        for turn in some_turns(state):
            plain = bits(inputs(flatten(state), state.to_move, turn))
            other = bits(inputs(flatten(mirrored(state)), state.to_move, mirrored_turn(turn)))
            assert (plain == other[order]).all()


def bits(words: list[int]) -> np.ndarray:
    return np.unpackbits(np.array(words, np.int64).view(np.uint8), bitorder="little")


def mirrored(state: State) -> State:
    return replace(
        state,
        gardens=tuple(mirrored_garden(garden) for garden in state.gardens),
        hands=tuple(map(mirrored_cards, state.hands)),
        piles=tuple(map(mirrored_cards, state.piles)),
        missions=tuple(tuple(8 - mission for mission in missions) for missions in state.missions),
        display=lay_out(tuple(EMPTY if motif is None else 8 - motif for motif in tiles_on(state.display))),
        pouch=state.pouch[::-1],
    )


def mirrored_garden(garden: Garden) -> Garden:
    shown = {mirrored_square(square): Mark(mark) for square, mark in marked_squares(garden.marks).items()}
    return Garden(
        mirrored_squares(garden.printed),
        mirrored_squares(garden.built),
        mirrored_squares(garden.gardeners),
        mirrored_squares(garden.nobles),
        mirrored_squares(garden.boar),
        pack_marks(shown),
    )


def mirrored_squares(squares: int) -> int:
    return set_of(mirrored_square(square) for square in members(squares))


def mirrored_square(square: int) -> int:
    return 9 * (square // 9) + 8 - square % 9


def mirrored_cards(cards: int) -> int:
    return set_of(8 - card if card < 9 else card for card in members(cards))


def mirrored_turn(turn: Turn) -> Turn:
    boar = turn.boar if turn.boar is None or turn.boar < 0 else mirrored_square(turn.boar)
    noble = None if turn.noble is None else mirrored_square(turn.noble)
    card = 8 - turn.card if turn.card < 9 else turn.card
    return Turn(card, turn.space, mirrored_square(turn.square), turn.gardener, boar, noble)
