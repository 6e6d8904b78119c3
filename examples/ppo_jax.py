"""PPO in one file: learns the base game for two seats by self-play, then plays against built-in players.

python examples/ppo_jax.py train weights.npz --minutes 10
python examples/ppo_jax.py play weights.npz --against level:2 --games 200

Both seats are the same network. It sees the observation of docs/environments.md and the mask of legal
actions, and is rewarded with its own points. Adam and the network are written out, so that JAX is all that is
needed.
"""

import argparse
import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from sanssouci.env import observation, spec, stages
from sanssouci.jax import Sanssouci
from sanssouci.rules import Result, Variant

STAGES = 4
"""Card, space, square and noble: without the boar, every turn has these."""
POINTS = 20.0
"""Rewards and values are in units of this many points."""
CLIP, ENTROPY, VALUE_WEIGHT, LAMBDA, LARGEST_GRADIENT = 0.2, 0.01, 0.5, 0.95, 0.5
SEATS = 2
SCALE = np.concatenate([np.full(part.size, 1 / part.high) for part in spec.fields(SEATS)]).astype(np.float32)


class Steps(NamedTuple):
    """What training needs of each decision."""

    observation: jax.Array
    mask: jax.Array
    action: jax.Array
    log_probability: jax.Array
    value: jax.Array
    advantage: jax.Array


def new_network(key, width):
    """Weights of two hidden layers, then of logits and value together."""
    sizes = [spec.observation_size(SEATS) + spec.ACTIONS, width, width, spec.ACTIONS + 1]
    keys = jax.random.split(key, len(sizes) - 1)
    gains = (2**0.5, 2**0.5, 0.01)
    return [
        (jax.nn.initializers.orthogonal(gain)(key, (inputs, outputs)), jnp.zeros(outputs))
        for key, gain, inputs, outputs in zip(keys, gains, sizes[:-1], sizes[1:], strict=True)
    ]


def apply(network, observed, mask):
    """Logits of the legal actions, and the value: the points that the seat will still score."""
    signal = jnp.concatenate([observed * SCALE, mask.astype(jnp.float32)], -1)
    *hidden, (weights, bias) = network
    for layer, start in hidden:
        signal = jax.nn.relu(signal @ layer + start)
    out = signal @ weights + bias
    return jnp.where(mask, out[..., :-1], -1e9), out[..., -1]


def play_games(game, games, network, key):
    """Whole games of the network against itself, as ``[decisions, games * seats]``; and the mean score."""

    def step(state, key):
        choice, chance = jax.random.split(key)
        observed, mask = jax.vmap(game.observe)(state), state.legal_action_mask
        logits, value = apply(network, observed, mask)
        action = jax.random.categorical(choice, logits)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
        state = jax.vmap(game.step)(state, action, jax.random.split(chance, games))
        return state, (Steps(observed, mask, action, chosen, value, value), state.rewards)

    first, following = jax.random.split(key)
    start = jax.vmap(game.init)(jax.random.split(first, games))
    turns = game.variant.turns
    end, (steps, rewards) = jax.lax.scan(step, start, jax.random.split(following, STAGES * turns))

    # Seats take turns, so the decisions of a seat are every second block of four.
    def by_seat(array):
        blocks = array.reshape(turns // SEATS, SEATS, STAGES, *array.shape[1:])
        return jnp.moveaxis(blocks, 1, 2).reshape(turns // SEATS * STAGES, SEATS * games, *array.shape[2:])

    own = jnp.stack([rewards.reshape(turns // SEATS, SEATS, STAGES, games, SEATS)[:, seat, ..., seat]
                     for seat in range(SEATS)], 2)  # fmt: skip
    own = own.at[-1, -1, 0].add(rewards[-1, :, 0])  # the end is scored after the last seat's turn
    own = own.reshape(turns // SEATS * STAGES, SEATS * games) / POINTS
    steps = jax.tree.map(by_seat, steps)
    return steps._replace(advantage=advantages(own, steps.value)), end.seats.points.total().mean()


def advantages(rewards, values):
    """Generalised advantage estimation without discount."""

    def back(carried, now):
        following, advantage = carried
        reward, value = now
        advantage = reward + following - value + LAMBDA * advantage
        return (value, advantage), advantage

    zero = jnp.zeros_like(values[0])
    return jax.lax.scan(back, (zero, zero), (rewards, values), reverse=True)[1]


def loss(network, steps):
    logits, value = apply(network, steps.observation, steps.mask)
    all_logs = jax.nn.log_softmax(logits)
    ratio = jnp.exp(jnp.take_along_axis(all_logs, steps.action[:, None], 1)[:, 0] - steps.log_probability)
    gain = (steps.advantage - steps.advantage.mean()) / (steps.advantage.std() + 1e-6)
    policy = jnp.minimum(ratio * gain, ratio.clip(1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(all_logs) * jnp.where(steps.mask, all_logs, 0)).sum(-1).mean()
    wanted = steps.value + steps.advantage
    return VALUE_WEIGHT * ((value - wanted) ** 2).mean() - policy - ENTROPY * entropy


def adam(network, moments, gradient, count, rate):
    """One step of Adam, with the gradient cut to a largest norm."""
    norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda leaf: leaf * jnp.minimum(1, LARGEST_GRADIENT / (norm + 1e-9)), gradient)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], gradient)
    rate = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    network = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + 1e-8), network, first, second)
    return network, (first, second)


def train(game, minutes, games=256, width=256, rate=1e-3, epochs=2, batch=4096, seed=0, report=print):
    """The network after some minutes, not counting compilation; the learning rate falls to 0 in that time."""

    @partial(jax.jit, donate_argnums=(0, 1))
    def iteration(network, moments, count, rate, key):
        playing, *orders = jax.random.split(key, 1 + epochs)
        steps, score = play_games(game, games, network, playing)
        steps = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), steps)
        total = len(steps.action)

        def learn(carried, rows):
            network, moments, count = carried
            part = jax.tree.map(lambda array: array[rows], steps)
            network, moments = adam(network, moments, jax.grad(loss)(network, part), count, rate)
            return (network, moments, count + 1), None

        rows = jnp.concatenate([jax.random.permutation(order, total) for order in orders])
        rows = rows[: len(rows) // batch * batch].reshape(-1, batch)
        (network, moments, count), _ = jax.lax.scan(learn, (network, moments, count), rows)
        return network, moments, count, score

    network = new_network(jax.random.key(seed), width)
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    count, number, start, shown = jnp.float32(1), 0, None, 0.0
    while True:
        passed = 0.0 if start is None else (time.monotonic() - start) / 60 / minutes
        if passed >= 1:
            return network
        key = jax.random.fold_in(jax.random.key(seed + 1), number)
        network, moments, count, score = iteration(network, moments, count, rate * max(1 - passed, 0.02), key)
        score = float(score)
        start, number = start or time.monotonic(), number + 1
        if passed - shown > 0.05 or number == 1:
            shown = passed
            report(f"{passed:4.0%}  {number * games:9} games  mean score {score:.1f}", flush=True)


class TrainedPlayer:
    """Plays the most probable action of every stage; it is given only what its seat may know."""

    def __init__(self, network):
        self._apply = jax.jit(partial(apply, network))

    def pick(self, view):
        """Any side."""
        return view.sides()[0]

    def decide(self, view):
        """A turn, stage by stage."""
        options, chosen = view.options(), ()
        while (turn := stages.turn_of(options, chosen)) is None:
            mask = observation.mask_of(stages.legal_actions(options, chosen)).astype(bool)
            seen = observation.observe(view, stages.stage_after(options, chosen), chosen)
            logits, _ = self._apply(seen, mask)
            chosen = (*chosen, int(jnp.argmax(logits)))
        return turn


def compare(network, opponent, games, boards, seed):
    """Games against a built-in player through the rules, each deal from both seats; prints 95 % intervals."""
    # Imported here, because training needs neither Numba nor pydantic.
    from sanssouci.arena.game import play_game  # noqa: PLC0415
    from sanssouci.dealer import BulkGame, parse_seed  # noqa: PLC0415
    from sanssouci.editions import find_boards  # noqa: PLC0415
    from sanssouci.players import make_player  # noqa: PLC0415

    board_set = find_boards(boards)
    trained, wins, margins, scores = TrainedPlayer(network), [], [], []
    for deal in range(1, games // 2 + 1):
        for own in range(SEATS):
            chance = BulkGame(parse_seed(str(seed)), deal)
            players = [make_player(opponent, chance.stream(seat)) for seat in range(SEATS)]
            players[own] = trained
            state = play_game(Variant(deck=board_set.deck), board_set, chance.dealer(), players).state
            winners, totals = Result.of(state).winners, [score.total for score in state.scores]
            wins.append((own in winners) / len(winners))
            margins.append(totals[own] - totals[1 - own])
            scores.append(totals[own])
    for name, values, unit in (
        ("wins", np.array(wins) * 100, " %"),
        ("margin", margins, ""),
        ("score", scores, ""),
    ):
        pairs = np.reshape(values, (-1, SEATS)).mean(1)  # deals are independent, games of a deal are not
        spread = 1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5
        print(f"{name:7} {pairs.mean():6.1f}{unit} ± {spread:.1f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("train", "play"))
    parser.add_argument("weights", help="the file of the network")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--width", type=int, default=256, help="neurons of a hidden layer")
    parser.add_argument("--parallel", type=int, default=256, help="games that are played at once")
    parser.add_argument("--batch", type=int, default=4096, help="decisions of one step of Adam")
    parser.add_argument("--rate", type=float, default=1e-3, help="the first learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="level:2")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--boards", default="reference")
    options = parser.parse_args()
    if options.task == "train":
        network = train(
            Sanssouci(reward="score"),
            options.minutes,
            options.parallel,
            options.width,
            options.rate,
            batch=options.batch,
            seed=options.seed,
        )
        save(options.weights, network)
    else:
        compare(load(options.weights), options.against, options.games, options.boards, options.seed)


def save(path, network):
    np.savez(path, *(np.asarray(array) for layer in network for array in layer))


def load(path):
    with np.load(path) as file:
        arrays = [jnp.asarray(file[name]) for name in file.files]
    return list(zip(arrays[::2], arrays[1::2], strict=True))


if __name__ == "__main__":
    main()
