"""Inference: equal to NumPy bit for bit, exact at the end, the same compiled and interpreted."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sanssouci
from sanssouci.kernel import COMPILES, Ints, flatten_view
from sanssouci.kernel.layout import EXPANSIONS, SEATS, TURN, seat_at
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import play
from sanssouci.network import (
    UNIT,
    Layers,
    fill_inputs,
    judge_turns,
    judge_words,
    scratch_for,
    shipped_network,
)
from sanssouci.network.inference import SCALE, SHARES, best_other_points
from sanssouci.rules import ROUNDS, State
from sanssouci.rules.state import final_score, turn_score

from . import fingerprint
from .networks import positions, random_layers


def listed(flat: Ints) -> Ints:
    """All legal turns."""
    codes = np.empty(list_turns(flat, np.empty(0, np.int64), 0), np.int64)
    list_turns(flat, codes, 0)
    return codes


def judged(flat: Ints, codes: Ints, layers: Layers) -> Ints:
    found = np.empty((len(codes), 4), np.int64)
    judge_turns(flat, codes, len(codes), layers, scratch_for(layers), found)
    return found


def reference(flat: Ints, code: int, layers: Layers) -> list[int]:
    """The judgement of one turn by plain NumPy; the own total of the last round is left out."""
    seat, after = int(flat[TURN] % flat[SEATS]), flat.copy()
    words = np.zeros(len(layers.weights) // 64, np.int64)
    play(after, seat_at(seat), code)
    fill_inputs(after, seat, code, words)
    bucket = 4 * int(flat[TURN] // flat[SEATS]) + int(flat[EXPANSIONS])
    own, other, win = judge_words(layers, words, bucket)
    shift, points = int(layers.shift[0]), seat_at(seat) + 11
    slope, offset = map(int, layers.win_fits[int(flat[SEATS]) - 2, bucket])
    logit = win * slope + (offset << shift) >> shift + 4
    share = SHARES[min(max(logit + 2048, 0), 4095)]
    own = UNIT * int(after[points : points + 3].sum()) + (own * SCALE * UNIT >> shift)
    other = UNIT * best_other_points(after, seat) + (other * SCALE * UNIT >> shift)
    return [own - (other >> 1) + 3 * int(share), own, other, int(share)]


@pytest.mark.parametrize(
    "layers_of", [random_layers, lambda seats: shipped_network(seats).layers], ids=["random", "shipped"]
)
def test_lists_are_judged_as_one_turn_at_a_time(layers_of: Callable[[int], Layers]) -> None:
    """Switching inputs along a list gives what NumPy computes for each turn from nothing, bit for bit."""
    for state in positions():
        flat = flatten_view(state.view(state.to_move))
        before, layers = flat.copy(), layers_of(state.variant.seats)
        codes = listed(flat)
        found = judged(flat, codes, layers)
        assert (flat == before).all()
        last = state.turn // state.variant.seats == ROUNDS - 1
        for place in range(0, len(codes), max(1, len(codes) // 6)):
            wanted = reference(flat, int(codes[place]), layers)
            assert found[place].tolist()[2 * last :] == wanted[2 * last :]


def test_own_points_are_exact_in_the_last_round() -> None:
    """With no turn left the own total is known."""
    for state in positions(1):
        if state.turn // state.variant.seats < ROUNDS - 1:
            continue
        flat = flatten_view(state.view(state.to_move))
        codes = listed(flat)
        found = judged(flat, codes, random_layers(state.variant.seats))
        for place, turn in enumerate(state.options()):
            assert found[place, 1] == UNIT * final_total(state, turn)


def final_total(state: State, turn: object) -> int:
    seat = state.to_move
    score = turn_score(state.gardens[seat], state.scores[seat], turn)  # type: ignore[arg-type]
    return final_score(state.gardens[seat].after(turn), score, state.missions[seat]).total  # type: ignore[arg-type]


@pytest.mark.skipif(not COMPILES, reason="there is no compiled code here to compare with")
def test_interpreted_code_judges_and_searches_alike(tmp_path: Path) -> None:
    """Without Numba all numbers are the same."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.network.fingerprint"],
        capture_output=True,
        encoding="utf-8",
        cwd=Path(__file__).parents[2],
        env=os.environ
        | {
            "NUMBA_DISABLE_JIT": "1",
            "XDG_CACHE_HOME": str(tmp_path),
            "PYTHONPATH": str(Path(sanssouci.__file__).parents[1]),
        },
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(fingerprint.fingerprint()))
