"""Two tables that differ only in what is hidden; what everyone may see of them is the same, byte for byte."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sanssouci.locale import UserError
from sanssouci.notation import write_refusal
from sanssouci.rules import Refused
from sanssouci.table import (
    SPECTATOR,
    Caller,
    Command,
    Croupier,
    Pick,
    Play,
    Ready,
    Stage,
    TableState,
    Viewer,
    Vote,
    make_settings,
    write_past,
    write_summary,
    write_table,
)

from .host import Exchange, Host, StackedCroupier, nonce_of

SAME_FACE = "0" * 64
SETTINGS = make_settings(2, "imperial", [])
"""Boards make a long repr, and hold nothing that is hidden."""


class OtherSeed(StackedCroupier):
    """A croupier with a seed of his own, behind a commitment that tells nothing."""

    @property
    def commitment(self) -> str:
        """The same for all of them."""
        return SAME_FACE


class Leak(AssertionError):
    """Somebody can tell the twins apart."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One way in which two tables of some seats differ, and who may know it."""

    name: str
    one: Callable[[], Croupier]
    other: Callable[[], Croupier]
    knows: frozenset[int] = frozenset()
    """The seats that may know the difference."""
    seats: int = 3
    turns: int | None = None
    """After so many turns the difference has come to light; None is the last turn."""
    nonces: tuple[int, int] = (0, 0)
    picks: tuple[int, int] = (0, 0)
    """What seat 0 picks: once the last of a phase has picked it is public."""


def tell_apart(pair: Pair) -> int:
    """Play both tables in the same way and compare at every step; ``Leak`` if anyone sees a difference."""
    twins = Twins(pair)
    twins.compare()
    twins.get_ready()
    if pair.picks[0] != pair.picks[1]:
        twins.pick_differently()
    else:
        twins.pick()
        twins.play()
    return twins.compared


class Twins:
    """The two tables."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.hosts = tuple(
            Host.of(
                pair.seats, computers=1, first=0, expansions=["rewards", "wild_boar"], croupier=croupier()
            )
            for croupier in (pair.one, pair.other)
        )
        self.compared = 0

    @property
    def state(self) -> TableState:
        """How the first of them stands; in what matters here the other stands the same."""
        return self.hosts[0].state

    def viewers(self) -> Iterator[Viewer]:
        """All who may not know the difference; chair and seat are the same here."""
        yield SPECTATOR
        yield Viewer(owner=True)
        for chair in range(self.pair.seats):
            if chair not in self.pair.knows:
                yield Viewer(chair)

    def do(self, one: Command, other: Command, chair: int) -> None:
        """A command at each table, then a look at both."""
        for host, command in zip(self.hosts, (one, other), strict=True):
            host.do(command, host.caller(chair))
        self.compare()

    def compare(self) -> None:
        """Everyone looks at both tables, and tries what is not allowed; so does who reads the logs."""
        if quoted(self.hosts[0]) != quoted(self.hosts[1]):
            raise Leak(f"{self.pair.name}: in a repr at event {self.hosts[0].table.seq}")
        for viewer in self.viewers():
            one, other = (seen(host, viewer) for host in self.hosts)
            self.compared += 1
            if one != other:
                raise Leak(f"{self.pair.name}: {viewer} at event {self.hosts[0].table.seq}")

    def get_ready(self) -> None:
        """All are ready; the last person's nonce may differ."""
        for place in self.state.persons:
            other = self.pair.nonces[1] if place == self.state.persons[-1] else self.pair.nonces[0]
            self.do(Ready(nonce_of(self.pair.nonces[0])), Ready(nonce_of(other)), place)

    def pick(self) -> None:
        """All pick the same."""
        while self.state.stage is Stage.PICKING:
            self.do(Pick(0), Pick(0), self.state.waiting()[0])

    def pick_differently(self) -> None:
        """Seat 0 does not pick the same reward side, or not the same garden side; another is the last."""
        one, other = self.pair.picks
        if other > 1:
            for chair in range(self.pair.seats):
                self.do(Pick(0), Pick(0), chair)
        self.do(Pick(one), Pick(other % 2), 0)
        for chair in range(1, self.pair.seats - 1):
            self.do(Pick(0), Pick(0), chair)

    def play(self) -> None:
        """Turns that can be played at both tables, as long as the difference is hidden."""
        last = self.state.variant.turns - 1
        for _ in range(last if self.pair.turns is None else self.pair.turns):
            one, other = (host.state.game for host in self.hosts)
            assert one is not None and other is not None
            turn = self.hosts[0].turn(among=one.hands[one.to_move] & other.hands[other.to_move])
            self.do(turn, turn, self.state.waiting()[0])


def seen(host: Host, viewer: Viewer) -> bytes:
    """Everything that one viewer can get to see of a table."""
    table, chair = host.table, viewer.chair
    shown = [
        write_table(host.state, viewer),
        write_summary(host.state),
        [told.to(chair) for told in table.public_events(table.seq - 1)],
        [write_past(host.state, viewer, turn) for turn in range(len(host.state.states))[-3:]],
        [answer(host, command, chair) for command in (Play("a@0"), Play("*@0-a2"), Pick(9), Vote(9))],
    ]
    return json.dumps(shown).encode()


def quoted(host: Host) -> str:
    """What could get into a log by mistake."""
    table, state = host.table, host.state
    last = table.event(table.seq), table.public_events(table.seq - 1)
    return repr((*last, state.chairs, replace(state, settings=SETTINGS)))


def answer(host: Host, command: Command, chair: int | None) -> str:
    """What a table says to someone who tries something; nothing if it could be done."""
    try:
        host.decide(command, Caller(chair))
    except Refused as refused:
        return f"{refused!r} {write_refusal(refused.refusal)}"
    except UserError as user_error:
        return f"{user_error!r} {user_error} {user_error.details}"
    return ""


def stacked(exchange: Exchange) -> Callable[[], Croupier]:
    """A maker of croupiers who exchange cards."""
    return lambda: StackedCroupier(exchange)


def deck(seat: int, here: int, there: int) -> Pair:
    """Two cards of a seat's deck have changed places: until both are drawn it holds another hand."""
    exchange = {f"deck/{seat}": (here, there)}
    return Pair(f"deck/{seat} {here} {there}", stacked({}), stacked(exchange), frozenset({seat}))


PAIRS: tuple[Pair, ...] = (
    *(deck(seat, here, there) for seat in range(3) for here, there in ((0, 5), (3, 17))),
    deck(1, 1, 2),
    deck(1, 16, 17),
    Pair("missions of seat 1", stacked({}), stacked({"missions": (2, 8)}), frozenset({1})),
    Pair("missions of two seats", stacked({}), stacked({"missions": (0, 5)}), frozenset({0, 2})),
    Pair("undealt missions", stacked({}), stacked({"missions": (6, 8)})),
    Pair("order of the pouch", stacked({}), stacked({"tiles": (50, 60)}), turns=40),
    Pair("pouch", stacked({}), stacked({"tiles": (13, 62)}), turns=3),
    Pair("nonces", stacked({}), stacked({}), nonces=(1, 2)),
    Pair("seed", lambda: OtherSeed({}), lambda: OtherSeed({}, bytes(32))),
    Pair("garden side", stacked({}), stacked({}), frozenset({0}), picks=(0, 1)),
    Pair("reward side", stacked({}), stacked({}), frozenset({0}), picks=(0, 3)),
)
