"""Builders for tests: gardens from drawings, states around them, and random games."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from sanssouci.dealer import BulkGame, BulkStream, Stream, shuffled
from sanssouci.locale import UserError
from sanssouci.notation import parse_card, parse_column, parse_square
from sanssouci.players import RandomPlayer
from sanssouci.rules import (
    COLOUR_PAIRS,
    COLUMN,
    IMPERIAL,
    RAVENSBURGER,
    REWARD_SQUARES,
    ROW_1,
    Chance,
    Deal,
    Garden,
    Mark,
    State,
    Variant,
    deck_of,
    lay_out,
    members,
    pack_marks,
    set_of,
)

VARIANTS: tuple[Variant, ...] = tuple(
    Variant(seats, edition, rewards, boar)
    for seats in (2, 3, 4)
    for edition, boar in ((RAVENSBURGER, False), (IMPERIAL, False), (IMPERIAL, True))
    for rewards in (False, True)
)
"""Every combination of seats, editions and expansions."""


@contextmanager
def user_error(key: str, **details: object) -> Iterator[None]:
    """Expect a ``UserError`` with a key and details, either raised itself or as a detail of another."""
    with pytest.raises(UserError) as caught:
        yield
    errors = [caught.value, *(part for part in caught.value.details.values() if isinstance(part, UserError))]
    found = [error for error in errors if error.key == key]
    assert found, f"{key} is not among {[error.key for error in errors]}"
    assert found[0].details.items() >= details.items()


def squares(text: str) -> int:
    """A set of squares: ``squares("a3 c2")``."""
    return set_of([parse_square(name) for name in text.split()])


def cards(text: str) -> int:
    """A set of cards: ``cards("36 * a")``."""
    return set_of([parse_card(name) for name in text.split()])


def garden(drawing: str, marks: dict[str, Mark] | None = None) -> Garden:
    """A garden from six lines of nine signs, the palace above.

    ``.`` free, ``#`` structure or print, ``g`` gardener, ``N`` structure with a noble, ``b`` free with the
    boar. Nobles that are not drawn stand on the terrace.
    """
    signs = "".join(drawing.split())
    assert len(signs) == 54, "a garden has 54 squares"

    def where(wanted: str) -> int:
        return set_of([square for square, sign in enumerate(signs) if sign in wanted])

    nobles = where("N")
    assert all((nobles & column).bit_count() <= 1 for column in COLUMN), "one noble in a column"
    packed = pack_marks({parse_square(name): mark for name, mark in (marks or {}).items()})
    return Garden(ROW_1, where("#gN"), where("g"), nobles, where("b"), packed)


def display(text: str) -> int:
    """A display from ten motif letters, spaces 0 to 9."""
    return lay_out(tuple(parse_column(letter) for letter in text.replace(" ", "")))


def a_deal(variant: Variant = Variant()) -> Deal:  # noqa: B008 - a frozen value
    """A legal deal in which everything is in its natural order."""
    deck = members(variant.deck)
    return Deal(
        variant,
        (squares("a3 a5 c2 g2 h4 i3"),) * variant.seats,
        tuple((2 * seat, 2 * seat + 1) for seat in range(variant.seats)),
        (deck,) * variant.seats,
        tuple(motif for _ in range(variant.tiles_per_motif) for motif in range(9)),
        (a_reward_side(),) * variant.seats if variant.rewards else (),
    )


def a_reward_side() -> int:
    """A reward board with every kind of mark."""
    kinds = [Mark.PLUS_1, Mark.PLUS_2, Mark.PLUS_3, Mark.GARDENER_3, Mark.MINUS_2, Mark.MINUS_3]
    return pack_marks(dict(zip(REWARD_SQUARES[:12], kinds * 2, strict=True)))


def a_state(
    own: Garden | None = None,
    hand: str = "* a",
    tiles: str = "abcdefghia",
    variant: Variant = Variant(),  # noqa: B008 - a frozen value
) -> State:
    """A state in which seat 0 is to move with this garden, hand and display."""
    state = a_deal(variant).start()
    held = cards(hand)
    return replace(
        state,
        gardens=state.gardens if own is None else (own, *state.gardens[1:]),
        hands=(held, *state.hands[1:]),
        piles=(variant.deck & ~held, *state.piles[1:]),
        display=display(tiles),
    )


def any_chance(state: State) -> Chance:
    """A possible outcome of chance: the first tile and the first card that are left."""
    left = [motif for motif, count in enumerate(state.pouch) if count]
    pile = members(state.piles[state.to_move])
    return Chance(left[0] if left else None, pile[0] if pile else None)


def odd_deal(variant: Variant, stream: Stream) -> Deal:
    """A random deal on boards outside any set: any six squares, any marks, any eight pairs."""
    ground = tuple(
        square
        for square in range(9, 54)
        if square != 31 or not variant.wild_boar or variant.rewards  # R34
    )
    pairs = shuffled(COLOUR_PAIRS, stream)[:8]
    odd = replace(variant, deck=deck_of(tuple(sorted(pairs))))
    missions = shuffled(range(9), stream)
    tiles = [motif for motif in range(9) for _ in range(variant.tiles_per_motif)]

    def marks() -> int:
        marked = shuffled(REWARD_SQUARES, stream)[:12]
        return pack_marks({square: Mark(1 + stream.below(6)) for square in marked})

    return Deal(
        odd,
        tuple(set_of(shuffled(ground, stream)[:6]) for _ in range(variant.seats)),
        tuple(missions[2 * seat : 2 * seat + 2] for seat in range(variant.seats)),
        tuple(shuffled(members(odd.deck), stream) for _ in range(variant.seats)),
        shuffled(tiles, stream),
        tuple(marks() for _ in range(variant.seats)) if variant.rewards else (),
    )


def random_states(deal: Deal, stream: Stream) -> list[State]:
    """Every state of a game between random players, from the first to the last."""
    player = RandomPlayer(stream)
    states = [deal.start()]
    while not states[-1].over:
        state = states[-1]
        turn = player.decide(state.view(state.to_move))
        states.append(state.play(turn, deal.chance(state.turn)))
    return states


def stream(number: int) -> BulkStream:
    """An independent random stream for every number."""
    return BulkGame(bytes(32), number).stream(0)
