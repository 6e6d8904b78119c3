"""The games of all environments in compiled code: each game is one row of integers.

::

    0        the state, as in ``kernel.layout``
    88       CHOSEN        how many stage actions of the turn have been taken; WAITING once it is decided
    89 - 92                those actions: card, space, square, boar
    93       DONE          1 if the game has ended and is dealt anew in the next step (batches only)
    94       DECKS         the cards of all seats in the order they are drawn
    166      TILES         the tiles in the order they come up
    247      REWARDED      the points of each seat that ``score`` has rewarded

A row begins with its state, so functions of the kernel that take a state are given the row. Batches are
``[games, GAME]``. The names of functions for one game are in the singular.

Observations contain only what the view of the seat contains; tests compare them with
``observation.observe``, which is given nothing but the view.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from sanssouci.kernel.bits import first
from sanssouci.kernel.compiler import compiled, entry
from sanssouci.kernel.dealing import BOARD_FIELDS, MOST_CARDS, MOST_TILES, deal
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
    SIZE,
    TURN,
    Ints,
)
from sanssouci.kernel.options import boar_goals, list_turns, own_square_of, seat_to_move, stops_after
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
    FIRST_ACTION,
    GARDEN_PLANES,
    ILLEGAL_REWARD,
    MOST_TURNS,
    NO_NOBLE,
    NOBLE,
    SPACE,
    SQUARE,
    fields,
)

CHOSEN = SIZE
DONE = CHOSEN + 5
DECKS = DONE + 1
TILES = DECKS + MOST_CARDS
REWARDED = TILES + MOST_TILES
GAME = REWARDED + MOST_SEATS
"""The length of a row."""

EXTERNAL = -1
"""The policy of a seat whose turns are decided outside compiled code."""
OVER = -1
"""Instead of the seat to move."""
UNFINISHED = -1
"""Instead of the code of a turn."""
ILLEGAL = -2
"""Instead of either."""
WAITING = -1
"""Instead of the number of stage actions: the turn has been decided and chance must draw."""
MOST_LEGAL = 55
"""The most actions of one stage: 54 squares and one more."""

_FIRST = np.array(FIRST_ACTION, np.int64)
_LAST_OF_STAGE = 54
"""``BOAR_LEAVES`` and ``NO_NOBLE``, counted from the first action of their stage."""
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
Floats = npt.NDArray[np.float64]


@cache
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
def _fill_observation(game: Ints, own: int, stage: int, starts: Ints, found: Bytes) -> None:
    """Fill ``found`` with the observation of seat ``own``; ``stage`` is -1 if it has nothing to decide."""
    seats, turn = game[SEATS], game[TURN]
    over = turn >= ROUNDS * seats
    found[:] = 0
    for place in range(seats):
        seat = (own + place) % seats
        at = HEADER + SEAT_SIZE * seat
        _fill_garden(game, at, found, starts[GARDENS_FIELD] + _GARDEN_SIZE * place)
        _set_bits(game[at + HAND] | game[at + PILE], found, starts[UNPLAYED_FIELD] + 20 * place)
        if place == 0 or over:
            found[starts[MISSIONS_FIELD] + 9 * place + game[at + FIRST]] = 1
            found[starts[MISSIONS_FIELD] + 9 * place + game[at + SECOND]] = 1
        found[starts[POINTS_FIELD] + place] = _points(game, seat)
    for space in range(10):
        motif = motif_on(game[DISPLAY], space)
        if motif != EMPTY:
            found[starts[DISPLAY_FIELD] + 9 * space + motif] = 1
    for motif in range(9):
        found[starts[POUCH_FIELD] + motif] = game[POUCH] >> 4 * motif & 15
    _set_bits(game[HEADER + SEAT_SIZE * own + HAND], found, starts[HAND_FIELD])
    found[starts[ROUND_FIELD]] = min(1 + turn // seats, ROUNDS)
    found[starts[SEAT_FIELD] + own] = 1
    if not over:
        found[starts[TO_MOVE_FIELD] + (turn % seats - own) % seats] = 1
    _set_bits(game[EXPANSIONS], found, starts[EXPANSIONS_FIELD])
    if stage >= 0:
        found[starts[STAGE_FIELD] + stage] = 1
        for place in range(game[CHOSEN]):
            found[starts[CHOSEN_FIELD] + game[CHOSEN + 1 + place]] = 1


@compiled
def _stage(game: Ints, at: int) -> int:
    """The stage to decide (see ``stages.stage_after``); -1 if the turn waits for its draws."""
    chosen = game[CHOSEN]
    if chosen < 3:
        return chosen
    disturbed = game[at + BOAR_OF_SEAT] >> (game[CHOSEN + 3] - SQUARE) & 1
    return 3 if disturbed and chosen == 3 else 4


@compiled
def _legal(game: Ints, at: int, stage: int) -> int:
    """The legal actions of a stage as a set, counted from its first action (see ``stages.legal_actions``)."""
    if stage == 0:
        return game[at + HAND]
    if stage == 1:
        return takes(game[CHOSEN + 1] - CARD, game[DISPLAY])
    own = own_square_of(game, game[CHOSEN + 2] - SPACE)
    if stage == 2:
        return tile_squares(own, game[at + BUILT])
    square = game[CHOSEN + 3] - SQUARE
    if stage == 3:
        goals = boar_goals(game, at, square)
        return 1 << _LAST_OF_STAGE if goals >> CODE_LEAVES & 1 else goals >> BOAR_GOES
    return stops_after(game, at, square, game[at + BUILT] >> own & 1) | 1 << _LAST_OF_STAGE


@entry
def fill_output(game: Ints, own: int, starts: Ints, whole: bool, found: Bytes, mask: Mask) -> None:
    """Fill the observation and the mask of a seat; the mask is empty if it has nothing to decide.

    ``whole`` if actions are indices of legal turns.
    """
    stage = -1
    mask[:] = 0
    if seat_to_move(game) == own:
        if whole:
            mask[: list_turns(game, np.empty(0, np.int64), 0)] = 1
        else:
            at = HEADER + SEAT_SIZE * own
            stage = _stage(game, at)
            bits = _legal(game, at, stage) if stage >= 0 else 0
            while bits != 0:
                mask[_FIRST[stage] + first(bits)] = 1
                bits &= bits - 1
    _fill_observation(game, own, stage, starts, found)


@compiled
def _turn_code(game: Ints, at: int, last: int) -> int:
    """The code of the turn that the noble's action, ``last``, completes."""
    space, square = game[CHOSEN + 2] - SPACE, game[CHOSEN + 3] - SQUARE
    gardener = game[at + BUILT] >> own_square_of(game, space) & 1
    boar = NO_BOAR
    if game[CHOSEN] == 4:
        boar = CODE_LEAVES if game[CHOSEN + 4] == BOAR_LEAVES else game[CHOSEN + 4] - BOAR + BOAR_GOES
    noble = CODE_NO_NOBLE if last == NO_NOBLE else last - NOBLE + NOBLE_GOES
    return coded(game[CHOSEN + 1] - CARD, space, square, gardener, boar, noble)


@entry
def take_action(game: Ints, action: int, turns: Ints) -> int:
    """Take an action: the code of the turn that it completes, ``UNFINISHED`` or ``ILLEGAL``.

    ``turns`` is scratch space for the legal turns, of which ``action`` is an index; empty for stage actions.
    """
    seat = seat_to_move(game)
    if seat < 0 or action < 0:
        return ILLEGAL
    if turns.size != 0:
        return turns[action] if action < list_turns(game, turns, 0) else ILLEGAL
    at = HEADER + SEAT_SIZE * seat
    stage = _stage(game, at)
    number = action - _FIRST[stage]
    if number < 0 or number >= MOST_LEGAL or not _legal(game, at, stage) >> number & 1:
        return ILLEGAL
    if stage == 4:
        return _turn_code(game, at, action)
    game[CHOSEN] += 1
    game[CHOSEN + game[CHOSEN]] = action
    return UNFINISHED


@compiled
def _end_turn(game: Ints, seat: int, code: int, tile: int, card: int) -> None:
    """Draw a tile and a card after a turn that has been played, and score the end after the last one."""
    answer(game, HEADER + SEAT_SIZE * seat, code, tile, card)
    game[CHOSEN] = 0
    if game[TURN] == ROUNDS * game[SEATS]:
        score_the_end(game)


@compiled
def _end_dealt_turn(game: Ints, seat: int, code: int) -> None:
    """The same with the tile and the card that were dealt."""
    seats, turn = game[SEATS], game[TURN]
    tile, card = next_tile(game[TILES:], seats, turn), next_card(game[DECKS:], seat, turn // seats)
    _end_turn(game, seat, code, tile, card)


@compiled
def _play_policies(game: Ints, policies: Ints, streams: Words, weights: Ints, scratch: Ints) -> None:
    """Play until a seat without a policy is to move or the game is over."""
    seats = game[SEATS]
    for _ in range(seats):
        seat = game[TURN] % seats
        if policies[seat] == EXTERNAL or game[TURN] >= ROUNDS * seats:
            return
        at = HEADER + SEAT_SIZE * seat
        if policies[seat] == RANDOM:
            code = play_at_random(game, at, 1 + seat, streams)
        else:
            code = greedy_turn(game, at, weights[policies[seat] - 1], scratch)
            play(game, at, code)
        _end_dealt_turn(game, seat, code)


@compiled
def _play_turn(game: Ints, code: int, policies: Ints, streams: Words, weights: Ints, scratch: Ints) -> None:
    """Play a turn of the seat to move, and those of the seats with a policy after it."""
    seat = game[TURN] % game[SEATS]
    play(game, HEADER + SEAT_SIZE * seat, code)
    _end_dealt_turn(game, seat, code)
    _play_policies(game, policies, streams, weights, scratch)


@entry
def fill_rewards(game: Ints, kind: int, rewards: Floats) -> None:
    """``rewards``: ``[seats]``, since the last call; ``win`` and ``margin`` are rewarded at the end only.

    ``win``: 1 for the winner and -1 / (seats - 1) for the others; a shared victory is divided. ``margin``:
    the lead over the best of the others. ``score``: the points gained.
    """
    seats = game[SEATS]
    over = game[TURN] >= ROUNDS * seats
    result = np.zeros((MOST_SEATS, RESULT_FIELDS), np.int64)
    if kind == WIN and over:
        fill_result(game, np.zeros((MOST_SEATS, BOARD_FIELDS), np.int64), result)
    for seat in range(seats):
        points = _points(game, seat)
        rewards[seat] = 0.0
        if kind == SCORE:
            rewards[seat] = points - game[REWARDED + seat]
            game[REWARDED + seat] = points
        elif kind == WIN and over:
            winners = result[seat, WINNERS_FIELD]
            rewards[seat] = (seats / winners - 1.0) / (seats - 1) if winners > 0 else -1.0 / (seats - 1)
        elif over:
            best = -1000
            for other in range(seats):
                if other != seat:
                    best = max(best, _points(game, other))
            rewards[seat] = points - best


@entry
def list_actions(game: Ints, found: Ints) -> int:
    """Fill ``found``, ``[MOST_LEGAL]``, with the legal stage actions in order; returns their number."""
    seat, count = seat_to_move(game), 0
    if seat >= 0:
        at = HEADER + SEAT_SIZE * seat
        stage = _stage(game, at)
        bits = _legal(game, at, stage)
        while bits != 0:
            found[count] = _FIRST[stage] + first(bits)
            count += 1
            bits &= bits - 1
    return count


@entry
def play_drawn(game: Ints, code: int, tile: int, card: int) -> None:
    """Play a turn of the seat to move; this tile and this card are drawn after it."""
    seat = game[TURN] % game[SEATS]
    play(game, HEADER + SEAT_SIZE * seat, code)
    _end_turn(game, seat, code, tile, card)


@entry
def play_turn(game: Ints, code: int, policies: Ints, streams: Words, weights: Ints) -> int:
    """Play a legal turn of a dealt game; returns the next seat to move that has no policy, or ``OVER``."""
    _play_turn(game, code, policies, streams, weights, np.empty(SCRATCH, np.int64))
    return seat_to_move(game)


@entry
def step_game(game: Ints, action: int, whole: bool, policies: Ints, streams: Words, weights: Ints) -> int:
    """Take an action in a dealt game; returns the next seat to move that has no policy, OVER or ILLEGAL."""
    code = take_action(game, action, np.empty(MOST_TURNS if whole else 0, np.int64))
    if code == ILLEGAL:
        return ILLEGAL
    if code != UNFINISHED:
        _play_turn(game, code, policies, streams, weights, np.empty(SCRATCH, np.int64))
    return seat_to_move(game)


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
    policies: Ints,
    weights: Ints,
    games: Ints,
    streams: Words,
) -> None:
    """Deal the games ``which`` from their ``keys`` and play them up to the first turn without a policy.

    ``setup``: header, gardens and rewards of ``GameSetup``.
    """
    header, gardens, rewards = setup
    scratch, boards = np.empty(SCRATCH, np.int64), np.empty((MOST_SEATS, BOARD_FIELDS), np.int64)
    for place in range(which.size):
        number = which[place]
        game, stream = games[number], streams[number]
        open_streams(keys[place, 0], keys[place, 1], header[SEATS], stream)
        deal(header, gardens, rewards, stream, game, game[DECKS:], game[TILES:], boards)
        game[CHOSEN] = game[DONE] = 0
        game[REWARDED:] = 0
        _play_policies(game, policies, stream, weights, scratch)


@entry
def step_games(
    actions: Ints,
    whole: bool,
    own: int,
    policies: Ints,
    weights: Ints,
    kind: int,
    games: Ints,
    streams: Words,
    gained: Floats,
) -> None:
    """Take one action of seat ``own`` in every game that is not done; ``gained`` receives its rewards."""
    scratch, turns = np.empty(SCRATCH, np.int64), np.empty(MOST_TURNS if whole else 0, np.int64)
    rewards = np.zeros(MOST_SEATS)
    for number in range(games.shape[0]):
        game = games[number]
        if game[DONE]:
            continue
        code = take_action(game, actions[number], turns)
        if code == ILLEGAL:
            gained[number] = ILLEGAL_REWARD
            game[DONE] = 1
        elif code != UNFINISHED:
            _play_turn(game, code, policies, streams[number], weights, scratch)
            game[DONE] = int(seat_to_move(game) == OVER)
            if kind == SCORE or game[DONE]:
                fill_rewards(game, kind, rewards)
                gained[number] = rewards[own]


@entry
def fill_outputs(games: Ints, own: int, starts: Ints, whole: bool, found: Bytes, masks: Mask) -> None:
    """The observations and masks of seat ``own`` in all games."""
    for number in range(games.shape[0]):
        fill_output(games[number], own, starts, whole, found[number], masks[number])
