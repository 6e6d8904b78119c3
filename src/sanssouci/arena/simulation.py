"""A series of games from one seed."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np

from sanssouci.dealer import BulkGame, Seed, write_bulk
from sanssouci.editions import BoardSet
from sanssouci.kernel import (
    BOARD_FIELD,
    COMPILES,
    GARDENER_FIELD,
    NO_BOARD,
    PART_FIELDS,
    POLICIES,
    RESULT_FIELDS,
    WINNERS_FIELD,
    Chunk,
    GameSetup,
    Ints,
    chunk_bounds,
    play_chunk,
    play_series,
    precompile,
)
from sanssouci.locale import UserError
from sanssouci.notation import Record, write_record
from sanssouci.players import PlayerFault, check_player, make_player, prepare_player
from sanssouci.rules import Result, Variant

from .executor import MOST_CRASHES, Executor, ExecutorFault
from .game import Game, game_record, play_game
from .signals import Interruption

_MOST_RETURNED = 16_384
"""Games of a portion, if the result of each is requested."""


class GameFault(UserError):
    """A game that could not be finished: its number and the player's fault."""


class Totals(Protocol):
    """Sums over games, such as ``Summary`` and ``Balance``; the order of adding does not change them."""

    def add(self, results: Ints, /) -> None:
        """Count more games; ``results``: ``[games, 4, RESULT_FIELDS]``."""


T = TypeVar("T", bound=Totals)


@dataclass(slots=True)
class Portion(Generic[T]):
    """Consecutive games that were played together."""

    first: int
    """The number of the first game."""
    totals: T
    games: int = 0
    chunks: list[Chunk] = field(default_factory=list)
    """The results of the games, if requested."""
    records: list[tuple[int, bytes]] = field(default_factory=list)
    """The number and record of each game, if requested."""
    fault: GameFault | None = None
    """The fault that ends the series after these games."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The settings of a series; game n is the same whenever and wherever it is played."""

    variant: Variant
    boards: BoardSet
    players: tuple[str, ...]
    """The player of each seat, in turn order."""
    seed: Seed

    @property
    def in_kernel(self) -> bool:
        """Whether the kernel can play it: it has only some of the players."""
        return COMPILES and all(player in POLICIES for player in self.players)

    @property
    def setup(self) -> GameSetup:
        return GameSetup.of(self.variant, self.boards)

    def chunks(self, games: int, threads: int | None = None) -> Generator[Chunk, None, None]:
        """The results of games 1 to ``games``, in chunks and in order; compiled where possible."""
        if self.in_kernel:
            yield from play_series(self.setup, self.seed, self.players, games, threads)
            return
        for number in range(1, games + 1):
            yield Chunk(number, results_of(self.play(number)))

    def play(self, number: int) -> Game:
        """Game ``number``, counted from 1, turn by turn through the rules; or ``GameFault``."""
        chance = BulkGame(self.seed, number)
        players = [make_player(name, chance.stream(seat)) for seat, name in enumerate(self.players)]
        try:
            return play_game(self.variant, self.boards, chance.dealer(), players)
        except PlayerFault as fault:
            seat = fault.details["seat"]
            assert isinstance(seat, int)
            raise GameFault(
                "simulate.fault", player=self.players[seat - 1], game=number, fault=fault
            ) from fault

    def record(self, number: int, game: Game) -> Record:
        """The record of game ``number``; it names the seed, so anyone can deal it again."""
        seats = [
            {"name": f"{name.capitalize()} {seat}", "player": name}
            for seat, name in enumerate(self.players, start=1)
        ]
        return game_record(game, seats, extra={"bulk": write_bulk(self.seed, number)})


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """Games 1 to ``games`` of a simulation, and what to return of them: a ``Task`` whose items are chunks."""

    simulation: Simulation
    games: int
    totals: Callable[[int], T]
    """Makes empty totals for a number of seats."""
    results: bool = False
    """Whether to return the result of each game."""
    records: bool = False
    """Whether to return the record of each game: they are then played turn by turn through the rules."""

    @property
    def compiled(self) -> bool:
        return self.simulation.in_kernel and not self.records

    @property
    def most_items(self) -> int:
        return max(1, _MOST_RETURNED // next(self._items())[1]) if self.results or self.records else 1 << 20

    def play(self, threads: int | None = None) -> Generator[Portion[T], None, None]:
        """Play in this process, in order; ``GameFault`` after the games before it."""
        if self.compiled:
            for chunk in self.simulation.chunks(self.games, threads):
                yield self._add(self._empty(chunk.first), chunk)
            return
        for item in self._items():
            portion = self.run([item])
            yield portion
            if portion.fault is not None:
                raise portion.fault

    def play_on(self, executor: Executor) -> Generator[Portion[T], None, None]:
        """The same with an executor; Ctrl-C becomes ``KeyboardInterrupt`` between two portions."""
        waiting: dict[int, Portion[T]] = {}
        with (
            Interruption() as interruption,
            closing(executor.run(self, self._items(), interruption)) as portions,
        ):
            number = 1
            for portion in portions:
                waiting[portion.first] = portion
                while number in waiting:
                    ready = waiting.pop(number)
                    yield ready
                    if ready.fault is not None:
                        raise ready.fault
                    number += ready.games

    def prepare(self) -> None:
        """``UserError`` if this machine does not have a player; compile what is needed."""
        for player in {*self.simulation.players}:
            check_player(player)
            prepare_player(player)
        if self.compiled:
            precompile("series")

    def run(self, items: Sequence[tuple[int, int]]) -> Portion[T]:
        """Play consecutive chunks, each given by its first game and the number of games."""
        simulation, portion = self.simulation, self._empty(items[0][0])
        try:
            for first, games in items:
                if self.compiled:
                    chunk = play_chunk(simulation.setup, simulation.seed, simulation.players, first, games)
                    self._add(portion, chunk)
                else:
                    for number in range(first, first + games):
                        self._play(portion, number)
        except GameFault as fault:
            portion.fault = fault
        return portion

    def crash_fault(self, item: tuple[int, int]) -> ExecutorFault:
        return ExecutorFault("simulate.game_kills_worker", game=item[0], times=MOST_CRASHES)

    def _items(self) -> Iterator[tuple[int, int]]:
        if self.compiled:
            return chunk_bounds(self.simulation.players, self.games)
        return ((number, 1) for number in range(1, self.games + 1))

    def _empty(self, first: int) -> Portion[T]:
        return Portion(first, self.totals(self.simulation.variant.seats))

    def _play(self, portion: Portion[T], number: int) -> None:
        game = self.simulation.play(number)
        self._add(portion, Chunk(number, results_of(game)))
        if self.records:
            portion.records.append((number, write_record(self.simulation.record(number, game))))

    def _add(self, portion: Portion[T], chunk: Chunk) -> Portion[T]:
        portion.games += len(chunk.results)
        portion.totals.add(chunk.results)
        if self.results:
            portion.chunks.append(chunk)
        return portion


def results_of(game: Game) -> Ints:
    """``[1, 4, RESULT_FIELDS]``: the result of one game in the layout of the kernel."""
    results = np.zeros((1, 4, RESULT_FIELDS), np.int64)
    result, boards = Result.of(game.state), game.dealt_boards
    for seat, score in enumerate(result.scores):
        results[0, seat, :PART_FIELDS] = list(score.parts().values())
        results[0, seat, GARDENER_FIELD] = result.gardeners[seat]
        results[0, seat, WINNERS_FIELD] = len(result.winners) if seat in result.winners else 0
        rewards = (
            (boards.rewards[seat], boards.reward_sides[seat]) if boards.rewards else (NO_BOARD, NO_BOARD)
        )
        results[0, seat, BOARD_FIELD:] = boards.gardens[seat], boards.garden_sides[seat], *rewards
    return results
