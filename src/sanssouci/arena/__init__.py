"""Matches of many games between players: playing, journalling and statistics."""

from .balance import Balance, SideMean
from .elo import expected_score, ratings
from .executor import Executor, ExecutorFault, Task, engine_digest
from .game import Game, game_record, play_game
from .intervals import DealMean, Estimate, t_quantile, wilson
from .journal import Journal
from .match import Match, MatchFault
from .outcome import GameId, Loss, Outcome
from .pool import MOST_WORKERS, ProcessPool
from .report_html import write_page
from .report_text import budget_text, lost_lines, match_title, reason_lines, seconds_text, sprt_verdict
from .results_file import KINDS, ResultsFile
from .seating import MOST_PLAYERS, Seating, seatings, write_seating
from .signals import defer_interrupt
from .simulation import GameFault, Portion, Series, Simulation, Totals, results_of
from .sprt import Decision, Sprt, likelihood_ratio
from .standings import Standing, Standings, deal_score
from .summary import QUANTILES, SeatSummary, Summary
from .tournament import Tournament

__all__ = [
    "KINDS",
    "MOST_PLAYERS",
    "MOST_WORKERS",
    "QUANTILES",
    "Balance",
    "DealMean",
    "Decision",
    "Estimate",
    "Executor",
    "ExecutorFault",
    "Game",
    "GameFault",
    "GameId",
    "Journal",
    "Loss",
    "Match",
    "MatchFault",
    "Outcome",
    "Portion",
    "ProcessPool",
    "ResultsFile",
    "SeatSummary",
    "Seating",
    "Series",
    "SideMean",
    "Simulation",
    "Sprt",
    "Standing",
    "Standings",
    "Summary",
    "Task",
    "Totals",
    "Tournament",
    "budget_text",
    "deal_score",
    "defer_interrupt",
    "engine_digest",
    "expected_score",
    "game_record",
    "likelihood_ratio",
    "lost_lines",
    "match_title",
    "play_game",
    "ratings",
    "reason_lines",
    "results_of",
    "seatings",
    "seconds_text",
    "sprt_verdict",
    "t_quantile",
    "wilson",
    "write_page",
    "write_seating",
]
