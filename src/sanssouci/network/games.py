"""Whole games played by a value network: recorded self-play for training, and contests with ``steward``.

A recorded position is an afterstate with its target: what the rest of the game brings. The target mixes the
end of the game with the network's own later judgements (a λ-return). Noise makes a seat play turns that the
network considers clearly worse than its best one. There the target ends at the judgement of the best turn,
because a blunder says nothing about the position before it.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sanssouci.kernel.compiler import compiled, entry
from sanssouci.kernel.dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES, NO_BOARD, deal
from sanssouci.kernel.games import PART_FIELDS, RESULT_FIELDS, WINNERS_FIELD, fill_result
from sanssouci.kernel.greedy import SCRATCH, STEWARD, WEIGHTS, greedy_turn
from sanssouci.kernel.layout import (
    EXPANSIONS,
    HEADER,
    MOST_SEATS,
    SEAT_SIZE,
    SEATS,
    SIZE,
    TURN,
    Ints,
)
from sanssouci.kernel.options import list_turns
from sanssouci.kernel.play import answer, next_card, next_tile, play, points_so_far, score_the_end
from sanssouci.kernel.rng import STREAMS, Words, below, draw, open_streams
from sanssouci.rules import ROUNDS

from .inference import (
    OUTPUTS,
    UNIT,
    Layers,
    Scratch,
    best_other_points,
    best_turn_of,
    judge_turns,
    scratch_for,
)
from .inputs import fill_inputs

Floats: TypeAlias = npt.NDArray[np.float32]

BY_STEWARD, BY_NETWORK, BY_RIVAL = 0, 1, 2
"""The player of a seat: steward, the network, or a second network, which plays without noise."""
MOST_TURNS = ROUNDS * MOST_SEATS
TURNS_AT_FIRST = 1 << 14
"""Room for the legal turns of a position; it grows where that is too little."""
_OWN, _OTHER, _SHARE, _POINTS, _OTHER_POINTS, _CUT, _TRACE = range(7)
"""Kept for each turn of a game: the bootstrap judgement, both points so far, whether the played turn was
worse."""


class Style(NamedTuple):
    """How a recorded game is played."""

    noise: float
    """The scale of the Gumbel noise on the values of turns, in points."""
    blunders: float
    """The share of turns that are random."""
    decay: float
    """λ: the weight of what comes later in a target; 1 is the end of the game alone."""
    cut: float
    """A turn that is worse than the best by more than this, in points, ends the target."""


@entry
def play_network_games(
    keys: Words,
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    players: Ints,
    layers: Layers,
    rival: Layers,
    scratch: Scratch,
    rival_scratch: Scratch,
    style: Style,
    words: Ints,
    targets: Floats,
    results: Ints,
) -> None:
    """Play the games of these keys, and record the positions of all seats.

    ``keys``: ``[games, 2]``; ``players``: ``[games, 4]``, see ``BY_STEWARD``; ``words``:
    ``[games, turns, words]`` and ``targets``: ``[games, turns, 3]``, or no turns to record nothing;
    ``results``: ``[games, 4, RESULT_FIELDS]``.
    """
    state, streams = np.zeros(SIZE, np.int64), np.zeros(STREAMS, np.uint64)
    decks, tiles = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_TILES, np.int64)
    boards, greedy = np.full((MOST_SEATS, BOARD_FIELDS), NO_BOARD, np.int64), np.empty(SCRATCH, np.int64)
    codes, judged = np.empty(TURNS_AT_FIRST, np.int64), np.empty((TURNS_AT_FIRST, 4), np.int64)
    trace, nowhere = np.zeros((MOST_TURNS, _TRACE), np.float64), np.empty(0, np.int64)
    seats = header[SEATS]
    for game in range(keys.shape[0]):
        open_streams(keys[game, 0], keys[game, 1], seats, streams)
        deal(header, gardens, rewards, streams, state, decks, tiles, boards)
        for turn in range(ROUNDS * seats):
            rounds, seat = turn // seats, turn % seats
            at, player = HEADER + SEAT_SIZE * seat, players[game, seat]
            noisy = player != BY_RIVAL
            blunder = noisy and style.blunders > 0 and _uniform(streams) < style.blunders
            if player != BY_STEWARD or blunder:
                count = list_turns(state, nowhere, 0)
                if count > codes.size:
                    codes, judged = np.empty(2 * count, np.int64), np.empty((2 * count, 4), np.int64)
                list_turns(state, codes, 0)
            if player == BY_NETWORK:
                judge_turns(state, codes, count, layers, scratch, judged)
            elif player == BY_RIVAL:
                judge_turns(state, codes, count, rival, rival_scratch, judged)
            chosen = 0
            if blunder:
                chosen = below(streams, 0, count)
            elif player != BY_STEWARD:
                chosen = _noisy_best(judged, count, style.noise if noisy else 0.0, streams)
            if player == BY_STEWARD and not blunder:
                codes[chosen] = greedy_turn(state, at, WEIGHTS[STEWARD - 1], greedy)
            code = codes[chosen]
            play(state, at, code)
            if words.shape[1] != 0:
                fill_inputs(state, seat, code, words[game, turn])
                trace[turn, _POINTS] = points_so_far(state, at)
                trace[turn, _OTHER_POINTS] = best_other_points(state, seat)
                if player != BY_STEWARD:
                    _trace_judgement(judged, count, chosen, style.cut, trace[turn])
            answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, seat, rounds))
        score_the_end(state)
        fill_result(state, boards, results[game])
        if words.shape[1] != 0:
            _fill_targets(seats, trace, results[game], style.decay, targets[game])


@compiled
def _uniform(streams: Words) -> float:
    """A number between 0 and 1, never 0."""
    return (draw(streams, 0) + 0.5) / 4294967296.0


@compiled
def _noisy_best(judged: Ints, count: int, noise: float, streams: Words) -> int:
    """The best turn after Gumbel noise; only turns that noise can lift are looked at."""
    best = best_turn_of(judged, count)
    if noise <= 0.0:
        return best
    top, most, found = judged[best, 0], -1.0e18, best
    for turn in range(count):
        if top - judged[turn, 0] < 12 * noise * UNIT:
            value = judged[turn, 0] - noise * UNIT * np.log(-np.log(_uniform(streams)))
            if value > most:
                most, found = value, turn
    return found


@compiled
def _trace_judgement(
    judged: Ints, count: int, chosen: int, cut: float, trace: npt.NDArray[np.float64]
) -> None:
    """Keep the judgement of the turn that was played, or of the best one if that is clearly better."""
    best = best_turn_of(judged, count)
    worse = judged[best, 0] - judged[chosen, 0] > cut * UNIT
    trace[_CUT] = 1.0 if worse else 0.0
    kept = best if worse else chosen
    for part in range(3):
        trace[_OWN + part] = judged[kept, 1 + part] / UNIT


@compiled
def _fill_targets(
    seats: int, trace: npt.NDArray[np.float64], result: Ints, decay: float, targets: Floats
) -> None:
    """Work backwards from the end, seat by seat (see the head of this module)."""
    for seat in range(seats):
        own, other = 0.0, 0.0
        for which in range(seats):
            total = 0.0
            for part in range(PART_FIELDS):
                total += result[which, part]
            if which == seat:
                own = total
            else:
                other = max(other, total)
        share = 1.0 / result[seat, WINNERS_FIELD] if result[seat, WINNERS_FIELD] > 0 else 0.0
        for back in range(ROUNDS):
            turn = seats * (ROUNDS - 1 - back) + seat
            targets[turn, 0] = own - trace[turn, _POINTS]
            targets[turn, 1] = other - trace[turn, _OTHER_POINTS]
            targets[turn, 2] = share
            mixed = 0.0 if trace[turn, _CUT] != 0.0 else decay
            if decay < 1.0:
                own = mixed * own + (1.0 - mixed) * trace[turn, _OWN]
                other = mixed * other + (1.0 - mixed) * trace[turn, _OTHER]
                share = mixed * share + (1.0 - mixed) * trace[turn, _SHARE]


def recorded_games(
    keys: Words,
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    players: Ints,
    layers: Layers,
    style: Style,
    rival: Layers | None = None,
) -> tuple[Ints, Floats, Ints]:
    """Play and record games: ``[positions, words]``, ``[positions, 3]`` and the results.

    The positions of a ``rival`` are left out.
    """
    seats, words = int(header[SEATS]), len(layers.weights) // 64
    turns = ROUNDS * seats
    found = np.empty((len(keys), turns, words), np.int64)
    targets = np.empty((len(keys), turns, OUTPUTS), np.float32)
    other = layers if rival is None else rival
    results = _play(keys, header, gardens, rewards, players, layers, other, style, found, targets)
    kept = np.tile(players[:, :seats] != BY_RIVAL, ROUNDS)
    return found[kept], targets[kept], results


def contest_games(
    keys: Words, header: Ints, gardens: Ints, rewards: Ints, players: Ints, layers: Layers, rival: Layers
) -> Ints:
    """The results of games without noise, ``[games, 4, RESULT_FIELDS]``; see ``play_network_games``."""
    words = np.empty((len(keys), 0, 1), np.int64)
    targets = np.empty((len(keys), 0, OUTPUTS), np.float32)
    style = Style(0.0, 0.0, 1.0, 0.0)
    return _play(keys, header, gardens, rewards, players, layers, rival, style, words, targets)


def _play(
    keys: Words,
    header: Ints,
    gardens: Ints,
    rewards: Ints,
    players: Ints,
    layers: Layers,
    rival: Layers,
    style: Style,
    words: Ints,
    targets: Floats,
) -> Ints:
    results = np.zeros((len(keys), MOST_SEATS, RESULT_FIELDS), np.int64)
    play_network_games(
        keys, header, gardens, rewards, players, layers, rival, scratch_for(layers), scratch_for(rival),
        style, words, targets, results,
    )  # fmt: skip
    return results


def bucket_of(state: Ints) -> int:
    """The bucket of the output weights that judges a position."""
    return 4 * int(state[TURN] // state[SEATS]) + int(state[EXPANSIONS])
