"""Compares games in JAX with the rules: ``python -m tests.jax.comparison --games 20000 --processes 16``.

Needs only JAX, NumPy and the rules, so that it also runs on a machine with nothing else. With ``--log FILE``
it notes the batches that are equal, and a later call goes on with the others. Processes share what they have
compiled if ``JAX_COMPILATION_CACHE_DIR`` names a directory.
"""

import argparse
import os
import time
import tomllib
from collections import Counter
from functools import cache
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import sanssouci
from sanssouci import rules
from sanssouci.env.spec import Stage
from sanssouci.env.stages import legal_actions, stage_after, turn_of
from sanssouci.jax import Sanssouci, State, play_games
from sanssouci.jax.bits import unpack
from sanssouci.jax.convert import unpack_states
from sanssouci.jax.playout import RandomTurn, Table
from sanssouci.rules import (
    EMPTY,
    IMPERIAL,
    LEAVES,
    OUR_DECK,
    RAVENSBURGER,
    Chance,
    GardenBoard,
    Mark,
    Result,
    RewardBoard,
    Turn,
    Variant,
    members,
    motif_on,
    opening,
    pack_marks,
    set_of,
    square_at,
)
from sanssouci.rules.rewards import visible
from sanssouci.rules.scoring import rank

AT_ONCE = 100
VARIANTS: tuple[Variant, ...] = tuple(
    Variant(seats, edition, rewards, boar)
    for seats in (2, 3, 4)
    for edition, boar in ((RAVENSBURGER, False), (IMPERIAL, False), (IMPERIAL, True))
    for rewards in (False, True)
)
_MARKS = dict(zip(("+1", "+2", "+3", "g3", "-2", "-3"), list(Mark)[1:], strict=True))


def variant_name(variant: Variant) -> str:
    """A short name: ``4-imperial-rewards-wild_boar``."""
    return "-".join([str(variant.seats), variant.edition, *variant.expansions])


def load_boards(edition: str) -> Any:
    """The boards of an edition, read without the packages that check a boards file."""
    path = Path(sanssouci.__file__).parent / "editions" / "data" / f"{edition}.toml"
    boards = tomllib.loads(path.read_text("utf-8"))["boards"]
    gardens = [
        GardenBoard(tuple(set_of(map(_square, board[side])) for side in ("front", "back")))
        for board in boards["gardens"]
    ]
    rewards = [
        RewardBoard(
            tuple(
                pack_marks({_square(name): _MARKS[mark] for name, mark in board[side].items()})
                for side in ("front", "back")
            )
        )
        for board in boards["rewards"]
    ]
    return SimpleNamespace(gardens=gardens, rewards=rewards, deck=OUR_DECK)


def _square(name: str) -> int:
    return square_at("abcdefghi".index(name[0]), int(name[1]))


def part(tree: Any, *index: Any) -> Any:
    return jax.tree.map(lambda array: array[index], tree)


@cache
def new_game(variant: Variant) -> tuple[Sanssouci, Any]:
    """The game on the boards of its edition, and these."""
    boards = load_boards(variant.edition)
    return Sanssouci(variant, boards), boards


@cache
def staged_player(game: Sanssouci) -> Any:
    """A function of a seed: the states of ``AT_ONCE`` games before each step, and their random actions."""
    steps = game.variant.turns * len(Stage)  # more than any game has

    def step(state: State, key: Any) -> tuple[State, tuple[State, Any]]:
        choice, chance = jax.random.split(key)
        action = jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        return jax.vmap(game.step)(state, action, jax.random.split(chance, AT_ONCE)), (state, action)

    def play(seed: Any) -> Any:
        first, following = jax.random.split(jax.random.key(seed))
        state = jax.vmap(game.init)(jax.random.split(first, AT_ONCE))
        return jax.lax.scan(step, state, jax.random.split(following, steps))[1]

    return jax.jit(play)


def check_next(before: rules.State, after: rules.State, turn: Turn) -> None:
    """A state follows from another by a turn and the draws between them."""
    refill = motif_on(after.display, turn.space)
    drawn = members(after.hands[before.to_move] & ~before.hands[before.to_move])
    chance = Chance(None if refill == EMPTY else refill, drawn[0] if drawn else None)
    assert before.play(turn, chance) == after


def check_staged_game(game: Sanssouci, states: State, actions: Any) -> None:
    """Every mask and every state of one game, and its rewards; ``states`` and ``actions`` have one axis."""
    last = int(np.flatnonzero(states.terminated)[0])
    stages, made = states.stage.tolist(), actions.tolist()
    starts = [step for step in range(last + 1) if stages[step] == Stage.CARD]
    found: State = part(states, np.array(starts))
    positions = unpack_states(game.variant, found.seats, found.display, found.pouch, found.turn.tolist())
    steps, legal = np.nonzero(states.legal_action_mask[:last])
    masks = [tuple(row.tolist()) for row in np.split(legal, np.searchsorted(steps, range(1, last)))]
    for turn, before in enumerate(positions[:-1]):
        options = before.options()
        chosen: tuple[int, ...] = ()
        for step in range(starts[turn], starts[turn + 1]):
            assert stages[step] == stage_after(options, chosen)
            assert masks[step] == legal_actions(options, chosen)
            chosen = (*chosen, made[step])
        played = turn_of(options, chosen)
        assert played is not None
        check_next(before, positions[turn + 1], played)
    end = positions[-1]
    assert end.over and states.legal_action_mask[last].all()
    won, seats = Result.of(end).winners, game.num_players
    wanted = [(seats * (seat in won) / len(won) - 1) / (seats - 1) for seat in range(seats)]
    assert np.allclose(states.rewards[last], wanted, rtol=1e-6, atol=0)
    assert not states.rewards[:last].any() and not states.rewards[last + 1 :].any()


def check_deal(boards: Any, state: rules.State) -> None:
    """R9-R13, R29, R33: two cards, two missions, ten tiles, and boards of the set, each seat its own."""
    marks = tuple(garden.marks for garden in state.gardens) if state.variant.rewards else ()
    sides = [
        next(
            (place, side)
            for place, board in enumerate(boards.gardens)
            for side in board.sides
            if visible(side, garden.marks) == garden.printed
        )
        for garden in state.gardens
    ]
    assert len({place for place, _ in sides}) == len(sides)
    assert all(any(side in board.sides for board in boards.rewards) for side in marks)
    assert len({mission for missions in state.missions for mission in missions}) == 2 * state.variant.seats
    tiles = tuple(tile for tile in rules.tiles_on(state.display) if tile is not None)
    printed = tuple(side for _, side in sides)
    assert opening(state.variant, printed, state.missions, state.hands, tiles, marks) == state


def check_random_game(
    game: Sanssouci, boards: Any, tables: Table, turns: RandomTurn, ranks: list[int]
) -> None:
    """The deal, every state and the result of one game."""
    seats = jax.tree.map(lambda *words: np.stack(words, -1), *tables.seats)
    numbers = range(game.variant.turns)
    positions = unpack_states(game.variant, seats, tables.display, tables.pouch, numbers)
    check_deal(boards, positions[0])
    for number, before in enumerate(positions):
        played = _as_turn(before, part(turns, number))
        if number + 1 < len(positions):
            check_next(before, positions[number + 1], played)
    over = before.play(played, Chance())
    gardeners = [garden.gardeners.bit_count() for garden in over.gardens]
    assert [rank(score.total, count) for score, count in zip(over.scores, gardeners, strict=True)] == ranks


def _as_turn(before: rules.State, turn: RandomTurn) -> Turn:
    (square,), goal, stop = (members(int(unpack(found))) for found in (turn.square, turn.boar, turn.noble))
    disturbed = before.gardens[before.to_move].boar >> square & 1
    boar = (goal[0] if goal else LEAVES) if disturbed else None
    (card,) = members(int(turn.card))
    return Turn(card, int(turn.space), square, bool(turn.gardener), boar, stop[0] if stop else None)


def compare_staged(variant: Variant, batch: int) -> None:
    """Play ``AT_ONCE`` games of random stage actions; ``AssertionError`` where one differs from the rules."""
    game, _ = new_game(variant)
    states, actions = jax.device_get(staged_player(game)(batch))
    for number in range(AT_ONCE):
        check_staged_game(game, *part((states, actions), slice(None), number))


def compare_random(variant: Variant, batch: int) -> None:
    """The same for ``play_games``."""
    game, boards = new_game(variant)
    key = (jnp.uint32(batch), jnp.uint32(0))
    played = jax.device_get(play_games(game.variant, game.boards, key, AT_ONCE, record=True))
    for number in range(AT_ONCE):
        tables, turns = part((played.tables, played.turns), slice(None), number)
        check_random_game(game, boards, tables, turns, played.ranks[number].tolist())


def compare(job: tuple[Variant, list[int], float]) -> tuple[str, list[int]]:
    """Compare batches until a time; the variant's name and the batches that were compared."""
    variant, batches, deadline = job
    done = []
    for batch in batches:
        if time.time() > deadline:
            break
        try:
            compare_staged(variant, batch)
            compare_random(variant, batch)
        except AssertionError as error:
            raise AssertionError(f"{variant_name(variant)} differs in batch {batch}") from error
        done.append(batch)
    return variant_name(variant), done


def use_one_core(numbers: "SimpleQueue[int]") -> None:
    """Give each process a core: JAX would use all of them in each."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[numbers.get() % len(cores)]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=AT_ONCE, help="of each kind and each variant")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--first", default="", help="names of variants to begin with, separated by commas")
    parser.add_argument(
        "--batches", type=int, default=20, help="batches of 100 games that a process compares at once"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--log", type=Path, help="notes what is equal, and leaves it out the next time")
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    known = options.log.read_text("utf-8").split("\n") if options.log and options.log.exists() else []
    first = options.first.split(",")
    order = sorted(VARIANTS, key=lambda variant: (variant_name(variant) not in first, -variant.seats))
    jobs = []
    for start in range(0, options.games // AT_ONCE, options.batches):
        for variant in order:
            batches = range(start, min(start + options.batches, options.games // AT_ONCE))
            left = [batch for batch in batches if f"{variant_name(variant)} {batch}" not in known]
            if left:
                jobs.append((variant, left, deadline))
    context = get_context("spawn")
    numbers = context.SimpleQueue()
    for number in range(options.processes):
        numbers.put(number)
    with context.Pool(options.processes, use_one_core, (numbers,)) as pool:
        for name, done in pool.imap_unordered(compare, jobs):
            known += [f"{name} {batch}" for batch in done]
            if options.log:
                options.log.write_text("\n".join(sorted(filter(None, known))) + "\n", "utf-8")
    games = Counter(line.split()[0] for line in known if line)
    for variant in VARIANTS:
        count = AT_ONCE * games[variant_name(variant)]
        print(f"{variant_name(variant)}: {count} staged and {count} random games are equal")


if __name__ == "__main__":
    main()
