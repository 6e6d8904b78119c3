"""How many random turns a second the interpreted rules play through the public API, on one core.

``python -m benchmarks.rules_speed [--seconds 10] [--json]``

Counted is everything a turn costs: the view, the options, the choice of a random player, the checked turn,
and chance's answer. Dealing is left out of the first figure and included in the second.
"""

import argparse
import json
import time

from sanssouci.arena import Simulation
from sanssouci.dealer import BulkGame, parse_seed, prepare
from sanssouci.editions import shipped_boards
from sanssouci.players import RandomPlayer
from sanssouci.rules import IMPERIAL, Deal, Variant

GOAL = 25_000
VARIANTS = {
    "base, 2 seats": Variant(2),
    "base, 4 seats": Variant(4),
    "rewards, 2 seats": Variant(2, rewards=True),
    "rewards and boar, 2 seats": Variant(2, IMPERIAL, rewards=True, wild_boar=True),
}


def deals(variant: Variant, games: int) -> list[tuple[Deal, list[RandomPlayer]]]:
    """Games that are ready to start."""
    found = []
    for number in range(1, games + 1):
        chance = BulkGame(bytes(32), number)
        players = [RandomPlayer(chance.stream(seat)) for seat in range(variant.seats)]
        deal, _ = prepare(variant, shipped_boards("reference"), chance.dealer(), lambda seat, view: 0)
        found.append((deal, players))
    return found


def play(deal: Deal, players: list[RandomPlayer]) -> int:
    """Play a game through views; the number of its turns."""
    state = deal.start()
    while not state.over:
        seat = state.to_move
        turn = players[seat].decide(state.view(seat))
        state = state.play(turn, deal.chance(state.turn))
    return state.turn


def turns_per_second(variant: Variant, seconds: float) -> float:
    """The pace of turns alone."""
    ready = deals(variant, max(4, int(seconds * 800)))
    turns, started = 0, time.perf_counter()
    for deal, players in ready:
        turns += play(deal, players)
        if time.perf_counter() - started > seconds:
            break
    return turns / (time.perf_counter() - started)


def with_dealing(variant: Variant, seconds: float) -> float:
    """The pace of whole games as ``sanssouci simulate`` plays them."""
    simulation = Simulation(
        variant, shipped_boards("reference"), ("random",) * variant.seats, parse_seed("1")
    )
    turns, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        turns += len(simulation.play(1 + turns).turns)
    return turns / (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="for the whole series")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    arguments = parser.parse_args()
    share = arguments.seconds / (2 * len(VARIANTS))
    figures = {
        name: (turns_per_second(variant, share), with_dealing(variant, share))
        for name, variant in VARIANTS.items()
    }
    if arguments.json:
        print(json.dumps({name: {"turns_per_s": a, "with_dealing": b} for name, (a, b) in figures.items()}))
        return
    print(f"{'random turns a second, one core':<34}{'turns':>10}{'with dealing':>15}   (goal {GOAL:,})")
    for name, (alone, dealt) in figures.items():
        print(f"{name:<34}{alone:>10,.0f}{dealt:>15,.0f}")


if __name__ == "__main__":
    main()
