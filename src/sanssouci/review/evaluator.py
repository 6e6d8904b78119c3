"""The two ways to judge turns: with the value network, or with games that stewards play to the end.

Hints, reviews and forecasts all use the same evaluator, so their figures agree. Stewards judge only where the
network's file is missing or damaged.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanssouci.dealer import Seed, derive_seed
from sanssouci.rules import State, Turn, View

from .forecast import Forecast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sanssouci.network import Network

CancelCheck = Callable[[], None]
"""Called between two pieces of work; it raises if the work is to be stopped."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What turns of one seat bring in the same simulated games, piece by piece."""

    scores: "npt.NDArray[np.float64]"
    """``[pieces, turns, seats]``: the points at the end."""
    shares: "npt.NDArray[np.float64]"
    """``[pieces, turns, seats]``: the share of the win."""
    margins: "npt.NDArray[np.float64]"
    """``[pieces, turns]``: the points of the seat to move over those of the best other seat."""

    def forecasts(self, turn: int) -> list[Forecast]:
        """The forecast with one of the turns in each piece."""
        return [
            Forecast(tuple(map(float, shares)), tuple(map(float, scores)))
            for shares, scores in zip(self.shares[:, turn], self.scores[:, turn], strict=True)
        ]


class Evaluator(ABC):
    """Finds good turns, and compares turns."""

    @abstractmethod
    def search(self, view: View, seed: Seed, rollouts: int) -> list[Turn]:
        """The best turns of the seat to move, the best first."""

    @abstractmethod
    def compare(
        self,
        game: View | State,
        turns: Sequence[Turn],
        seed: Seed,
        games: int,
        pieces: int,
        check_cancelled: CancelCheck = lambda: None,
    ) -> Comparison:
        """Begin the same games with each turn, ``games`` in each piece.

        From a view, everything hidden from its seat is dealt anew in each game; from a state, only the order
        of pouch and piles.
        """

    @abstractmethod
    def standard_turn(self, view: View, best: Turn) -> Turn:
        """The turn that others are measured against; ``best`` is the best one that was found."""


class NetworkEvaluator(Evaluator):
    """Short games that end with the network's judgement."""

    def __init__(self, network: "Network") -> None:
        self._layers = network.layers

    def search(self, view: View, seed: Seed, rollouts: int) -> list[Turn]:
        from sanssouci.network import network_search

        return [judged.turn for judged in network_search(view, self._layers, seed, rollouts)]

    def compare(
        self,
        game: View | State,
        turns: Sequence[Turn],
        seed: Seed,
        games: int,
        pieces: int,
        check_cancelled: CancelCheck = lambda: None,
    ) -> Comparison:
        from sanssouci.network import compare_turns

        found = compare_turns(game, turns, self._layers, seed, games, pieces, check_cancelled)
        scores, others, shares = (found[..., figure] for figure in range(3))
        seat = game.to_move
        best_others = scores[..., 1 - seat] if game.variant.seats == 2 else others[..., seat]
        return Comparison(scores, shares, scores[..., seat] - best_others)

    def standard_turn(self, view: View, best: Turn) -> Turn:
        return best


class StewardEvaluator(Evaluator):
    """Games that stewards play to the end."""

    def search(self, view: View, seed: Seed, rollouts: int) -> list[Turn]:
        from sanssouci.kernel import search

        return [estimate.turn for estimate in search(view, seed, rollouts)]

    def compare(
        self,
        game: View | State,
        turns: Sequence[Turn],
        seed: Seed,
        games: int,
        pieces: int,
        check_cancelled: CancelCheck = lambda: None,
    ) -> Comparison:
        import numpy as np

        from sanssouci.kernel import evaluate_turns

        scores, shares, margins = [], [], []
        for piece in range(pieces):
            check_cancelled()
            tried = evaluate_turns(game, turns, derive_seed(seed, f"piece {piece}"), games)
            scores.append([[score.mean for score in one.scores] for one in tried])
            shares.append([[share.mean for share in one.shares] for one in tried])
            margins.append([one.margin.mean for one in tried])
        return Comparison(np.array(scores), np.array(shares), np.array(margins))

    def standard_turn(self, view: View, best: Turn) -> Turn:
        """Steward's turn: stewards also play the games, so luck has mean 0 however badly they play."""
        from sanssouci.kernel import STEWARD, best_turn

        return best_turn(view, STEWARD)


def evaluator_for(seats: int) -> Evaluator:
    """The evaluator for games of this many seats."""
    from sanssouci.network import usable_network

    network = usable_network(seats)
    return StewardEvaluator() if network is None else NetworkEvaluator(network)
