"""Measures how much stronger ``master`` is with open cards, or with more rollouts: the distance still left.

Run as ``python -m benchmarks.stronger_master --open --deals 60``, or as ``… --rollouts 24000 --ordinary 240``
for a hundred times as many rollouts. The stronger player has one seat and the ordinary one the other,
``master@1200`` by default, about 0.1 s a turn; every deal is played in both seatings, on ``reference``
boards. With open cards the stronger one knows the hands and missions of both seats, but not the order of
pouch and piles. The figures are in ``docs/learning.md``.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from statistics import fmean, stdev

from rich.progress import track

from sanssouci.dealer import BulkGame, derive_seed, parse_seed, prepare
from sanssouci.editions import shipped_boards
from sanssouci.network import network_search, shipped_network
from sanssouci.rules import Result, Variant

ROLLOUTS = 1200
SEATS = 2


def play_deal(seed: str, rollouts: int, ordinary: int, open_cards: bool, number: int) -> tuple[float, float]:
    """The margin and the wins of the stronger player, on average over both seatings of a deal."""
    layers, chance = shipped_network(SEATS).layers, BulkGame(parse_seed(seed), number)
    deal, _ = prepare(Variant(SEATS), shipped_boards("reference"), chance.dealer(), lambda seat, view: 0)
    margins, wins = [], []
    for stronger in range(SEATS):
        state = deal.start()
        while not state.over:
            view = state.view(state.to_move)
            key = derive_seed(parse_seed(seed), f"{number} {state.turn}")
            if state.to_move == stronger:
                judged = network_search(state if open_cards else view, layers, key, rollouts)
            else:
                judged = network_search(view, layers, key, ordinary)
            state = state.play(judged[0].turn, deal.chance(state.turn))
        totals, winners = [score.total for score in state.scores], Result.of(state).winners
        margins.append(totals[stronger] - totals[1 - stronger])
        wins.append((stronger in winners) / len(winners))
    return fmean(margins), fmean(wins)


def estimate(values: Iterable[float]) -> tuple[float, float]:
    """The mean and half of its 95 % interval."""
    found = [*values]
    return fmean(found), 1.96 * stdev(found) / len(found) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--open", action="store_true", help="the stronger player sees all cards")
    parser.add_argument("--rollouts", type=int, default=ROLLOUTS, help="of the stronger player")
    parser.add_argument("--ordinary", type=int, default=ROLLOUTS, help="rollouts of the ordinary player")
    parser.add_argument("--deals", type=int, default=60, help="each is played in both seatings; at least 2")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int)
    args = parser.parse_args()
    play = partial(play_deal, args.seed, args.rollouts, args.ordinary, args.open)
    with ProcessPoolExecutor(args.processes) as pool:
        jobs = [pool.submit(play, number) for number in range(1, args.deals + 1)]
        results = [job.result() for job in track(as_completed(jobs), "deals", total=len(jobs))]
    (margin, error), (wins, wins_error) = (estimate(column) for column in zip(*results, strict=True))
    name = f"master@{args.rollouts}{' with open cards' * args.open} : master@{args.ordinary}"
    print(f"{name}, {SEATS * args.deals} games: {margin:+.1f} ± {error:.1f}, {wins:.1%} ± {wins_error:.1%}")


if __name__ == "__main__":
    main()
