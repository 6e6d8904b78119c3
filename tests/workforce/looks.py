"""Looks at positions as a worker would tell them, made up at once."""

from sanssouci.review import Errors, Judgement, Look, Outlook
from sanssouci.rules import State, Turn


def made_up_look(state: State, turn: Turn | None) -> Look:
    """Every turn is as good as any, but each fifth one is missed; the first seat wins more and more."""
    seats = state.variant.seats
    if state.over or turn is None:
        return Look(None, Outlook.of_result(state), Errors.none(seats))
    first = 1 / seats + state.turn / 1000
    now = Outlook((first, *[(1 - first) / (seats - 1)] * (seats - 1)), (60.0,) * seats)
    seat, best = state.to_move, next(iter(state.view(state.to_move).options()))
    missed = best != turn and state.turn % 5 == 0
    shares = tuple(share + 0.1 * missed * (1 if at == seat else -1 / (seats - 1)) for at, share in _each(now))
    scores = tuple(score + 4 * missed * (at == seat) for at, score in enumerate(now.scores))
    none = Errors.none(seats)
    judgement = Judgement(seat, turn, best, now, now, Outlook(shares, scores), none, none)
    return Look(judgement, now, none)


def _each(outlook: Outlook) -> list[tuple[int, float]]:
    return list(enumerate(outlook.shares))
