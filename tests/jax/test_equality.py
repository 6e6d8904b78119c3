"""Whole games, turn by turn: the game in JAX has the states, options and results of the rules."""

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install 'sanssouci-game[jax]'")
import jax.numpy as jnp  # noqa: E402

from sanssouci import rules  # noqa: E402
from sanssouci.editions import BoardSet, load_edition  # noqa: E402
from sanssouci.env.spec import Stage  # noqa: E402
from sanssouci.env.stages import legal_actions, stage_after, turn_of  # noqa: E402
from sanssouci.jax import Sanssouci, State  # noqa: E402
from sanssouci.jax.bits import unpack  # noqa: E402
from sanssouci.jax.convert import unpack_state  # noqa: E402
from sanssouci.jax.playout import Table, play_games  # noqa: E402
from sanssouci.rules import (  # noqa: E402
    EMPTY,
    LEAVES,
    Chance,
    Result,
    Turn,
    Variant,
    members,
    motif_on,
    opening,
)
from sanssouci.rules.rewards import visible  # noqa: E402
from sanssouci.rules.scoring import rank  # noqa: E402

from ..helpers import VARIANTS  # noqa: E402

AT_ONCE = 100
GAMES = 20_000
"""Of each variant in the exhaustive form; the quick form plays one batch."""


def variant_name(variant: Variant) -> str:
    return "-".join([str(variant.seats), variant.edition, *variant.expansions])


def part(tree: Any, *index: Any) -> Any:
    return jax.tree.map(lambda array: array[index], tree)


def cases(quick: set[str]) -> list[Any]:
    """Each variant with its number of games; only some variants without the mark ``exhaustive``."""
    names = {variant_name(variant): variant for variant in VARIANTS}
    short = [pytest.param(names[name], AT_ONCE, id=f"{name}-short") for name in sorted(quick)]
    return short + [
        pytest.param(variant, GAMES, id=name, marks=pytest.mark.exhaustive) for name, variant in names.items()
    ]


def random_actions(mask: Any, key: Any) -> Any:
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf))


def staged_player(game: Sanssouci) -> Any:
    """A function of a seed: the states of ``AT_ONCE`` games before each step, and their random actions."""
    steps = game.variant.turns * len(Stage)  # more than any game has

    def step(state: State, key: Any) -> tuple[State, tuple[State, Any]]:
        choice, *chance = jax.random.split(key, 1 + AT_ONCE)
        action = random_actions(state.legal_action_mask, choice)
        return jax.vmap(game.step)(state, action, jnp.stack(chance)), (state, action)

    def play(seed: Any) -> Any:
        first, following = jax.random.split(jax.random.key(seed))
        state = jax.vmap(game.init)(jax.random.split(first, AT_ONCE))
        return jax.lax.scan(step, state, jax.random.split(following, steps))[1]

    return jax.jit(play)


def chance_between(before: rules.State, after: rules.State, turn: Turn) -> Chance:
    """The draws that turned one state into the next."""
    refill = motif_on(after.display, turn.space)
    drawn = members(after.hands[before.to_move] & ~before.hands[before.to_move])
    return Chance(None if refill == EMPTY else refill, drawn[0] if drawn else None)


def check_next(before: rules.State, after: rules.State, turn: Turn) -> None:
    assert before.play(turn, chance_between(before, after, turn)) == after


def check_staged_game(game: Sanssouci, states: State, actions: np.ndarray) -> None:
    """Every mask and every state of one game, and its rewards."""
    masks, stages, ended = states.legal_action_mask, states.stage, states.terminated
    leaves = jax.tree.leaves((states.seats, states.display, states.pouch))
    structure = jax.tree.structure((states.seats, states.display, states.pouch))

    def at(step: int) -> rules.State:
        seats, display, pouch = jax.tree.unflatten(structure, [leaf[step] for leaf in leaves])
        return unpack_state(game.variant, seats, display, pouch, states.turn[step])

    before, options = at(0), at(0).options()
    chosen: tuple[int, ...] = ()
    for step, action in enumerate(actions.tolist()):
        if ended[step]:
            break
        assert stages[step] == stage_after(options, chosen)
        assert tuple(np.flatnonzero(masks[step]).tolist()) == legal_actions(options, chosen)
        chosen = (*chosen, action)
        turn = turn_of(options, chosen)
        if turn is not None:
            after = at(step + 1)
            check_next(before, after, turn)
            before, options, chosen = after, after.options(), ()
    assert before.over and ended[step]
    assert masks[step].all()
    won = Result.of(before).winners
    shares = [(seat in won) / len(won) for seat in range(game.num_players)]
    wanted = [(game.num_players * share - 1) / (game.num_players - 1) for share in shares]
    assert np.allclose(states.rewards[step], wanted)
    assert not states.rewards[:step].any() and not states.rewards[step + 1 :].any()


def check_deal(boards: BoardSet, state: rules.State) -> None:
    """R9-R13, R29, R33: two cards, two missions, ten tiles, and boards of the set, each seat its own."""
    variant = state.variant
    marks = tuple(garden.marks for garden in state.gardens) if variant.rewards else ()
    gardens = [
        next(
            place
            for place, board in enumerate(boards.gardens)
            if garden.printed in shown_by(board, garden.marks)
        )
        for garden in state.gardens
    ]
    sides = tuple(
        next(side for side in boards.gardens[place].sides if visible(side, garden.marks) == garden.printed)
        for place, garden in zip(gardens, state.gardens, strict=True)
    )
    assert len(set(gardens)) == len(gardens)
    assert all(any(side in board.sides for board in boards.rewards) for side in marks)
    assert len(set(sum(state.missions, ()))) == 2 * variant.seats
    tiles = tuple(tile for tile in rules.tiles_on(state.display) if tile is not None)
    assert opening(variant, sides, state.missions, state.hands, tiles, marks) == state


def shown_by(board: rules.GardenBoard, marks: int) -> list[int]:
    return [visible(side, marks) for side in board.sides]


def check_random_game(game: Sanssouci, tables: Table, choices: Any, ranks: list[int]) -> None:
    """The deal, every state and the result of one game."""

    def at(table: Table, turn: int) -> rules.State:
        seats = jax.tree.map(lambda *words: np.stack(words), *table.seats)
        return unpack_state(game.variant, seats, table.display, table.pouch, turn)

    before = at(part(tables, 0), 0)
    check_deal(load_edition(game.variant.edition).boards, before)
    for turn in range(game.variant.turns):
        chosen = part(choices, turn)
        square, goal, stop = (
            members(int(unpack(found))) for found in (chosen.square, chosen.boar, chosen.noble)
        )
        space, gardener = int(chosen.space), bool(chosen.gardener)
        disturbed = before.gardens[before.to_move].boar >> square[0] & 1
        boar = (goal[0] if goal else LEAVES) if disturbed else None
        played = Turn(
            members(int(chosen.card))[0], space, square[0], gardener, boar, stop[0] if stop else None
        )
        if turn + 1 < game.variant.turns:
            after = at(part(tables, turn + 1), turn + 1)
            check_next(before, after, played)
            before = after
    assert played in before.options()
    over = before.play(played, Chance())
    gardeners = [garden.gardeners.bit_count() for garden in over.gardens]
    assert [rank(score.total, count) for score, count in zip(over.scores, gardeners, strict=True)] == ranks


@pytest.mark.parametrize(
    ("variant", "games"), cases({"2-ravensburger", "3-imperial-wild_boar", "4-imperial-rewards-wild_boar"})
)
def test_staged_games(variant: Variant, games: int) -> None:
    """R1-R38: every mask and every state of random games, step by step."""
    game = Sanssouci(variant)
    play = staged_player(game)
    for seed in range(games // AT_ONCE):
        states, actions = jax.device_get(play(seed))
        for number in range(AT_ONCE):
            check_staged_game(game, part(states, slice(None), number), actions[:, number])


@pytest.mark.parametrize(("variant", "games"), cases({"2-imperial-rewards", "3-imperial-rewards-wild_boar"}))
def test_random_games(variant: Variant, games: int) -> None:
    """R1-R38: every deal, every turn and every result of ``play_games``."""
    game = Sanssouci(variant)
    for seed in range(games // AT_ONCE):
        key = (jnp.uint32(seed), jnp.uint32(0))
        played = jax.device_get(play_games(game.variant, game.boards, key, AT_ONCE, record=True))
        turns = (played.tables, played.turns)
        for number in range(AT_ONCE):
            tables, chosen = part(turns, slice(None), number)
            check_random_game(game, tables, chosen, played.ranks[number].tolist())
