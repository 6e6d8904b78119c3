"""The vector environment in compiled code: many games, each at its own turn and stage.

All arrays have one row for each game. A row of ``progress`` is::

    0 CHOSEN   how many stage actions of the turn have been taken
    1-4        those actions: card, space, square, boar
    5 DONE     1 if the game has ended and is dealt anew in the next step

Observations contain only what the view of the agent's seat contains; tests compare them with
``observation.observe``, which is given nothing but the view.
"""

import numpy as np
import numpy.typing as npt

from sanssouci.kernel.bits import first
from sanssouci.kernel.compiler import compiled, entry
from sanssouci.kernel.dealing import deal
from sanssouci.kernel.games import RESULT_FIELDS, WINNERS_FIELD, fill_result
from sanssouci.kernel.greedy import RANDOM, SCRATCH, greedy_turn
from sanssouci.kernel.keys import fill_keys
from sanssouci.kernel.layout import BOAR as BOAR_OF_SEAT
from sanssouci.kernel.layout import (
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
    POINTS,
    POUCH,
    SEAT_SIZE,
    SEATS,
    SECOND,
    TURN,
    Ints,
)
from sanssouci.kernel.options import boar_goals, list_turns, own_square_of, stops_after
from sanssouci.kernel.play import answer, next_card, next_tile, play, score_the_end
from sanssouci.kernel.random import play_at_random
from sanssouci.kernel.rng import Words, open_streams
from sanssouci.kernel.turns import BOAR_GOES, NO_BOAR, NOBLE_GOES, coded
from sanssouci.kernel.turns import BOAR_LEAVES as CODE_LEAVES
from sanssouci.kernel.turns import NO_NOBLE as CODE_NO_NOBLE
from sanssouci.rules import EMPTY, REWARD_SQUARES, ROUNDS
from sanssouci.rules.cards import takes
from sanssouci.rules.display import motif_on
from sanssouci.rules.walk import tile_squares

from .spec import (
    BOAR,
    BOAR_LEAVES,
    CARD,
    GARDEN_PLANES,
    ILLEGAL_REWARD,
    MOST_TURNS,
    NO_NOBLE,
    NOBLE,
    SPACE,
    SQUARE,
    fields,
)

CHOSEN, DONE = 0, 5
PROGRESS = 6
WIN, SCORE, MARGIN = range(3)
"""The rewards, in the order of ``spec.REWARDS``."""
FIELDS = tuple(part.name for part in fields(2))
(
    GARDENS_FIELD,
    DISPLAY_FIELD,
    POUCH_FIELD,
    HAND_FIELD,
    UNPLAYED_FIELD,
    MISSIONS_FIELD,
    POINTS_FIELD,
    ROUND_FIELD,
    SEAT_FIELD,
    TO_MOVE_FIELD,
    EXPANSIONS_FIELD,
    STAGE_FIELD,
    CHOSEN_FIELD,
) = range(len(FIELDS))
_GARDEN_SIZE = 54 * len(GARDEN_PLANES)
_REWARD_PLANE = np.array([0, 5, 5, 5, 6, 7, 7], np.int64)
_REWARD_VALUE = np.array([0, 1, 2, 3, 3, 2, 3], np.int64)
"""The plane and the value of each mark of a reward board."""
_SQUARE_OF_PLACE = np.array(REWARD_SQUARES, np.int64)

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.int8]


def field_starts(seats: int) -> Ints:
    """``[fields]``: where each field begins."""
    return np.array([part.start for part in fields(seats)], np.int64)


@compiled
def _points(state: Ints, seat: int) -> int:
    at, total = HEADER + SEAT_SIZE * seat, 0
    for part in range(6):
        total += state[at + POINTS + part]
    return total


@compiled
def _set_bits(bits: int, found: Bytes, start: int) -> None:
    while bits != 0:
        found[start + first(bits)] = 1
        bits &= bits - 1


@compiled
def _fill_garden(state: Ints, at: int, found: Bytes, start: int) -> None:
    _set_bits(state[at + BUILT] & ~state[at + GARDENERS], found, start)
    _set_bits(state[at + GARDENERS], found, start + 54)
    _set_bits(state[at + CONNECTED], found, start + 108)
    _set_bits(state[at + NOBLES], found, start + 162)
    _set_bits(state[at + BOAR_OF_SEAT], found, start + 216)
    marks = state[at + MARKS]
    if marks != 0:
        for place in range(_SQUARE_OF_PLACE.size):
            mark = marks >> 3 * place & 7
            if mark != 0:
                found[start + 54 * _REWARD_PLANE[mark] + _SQUARE_OF_PLACE[place]] = _REWARD_VALUE[mark]


@compiled
def fill_observation(state: Ints, own: int, progress: Ints, stage: int, starts: Ints, found: Bytes) -> None:
    """Fill ``found`` with the observation of seat ``own``; ``stage`` is -1 if it has nothing to decide."""
    seats, turn = state[SEATS], state[TURN]
    over = turn >= ROUNDS * seats
    for place in range(found.size):
        found[place] = 0
    for place in range(seats):
        seat = (own + place) % seats
        at = HEADER + SEAT_SIZE * seat
        _fill_garden(state, at, found, starts[GARDENS_FIELD] + _GARDEN_SIZE * place)
        _set_bits(state[at + HAND] | state[at + PILE], found, starts[UNPLAYED_FIELD] + 20 * place)
        if place == 0 or over:
            found[starts[MISSIONS_FIELD] + 9 * place + state[at + FIRST]] = 1
            found[starts[MISSIONS_FIELD] + 9 * place + state[at + SECOND]] = 1
        found[starts[POINTS_FIELD] + place] = _points(state, seat)
    for space in range(10):
        motif = motif_on(state[DISPLAY], space)
        if motif != EMPTY:
            found[starts[DISPLAY_FIELD] + 9 * space + motif] = 1
    for motif in range(9):
        found[starts[POUCH_FIELD] + motif] = state[POUCH] >> 4 * motif & 15
    _set_bits(state[HEADER + SEAT_SIZE * own + HAND], found, starts[HAND_FIELD])
    found[starts[ROUND_FIELD]] = min(1 + turn // seats, ROUNDS)
    found[starts[SEAT_FIELD] + own] = 1
    if not over:
        found[starts[TO_MOVE_FIELD] + (turn % seats - own) % seats] = 1
    _set_bits(state[EXPANSIONS], found, starts[EXPANSIONS_FIELD])
    if stage >= 0:
        found[starts[STAGE_FIELD] + stage] = 1
        for place in range(progress[CHOSEN]):
            found[starts[CHOSEN_FIELD] + progress[1 + place]] = 1


@compiled
def _stage(state: Ints, at: int, progress: Ints) -> int:
    """The stage to decide (see ``stages.stage_after``)."""
    chosen = progress[CHOSEN]
    if chosen < 3:
        return chosen
    disturbed = state[at + BOAR_OF_SEAT] >> (progress[3] - SQUARE) & 1
    return 3 if disturbed and chosen == 3 else 4


@compiled
def _fill_mask(state: Ints, at: int, progress: Ints, stage: int, mask: Mask) -> None:
    """The legal actions of a stage (see ``stages.legal_actions``)."""
    for place in range(mask.size):
        mask[place] = 0
    if stage == 0:
        _set_mask(state[at + HAND], mask, CARD)
        return
    if stage == 1:
        _set_mask(takes(progress[1] - CARD, state[DISPLAY]), mask, SPACE)
        return
    own = own_square_of(state, progress[2] - SPACE)
    if stage == 2:
        _set_mask(tile_squares(own, state[at + BUILT]), mask, SQUARE)
        return
    square = progress[3] - SQUARE
    if stage == 3:
        goals = boar_goals(state, at, square)
        if goals >> CODE_LEAVES & 1:
            mask[BOAR_LEAVES] = 1
        _set_mask(goals >> BOAR_GOES, mask, BOAR)
        return
    _set_mask(stops_after(state, at, square, state[at + BUILT] >> own & 1), mask, NOBLE)
    mask[NO_NOBLE] = 1


@compiled
def _set_mask(bits: int, mask: Mask, start: int) -> None:
    while bits != 0:
        mask[start + first(bits)] = 1
        bits &= bits - 1


@compiled
def _turn_code(state: Ints, at: int, progress: Ints, last: int) -> int:
    """The code of the turn that the noble's action, ``last``, completes."""
    space, square = progress[2] - SPACE, progress[3] - SQUARE
    gardener = state[at + BUILT] >> own_square_of(state, space) & 1
    boar = NO_BOAR
    if progress[CHOSEN] == 4:
        boar = CODE_LEAVES if progress[4] == BOAR_LEAVES else progress[4] - BOAR + BOAR_GOES
    noble = CODE_NO_NOBLE if last == NO_NOBLE else last - NOBLE + NOBLE_GOES
    return coded(progress[1] - CARD, space, square, gardener, boar, noble)


@compiled
def _end_turn(state: Ints, seat: int, code: int, decks: Ints, tiles: Ints) -> None:
    """Draw what follows a turn that has been played, and score the end after the last one."""
    seats, turn = state[SEATS], state[TURN]
    at = HEADER + SEAT_SIZE * seat
    answer(state, at, code, next_tile(tiles, seats, turn), next_card(decks, seat, turn // seats))
    if turn == ROUNDS * seats - 1:
        score_the_end(state)


@compiled
def _play_opponents(
    state: Ints,
    own: int,
    policies: Ints,
    decks: Ints,
    tiles: Ints,
    streams: Words,
    weights: Ints,
    scratch: Ints,
) -> None:
    """Play until the agent is to move or the game is over."""
    seats = state[SEATS]
    for _ in range(seats):
        seat = state[TURN] % seats
        if seat == own or state[TURN] >= ROUNDS * seats:
            return
        at = HEADER + SEAT_SIZE * seat
        if policies[seat] == RANDOM:
            code = play_at_random(state, at, 1 + seat, streams)
        else:
            code = greedy_turn(state, at, weights[policies[seat] - 1], scratch)
            play(state, at, code)
        _end_turn(state, seat, code, decks, tiles)


@compiled
def _final_reward(state: Ints, own: int, kind: int, boards: Ints, result: Ints) -> float:
    """The agent's reward at the end (see ``game.final_rewards``); that of ``score`` is counted elsewhere."""
    seats = state[SEATS]
    if kind == WIN:
        fill_result(state, boards, result)
        winners = result[own, WINNERS_FIELD]
        return (seats / winners - 1.0) / (seats - 1) if winners > 0 else -1.0 / (seats - 1)
    best = -1000
    for seat in range(seats):
        if seat != own:
            best = max(best, _points(state, seat))
    return float(_points(state, own) - best)


@entry
def next_keys(messages: Ints, numbers: Ints, keys: Words) -> None:
    """``keys``: ``[games, 2]``, those of game ``numbers[g]`` of the seed whose ``messages`` are given."""
    for game in range(numbers.size):
        fill_keys(messages[game], numbers[game], keys[game : game + 1])


@entry
def deal_games(
    which: Ints,
    keys: Words,
    setup: tuple[Ints, Ints, Ints],
    own: int,
    policies: Ints,
    weights: Ints,
    games: tuple[Ints, Ints, Ints, Ints, Words, Ints],
) -> None:
    """Deal the games ``which`` from their ``keys`` and play them up to the agent's first turn.

    ``setup``: header, gardens and rewards of ``GameSetup``; ``games``: states, decks, tiles, boards, streams
    and progress, one row for each game.
    """
    header, gardens, rewards = setup
    states, decks, tiles, boards, streams, progress = games
    scratch = np.empty(SCRATCH, np.int64)
    for place in range(which.size):
        game = which[place]
        state = states[game]
        open_streams(keys[place, 0], keys[place, 1], header[SEATS], streams[game])
        deal(header, gardens, rewards, streams[game], state, decks[game], tiles[game], boards[game])
        progress[game, CHOSEN] = progress[game, DONE] = 0
        _play_opponents(state, own, policies, decks[game], tiles[game], streams[game], weights, scratch)


@entry
def step_games(
    actions: Ints,
    masks: Mask,
    own: int,
    policies: Ints,
    weights: Ints,
    kind: int,
    games: tuple[Ints, Ints, Ints, Ints, Words, Ints],
    gained: npt.NDArray[np.float64],
) -> None:
    """Take one action in every game that is not done; without ``masks``, actions are indices of legal turns.

    ``masks`` are those of the step before; ``gained`` receives the rewards of the agent.
    """
    states, decks, tiles, boards, streams, progress = games
    scratch, result = np.empty(SCRATCH, np.int64), np.zeros((MOST_SEATS, RESULT_FIELDS), np.int64)
    turns = np.empty(MOST_TURNS if masks.size == 0 else 0, np.int64)
    at = HEADER + SEAT_SIZE * own
    for game in range(states.shape[0]):
        if progress[game, DONE]:
            continue
        state, action = states[game], actions[game]
        if masks.size == 0:
            legal = 0 <= action < list_turns(state, turns, 0)
        else:
            legal = 0 <= action < masks.shape[1] and masks[game, action] != 0
        if not legal:
            gained[game] = ILLEGAL_REWARD
            progress[game, DONE] = 1
            continue
        if masks.size != 0 and action < NOBLE:
            progress[game, CHOSEN] += 1
            progress[game, progress[game, CHOSEN]] = action
            continue
        code = turns[action] if masks.size == 0 else _turn_code(state, at, progress[game], action)
        before = _points(state, own)
        play(state, at, code)
        _end_turn(state, own, code, decks[game], tiles[game])
        _play_opponents(state, own, policies, decks[game], tiles[game], streams[game], weights, scratch)
        over = state[TURN] >= ROUNDS * state[SEATS]
        progress[game, CHOSEN], progress[game, DONE] = 0, int(over)
        if kind == SCORE:
            gained[game] = _points(state, own) - before
        elif over:
            gained[game] = _final_reward(state, own, kind, boards[game], result)


@entry
def fill_outputs(
    states: Ints, own: int, progress: Ints, starts: Ints, whole: bool, found: Bytes, masks: Mask
) -> None:
    """The observations and masks of all games; ``whole`` if actions are whole turns."""
    at, nowhere = HEADER + SEAT_SIZE * own, np.empty(0, np.int64)
    for game in range(states.shape[0]):
        state, stage = states[game], -1
        if whole:
            masks[game] = 0
            masks[game, : list_turns(state, nowhere, 0)] = 1
        elif state[TURN] >= ROUNDS * state[SEATS]:
            masks[game] = 0
        else:
            stage = _stage(state, at, progress[game])
            _fill_mask(state, at, progress[game], stage, masks[game])
        fill_observation(state, own, progress[game], stage, starts, found[game])
