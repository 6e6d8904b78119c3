"""Games to analyse: golden records, games of good players, and games with planted mistakes."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from sanssouci.dealer import BulkGame, prepare
from sanssouci.editions import load_edition
from sanssouci.kernel import STEWARD, best_turn
from sanssouci.notation import Record, read_record, write_turn
from sanssouci.review import Analysis, Errors, analyse
from sanssouci.rules import RAVENSBURGER, Deal, State, Turn, Variant

from ..playthrough import RECORDS

FEW_ROLLOUTS = 60
"""Rollouts per turn, where their results do not matter."""


def golden(name: str, turns: int | None = None) -> Record:
    """A golden record, or the first turns of one."""
    record = read_record(RECORDS / f"{name}.json")
    return record if turns is None else replace(record, turns=record.turns[:turns], result=None)


@cache
def analysed(name: str, turns: int | None = None) -> Analysis:
    """An analysis of a golden record with few rollouts."""
    return analyse(golden(name, turns), rollouts=FEW_ROLLOUTS, threads=1)


def without_noise(analysis: Analysis) -> Analysis:
    """The analysis without standard errors."""
    none = Errors.none(analysis.seats)
    turn_reviews = tuple(replace(each, skill_errors=none, cost_errors=none) for each in analysis.turn_reviews)
    return replace(analysis, errors=(none,) * len(analysis.errors), turn_reviews=turn_reviews)


def a_deal(seats: int = 2, number: int = 1) -> Deal:
    boards = load_edition(RAVENSBURGER).boards
    dealer = BulkGame(bytes(32), number).dealer()
    return prepare(Variant(seats), boards, dealer, lambda seat, view: 0)[0]


def steward(state: State) -> Turn:
    """Steward's turn."""
    return best_turn(state.view(state.to_move), STEWARD)


def played(deal: Deal, turns: int, decide: Callable[[State], Turn] = steward) -> Record:
    """The record of a game stopped after some turns."""
    state, texts = deal.start(), []
    while state.turn < turns:
        turn = decide(state)
        texts.append(write_turn(turn))
        state = state.play(turn, deal.chance(state.turn))
    names = tuple({"name": f"<Seat> & {seat + 1}"} for seat in range(deal.variant.seats))
    return Record(deal, names, tuple(texts))
