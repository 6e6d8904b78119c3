"""One game that is played by action numbers: the part that all environments share."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from sanssouci.dealer import BulkGame, Seed, new_seed, parse_seed, prepare
from sanssouci.editions import BoardSet, check_boards, find_boards, load_edition
from sanssouci.players import Player, RandomPlayer
from sanssouci.rules import (
    EDITIONS,
    EXPANSIONS,
    RAVENSBURGER,
    REWARDS,
    WILD_BOAR,
    Deal,
    Options,
    Refused,
    Result,
    SetupView,
    State,
    Turn,
    Variant,
    variant_refusal,
)

from .observation import ActionMask, Observation, mask_of, observe
from .spec import ACTIONS, MOST_TURNS
from .spec import REWARDS as REWARD_KINDS
from .stages import Chosen, legal_actions, stage_after, turn_of

STAGES, TURNS = "stages", "turns"
FORMS = (STAGES, TURNS)
_NO_PLAYERS: Mapping[int, Player] = {}


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
        expansions: str | tuple[str, ...] = (),
        boards: str = "",
        action_form: str = STAGES,
        reward: str = "win",
    ) -> "Settings":
        """Settings from the options of an environment; ``ValueError`` with a sentence if one is wrong."""
        names = (
            tuple(filter(None, expansions.split(","))) if isinstance(expansions, str) else tuple(expansions)
        )
        _check("edition", edition, EDITIONS)
        for name in names:
            _check("expansion", name, EXPANSIONS)
        _check("action form", action_form, FORMS)
        _check("reward", reward, REWARD_KINDS)
        board_set = find_boards(boards) if boards else load_edition(edition).boards
        variant = Variant(seats, edition, REWARDS in names, WILD_BOAR in names, board_set.deck)
        refusal = variant_refusal(variant)
        if refusal is not None:
            raise Refused(refusal)
        check_boards(board_set, variant)
        return cls(variant, board_set, action_form, reward)

    @property
    def actions(self) -> int:
        """The size of the action space."""
        return ACTIONS if self.form == STAGES else MOST_TURNS


def _check(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{value!r} is no {option}; there are {', '.join(known)}")


class Games:
    """The games of an environment, one after the other: ``reset(seed)`` begins a new series."""

    def __init__(self) -> None:
        self.seed: Seed = new_seed()
        self.number = 0

    def next(self, seed: int | None) -> BulkGame:
        """The chance of the next game: game 1 of a new seed, or the next one of the last."""
        if seed is not None:
            self.seed, self.number = parse_seed(str(seed)), 0
        self.number += 1
        return BulkGame(self.seed, self.number)


def deal_game(settings: Settings, chance: BulkGame, players: Mapping[int, Player] = _NO_PLAYERS) -> Deal:
    """Deal a game. Seats without a player pick their sides at random, as in a series of the kernel."""

    def pick(seat: int, view: SetupView) -> int:
        return pickers[seat].pick(view)

    pickers = {seat: RandomPlayer(chance.stream(seat)) for seat in range(settings.variant.seats)} | dict(
        players
    )
    return prepare(settings.variant, settings.boards, chance.dealer(), pick)[0]


class Game:
    """A game and the unfinished turn of the seat to move. Only ``observe`` and ``mask`` are for players."""

    def __init__(self, settings: Settings, deal: Deal) -> None:
        self.settings = settings
        self.state: State = deal.start()
        self.chosen: Chosen = ()
        self._deal = deal

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.state.to_move

    def observe(self, seat: int) -> Observation:
        """The observation of a seat; only the seat to move sees the choices of its unfinished turn."""
        view = self.state.view(seat)
        if self.settings.form == TURNS or self.over or seat != self.to_move:
            return observe(view)
        return observe(view, stage_after(view.options(), self.chosen), self.chosen)

    def legal(self) -> tuple[int, ...]:
        """The legal actions of the seat to move, in ascending order; none once the game is over."""
        options = self._options()
        if not options:
            return ()
        return (
            legal_actions(options, self.chosen) if self.settings.form == STAGES else (*range(len(options)),)
        )

    def mask(self) -> ActionMask:
        """The mask of the legal actions."""
        return mask_of(self.legal(), self.settings.actions)

    def step(self, action: int) -> Turn | None:
        """Take a legal action; returns the turn that it completes. ``ValueError`` if it is not legal."""
        turn = self._turn(action)
        if turn is not None:
            self.play(turn)
        return turn

    def play(self, turn: Turn) -> None:
        """Play a whole turn; ``Refused`` if it is not legal."""
        self.state = self.state.play(turn, self._deal.chance(self.state.turn))
        self.chosen = ()

    def _options(self) -> Options:
        return self.state.view(self.to_move).options() if not self.over else self.state.options()

    def _turn(self, action: int) -> Turn | None:
        options = self._options()
        if self.settings.form == TURNS:
            found = next(islice(options, action, None), None) if action >= 0 else None
            if found is None:
                raise ValueError(f"there is no legal turn {action}")
            return found
        if not options or action not in legal_actions(options, self.chosen):
            raise ValueError(f"action {action} is not legal now")
        self.chosen = (*self.chosen, int(action))
        return turn_of(options, self.chosen)

    def points(self) -> tuple[int, ...]:
        """The points of each seat."""
        return tuple(score.total for score in self.state.scores)


def final_rewards(settings: Settings, state: State) -> tuple[float, ...]:
    """The rewards of a finished game for each seat; those of ``score`` are the final points.

    ``win``: 1 for the winner and -1 / (seats - 1) for the others; a shared victory is divided. ``margin``:
    the lead over the best of the others.
    """
    totals, seats = [score.total for score in state.scores], settings.variant.seats
    if settings.reward == "score":
        return tuple(map(float, totals))
    if settings.reward == "margin":
        return tuple(
            float(total - max(totals[:seat] + totals[seat + 1 :])) for seat, total in enumerate(totals)
        )
    winners = Result.of(state).winners
    return tuple((seats * (seat in winners) / len(winners) - 1) / (seats - 1) for seat in range(seats))
