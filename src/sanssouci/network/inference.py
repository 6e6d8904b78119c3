"""A value network in 16-bit integers: one hidden layer, updated incrementally between the turns of a list.

::

    words -> hidden = bias + the rows of all inputs that are set      (int16, unit 1 / 2 ** hidden_shift)
          -> relu -> three outputs of the afterstate's bucket         (round and expansions)

The outputs are the seat's own points still to come and those of the best other seat, both in twentieths, and
the logit of the win. Two turns of a list differ in only a few inputs, so most of the hidden layer is kept.
The sums are integers, so they do not depend on the order of additions or on whether the code is compiled.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.kernel.bits import first
from sanssouci.kernel.compiler import COMPILES, compiled
from sanssouci.kernel.layout import (
    BOAR,
    BUILT,
    EXPANSIONS,
    FIRST,
    HEADER,
    NOBLES,
    SEAT_SIZE,
    SEATS,
    SECOND,
    TURN,
    Ints,
)
from sanssouci.kernel.play import play, points_so_far
from sanssouci.rules import ROUNDS
from sanssouci.rules.scoring import end_points

from .inputs import (
    BITS,
    BY_NOBLE,
    BY_TILE,
    OTHER_SIZE,
    OTHERS,
    fill_display,
    fill_own_ground,
    fill_own_nobles,
    fill_situation,
)

Shorts: TypeAlias = npt.NDArray[np.int16]

OWN_OUTPUT, OTHER_OUTPUT, WIN_OUTPUT, OUTPUTS = range(4)
FEWEST_SEATS, SEAT_NUMBERS = 2, 3
"""Games have two, three or four seats."""
BUCKETS = 4 * ROUNDS
"""The output weights depend on the round and on the expansions."""
UNIT = 1024
"""A point, and a certain win, in the integers of ``judge_turns``."""
SCALE = 20
"""Points in one unit of an output."""
WIN_POINTS = 3
"""What a win is worth in points."""
CARD_AND_SPACE = 511
ALL_BUT_NOBLE = (1 << 22) - 1
"""Bits of a turn's code (see ``kernel.turns``)."""
_FIT_BITS, _LOGIT_BITS, _SHARES = 12, 8, 4096
FIT_UNIT = 1 << _FIT_BITS
"""A slope of 1, and an offset of 1, in ``Layers.win_fits``."""
SHARES = np.round(UNIT / (1 + np.exp(-(np.arange(_SHARES) - _SHARES // 2) / (1 << _LOGIT_BITS)))).astype(
    np.int64
)
"""The share of the win for each logit from -8 to 8, in steps of 1/256."""


class Layers(NamedTuple):
    """The arrays of a network, as compiled code takes them."""

    weights: Shorts
    """``[64 * words, hidden]``"""
    bias: Shorts
    """``[hidden]``"""
    outputs: Shorts
    """``[BUCKETS, 3, hidden]``"""
    output_bias: Ints
    """``[BUCKETS, 3]``"""
    shift: Ints
    """``[1]``: an output is its sum divided by ``2 ** shift``."""
    win_fits: Ints
    """``[3, BUCKETS, 2]``: the slope and the offset that calibrate the logit of the win, for two to four
    seats."""


class Scratch(NamedTuple):
    """Memory that ``judge_turns`` reuses."""

    words: Ints
    """``[words]``: the inputs of the turn that was judged last."""
    applied: Ints
    """``[words]``: the inputs that the hidden layer includes."""
    hidden: Shorts
    """``[hidden]``"""
    seat: Ints
    """``[20]``: the own seat before the turn."""
    on: Ints
    """``[4]``: inputs to switch on together."""
    off: Ints
    """``[4]``: inputs to switch off together."""


def no_fits() -> Ints:
    """``Layers.win_fits`` of a network that is not calibrated."""
    return np.tile(np.array([FIT_UNIT, 0]), (SEAT_NUMBERS, BUCKETS, 1))


def scratch_for(layers: Layers) -> Scratch:
    """Scratch memory for one thread."""
    words = len(layers.weights) // BITS
    return Scratch(
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros_like(layers.bias),
        np.zeros(SEAT_SIZE, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
    )


if COMPILES:

    @compiled
    def add_row(hidden: Shorts, rows: Shorts, row: int) -> None:
        for unit in range(hidden.size):
            hidden[unit] += rows[row, unit]

    @compiled
    def subtract_row(hidden: Shorts, rows: Shorts, row: int) -> None:
        for unit in range(hidden.size):
            hidden[unit] -= rows[row, unit]

    @compiled
    def exchange_rows(hidden: Shorts, rows: Shorts, on: int, off: int) -> None:
        for unit in range(hidden.size):
            hidden[unit] += rows[on, unit] - rows[off, unit]

    @compiled
    def add_rows(hidden: Shorts, rows: Shorts, on: Ints) -> None:
        one, two, three, four = on[0], on[1], on[2], on[3]
        for unit in range(hidden.size):
            hidden[unit] += rows[one, unit] + rows[two, unit] + rows[three, unit] + rows[four, unit]

    @compiled
    def subtract_rows(hidden: Shorts, rows: Shorts, off: Ints) -> None:
        one, two, three, four = off[0], off[1], off[2], off[3]
        for unit in range(hidden.size):
            hidden[unit] -= rows[one, unit] + rows[two, unit] + rows[three, unit] + rows[four, unit]

    @compiled
    def copy_row(hidden: Shorts, row: Shorts) -> None:
        for unit in range(hidden.size):
            hidden[unit] = row[unit]

    @compiled
    def output_sum(hidden: Shorts, outputs: Shorts, bucket: int, output: int) -> int:
        # 32-bit sums vectorise best. A partial sum may wrap around; the complete one fits (see ``quantise``).
        total = np.int32(0)
        for unit in range(hidden.size):
            value = np.int32(max(hidden[unit], np.int16(0)))
            total = np.int32(total + np.int32(value * np.int32(outputs[bucket, output, unit])))
        return np.int64(total)  # type: ignore[return-value]

else:

    def add_row(hidden: Shorts, rows: Shorts, row: int) -> None:
        """Switch one input on."""
        hidden += rows[row]

    def subtract_row(hidden: Shorts, rows: Shorts, row: int) -> None:
        """Switch one input off."""
        hidden -= rows[row]

    def exchange_rows(hidden: Shorts, rows: Shorts, on: int, off: int) -> None:
        """Switch one input on and another off."""
        hidden += rows[on] - rows[off]

    def add_rows(hidden: Shorts, rows: Shorts, on: Ints) -> None:
        """Switch four inputs on."""
        hidden += rows[on].sum(axis=0, dtype=np.int16)

    def subtract_rows(hidden: Shorts, rows: Shorts, off: Ints) -> None:
        """Switch four inputs off."""
        hidden -= rows[off].sum(axis=0, dtype=np.int16)

    def copy_row(hidden: Shorts, row: Shorts) -> None:
        """Begin with no input."""
        hidden[:] = row

    def output_sum(hidden: Shorts, outputs: Shorts, bucket: int, output: int) -> int:
        """The weighted sum of the hidden layer."""
        return int(np.maximum(hidden, 0).astype(np.int64) @ outputs[bucket, output].astype(np.int64))


@compiled
def judge_turns(state: Ints, codes: Ints, count: int, layers: Layers, scratch: Scratch, judged: Ints) -> None:
    """Judge the first ``count`` of ``codes``, legal turns of the seat to move.

    ``judged``: ``[count, 4]``, for each turn its value, the own total and the best other seat's total that
    are expected at the end, and the share of the win, in units of ``UNIT``. ``state`` may be the array of a
    view; it is the same afterwards.
    """
    seats, seat = state[SEATS], state[TURN] % state[SEATS]
    at = HEADER + SEAT_SIZE * seat
    for place in range(SEAT_SIZE):
        scratch.seat[place] = state[at + place]
    best_other = best_other_points(state, seat)
    fill_situation(state, seat, scratch.words)
    _restart(layers, scratch)
    taken, laid = -1, -1
    for turn in range(count):
        code = codes[turn]
        play(state, at, code)
        # Lists are sorted by card, space, square, boar and noble: mostly only the noble's move differs.
        if code & CARD_AND_SPACE != taken:
            taken, laid = code & CARD_AND_SPACE, -1
            fill_display(state, seat, code, scratch.words)
            for place in range(seats - 1):
                _apply_words(OTHERS + OTHER_SIZE * place, OTHERS + OTHER_SIZE * place + 1, layers, scratch)
        fill_own_nobles(state, seat, scratch.words)
        if code & ALL_BUT_NOBLE != laid:
            laid = code & ALL_BUT_NOBLE
            fill_own_ground(state, seat, scratch.words)
            _apply_words(BY_NOBLE, OTHERS, layers, scratch)
        else:
            _apply_words(BY_NOBLE, BY_TILE, layers, scratch)
        judge_hidden(state, seat, best_other, layers, scratch, judged[turn])
        for place in range(SEAT_SIZE):
            state[at + place] = scratch.seat[place]


@compiled
def _restart(layers: Layers, scratch: Scratch) -> None:
    """Begin a list: nothing of the last one is kept."""
    copy_row(scratch.hidden, layers.bias)
    for word in range(scratch.applied.size):
        scratch.applied[word] = 0
    _apply_words(0, BY_NOBLE, layers, scratch)
    for word in range(OTHERS, scratch.applied.size, OTHER_SIZE):
        _apply_words(word + 1, word + OTHER_SIZE, layers, scratch)


@compiled
def _apply_words(start: int, stop: int, layers: Layers, scratch: Scratch) -> None:
    """Bring the hidden layer up to date with some of the words.

    Inputs are switched in groups of four, so that the hidden layer is read and written less often.
    """
    on, off = 0, 0
    for word in range(start, stop):
        new, old = scratch.words[word], scratch.applied[word]
        if new == old:
            continue
        scratch.applied[word] = new
        rows = new & ~old
        while rows != 0:
            scratch.on[on & 3] = BITS * word + first(rows)
            rows &= rows - 1
            on += 1
            if on & 3 == 0:
                add_rows(scratch.hidden, layers.weights, scratch.on)
        rows = old & ~new
        while rows != 0:
            scratch.off[off & 3] = BITS * word + first(rows)
            rows &= rows - 1
            off += 1
            if off & 3 == 0:
                subtract_rows(scratch.hidden, layers.weights, scratch.off)
    on, off = on & 3, off & 3
    for place in range(min(on, off)):
        exchange_rows(scratch.hidden, layers.weights, scratch.on[place], scratch.off[place])
    for place in range(off, on):
        add_row(scratch.hidden, layers.weights, scratch.on[place])
    for place in range(on, off):
        subtract_row(scratch.hidden, layers.weights, scratch.off[place])


@compiled
def judge_hidden(
    state: Ints, seat: int, best_other: int, layers: Layers, scratch: Scratch, judged: Ints
) -> None:
    """Fill ``judged``, ``[4]``, from the hidden layer; in the last round the own points are exact."""
    at, rounds = HEADER + SEAT_SIZE * seat, state[TURN] // state[SEATS]
    bucket = 4 * rounds + state[EXPANSIONS]
    shift = layers.shift[0]
    points = points_so_far(state, at)
    if rounds == ROUNDS - 1:
        rows, columns, missions, boar = end_points(
            state[at + BUILT],
            state[at + NOBLES],
            state[at + BOAR],
            state[at + FIRST],
            state[at + SECOND],
            points,
        )
        own = UNIT * (points + rows + columns + missions + boar)
    else:
        total = output_sum(scratch.hidden, layers.outputs, bucket, OWN_OUTPUT)
        own = UNIT * points + ((total + layers.output_bias[bucket, OWN_OUTPUT]) * SCALE * UNIT >> shift)
    total = output_sum(scratch.hidden, layers.outputs, bucket, OTHER_OUTPUT)
    other = UNIT * best_other + ((total + layers.output_bias[bucket, OTHER_OUTPUT]) * SCALE * UNIT >> shift)
    total = output_sum(scratch.hidden, layers.outputs, bucket, WIN_OUTPUT)
    fits, place = layers.win_fits, state[SEATS] - FEWEST_SEATS
    logit = (total + layers.output_bias[bucket, WIN_OUTPUT]) * fits[place, bucket, 0]
    logit = logit + (fits[place, bucket, 1] << shift) >> shift + _FIT_BITS - _LOGIT_BITS
    share = SHARES[min(max(logit + _SHARES // 2, 0), _SHARES - 1)]
    judged[0] = own - (other >> 1) + WIN_POINTS * share
    judged[1], judged[2], judged[3] = own, other, share


@compiled
def best_other_points(state: Ints, seat: int) -> int:
    """The most points that another seat has so far."""
    best = 0
    for other in range(state[SEATS]):
        if other != seat:
            best = max(best, points_so_far(state, HEADER + SEAT_SIZE * other))
    return best


@compiled
def best_turn_of(judged: Ints, count: int) -> int:
    """The place of the turn with the highest value, the first of several."""
    best = 0
    for turn in range(count):
        if judged[turn, 0] > judged[best, 0]:
            best = turn
    return best


def judge_words(layers: Layers, words: Ints, bucket: int) -> tuple[int, int, int]:
    """The outputs of one afterstate by plain NumPy, not calibrated: the reference for ``judge_turns``."""
    bits = np.unpackbits(words[: len(layers.weights) // BITS].view(np.uint8), bitorder="little")
    hidden = layers.bias.astype(np.int64) + layers.weights[bits == 1].sum(axis=0, dtype=np.int64)
    sums = layers.outputs[bucket].astype(np.int64) @ np.maximum(hidden, 0) + layers.output_bias[bucket]
    return tuple(int(total) for total in sums)  # type: ignore[return-value]
