"""A match: the settings that determine every game of an arena, and playing one of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from sanssouci.dealer import BulkGame, Seed, Stream, write_bulk, write_seed
from sanssouci.editions import BoardSet
from sanssouci.locale import UserError
from sanssouci.notation import write_record
from sanssouci.players import (
    BrokenPlayer,
    Budget,
    ExternalEngine,
    Guard,
    Player,
    UnavailablePlayer,
    check_player,
    make_player,
    prepare_player,
)
from sanssouci.rules import Result, Variant

from .executor import MOST_CRASHES, ExecutorFault
from .game import Game, game_record, play_game
from .outcome import GameId, Loss, Outcome
from .seating import Seating, seatings, seatings_of, write_seating

Answer: TypeAlias = tuple[Outcome, bytes]
"""A finished game, and its record if requested."""


class MatchFault(UserError):
    """A game that could not be finished: its number and the reason."""


@dataclass(frozen=True)
class Match:
    """The settings of a match; each game is the same whenever, wherever and in any order it is played."""

    variant: Variant
    boards: BoardSet
    players: tuple[str | ExternalEngine, ...]
    seed: Seed
    budget: Budget = field(default_factory=Budget)
    places: tuple[int, ...] = ()
    """The number of seats of each player; by default all ways to share them are played."""

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of every deal."""
        if self.places:
            return seatings_of(self.places)
        return seatings(len(self.players), self.variant.seats)

    def settings(self) -> dict[str, Any]:
        """Everything that determines the games, as plain values."""
        return {
            "players": [
                str(player)
                for player, count in zip(self.players, self.places or [1] * len(self.players), strict=True)
                for _ in range(count)
            ],
            "seats": self.variant.seats,
            "edition": self.variant.edition,
            "expansions": list(self.variant.expansions),
            "boards": {"name": self.boards.name, "sha256": self.boards.sha256},
            "budget": {"seconds": self.budget.seconds, "rollouts": self.budget.rollouts},
            "seed": write_seed(self.seed),
        }

    def names(self, seating: Seating) -> list[str]:
        return [str(self.players[player]) for player in seating]

    def play(self, game: GameId, ignores_interrupt: bool = False) -> tuple[Outcome, Game]:
        """Play one game. A seat whose player fails has lost it; greedy plays on for the seat.

        In a process that ignores Ctrl-C, a ``KeyboardInterrupt`` is a fault of the player too.
        """
        deal, place = game
        seating = self.seatings[place]
        chance = BulkGame(self.seed, deal)
        guards = [
            Guard(
                self._player(self.players[player], chance.stream(seat), ignores_interrupt),
                ignores_interrupt=ignores_interrupt,
            )
            for seat, player in enumerate(seating)
        ]
        result = None
        try:
            played = play_game(self.variant, self.boards, chance.dealer(), guards)
            result = Result.of(played.state)
        finally:
            for guard in guards:
                guard.finish(result)
        return _outcome(game, seating, result, guards), played

    def record(self, outcome: Outcome, played: Game) -> bytes:
        """The record of a game as a file; it names the seed, so anyone can deal it again.

        A seat that lost by a fault says so: from that turn on greedy has played for it.
        """
        deal, place = outcome.game
        seats: list[dict[str, Any]] = [
            {"name": f"{name} {seat}", "player": name}
            for seat, name in enumerate(self.names(self.seatings[place]), start=1)
        ]
        for loss in outcome.losses:
            seats[loss.fault.seat]["fault"] = {"turn": loss.fault.turn, "reason": loss.fault.why()}
        return write_record(game_record(played, seats, extra={"bulk": write_bulk(self.seed, deal)}))

    def transcripts(self, outcome: Outcome) -> Iterator[tuple[str, bytes]]:
        """For every seat that lost a game by a fault, the file name and contents of its transcript."""
        for loss in outcome.losses:
            name = self.record_name(outcome.game).removesuffix(".json")
            yield f"{name}-seat-{loss.fault.seat + 1}.jsonl", loss.transcript

    def record_name(self, game: GameId) -> str:
        """The file name of a game's record; letters stand for the players."""
        deal, place = game
        return f"deal-{deal:06}-{write_seating(self.seatings[place])}.json"

    def _player(self, player: str | ExternalEngine, stream: Stream, ignores_interrupt: bool) -> Player:
        """The player of a seat, or an ``UnavailablePlayer`` if it cannot be created."""
        try:
            return make_player(player, stream, self.budget)
        except BrokenPlayer as error:
            return UnavailablePlayer(error)
        except BaseException as error:
            if not ignores_interrupt:
                raise
            return UnavailablePlayer(
                BrokenPlayer("player.not_made", name=str(player), reason=type(error).__name__)
            )


@dataclass(frozen=True, slots=True)
class MatchTask:
    """A ``Task`` that plays games of a match."""

    match: Match
    records: bool
    most_items: int = 1000

    def prepare(self) -> None:
        """``UserError`` if this machine does not have a player; its games would be lost by a fault."""
        for player in self.match.players:
            if isinstance(player, str):
                check_player(player)
            prepare_player(player)

    def run(self, items: Sequence[GameId]) -> list[Answer]:
        return [self._play(game) for game in items]

    def crash_fault(self, item: GameId) -> ExecutorFault:
        deal, place = item
        seating = ", ".join(self.match.names(self.match.seatings[place]))
        return ExecutorFault("arena.game_kills_worker", deal=deal, seating=seating, times=MOST_CRASHES)

    def _play(self, game: GameId) -> Answer:
        outcome, played = self.match.play(game, ignores_interrupt=True)
        return outcome, self.match.record(outcome, played) if self.records else b""


def _outcome(game: GameId, seating: Seating, result: Result, guards: Sequence[Guard]) -> Outcome:
    return Outcome(
        game,
        seating,
        tuple(score.total for score in result.scores),
        result.gardeners,
        tuple(guard.turns for guard in guards),
        tuple(round(guard.seconds, 6) for guard in guards),
        tuple(Loss(fault, guard.transcript()) for guard in guards for fault in guard.faults),
    )
