"""One game that is played by action numbers: the part that the environments of single games share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from types import MappingProxyType
from typing import SupportsIndex

import numpy as np

from sanssouci.dealer import BulkGame, Seed, new_seed, parse_seed, prepare
from sanssouci.editions import BoardsError, BoardSet, check_boards, find_boards, load_edition
from sanssouci.kernel import POLICIES, GameSetup, Ints, encode, restore
from sanssouci.kernel.dealing import load_deal
from sanssouci.kernel.greedy import WEIGHTS
from sanssouci.kernel.keys import game_keys
from sanssouci.kernel.layout import MOST_SEATS, SIZE
from sanssouci.kernel.options import seat_to_move
from sanssouci.kernel.rng import STREAMS
from sanssouci.notation import write_refusal
from sanssouci.players import Player, RandomPlayer
from sanssouci.rules import (
    EDITIONS,
    EXPANSIONS,
    RAVENSBURGER,
    REWARDS,
    WILD_BOAR,
    Deal,
    SetupView,
    State,
    Turn,
    Variant,
    variant_refusal,
)

from .compiled import (
    CHOSEN,
    DECKS,
    EXTERNAL,
    GAME,
    ILLEGAL,
    OVER,
    REWARDED,
    TILES,
    deal_games,
    field_starts,
    fill_output,
    fill_rewards,
    play_turn,
    step_game,
)
from .observation import ActionMask, Observation
from .spec import ACTIONS, MOST_TURNS, observation_size
from .spec import REWARDS as REWARD_KINDS
from .stages import Chosen

STAGES, TURNS = "stages", "turns"
FORMS = (STAGES, TURNS)
_NO_PLAYERS: Mapping[int, Player] = MappingProxyType({})
_NO_OPPONENTS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """Which game an environment plays, and how its actions and rewards are written."""

    variant: Variant
    boards: BoardSet
    form: str = STAGES
    reward: str = "win"

    @classmethod
    def of(
        cls,
        seats: int = 2,
        edition: str = RAVENSBURGER,
        expansions: str | Iterable[str] | None = (),
        boards: str = "",
        action_form: str = STAGES,
        reward: str = "win",
        **unknown: object,
    ) -> "Settings":
        """Settings from the options of an environment.

        ``ValueError`` or ``TypeError`` with a sentence if one is wrong.
        """
        if unknown:
            known = ", ".join(_OPTIONS)
            raise TypeError(f"there is no option {', '.join(unknown)}; the options of the game are {known}")
        seats = integer("the number of seats", seats)
        names = _names(expansions)
        _check("edition", edition, EDITIONS)
        for name in names:
            _check("expansion", name, EXPANSIONS)
        _check("action form", action_form, FORMS)
        _check("reward", reward, REWARD_KINDS)
        try:
            board_set = find_boards(boards) if boards else load_edition(edition).boards
        except (BoardsError, TypeError) as error:
            raise ValueError(f"there are no boards {boards!r}: {error}") from None
        variant = Variant(seats, edition, REWARDS in names, WILD_BOAR in names, board_set.deck)
        refusal = variant_refusal(variant)
        if refusal is not None:
            raise ValueError(write_refusal(refusal))
        check_boards(board_set, variant)
        return cls(variant, board_set, action_form, reward)

    @property
    def actions(self) -> int:
        """The size of the action space."""
        return ACTIONS if self.form == STAGES else MOST_TURNS


_OPTIONS = ("seats", "edition", "expansions", "boards", "action_form", "reward")


def integer(name: str, value: SupportsIndex) -> int:
    """An integer of Python, NumPy or another library; ``TypeError`` with a sentence for anything else."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {value!r}") from None


def _names(expansions: str | Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(expansions, str):
        return tuple(filter(None, map(str.strip, expansions.split(","))))
    if expansions is None or isinstance(expansions, Iterable):
        return tuple(expansions or ())
    raise TypeError(f"expansions are names, not {expansions!r}")


def _check(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{value!r} is no {option}; there are {', '.join(known)}")


def deal_game(settings: Settings, chance: BulkGame, players: Mapping[int, Player] = _NO_PLAYERS) -> Deal:
    """Deal a game. Seats without a player pick their sides at random, as in a series of the kernel."""

    def pick(seat: int, view: SetupView) -> int:
        return pickers[seat].pick(view)

    pickers = {seat: RandomPlayer(chance.stream(seat)) for seat in range(settings.variant.seats)} | dict(
        players
    )
    return prepare(settings.variant, settings.boards, chance.dealer(), pick)[0]


def policy_codes(opponents: Mapping[int, str]) -> Ints:
    """``[4]``: the policy of each seat; seats without an opponent are played from outside."""
    found = np.full(MOST_SEATS, EXTERNAL, np.int64)
    for seat, name in opponents.items():
        if name not in POLICIES:
            raise ValueError(f"compiled games have no opponent {name!r}; there are {', '.join(POLICIES)}")
        found[seat] = POLICIES[name]
    return found


class IllegalActionError(ValueError):
    """An action of the action space that is not legal now."""


class Game:
    """One game in compiled code, and the unfinished turn of the seat to move.

    ``opponents`` are players of the kernel (``kernel.POLICIES``), which move by themselves. ``to_move`` is
    the next of the other seats, or ``OVER``. Only ``observe`` is for players.
    """

    def __init__(self, settings: Settings, opponents: Mapping[int, str] = _NO_OPPONENTS) -> None:
        setup = GameSetup.of(settings.variant, settings.boards)
        self.settings = settings
        self.to_move = OVER
        self._setup = setup.header, setup.gardens, setup.rewards
        self._seed: Seed = new_seed()
        self._number = 0
        self._policies = policy_codes(opponents)
        self._whole = settings.form == TURNS
        self._kind = REWARD_KINDS.index(settings.reward)
        self._row = np.zeros(GAME, np.int64)
        self._streams = np.zeros(STREAMS, np.uint64)
        self._starts = field_starts(settings.variant.seats)
        self._size = observation_size(settings.variant.seats)

    def next_game(self, seed: int | None = None) -> tuple[Seed, int]:
        """The seed and the number of the next game: game 1 of a new seed, or the next one of the last."""
        if seed is not None:
            self._seed, self._number = parse_seed(str(seed)), 0
        self._number += 1
        return self._seed, self._number

    def deal(self, seed: int | None = None) -> None:
        """Deal the next game; all seats pick their sides at random."""
        keys, which = game_keys(*self.next_game(seed), 1), np.zeros(1, np.int64)
        games, streams = self._row[None], self._streams[None]
        deal_games(which, keys, self._setup, self._policies, WEIGHTS, games, streams)
        self.to_move = int(seat_to_move(self._row))

    def load(self, deal: Deal) -> None:
        """Begin a game that has been dealt elsewhere; the opponents must not be players of the kernel."""
        self._row[:] = 0
        self._row[:SIZE], self._row[DECKS:TILES], self._row[TILES:REWARDED] = load_deal(deal)
        self.to_move = 0

    @property
    def over(self) -> bool:
        return self.to_move == OVER

    @property
    def state(self) -> State:
        """The whole state; it is not for players."""
        return restore(self._row[:SIZE])

    @property
    def chosen(self) -> Chosen:
        """The stage actions of the unfinished turn."""
        return tuple(self._row[CHOSEN + 1 : CHOSEN + 1 + self._row[CHOSEN]].tolist())

    def observe(self, seat: int) -> tuple[Observation, ActionMask]:
        """What a seat sees, and its legal actions; only the seat to move sees the choices of its turn."""
        found, mask = np.empty(self._size, np.uint8), np.empty(self.settings.actions, np.int8)
        fill_output(self._row, seat, self._starts, self._whole, found, mask)
        return found, mask

    def step(self, action: SupportsIndex) -> None:
        """Take an action, and play the turns of opponents after it.

        ``IllegalActionError``, with nothing changed, if it is not legal; ``ValueError`` if there is no such
        action, ``TypeError`` if it is no integer.
        """
        number = integer("an action", action)
        found = step_game(self._row, number, self._whole, self._policies, self._streams, WEIGHTS)
        if found == ILLEGAL:
            self._refuse(number)
        self.to_move = found

    def _refuse(self, action: int) -> None:
        last = self.settings.actions - 1
        if not 0 <= action <= last:
            raise ValueError(f"there is no action {action}; there are 0 to {last}")
        raise IllegalActionError(f"{'turn' if self._whole else 'action'} {action} is not legal now")

    def play(self, turn: Turn) -> None:
        """Play a whole turn for the seat to move; it must be legal."""
        self.to_move = int(play_turn(self._row, encode(turn), self._policies, self._streams, WEIGHTS))

    def rewards(self) -> list[float]:
        """The rewards of each seat since the last call."""
        found = np.empty(self.settings.variant.seats)
        fill_rewards(self._row, self._kind, found)
        return found.tolist()
