"""A match: the settings from which every game of an arena follows, and how one of its games is played."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any, TypeAlias

from sanssouci.dealer import BulkGame, Seed, Stream, write_bulk, write_seed
from sanssouci.editions import BoardSet
from sanssouci.locale import Complaint
from sanssouci.notation import write_record
from sanssouci.players import BrokenPlayer, Budget, Player, PlayerFault, make_player
from sanssouci.rules import Result, SetupView, Turn, Variant, View

from .game import Game, game_record, play_game
from .seating import Seating, seatings, write_seating

GameId: TypeAlias = tuple[int, int]
"""Which game: the number of the deal, counted from 1, and the place of the seating, counted from 0."""


class MatchFault(Complaint):
    """A game that could not be played to its end: whose fault it was, in which deal and seating."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one game, seat by seat."""

    game: GameId
    seating: Seating
    scores: tuple[int, ...]
    gardeners: tuple[int, ...]
    turns: tuple[int, ...]
    seconds: tuple[float, ...]
    """What each seat spent on its turns together."""


@dataclass(frozen=True)
class Match:
    """Which games there are: each is the same whenever, wherever and in whatever order it is played."""

    variant: Variant
    boards: BoardSet
    players: tuple[str, ...]
    seed: Seed
    budget: Budget = field(default_factory=Budget)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of every deal."""
        return seatings(len(self.players), self.variant.seats)

    def settings(self) -> dict[str, Any]:
        """Everything that determines the games, as plain values."""
        return {
            "players": list(self.players),
            "seats": self.variant.seats,
            "edition": self.variant.edition,
            "expansions": list(self.variant.expansions),
            "boards": {"name": self.boards.name, "sha256": self.boards.sha256},
            "budget": {"seconds": self.budget.seconds, "rollouts": self.budget.rollouts},
            "seed": write_seed(self.seed),
        }

    def names(self, seating: Seating) -> list[str]:
        """The players of a seating by name."""
        return [self.players[player] for player in seating]

    def play(self, game: GameId, deaf: bool = False) -> tuple[Outcome, Game]:
        """Play one game, or ``MatchFault``.

        A process that is ``deaf`` never hears Ctrl-C: there also a ``KeyboardInterrupt`` is a player's fault.
        """
        deal, place = game
        seating = self.seatings[place]
        chance = BulkGame(self.seed, deal)
        try:
            clocked = [
                _Clocked(self._player(name, chance.stream(seat), deaf), deaf)
                for seat, name in enumerate(self.names(seating))
            ]
            played = play_game(self.variant, self.boards, chance.dealer(), clocked)
        except PlayerFault as fault:
            raise self._blamed(game, fault) from fault
        return _outcome(game, seating, Result.of(played.state), clocked), played

    def record(self, game: GameId, played: Game) -> bytes:
        """The record of a game as a file; it names the seed, so anyone can deal it again."""
        deal, place = game
        seats = [
            {"name": f"{name} {seat}", "player": name}
            for seat, name in enumerate(self.names(self.seatings[place]), start=1)
        ]
        return write_record(game_record(played, seats, extra={"bulk": write_bulk(self.seed, deal)}))

    def record_name(self, game: GameId) -> str:
        """The name of a game's record: letters stand for the players, whatever they are called."""
        deal, place = game
        return f"deal-{deal:06}-{write_seating(self.seatings[place])}.json"

    def _player(self, name: str, stream: Stream, deaf: bool) -> Player:
        try:
            with _tamed(deaf):
                return make_player(name, stream, self.budget)
        except _Tamed as error:
            raise BrokenPlayer("player.not_made", name=name, reason=type(error).__name__) from error

    def _blamed(self, game: GameId, fault: PlayerFault) -> MatchFault:
        deal, place = game
        names = self.names(self.seatings[place])
        seat = fault.details["seat"]
        assert isinstance(seat, int)
        player, seated = names[seat - 1], ", ".join(names)
        return MatchFault("arena.fault", player=player, deal=deal, seating=seated, fault=fault)


class _Clocked:
    """A player with a clock beside it."""

    def __init__(self, player: Player, deaf: bool) -> None:
        self._player = player
        self._deaf = deaf
        self.turns = 0
        self.seconds = 0.0

    def pick(self, view: SetupView) -> int:
        with _tamed(self._deaf):
            return self._player.pick(view)

    def decide(self, view: View) -> Turn:
        begun = perf_counter()
        with _tamed(self._deaf):
            turn = self._player.decide(view)
        self.seconds += perf_counter() - begun
        self.turns += 1
        return turn


class _Tamed(Exception):
    """Something that a player raised and that is no ``Exception``, made one."""


@contextmanager
def _tamed(deaf: bool) -> Iterator[None]:
    """In a process that is deaf to Ctrl-C whatever a player raises is an ``Exception`` of the same name."""
    try:
        yield
    except Exception:
        raise
    except BaseException as error:
        if not deaf:
            raise
        raise type(type(error).__name__, (_Tamed,), {})(*error.args) from error


def _outcome(game: GameId, seating: Seating, result: Result, clocked: Sequence[_Clocked]) -> Outcome:
    return Outcome(
        game,
        seating,
        tuple(score.total for score in result.scores),
        result.gardeners,
        tuple(player.turns for player in clocked),
        tuple(round(player.seconds, 6) for player in clocked),
    )
