"""Two tables that differ only in hidden information, compared as every viewer sees them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from unittest.mock import patch

from sanssouci.dealer import Scheme
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
    Reveal,
    Stage,
    TableState,
    Viewer,
    Vote,
    make_settings,
    write_past,
    write_summary,
    write_table,
)

from .hosted_table import Host, StackedCroupier, Swaps, nonce_of

SAME_COMMITMENT = "0" * 64
SETTINGS = make_settings(2, "imperial", [])
"""Replaces the settings in reprs: boards make them long and hide nothing."""


class OtherSeed(StackedCroupier):
    """A croupier with another seed, behind a commitment that reveals nothing."""

    def commitment(self, scheme: Scheme, attempt: int = 0) -> str:
        """The same for every seed."""
        return SAME_COMMITMENT


class Leak(AssertionError):
    """A viewer can tell the two tables apart."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One way in which two tables differ, and the seats that may know it."""

    name: str
    one: Callable[[], Croupier]
    other: Callable[[], Croupier]
    knows: frozenset[int] = frozenset()
    """The seats that may know the difference."""
    seats: int = 3
    turns: int | None = None
    """The number of turns after which the difference is public; None for the last turn."""
    nonces: tuple[int, int] = (0, 0)
    picks: tuple[int, int] = (0, 0)
    """The picks of seat 0 at each table. They are public once the last seat of a phase has picked."""


def check_pair(pair: Pair) -> int:
    """Play both tables identically and compare them at every step. Raises ``Leak`` on a difference."""
    tables = PairedTables(pair)
    tables.compare()
    tables.get_ready()
    if pair.picks[0] != pair.picks[1]:
        tables.pick_differently()
    else:
        tables.pick()
        tables.play()
    return tables.compared


class PairedTables:
    """The two tables of a pair."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.hosts = tuple(
            Host.of(
                pair.seats, computers=1, first=0, expansions=["rewards", "wild_boar"], croupier=croupier()
            )
            for croupier in (pair.one, pair.other)
        )
        for host in self.hosts:
            host.reveals = False
        self.compared = 0

    @property
    def state(self) -> TableState:
        """The state of the first table; the second one has the same stage and chairs."""
        return self.hosts[0].state

    def viewers(self) -> Iterator[Viewer]:
        """All viewers that may not know the difference. Chair and seat are the same here."""
        yield SPECTATOR
        yield Viewer(owner=True)
        for chair in range(self.pair.seats):
            if chair not in self.pair.knows:
                yield Viewer(chair)

    def do(self, one: Command, other: Command, chair: int) -> None:
        """Execute a command at each table, then compare both."""
        for host, command in zip(self.hosts, (one, other), strict=True):
            host.do(command, host.caller(chair))
        self.compare()

    def compare(self) -> None:
        """Compare what every viewer sees, the answers to forbidden commands, and all reprs."""
        if reprs_of(self.hosts[0]) != reprs_of(self.hosts[1]):
            raise Leak(f"{self.pair.name}: in a repr at event {self.hosts[0].table.seq}")
        for viewer in self.viewers():
            one, other = (seen(host, viewer) for host in self.hosts)
            self.compared += 1
            if one != other:
                raise Leak(f"{self.pair.name}: {viewer} at event {self.hosts[0].table.seq}")

    def get_ready(self) -> None:
        """Make everyone ready and reveal all nonces, which may differ behind the same commitment."""
        one, other = map(nonce_of, self.pair.nonces)
        with patch("sanssouci.table.lobby.nonce_commitment", lambda *committed: SAME_COMMITMENT):
            for place in self.state.persons:
                self.do(Ready(commitment=SAME_COMMITMENT), Ready(commitment=SAME_COMMITMENT), place)
            for place in self.state.persons:
                self.do(Reveal(one), Reveal(other), place)

    def pick(self) -> None:
        """Pick the same side for everyone."""
        while self.state.stage is Stage.PICKING:
            self.do(Pick(0), Pick(0), self.state.waiting[0])

    def pick_differently(self) -> None:
        """Pick different sides for seat 0, of the garden or the reward board. Another seat picks last."""
        one, other = self.pair.picks
        if other > 1:
            for chair in range(self.pair.seats):
                self.do(Pick(0), Pick(0), chair)
        self.do(Pick(one), Pick(other % 2), 0)
        for chair in range(1, self.pair.seats - 1):
            self.do(Pick(0), Pick(0), chair)

    def play(self) -> None:
        """Play turns that are legal at both tables, while the difference is hidden."""
        last = self.state.variant.turns - 1
        for _ in range(last if self.pair.turns is None else self.pair.turns):
            one, other = (host.state.game for host in self.hosts)
            assert one is not None and other is not None
            turn = self.hosts[0].turn(among=one.hands[one.to_move] & other.hands[other.to_move])
            self.do(turn, turn, self.state.waiting[0])


def seen(host: Host, viewer: Viewer) -> bytes:
    """Everything that a viewer can see of a table."""
    table, chair = host.table, viewer.chair
    shown = [
        write_table(host.state, viewer),
        write_summary(host.state),
        [event.to(chair) for event in table.public_events(table.seq - 1)],
        [write_past(host.state, viewer, turn) for turn in range(len(host.state.states))[-3:]],
        [answer(host, command, chair) for command in (Play("a@0"), Play("*@0-a2"), Pick(9), Vote(9))],
    ]
    return json.dumps(shown).encode()


def reprs_of(host: Host) -> str:
    """All reprs that could get into a log by mistake."""
    table, state = host.table, host.state
    last = table.event(table.seq), table.public_events(table.seq - 1)
    return repr((*last, state.chairs, replace(state, settings=SETTINGS)))


def answer(host: Host, command: Command, chair: int | None) -> str:
    """The table's answer to a command, empty if it is accepted."""
    try:
        host.decide(command, Caller(chair))
    except Refused as refused:
        return f"{refused!r} {write_refusal(refused.refusal)}"
    except UserError as user_error:
        return f"{user_error!r} {user_error} {user_error.details}"
    return ""


def stacked(swaps: Swaps) -> Callable[[], Croupier]:
    """A factory of croupiers that swap cards."""
    return lambda: StackedCroupier(swaps)


def deck(seat: int, here: int, there: int) -> Pair:
    """A pair in which two cards of a seat's deck are swapped: the hands differ until both are drawn."""
    swaps = {f"deck/{seat}": (here, there)}
    return Pair(f"deck/{seat} {here} {there}", stacked({}), stacked(swaps), frozenset({seat}))


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
