"""A game by action numbers through the rules alone: what the compiled games are compared with."""

from itertools import islice

import numpy as np

from sanssouci.env.game import TURNS, Settings
from sanssouci.env.observation import ActionMask, Observation, observe
from sanssouci.env.stages import Chosen, legal_actions, stage_after, turn_of
from sanssouci.rules import Deal, Result, State, Turn


class RulesGame:
    """A dealt game and the unfinished turn of the seat to move."""

    def __init__(self, settings: Settings, deal: Deal) -> None:
        self.settings, self.deal = settings, deal
        self.state: State = deal.start()
        self.chosen: Chosen = ()
        self._rewarded = [0] * settings.variant.seats

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def to_move(self) -> int:
        return self.state.to_move

    def observe(self, seat: int) -> Observation:
        """The observation, from the view of the seat; the choices of a turn are seen by its own seat only."""
        view = self.state.view(seat)
        if self.settings.form == TURNS or self.over or seat != self.to_move:
            return observe(view)
        return observe(view, stage_after(view.options(), self.chosen), self.chosen)

    def legal(self) -> tuple[int, ...]:
        options = self.state.options()
        if not options:
            return ()
        if self.settings.form == TURNS:
            return (*range(len(options)),)
        return legal_actions(options, self.chosen)

    def mask(self, seat: int) -> ActionMask:
        mask = np.zeros(self.settings.actions, np.int8)
        if seat == self.to_move:
            mask[[*self.legal()]] = 1
        return mask

    def step(self, action: int) -> None:
        """Take an action; ``ValueError`` if it is not legal."""
        if action not in self.legal():
            raise ValueError(action)
        if self.settings.form == TURNS:
            self.play(next(islice(self.state.options(), action, None)))
            return
        self.chosen = (*self.chosen, action)
        turn = turn_of(self.state.options(), self.chosen)
        if turn is not None:
            self.play(turn)

    def play(self, turn: Turn) -> None:
        self.state, self.chosen = self.state.play(turn, self.deal.chance(self.state.turn)), ()

    def rewards(self) -> list[float]:
        """The rewards of each seat since the last call."""
        totals, before = [score.total for score in self.state.scores], self._rewarded
        if self.settings.reward == "score":
            self._rewarded = totals
            return [float(now - then) for now, then in zip(totals, before, strict=True)]
        if not self.over:
            return [0.0] * len(totals)
        return final_rewards(self.settings, self.state)


def final_rewards(settings: Settings, state: State) -> list[float]:
    """The rewards ``win`` and ``margin`` of a finished game."""
    totals, seats = [score.total for score in state.scores], settings.variant.seats
    if settings.reward == "margin":
        return [float(total - max(totals[:seat] + totals[seat + 1 :])) for seat, total in enumerate(totals)]
    winners = Result.of(state).winners
    return [(seats * (seat in winners) / len(winners) - 1) / (seats - 1) for seat in range(seats)]
