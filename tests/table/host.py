"""A table that is hosted for a test: people who do as they are told, computers that play at random.

>>> host = Host.of(2, computers=1)
>>> host.start().play_out().standing.stage
<Stage.OVER: 'over'>
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from sanssouci.dealer import Dealer, FairDealer, Seed
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
"""An event as a store keeps it: number, id, chair, body."""
Exchange = Mapping[str, tuple[int, int]]
"""Piles by name, and the two places of each whose things are exchanged after the shuffle."""


class TableWithHistory(Table):
    """A table that remembers how it stood after every event."""

    def __init__(self, table: str, events: Iterable[Event]) -> None:
        self.history: list[TableState] = []
        super().__init__(table, events)

    def apply(self, transition: Transition) -> None:
        """Take a move, and remember what came of it."""
        super().apply(transition)
        self.history.append(self.state)


class Host:
    """Runs one table: decides every command, keeps the log, moves on; time is counted in seconds from 0."""

    def __init__(
        self,
        settings: TableSettings,
        chairs: Iterable[Chair],
        croupier: Croupier | None = None,
        name: str = "t",
        origin: Origin | None = None,
    ) -> None:
        self.croupier = croupier or Croupier(SEED, name)
        self.at = 0.0
        self.ids = 0
        self.players = RandomPlayer(stream(7))
        first = new_table(name, settings, tuple(chairs), self.at, self.croupier, origin)
        self.log: list[Row] = [log_row(first.event)]
        self.table = TableWithHistory(name, [first.event])

    @classmethod
    def of(cls, seats: int = 2, *, computers: int = 0, **settings: Any) -> "Host":
        """A table of people, and of some computers on the last chairs."""
        people = [new_chair(Sitter.PERSON, f"P{place}") for place in range(seats - computers)]
        croupier = settings.pop("croupier", None)
        edition, expansions = settings.pop("edition", "imperial"), settings.pop("expansions", [])
        made = make_settings(seats, edition, expansions, **settings)
        return cls(made, [*people, *[COMPUTER] * computers], croupier)

    @classmethod
    def started(cls, seats: int = 2, computers: int = 0, **settings: Any) -> "Host":
        """A game after the picks, in which chair 0 starts, and so has seat 0."""
        return cls.of(seats, computers=computers, first=0, **settings).start().pick()

    @classmethod
    def continuing(cls, record: Record, turn: int, name: str = "t") -> "Host":
        """A table that goes on from a record, a person on the first chair and computers on the others."""
        origin = make_origin(record, turn)
        game = origin.variant
        settings = make_settings(game.seats, game.edition, list(game.expansions), first=0)
        return cls(settings, [PERSON, *[COMPUTER] * (game.seats - 1)], name=name, origin=origin)

    @property
    def state(self) -> TableState:
        """How the table stands."""
        return self.table.state

    def permitted(self, chair: int, *, owner: bool = False) -> set[str]:
        """The types of commands that the view of a chair offers."""
        return set(write_table(self.state, Viewer(chair, owner))["you"]["may"])

    def decide(self, command: Command, caller: Caller, command_id: str = "") -> Transition | Event:
        """What the table says to a command, without moving on."""
        self.ids += 1
        return self.table.decide(
            command, caller, self.at, command_id or f"c{self.ids}", self.table.seq, self.croupier
        )

    def do(self, command: Command, caller: Caller | int, after: float = 1.0) -> Event:
        """A command is carried out, from a chair or by a caller, some seconds after the last one."""
        self.at += after
        transition = self.decide(command, Caller(caller) if isinstance(caller, int) else caller)
        assert isinstance(transition, Transition)
        self.log.append(log_row(transition.event))
        self.table.apply(transition)
        return transition.event

    def rejected(self, command: Command, caller: Caller | int, after: float = 1.0) -> RejectReason:
        """Why the table says no."""
        self.at += after
        with pytest.raises(CommandRejected) as caught:
            self.decide(command, Caller(caller) if isinstance(caller, int) else caller)
        return caught.value.reason

    def refusal(self, command: Command, chair: int) -> str:
        """By which rule a command is refused, and why: the code's text."""
        with pytest.raises(Refused) as caught:
            self.decide(command, Caller(chair))
        return f"{caught.value.refusal.rule} {caught.value.refusal.code.text}"

    def start(self) -> "Host":
        """Everyone is ready."""
        for place in self.state.persons:
            self.do(Ready(nonce_of(place)), place)
        return self

    def caller(self, place: int) -> Caller:
        """Who acts for a chair: the person, or the house."""
        return Caller(place) if self.state.chairs[place].decides else replace(SYSTEM, chair=place)

    def pick(self, side: int = 0) -> "Host":
        """All pick the same side, until the game begins."""
        while self.state.stage is Stage.PICKING:
            place = self.state.waiting()[0]
            self.do(Pick(side), self.caller(place))
        return self

    def turn(self, among: Cards | None = None) -> Play:
        """A random turn of the seat to move, with a card that is among some."""
        state = self.state.game
        assert state is not None, "the game has begun"
        view = state.view(state.to_move)
        return Play(
            write_turn(self.players.decide(view if among is None else replace(view, hand=view.hand & among)))
        )

    def play(self, turns: int = 1) -> "Host":
        """So many turns, each by who is to move."""
        for _ in range(turns):
            self.do(self.turn(), self.caller(self.state.waiting()[0]))
        return self

    def play_out(self) -> "Host":
        """To the last turn."""
        self.pick()
        while self.state.stage is Stage.PLAYING:
            self.play()
        return self

    def end(self) -> "Host":
        """The people end it here; the owner ends what has not started, or has none."""
        started = self.state.stage is not Stage.LOBBY
        people: list[Caller] = [Caller(place) for place in sorted(self.state.deciding) if started]
        for caller in people or [OWNER]:
            self.do(Abandon(), caller)
        return self

    def replayed(self) -> TableWithHistory:
        """The table as its log tells it."""
        return replay_log(self.table.id, self.log)


class SwappingDealer(Dealer):
    """Deals as another does, but for two things of some piles that have changed places."""

    def __init__(self, dealer: Dealer, exchange: Exchange) -> None:
        self._dealer = dealer
        self._exchange = exchange

    def shuffled(self, pile: str, items: tuple[T, ...]) -> tuple[T, ...]:
        """The other's order, with an exchange."""
        order = list(self._dealer.shuffled(pile, items))
        here, there = self._exchange.get(pile, (0, 0))
        order[here], order[there] = order[there], order[here]
        return tuple(order)


class StackedCroupier(Croupier):
    """A croupier who exchanges cards under the table, and passes over the nonces; he keeps his commitment."""

    def __init__(self, exchange: Exchange, seed: Seed = SEED, table: str = "t") -> None:
        super().__init__(seed, table)
        self._exchange = exchange

    def dealer(self, nonces: tuple[str, ...]) -> Dealer:
        """Deals the same whatever the nonces are."""
        return SwappingDealer(FairDealer(SEED, "t", ("",) * len(nonces)), self._exchange)


def nonce_of(place: int) -> str:
    """A nonce of its own for every chair."""
    return f"{place:02x}" * 8


def log_row(event: Event) -> Row:
    """An event as a store keeps it."""
    return event.seq, event.command_id, event.chair, write_body(event)


def replay_log(table: str, rows: Iterable[Row]) -> TableWithHistory:
    """The table that a log tells of."""
    return TableWithHistory(table, [_parsed(*row) for row in rows])


_parsed = lru_cache(maxsize=1024, typed=True)(parse_body)
"""Logs that are changed in one place have all other events in common."""
