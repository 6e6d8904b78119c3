"""PPO in one file: learns the base game for two seats by self-play, then plays against built-in players.

python examples/ppo_jax.py train weights.npz --minutes 10
python examples/ppo_jax.py play weights.npz --against level:2 --games 200

An action is a whole turn. The network judges the position after each legal turn, before anything is drawn:
how many points its seat will still score. The policy is a softmax of these points and those that the turn
brings at once, so one output is both actor and critic. Both seats are the same network, and it sees only what
its seat may know. Adam and the network are written out, so that training needs nothing but JAX.
"""

import argparse
import os
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci.editions import find_boards
from sanssouci.env import spec
from sanssouci.jax import Sanssouci, State
from sanssouci.jax.bits import (
    ALL,
    NO_SQUARES,
    Squares,
    columns_of,
    nth_square,
    pack,
    spread,
    square_bit,
    unpack,
    where,
)
from sanssouci.jax.display import Display, Pouch, motifs_on, pack_display, pack_pouch, spaces_of, tiles_left
from sanssouci.jax.game import at
from sanssouci.jax.garden import (
    Points,
    Seat,
    end_points,
    joined,
    move_noble,
    noble_stops,
    pack_marks,
    tile_squares,
)
from sanssouci.jax.observation import flags, square_flags
from sanssouci.rules import COLUMN, ROUNDS, ROW, Result, Turn, Variant, members, set_of

SEATS = 2
UNIT = 10.0
"""The network's output and the loss are in units of this many points."""
CONSIDERED = 16
"""The policy chooses among this many turns, the best by the network; learning looks only at these."""
CLIP, POLICY_WEIGHT, LAMBDA, LARGEST_GRADIENT = 0.2, 0.1, 0.8, 1.0
DEFAULTS = {
    "cpu": {"width": 128, "parallel": 128, "most": 128, "batch": 512, "epochs": 2},
    "gpu": {"width": 512, "parallel": 2048, "most": 192, "batch": 4096, "epochs": 1},
}
POINTS_A_ROUND = 4.5
"""The first guess of the network."""
SPACE_NUMBERS = np.arange(10, dtype=np.uint32)
SQUARE_NUMBERS = np.arange(54, dtype=np.uint32)
LINES = [pack(squares) for squares in (*ROW[2:], *COLUMN)]


class Position(NamedTuple):
    """What the seat to move knows at the beginning of its turn."""

    own: Seat
    other: Seat
    """Without missions; all cards that it has not played are in its pile."""
    display: Display
    pouch: Pouch
    turn: jax.Array


class Turns(NamedTuple):
    """Turns of one position, along the last axis."""

    card: jax.Array
    space: jax.Array
    square: Squares
    gardener: jax.Array
    connected: Squares
    """The squares that can be walked to from the palace once the tile lies there."""
    noble: Squares


def see(state: State) -> Position:
    own, other = (at(state.seats, (state.current_player + seat) % SEATS) for seat in range(SEATS))
    nothing = jnp.zeros_like(other.hand)
    hidden = other._replace(hand=nothing, pile=other.hand | other.pile, missions=nothing)
    return Position(own, hidden, state.display, state.pouch, state.turn)


def legal_turns(position: Position, most: int) -> tuple[Turns, jax.Array]:
    """The legal turns in their order, and which of the ``most`` places hold one.

    If there are more, evenly spaced ones are taken.
    """
    own, display = position.own, position.display
    lowest = own.hand & (~own.hand + 1)
    cards = jnp.stack([lowest, own.hand ^ lowest])
    takes = flags(jax.vmap(spaces_of, (0, None))(cards, display), 10) * (cards != 0)[:, None]  # [2, 10]
    squares, gardener = tile_squares(motifs_on(display), SPACE_NUMBERS, own.built)  # [10]

    # For every square, and for structure and gardener: where the nobles can stop then.
    bit = square_bit(SQUARE_NUMBERS % 9, SQUARE_NUMBERS // 9)
    connected = joined(own.connected, bit, own.built | bit)
    stops = [noble_stops(connected, own.gardeners | also, own.nobles) for also in (NO_SQUARES, bit)]
    moves = [1 + found.size() for found in stops]  # or no noble moves
    by_square = square_flags(squares) * jnp.where(gardener[:, None], moves[1], moves[0])  # [10, 54]

    # The number of a turn is split into card and space, then the square, then the noble.
    square_ends = jnp.cumsum(by_square.astype(jnp.int32), 1)
    sizes = (takes.astype(jnp.int32) * square_ends[:, -1]).reshape(-1)
    ends = jnp.cumsum(sizes)
    places = jnp.arange(most)
    number = jnp.where(ends[-1] > most, places * ends[-1] // most, jnp.minimum(places, ends[-1] - 1))
    pair = (number[:, None] >= ends).sum(1)
    number -= (ends - sizes)[pair]
    space = pair % 10
    square = (number[:, None] >= square_ends[space]).sum(1)
    number -= jnp.where(square > 0, square_ends[space, square - 1], 0)
    possible = jax.tree.map(lambda tile, back: jnp.where(gardener[space], back[square], tile[square]), *stops)
    noble = nth_square(possible, jnp.maximum(number - 1, 0).astype(jnp.uint32))
    turns = Turns(
        cards[pair // 10],
        space.astype(jnp.uint32),
        jax.tree.map(lambda words: words[square], bit),
        gardener[space],
        jax.tree.map(lambda words: words[square], connected),
        where(number > 0, noble, NO_SQUARES),
    )
    return turns, places < ends[-1]


def seat_after(seat: Seat, turns: Turns) -> Seat:
    """The own seat after each turn."""
    laid = seat._replace(
        built=seat.built | turns.square,
        connected=turns.connected,
        gardeners=seat.gardeners | where(turns.gardener, turns.square, NO_SQUARES),
        hand=seat.hand ^ turns.card,
    )
    return move_noble(laid, turns.noble)


def own_inputs(position: Position, turns: Turns, seat: Seat) -> jax.Array:
    """``[turns, inputs]``: what depends on the turn."""
    display = position.display
    left = turns.space[:, None] != SPACE_NUMBERS  # [turns, 10]
    wanted = left & (flags(spaces_of(seat.hand, display), 10) == 1) & (seat.hand != 0)[:, None]
    tiles = square_bit(motifs_on(display), SPACE_NUMBERS // 2 + 1)

    def squares_of(spaces: jax.Array) -> Squares:
        return Squares(*(jnp.bitwise_or.reduce(jnp.where(spaces, half, 0), axis=1) for half in tiles))

    free = ~seat.built & ALL
    mission = columns_of(position.own.missions)
    stops = noble_stops(seat.connected, seat.gardeners, seat.nobles)
    sets = (
        seat.built,
        seat.connected,
        seat.gardeners,
        spread(seat.connected) & free,
        squares_of(left) & free,
        squares_of(wanted) & free,
        stops,
        stops & mission,
        seat.nobles,
        seat.nobles & mission,
    )
    gaps = jnp.stack([(line & ~seat.built).size() for line in LINES], 1)
    # Each of these words is read many times: without the barrier, XLA may compute all of them as often.
    sets, gaps, hand = jax.lax.optimization_barrier((sets, gaps, seat.hand))
    few = (gaps[..., None] == jnp.arange(1, 5)).reshape(len(gaps), -1)
    parts = [*map(square_flags, sets), few, flags(hand, 20)]
    return jnp.concatenate([part.astype(jnp.float32) for part in parts], 1)


def table_inputs(position: Position) -> jax.Array:
    """``[inputs]``: what all turns share."""
    own, other = position.own, position.other
    stops = noble_stops(other.connected, other.gardeners, other.nobles)
    parts = [
        *map(square_flags, (own.printed, other.built, other.connected, other.gardeners, other.nobles, stops)),
        (motifs_on(position.display)[:, None] == jnp.arange(9)).reshape(-1),
        (tiles_left(position.pouch)[:, None] > jnp.arange(5)).reshape(-1),
        flags(own.pile, 20),
        flags(own.missions, 9),
        flags(other.pile, 20),
        jnp.arange(SEATS * ROUNDS) == position.turn,
    ]
    return jnp.concatenate([part.astype(jnp.float32) for part in parts])


class Network(NamedTuple):
    """One hidden layer; what all turns of a position share goes through it once."""

    own: jax.Array
    table: jax.Array
    bias: jax.Array
    out: jax.Array
    rounds: jax.Array


def new_network(key: jax.Array, game: Sanssouci, width: int) -> Network:
    position = see(game.init(key))
    turns, _ = legal_turns(position, 1)
    own = own_inputs(position, turns, seat_after(position.own, turns)).shape[1]
    table = len(table_inputs(position))
    left = jnp.arange(ROUNDS - 1, -1, -1)
    own_key, table_key = jax.random.split(key)
    return Network(
        jax.random.normal(own_key, (own, width)) * 0.1,
        jax.random.normal(table_key, (table, width)) * 0.05,
        jnp.zeros(width),
        jnp.zeros(width),
        jnp.asarray(left * POINTS_A_ROUND / UNIT, jnp.float32),
    )


def judge(network: Network, position: Position, turns: Turns) -> tuple[jax.Array, jax.Array]:
    """Of each turn: the points that it brings at once, and those that are expected to follow.

    Rows, columns and missions count as soon as they are complete or reached.
    """
    seat = seat_after(position.own, turns)
    now, before = (end_points(found, boar=False).total() for found in (seat, position.own))
    shared = table_inputs(position) @ network.table + network.bias
    hidden = jax.nn.relu(own_inputs(position, turns, seat) @ network.own + shared)
    number = position.turn // SEATS
    later = jnp.where(number < ROUNDS - 1, hidden @ network.out + network.rounds[number], 0)
    return (now - before).astype(jnp.float32), UNIT * later


class Steps(NamedTuple):
    """What learning needs of each turn that was played; the arrays are ``[turns, games]``."""

    position: Position
    considered: Turns
    legal: jax.Array
    choice: jax.Array
    log_probability: jax.Array
    gain: jax.Array
    value: jax.Array
    advantage: jax.Array


def play_games(game, games, most, network, temperature, key):
    """Whole games of the network against itself, and their mean score."""

    def choose(position, key):
        turns, legal = legal_turns(position, most)
        gains, later = judge(network, position, turns)
        logits, best = jax.lax.top_k(jnp.where(legal, (gains + later) / temperature, -1e9), CONSIDERED)
        choice = jax.random.categorical(key, logits)
        log_probability = jax.nn.log_softmax(logits)[choice]
        value = (jax.nn.softmax(logits) * (gains + later)[best]).sum()
        considered = jax.tree.map(lambda words: words[best], turns)
        gain = gains[best][choice]
        return Steps(position, considered, legal[best], choice, log_probability, gain, value, value)

    def step(state, key):
        choosing, chance = (jax.random.split(part, games) for part in jax.random.split(key))
        steps = jax.vmap(choose)(jax.vmap(see)(state), choosing)
        rows = jnp.arange(games)
        chosen = jax.tree.map(lambda words: words[rows, steps.choice], steps.considered)
        return jax.vmap(partial(play_turn, game))(state, chosen, chance), steps

    first, following = jax.random.split(key)
    start = jax.vmap(game.init)(jax.random.split(first, games))
    end, steps = jax.lax.scan(step, start, jax.random.split(following, game.variant.turns))
    by_seat = [array.reshape(ROUNDS, SEATS, games) for array in (steps.gain, steps.value)]
    advantage = advantages(*by_seat).reshape(game.variant.turns, games)
    return steps._replace(advantage=advantage), end.seats.points.total().mean()


def play_turn(game, state, turn, key):
    """One turn, stage by stage."""
    square, noble = (jnp.argmax(square_flags(found)) for found in (turn.square, turn.noble))
    for action in (
        spec.CARD + jnp.argmax(flags(turn.card, 20)),
        spec.SPACE + turn.space,
        spec.SQUARE + square,
        jnp.where(turn.noble.any(), spec.NOBLE + noble, spec.NO_NOBLE),
    ):
        state = game.step(state, action, key)
    return state


def advantages(gains, values):
    """Generalised advantage estimation over the turns of a seat, without discount."""

    def back(carried, now):
        following, advantage = carried
        gain, value = now
        advantage = gain + following - value + LAMBDA * advantage
        return (value, advantage), advantage

    zero = jnp.zeros_like(values[0])
    return jax.lax.scan(back, (zero, zero), (gains, values), reverse=True)[1]


def loss(network, steps, temperature, policy_weight):
    gains, later = jax.vmap(partial(judge, network))(steps.position, steps.considered)
    logs = jax.nn.log_softmax(jnp.where(steps.legal, (gains + later) / temperature, -1e9))
    rows = jnp.arange(len(steps.choice))
    ratio = jnp.exp(logs[rows, steps.choice] - steps.log_probability)
    advantage = (steps.advantage - steps.advantage.mean()) / (steps.advantage.std() + 1e-6)
    policy = jnp.minimum(ratio * advantage, ratio.clip(1 - CLIP, 1 + CLIP) * advantage).mean()
    error = later[rows, steps.choice] - (steps.advantage + steps.value - steps.gain)
    return ((error / UNIT) ** 2).mean() - policy_weight * policy


def adam(network, moments, gradient, count, rate):
    """One step of Adam, with the gradient cut to a largest norm."""
    norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda leaf: leaf * jnp.minimum(1, LARGEST_GRADIENT / (norm + 1e-9)), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], gradient)
    rate = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    network = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + 1e-8), network, first, second)
    return network, (first, second)


def train(game, options, report):
    """The network after some minutes, not counting compilation.

    In that time the learning rate falls to 0, and the temperature from its first to its last value. Every
    device (core of a CPU) plays its share of the games and computes its share of each gradient.
    """
    devices = len(jax.devices())
    games, batch = -(-options.parallel // devices), -(-options.batch // devices)

    def iteration(network, moments, count, rate, temperature, key):
        key = jax.random.fold_in(key, jax.lax.axis_index("device"))
        playing, *orders = jax.random.split(key, 1 + options.epochs)
        steps, score = play_games(game, games, options.most, network, temperature, playing)
        steps = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), steps)

        def learn(carried, rows):
            network, moments, count = carried
            part = jax.tree.map(lambda array: array[rows], steps)
            value, gradient = jax.value_and_grad(loss)(network, part, temperature, options.policy_weight)
            gradient = jax.lax.pmean(gradient, "device")
            network, moments = adam(network, moments, gradient, count, rate)
            return (network, moments, count + 1), value

        rows = jnp.concatenate([jax.random.permutation(order, len(steps.choice)) for order in orders])
        rows = rows[: len(rows) // batch * batch].reshape(-1, batch)
        (network, moments, count), losses = jax.lax.scan(learn, (network, moments, count), rows)
        return network, moments, count, *jax.lax.pmean((score, losses.mean()), "device")

    mesh, everywhere = jax.make_mesh((devices,), ("device",)), jax.sharding.PartitionSpec()
    iterate = jax.jit(
        jax.shard_map(iteration, mesh=mesh, in_specs=everywhere, out_specs=everywhere, check_vma=False)
    )
    network = new_network(jax.random.key(options.seed), game, options.width)
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    learner = jax.device_put((network, moments, jnp.float32(1)), jax.NamedSharding(mesh, everywhere))
    number, start, shown = 0, None, -1.0
    while True:
        passed = 0.0 if start is None else (time.monotonic() - start) / 60 / options.minutes
        if passed >= 1:
            return learner[0]
        hot, cold = options.temperatures
        temperature, rate = hot * (cold / hot) ** passed, options.rate * max(1 - passed, 0.02)
        key = jax.random.fold_in(jax.random.key(options.seed + 1), number)
        *learner, score, mean_loss = iterate(*learner, rate, temperature, key)
        score, number = float(score), number + 1
        start = start or time.monotonic()
        if passed - shown > 0.02:
            shown = passed
            report(learner[0], passed * options.minutes, number * games * devices, score, float(mean_loss))


def position_of(view) -> Position:
    """What a seat is shown, as the network reads it."""

    def seat_of(seat: int, hand: int, pile: int) -> Seat:
        garden, zero = view.gardens[seat], np.int32(0)
        return Seat(
            pack(garden.printed),
            pack(garden.built),
            pack(garden.connected),
            pack(garden.gardeners),
            pack(garden.nobles),
            pack(garden.boar),
            pack_marks(garden.marks),
            np.uint32(hand),
            np.uint32(pile),
            np.uint32(set_of(view.missions[seat] or ())),
            Points(zero, zero, zero, zero, zero, zero),  # only differences are asked for
        )

    other = 1 - view.seat
    return Position(
        seat_of(view.seat, view.hand, view.pile),
        seat_of(other, 0, view.unplayed[other]),
        pack_display(view.display),
        pack_pouch(view.pouch),
        np.int32(view.turn),
    )


class TrainedPlayer:
    """Plays the best of all legal turns by the network; it is given only what its seat may know."""

    def __init__(self, network):
        def best(position, most):
            turns, legal = legal_turns(position, most)
            place = jnp.argmax(jnp.where(legal, sum(judge(network, position, turns)), -jnp.inf))
            return jax.tree.map(lambda words: words[place], turns)

        self._best = jax.jit(best, static_argnums=1)

    def pick(self, view):
        """Any side."""
        return view.sides()[0]

    def decide(self, view):
        """The best turn."""
        most = 256 if len(view.options()) <= 256 else 2048  # two sizes to compile
        turn = jax.device_get(self._best(position_of(view), most))
        (square,), noble = (members(int(unpack(found))) for found in (turn.square, turn.noble))
        (card,) = members(int(turn.card))
        return Turn(card, int(turn.space), square, bool(turn.gardener), None, noble[0] if noble else None)


def compare(network, options):
    """Games against a built-in player through the rules, each deal from both seats; prints 95 % intervals."""
    # Imported here, because training does not need Numba.
    from sanssouci.arena.game import play_game  # noqa: PLC0415
    from sanssouci.dealer import BulkGame, parse_seed  # noqa: PLC0415
    from sanssouci.players import make_player  # noqa: PLC0415

    board_set = find_boards(options.boards)
    trained, wins, margins, scores = TrainedPlayer(network), [], [], []
    for deal in range(1, options.games // 2 + 1):
        for own in range(SEATS):
            chance = BulkGame(parse_seed(str(options.seed)), deal)
            players = [make_player(options.against, chance.stream(seat)) for seat in range(SEATS)]
            players[own] = trained
            state = play_game(Variant(deck=board_set.deck), board_set, chance.dealer(), players).state
            winners, totals = Result.of(state).winners, [score.total for score in state.scores]
            wins.append((own in winners) / len(winners))
            margins.append(totals[own] - totals[1 - own])
            scores.append(totals[own])
    print(f"{options.weights} : {options.against}, {options.boards}, {len(wins)} games, seed {options.seed}")
    for name, values, unit in (
        ("wins", np.array(wins) * 100, " %"),
        ("margin", margins, ""),
        ("score", scores, ""),
    ):
        pairs = np.reshape(values, (-1, SEATS)).mean(1)  # deals are independent, games of a deal are not
        spread_of_mean = 1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5
        print(f"{name:7} {pairs.mean():6.1f}{unit} ± {spread_of_mean:.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("train", "play"))
    parser.add_argument("weights", help="the file of the network")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--width", type=int, help="neurons of the hidden layer")
    parser.add_argument("--parallel", type=int, help="games that are played at once")
    parser.add_argument("--most", type=int, help="legal turns that are looked at in training")
    parser.add_argument("--batch", type=int, help="turns of one step of Adam")
    parser.add_argument("--epochs", type=int, help="how often each turn is used")
    parser.add_argument("--rate", type=float, default=1e-3, help="the first learning rate")
    parser.add_argument("--policy-weight", type=float, default=POLICY_WEIGHT, help="of PPO's loss")
    parser.add_argument("--temperatures", type=float, nargs=2, default=(0.6, 0.2), help="in points")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="level:2")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--boards", default="reference")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jax.config.update("jax_num_cpu_devices", cores)
    parser.set_defaults(**DEFAULTS["cpu" if jax.default_backend() == "cpu" else "gpu"])
    options = parser.parse_args()
    if options.task == "play":
        compare(load(options.weights), options)
        return

    log = Path(options.weights).with_suffix(".csv")
    log.write_text("minutes,games,score,loss\n")

    def report(network, minutes, games, score, mean_loss):
        line = f"{minutes:.2f},{games},{score:.2f},{mean_loss:.4f}"
        with log.open("a") as file:
            print(line, file=file)
        print(line, flush=True)
        save(options.weights, network)

    game = Sanssouci(boards=find_boards(options.boards), reward="score")
    save(options.weights, train(game, options, report))


def save(path, network):
    """In two steps, so that a game against it can begin while it learns."""
    part = Path(path).with_suffix(".part.npz")
    np.savez(part, **network._asdict())
    part.replace(path)


def load(path):
    with np.load(path) as file:
        return Network(**{name: jnp.asarray(file[name]) for name in file.files})


if __name__ == "__main__":
    main()
