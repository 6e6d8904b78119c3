"""A table hosted for a test: the test decides for people, computers play random turns.

>>> host = Host.of(2, computers=1)
>>> host.start().play_out().standing.stage
<Stage.OVER: 'over'>
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from sanssouci.dealer import FAIR_1, FAIR_3, Dealer, FairDealer, Scheme, Seed, nonce_commitment
from sanssouci.dealer.dealer import T
from sanssouci.notation import Record, write_turn
from sanssouci.players import RandomPlayer
from sanssouci.rules import Cards, Refused
from sanssouci.table import (
    SYSTEM,
    Abandon,
    Caller,
    Chair,
    Command,
    CommandRejected,
    Croupier,
    Event,
    Origin,
    Pick,
    Play,
    Ready,
    RejectReason,
    Reveal,
    Sitter,
    Stage,
    Table,
    TableSettings,
    TableState,
    Transition,
    Viewer,
    make_origin,
    make_settings,
    new_chair,
    new_table,
    parse_body,
    write_body,
    write_table,
)

from ..helpers import stream

SEED = bytes(range(32))
OWNER = Caller(owner=True)
JOINER = Caller(may_join=True)
PERSON = new_chair(Sitter.PERSON, "Ada")
COMPUTER = new_chair(Sitter.COMPUTER, "Greedy", "greedy")
OPEN = Chair()

Row = tuple[int, str, int | None, str]
"""An event as the store keeps it: sequence number, command id, chair, body."""
Swaps = Mapping[str, tuple[int, int]]
"""For each pile, the two positions that are swapped after the shuffle."""


class TableWithHistory(Table):
    """A table that remembers its state after every event."""

    def __init__(self, table: str, events: Iterable[Event]) -> None:
        self.history: list[TableState] = []
        super().__init__(table, events)

    def apply(self, transition: Transition) -> None:
        super().apply(transition)
        self.history.append(self.state)


class Host:
    """Runs one table: decides every command, keeps the log and advances the clock, in seconds from 0.

    Except at tables of ``fair/1``, ``Ready(nonce)`` is sent as the commitment to the nonce. Once all are
    ready, everyone reveals, unless ``reveals`` is False.
    """

    def __init__(
        self,
        settings: TableSettings,
        chairs: Iterable[Chair],
        croupier: Croupier | None = None,
        name: str = "t",
        origin: Origin | None = None,
        scheme: Scheme = FAIR_3,
    ) -> None:
        self.croupier = croupier or Croupier(SEED, name)
        self.at = 0.0
        self.ids = 0
        self.players = RandomPlayer(stream(7))
        self.nonces: dict[int, str] = {}
        self.reveals = True
        first = new_table(name, settings, tuple(chairs), self.at, self.croupier, origin, scheme)
        self.log: list[Row] = [log_row(first.event)]
        self.table = TableWithHistory(name, [first.event])

    @classmethod
    def of(cls, seats: int = 2, *, computers: int = 0, **settings: Any) -> "Host":
        """A table of people, with computers on the last chairs."""
        people = [new_chair(Sitter.PERSON, f"P{place}") for place in range(seats - computers)]
        croupier, scheme = settings.pop("croupier", None), settings.pop("scheme", FAIR_3)
        edition, expansions = settings.pop("edition", "imperial"), settings.pop("expansions", [])
        made = make_settings(seats, edition, expansions, **settings)
        return cls(made, [*people, *[COMPUTER] * computers], croupier, scheme=scheme)

    @classmethod
    def started(cls, seats: int = 2, computers: int = 0, **settings: Any) -> "Host":
        """A game after the picks, in which chair 0 starts and so has seat 0."""
        return cls.of(seats, computers=computers, first=0, **settings).start().pick()

    @classmethod
    def continuing(cls, record: Record, turn: int, name: str = "t") -> "Host":
        """A table that continues from a record: a person on the first chair, computers on the others."""
        origin = make_origin(record, turn)
        game = origin.variant
        settings = make_settings(game.seats, game.edition, list(game.expansions), first=0)
        return cls(settings, [PERSON, *[COMPUTER] * (game.seats - 1)], name=name, origin=origin)

    @property
    def state(self) -> TableState:
        return self.table.state

    def permitted(self, chair: int, *, owner: bool = False) -> set[str]:
        """The types of commands that the view of a chair permits."""
        return set(write_table(self.state, Viewer(chair, owner))["you"]["may"])

    def decide(self, command: Command, caller: Caller, command_id: str = "") -> Transition | Event:
        """The table's decision on a command, without applying it."""
        self.ids += 1
        return self.table.decide(
            self.sent(command, caller),
            caller,
            self.at,
            command_id or f"c{self.ids}",
            self.table.seq,
            self.croupier,
        )

    def sent(self, command: Command, caller: Caller) -> Command:
        """The command, with a commitment for a nonce of sound form where the table wants one."""
        state, place = self.state, caller.chair
        if not isinstance(command, Ready) or command.nonce is None or state.scheme == FAIR_1 or place is None:
            return command
        return Ready(commitment=commitment_of(state, place, command.nonce))

    def do(self, command: Command, caller: Caller | int, after: float = 1.0, command_id: str = "") -> Event:
        """Execute a command from a chair or by a caller, some seconds after the last one."""
        self.at += after
        transition = self.decide(command, Caller(caller) if isinstance(caller, int) else caller, command_id)
        assert isinstance(transition, Transition)
        self.log.append(log_row(transition.event))
        self.table.apply(transition)
        if isinstance(command, Ready):
            self._keep_nonce(command, transition.event.chair)
        return transition.event

    def _keep_nonce(self, ready: Ready, chair: int | None) -> None:
        """The person keeps the nonce until all are ready, and then reveals it."""
        if chair is not None and ready.nonce is not None:
            self.nonces[chair] = ready.nonce
        if self.state.shuffling and self.reveals:
            for place in self.state.waiting:
                self.do(Reveal(self.nonces[place]), place, after=0)

    def rejected(self, command: Command, caller: Caller | int, after: float = 1.0) -> RejectReason:
        """The reason for which the table rejects a command."""
        self.at += after
        with pytest.raises(CommandRejected) as caught:
            self.decide(command, Caller(caller) if isinstance(caller, int) else caller)
        return caught.value.reason

    def refusal(self, command: Command, chair: int) -> str:
        """The rule and code with which a command is refused."""
        with pytest.raises(Refused) as caught:
            self.decide(command, Caller(chair))
        return f"{caught.value.refusal.rule} {caught.value.refusal.code.text}"

    def start(self) -> "Host":
        """Make everyone ready; under ``fair/1`` nonces may be shorter."""
        for place in self.state.persons:
            self.do(Ready(nonce_of(place)[: 16 if self.state.scheme == FAIR_1 else 32]), place)
        return self

    def caller(self, place: int) -> Caller:
        """The caller that acts for a chair: the person, or the server."""
        return Caller(place) if self.state.chairs[place].decides else replace(SYSTEM, chair=place)

    def pick(self, side: int = 0) -> "Host":
        """Pick the same side for everyone, until the game begins."""
        while self.state.stage is Stage.PICKING:
            place = self.state.waiting[0]
            self.do(Pick(side), self.caller(place))
        return self

    def turn(self, among: Cards | None = None) -> Play:
        """A random turn of the seat to move, optionally only with some of its cards."""
        state = self.state.game
        assert state is not None, "the game has begun"
        view = state.view(state.to_move)
        return Play(
            write_turn(self.players.decide(view if among is None else replace(view, hand=view.hand & among)))
        )

    def play(self, turns: int = 1) -> "Host":
        """Play some turns, each by the seat to move."""
        for _ in range(turns):
            self.do(self.turn(), self.caller(self.state.waiting[0]))
        return self

    def play_out(self) -> "Host":
        """Play to the last turn."""
        self.pick()
        while self.state.stage is Stage.PLAYING:
            self.play()
        return self

    def end(self) -> "Host":
        """Abandon the game by all people, or by the owner if it has not started or has no people."""
        started = self.state.stage is not Stage.LOBBY
        people: list[Caller] = [Caller(place) for place in sorted(self.state.deciding) if started]
        for caller in people or [OWNER]:
            self.do(Abandon(), caller)
        return self

    def replayed(self) -> TableWithHistory:
        """The table replayed from its log."""
        return replay_log(self.table.id, self.log)


class SwappingDealer(Dealer):
    """Deals like another dealer, except that two things in some piles are swapped."""

    def __init__(self, dealer: Dealer, swaps: Swaps) -> None:
        self._dealer = dealer
        self._swaps = swaps

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The other dealer's order, with the swap."""
        order = list(self._dealer.shuffled(pile, items))
        here, there = self._swaps.get(pile, (0, 0))
        order[here], order[there] = order[there], order[here]
        return tuple(order)


class StackedCroupier(Croupier):
    """A croupier that swaps cards and ignores the nonces, but keeps its commitment."""

    def __init__(self, swaps: Swaps, seed: Seed = SEED, table: str = "t") -> None:
        super().__init__(seed, table)
        self._swaps = swaps

    def dealer(self, nonces: tuple[str, ...], scheme: Scheme = FAIR_3, attempt: int = 0) -> Dealer:
        """A dealer that deals the same for all nonces."""
        return SwappingDealer(FairDealer(SEED, "t", ("",) * len(nonces)), self._swaps)


def nonce_of(place: int) -> str:
    """A different nonce for every chair."""
    return f"{place:02x}" * 16


def commitment_of(state: TableState, place: int, nonce: str) -> str:
    """What the person on a chair sends to be ready with a nonce."""
    return nonce_commitment(state.deal_name, state.commitment or "", place, nonce, state.scheme)


def log_row(event: Event) -> Row:
    """An event as the store keeps it."""
    return event.seq, event.command_id, event.chair, write_body(event)


def replay_log(table: str, rows: Iterable[Row]) -> TableWithHistory:
    return TableWithHistory(table, [_parsed(*row) for row in rows])


_parsed = lru_cache(maxsize=1024, typed=True)(parse_body)
"""Cached, because tampered logs share all events but one."""
