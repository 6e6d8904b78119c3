"""The state of a table: a frozen value, folded from its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Literal, get_args

from sanssouci.dealer import FAIR_1, DealTerms, Scheme, Seed, deal_commitment, deal_terms
from sanssouci.editions import BoardSet
from sanssouci.rules import Setup, State, Turn, Variant

from .chairs import Chair
from .origin import Origin
from .rejection import RejectReason
from .settings import TableSettings

MAX_UNDONE = 500
"""How often a chair may undo something. Logs are stored for good, so they must not grow without end."""
MAX_APPOINTED = 5000
"""How often an owner may assign chairs. Others cannot use this limit up."""

REVEAL_SECONDS = 30
"""How long people have to reveal their nonces. Programs do so at once; slow connections need some seconds."""
MAX_MISSED = 3
"""A person because of whom so many shuffles were given up loses the chair, and cannot take another one."""
MAX_SHUFFLES = 100
"""How many shuffles of a table may be given up."""


class Stage(Enum):
    LOBBY = "lobby"
    PICKING = "picking"
    PLAYING = "playing"
    OVER = "over"


IN_GAME = (Stage.PLAYING, Stage.PICKING)


class EndReason(Enum):
    PLAYED = "played"
    CONCEDED = "conceded"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Ending:
    reason: EndReason
    winners: tuple[int, ...] = ()
    seed: Seed | None = None
    """The revealed seed; None where nothing was dealt from one."""


OfferKind = Literal["abandon", "pause", "take_back"]
OFFER_KINDS: tuple[OfferKind, ...] = get_args(OfferKind)


@dataclass(frozen=True, slots=True)
class Offer:
    """A question to all people at the table. It lapses when a person plays a turn."""

    number: int
    """Offers of a table are counted from 1, so that an answer cannot be meant for another one."""
    what: OfferKind
    chair: int
    """The chair that has made the offer."""
    agreed: frozenset[int]
    lapses_with_any_turn: bool = False
    """Whether turns of computer players end it too, as for agreements by ``abandon``."""


@dataclass(frozen=True, slots=True)
class PendingBotAction:
    """A chair that waits for a computer player, its own or a stand-in."""

    chair: int
    player: str


@dataclass(frozen=True)
class TableState:
    """Everything that follows from a table's events, including secrets, which its repr leaves out.

    Permissions ask for the stage and the people of a state dozens of times, so these are computed once.
    """

    table: str
    settings: TableSettings
    commitment: str | None
    """None where the table continues a record."""
    chairs: tuple[Chair, ...]
    since: float
    """When the current wait began."""
    scheme: Scheme = FAIR_1
    """How the game is dealt, where it is dealt from a seed."""
    attempt: int = 0
    """The number of shuffles that were given up. Each attempt has its own seed and commitment."""
    unanswered: tuple[str, ...] = ()
    """The names of people because of whom the last shuffle was given up."""
    order: tuple[int, ...] = ()
    """The chair of each seat, once the game has started; the first one starts (R8)."""
    gardens: tuple[int, ...] = ()
    """The garden board of each seat."""
    rewards: tuple[int, ...] = ()
    setup: Setup | None = field(default=None, repr=False)
    states: tuple[State, ...] = field(default=(), repr=False)
    turns: tuple[Turn, ...] = ()
    taken_back: int = 0
    undone: Mapping[int, int] = field(default_factory=dict)
    """The number of undo commands from each chair, in the lobby and in the game."""
    appointed: int = 0
    """The number of chairs that the owner has assigned."""
    offer: Offer | None = None
    """The open offer, or the one with which the game was abandoned."""
    offers: int = 0
    """The number of offers so far."""
    declined: frozenset[tuple[int, OfferKind]] = frozenset()
    """Offers of a chair that were declined since a person's last turn. They cannot be repeated before the
    next."""
    pause: frozenset[int] = frozenset()
    """The chairs of people who have paused the game by agreement. They return together."""
    ending: Ending | None = None
    rematch: str | None = None
    origin: Origin | None = None
    """The record that the table continues."""

    @property
    def variant(self) -> Variant:
        return self.settings.variant

    @property
    def boards(self) -> BoardSet:
        return self.settings.boards

    @cached_property
    def stage(self) -> Stage:
        if self.ending is not None:
            return Stage.OVER
        if not self.order:
            return Stage.LOBBY
        return Stage.PLAYING if self.states else Stage.PICKING

    @property
    def game(self) -> State | None:
        """The state of the game; None before the first hands are dealt."""
        return self.states[-1] if self.states else None

    @property
    def begun(self) -> int:
        """The number of turns that were played before the table existed."""
        return 0 if self.origin is None else self.origin.turn

    @property
    def deal_name(self) -> str:
        """The game's name in the commitment and the shuffle."""
        return self.settings.game_at(self.table)

    @cached_property
    def nonces(self) -> tuple[str, ...]:
        """Each chair's contribution to the shuffle; empty for a daily garden, dealt alike for everyone."""
        return tuple((chair.nonce or "") if self.settings.daily is None else "" for chair in self.chairs)

    @cached_property
    def shuffling(self) -> bool:
        """Whether everyone is ready, and nonces are still to be revealed; never under ``fair/1``."""
        return self.scheme != FAIR_1 and self.stage is Stage.LOBBY and self._all_ready

    @cached_property
    def deal_commitment(self) -> str | None:
        """The commitment to the whole deal, once everyone is ready; None under ``fair/1``."""
        if self.scheme == FAIR_1 or self.commitment is None or not self._all_ready:
            return None
        nonces = [chair.commitment or "" for chair in self.chairs]
        return deal_commitment(self.deal_name, self.commitment, nonces, self.scheme, self.deal_terms)

    @property
    def deal_terms(self) -> DealTerms:
        """The terms that the commitment to the deal covers."""
        return deal_terms(self.variant, self.boards.sha256, self.settings.first)

    @property
    def _all_ready(self) -> bool:
        return all(chair.is_ready for chair in self.chairs)

    @cached_property
    def persons(self) -> tuple[int, ...]:
        """The chairs of people, present or away."""
        return tuple(place for place, chair in enumerate(self.chairs) if chair.is_person)

    @cached_property
    def deciding(self) -> frozenset[int]:
        """The chairs for which a person decides, not a computer player or stand-in."""
        return frozenset(place for place, chair in enumerate(self.chairs) if chair.decides)

    @property
    def agreed(self) -> frozenset[int]:
        """The chairs that have agreed to abandon the game."""
        offer = self.offer
        return offer.agreed if offer is not None and offer.what == "abandon" else frozenset()

    def undo_limit_reached(self, chair: int | None) -> bool:
        return chair is not None and self.undone.get(chair, 0) >= MAX_UNDONE

    def seat_of(self, chair: int) -> int | None:
        """The seat of a chair in turn order; None before the game starts."""
        return self.order.index(chair) if chair in self.order else None

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        """The chairs that the table waits for."""
        if self.shuffling:
            return tuple(place for place in self.persons if self.chairs[place].nonce is None)
        if self.stage is Stage.LOBBY:
            return tuple(place for place in self.persons if not self.chairs[place].is_ready)
        if self.stage is Stage.PICKING and self.setup is not None:
            setup = self.setup
            return tuple(chair for seat, chair in enumerate(self.order) if setup.view(seat).sides())
        if self.stage is Stage.PLAYING and self.game is not None:
            return (self.order[self.game.to_move],)
        return ()

    @property
    def time_limit(self) -> int | None:
        """How many seconds people have to act now: to reveal their nonces, to pick or to play."""
        if self.shuffling:
            return REVEAL_SECONDS
        return self.settings.time_control.seconds if self.stage in IN_GAME else None

    @property
    def deadline(self) -> float | None:
        """When the clock runs out, if the table waits for a person."""
        limit = self.time_limit
        if limit is None:
            return None
        return self.since + limit if self.deciding & set(self.waiting) else None

    @cached_property
    def paused(self) -> bool:
        """Whether all people are away. Then the game waits for one of them, and stand-ins do not play on."""
        return any(chair.away for chair in self.chairs) and not self.deciding

    def owes_turn(self, place: int) -> bool:
        """Whether a stand-in must act before the person on a chair may return."""
        return self.chairs[place].late and not self.paused

    def pending_bot_action(self) -> PendingBotAction | None:
        if self.stage not in IN_GAME or self.paused:
            return None
        for place in self.waiting:
            chair = self.chairs[place]
            if not chair.decides:
                return PendingBotAction(place, chair.player or self.settings.stand_in)
        return None

    def with_chair(self, place: int, chair: Chair) -> "TableState":
        return replace(self, chairs=(*self.chairs[:place], chair, *self.chairs[place + 1 :]))

    def chair_refusal(self, place: int) -> RejectReason | None:
        return None if place in range(len(self.chairs)) else RejectReason.NO_SUCH_CHAIR

    def stage_refusal(self, stages: tuple[Stage, ...]) -> RejectReason | None:
        """Why a command of these stages cannot be executed now."""
        stage = self.stage
        if stage in stages:
            return None
        return RejectReason.OVER if stage is Stage.OVER else _EXPECTED[stages[0]]

    def deciding_refusal(self, place: int) -> RejectReason | None:
        """Why the person on a chair has no say in the game now: a computer plays for them."""
        chair = self.chairs[place]
        if chair.decides:
            return None
        return RejectReason.HAS_CONCEDED if chair.conceded else RejectReason.STAND_IN_PLAYS


_EXPECTED = {
    Stage.LOBBY: RejectReason.NOT_IN_LOBBY,
    Stage.PICKING: RejectReason.NOT_PICKING,
    Stage.PLAYING: RejectReason.NOT_PLAYING,
    Stage.OVER: RejectReason.NOT_OVER,
}
