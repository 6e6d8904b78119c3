"""Information set Monte Carlo tree search for Sanssouci, in one file of plain Python.

    python examples/ismcts.py --games 10 --iterations 300 --opponent greedy

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012): each iteration deals the hidden cards and missions
again, walks down one tree with the actions that are legal in that deal, adds a node, plays to the end with a
quick policy, and adds the result to the nodes on the way. A turn is decided in stages (docs/environments.md),
so that a node has a few dozen children instead of hundreds.
"""

import argparse
import math

from sanssouci.dealer import BulkGame, parse_seed, shuffled
from sanssouci.env.game import Settings, deal_game
from sanssouci.env.spec import NO_NOBLE
from sanssouci.env.stages import legal_actions, turn_of
from sanssouci.players import make_player, prepare_player
from sanssouci.rules import (
    COLUMN,
    COLUMNS,
    ROUNDS,
    ROW,
    Chance,
    Result,
    State,
    Turn,
    column_of,
    members,
    noble_row,
    noble_stops,
    row_of,
    set_of,
)

EXPLORATION = 0.1
WIDENING = 1.5
HORIZON = 0
"""Rounds that the quick policy plays before the position is judged."""
PACE = 1.5
"""Points that any turn brings: only what a noble can score beyond it tells positions apart."""
CUT_OFF = 0.7
"""The share of a stop's points that counts while it cannot be walked to."""
SCALE = 30.0
"""A lead of this many points is worth about 0.88 of a win."""


class Node:
    """The statistics of one action, for the seat that takes it."""

    def __init__(self):
        self.children = {}
        self.visits = 0
        self.available = 0
        self.value = 0.0

    def choose(self, actions, stream):
        """The action with the best upper confidence bound, or a new one while the node may still widen.

        A node with n visits has at most WIDENING * sqrt(n) children. The lowest noble stop is tried first.
        """
        tried = [action for action in actions if action in self.children]
        untried = [action for action in actions if action not in self.children]
        if untried and (not tried or len(tried) < WIDENING * math.sqrt(self.visits)):
            if actions[-1] == NO_NOBLE and len(untried) > 1:
                return untried[-2]  # squares are numbered by rows, and NO_NOBLE comes last
            return untried[stream.below(len(untried))]
        for action in tried:
            self.children[action].available += 1
        return max(tried, key=lambda action: self.children[action].bound())

    def bound(self):
        mean = self.value / self.visits
        return mean + EXPLORATION * math.sqrt(math.log(self.available + 1) / self.visits)


class IsmctsPlayer:
    """Decides from a view alone, like every player."""

    def __init__(self, stream, iterations=300):
        self.stream = stream
        self.iterations = iterations

    def pick(self, view):
        return self.stream.below(len(view.sides()))

    def decide(self, view):
        root = Node()
        for _ in range(self.iterations):
            self.iterate(root, deal_hidden(view, self.stream))
        options, chosen, node = view.options(), (), root
        while turn_of(options, chosen) is None:
            action = max(
                legal_actions(options, chosen),
                key=lambda action: node.children[action].visits if action in node.children else -1,
            )
            chosen = (*chosen, action)
            node = node.children.get(action, Node())
        return turn_of(options, chosen)

    def iterate(self, root, state):
        """One iteration: selection, expansion, simulation, backpropagation."""
        path, node, expanded = [], root, False
        root.visits += 1
        while not state.over and not expanded:
            options, chosen, turn = state.options(), (), None
            while turn is None:
                action = node.choose(legal_actions(options, chosen), self.stream)
                expanded = expanded or action not in node.children
                node = node.children.setdefault(action, Node())
                path.append((node, state.to_move))
                chosen = (*chosen, action)
                turn = turn_of(options, chosen)
            state = play(state, turn, self.stream)
        horizon = state.turn + HORIZON * state.variant.seats
        while not state.over and state.turn < horizon:
            state = play(state, quick_turn(state.options(), self.stream), self.stream)
        values = results(state)
        for node, seat in path:
            node.visits += 1
            node.value += values[seat]


def deal_hidden(view, stream):
    """A state that fits a view: hands and missions of the others are dealt at random."""
    known = view.missions[view.seat]
    missions = iter(shuffled([column for column in COLUMNS if column not in known], stream))
    hands = []
    for seat, unplayed in enumerate(view.unplayed):
        held = shuffled(members(unplayed), stream)[: view.hand_sizes[seat]]
        hands.append(view.hand if seat == view.seat else set_of(held))
    seats = range(view.variant.seats)
    return State(
        view.variant,
        view.gardens,
        view.scores,
        tuple(hands),
        tuple(unplayed & ~hand for unplayed, hand in zip(view.unplayed, hands, strict=True)),
        tuple(known if seat == view.seat else (next(missions), next(missions)) for seat in seats),
        view.display,
        view.pouch,
        view.turn,
    )


def play(state, turn, stream):
    """The state after a turn and random draws."""
    tiles = [motif for motif, count in enumerate(state.pouch) for _ in range(count)]
    cards = members(state.piles[state.to_move])
    refill = tiles[stream.below(len(tiles))] if tiles else None
    return state.play(turn, Chance(refill, cards[stream.below(len(cards))] if cards else None))


def quick_turn(options, stream):
    """A fair turn in no time: of a few random tiles, the one that brings most to the nobles."""
    best, most = None, -1.0
    for _ in range(3):
        card = one_of(members(options.cards), stream)
        space = one_of(members(options.spaces(card)), stream)
        square = one_of(members(options.squares(space)), stream)
        gardener = options.gardener(space)
        stops = members(options.stops(square, gardener))
        stop = stops[-1] if stops else None  # squares are numbered by rows: the last one scores most
        worth = (row_of(stop) if stops else 0) + 0.2 * len(stops)
        if worth > most:
            best, most = (
                Turn(card, space, square, gardener, one_of(options.boar(square), stream), stop),
                worth,
            )
    return best


def one_of(choices, stream):
    return choices[stream.below(len(choices))]


def results(state):
    """A value from 0 to 1 for each seat: its expected lead over the best other seat, squashed."""
    totals = [expected_score(state, seat) for seat in range(state.variant.seats)]
    leads = [own - max(totals[:seat] + totals[seat + 1 :]) for seat, own in enumerate(totals)]
    return [1 / (1 + math.exp(-2 * lead / SCALE)) for lead in leads]


def expected_score(state, seat):
    """The points of a seat, with a guess at those that its remaining turns and the end will bring."""
    garden, points = state.gardens[seat], state.scores[seat].total
    if state.over:
        return points
    left = ROUNDS - (state.turn + state.variant.seats - 1 - seat) // state.variant.seats
    stops = noble_stops(garden.connected, garden.gardeners, garden.nobles)
    lowest = {}  # what the noble of each column can hope for
    for stop in members(noble_stops(garden.built, garden.gardeners, garden.nobles)):
        hope = row_of(stop) * (1 if stops >> stop & 1 else CUT_OFF)
        lowest[column_of(stop)] = max(hope, lowest.get(column_of(stop), 0))
    points += sum(max(0, hope - PACE) for hope in sorted(lowest.values(), reverse=True)[:left])
    for mission in state.missions[seat]:
        points += max(noble_row(garden.nobles, mission), 0.8 * lowest.get(mission, 0))
    for row in range(2, 7):
        points += (10 - row) * 0.5 ** (9 - (garden.built & ROW[row]).bit_count())
    for column in COLUMNS:
        points += 5 * 0.5 ** (6 - (garden.built & COLUMN[column]).bit_count())
    return points


def play_match(games, iterations, opponent, seed):
    """Two-seat games, each deal twice with seats swapped; yields both scores and the share of the win."""
    settings = Settings.of(2)
    for number in range(games):
        chance = BulkGame(parse_seed(str(seed)), 1 + number // 2)
        own = number % 2
        players = {
            own: IsmctsPlayer(chance.stream(own), iterations),
            1 - own: make_player(opponent, chance.stream(1 - own)),
        }
        deal = deal_game(settings, chance, players)
        state = deal.start()
        while not state.over:
            turn = players[state.to_move].decide(state.view(state.to_move))
            state = state.play(turn, deal.chance(state.turn))
        winners = Result.of(state).winners
        yield state.scores[own].total, state.scores[1 - own].total, (own in winners) / len(winners)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    prepare_player(asked.opponent)
    wins, margins = 0.0, []
    for number, (own, other, won) in enumerate(
        play_match(asked.games, asked.iterations, asked.opponent, asked.seed), start=1
    ):
        wins += won
        margins.append(own - other)
        print(f"game {number}: {own} to {other}", flush=True)
    mean = sum(margins) / len(margins)
    spread = math.sqrt(sum((margin - mean) ** 2 for margin in margins) / max(1, len(margins) - 1))
    error = 1.96 * spread / math.sqrt(len(margins))
    print(f"{wins:g} of {len(margins)} won, mean lead {mean:+.1f} ± {error:.1f} points")


if __name__ == "__main__":
    main()
