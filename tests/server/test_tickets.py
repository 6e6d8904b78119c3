"""Tickets: each opens one socket, soon, and there are never too many."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import parse_json
from sanssouci.server.auth.tickets import TICKET_SECONDS, Tickets
from sanssouci.server.auth.tokens import new_token
from sanssouci.server.wire.requests import Hello

Claims = tuple[str, int]


def tickets(most: int = 100, max_per_claimant: int = 3) -> Tickets[Claims]:
    """Whose claims are a guest and a table; the guest is the claimant."""
    return Tickets(lambda claims: claims[0], most, max_per_claimant)


def test_a_ticket_is_good_once() -> None:
    """What it says is said to the first who shows it."""
    office = tickets()
    ticket = office.issue(("ann", 1), now=0.0)
    assert office.redeem(ticket, now=1.0) == ("ann", 1)
    assert office.redeem(ticket, now=1.0) is None
    assert len(office) == 0


def test_a_ticket_expires() -> None:
    """Half a minute, not a moment longer; also then it is used up."""
    office = tickets()
    early, late = office.issue(("ann", 1), now=5.0), office.issue(("ann", 2), now=5.0)
    assert office.redeem(early, now=5.0 + TICKET_SECONDS - 0.001) == ("ann", 1)
    assert office.redeem(late, now=5.0 + TICKET_SECONDS) is None
    assert office.redeem(late, now=5.0) is None


@pytest.mark.parametrize("text", ["", "x", "a" * 43, "\ud800" * 43, "A" * 10_000])
def test_what_is_no_ticket_opens_nothing(text: str) -> None:
    """Nor does it use up the ticket of somebody else."""
    office = tickets()
    ticket = office.issue(("ann", 1), now=0.0)
    assert office.redeem(text, now=0.0) is None
    assert office.redeem(ticket, now=0.0) == ("ann", 1)


def test_of_many_who_show_the_same_ticket_one_wins() -> None:
    """Eight threads at once, a hundred times."""
    office = tickets()
    barrier = Barrier(8)

    def show(ticket: str) -> Claims | None:
        barrier.wait()
        return office.redeem(ticket, now=0.0)

    with ThreadPoolExecutor(8) as pool:
        for table in range(100):
            ticket = office.issue(("ann", table), now=0.0)
            answers = list(pool.map(show, [ticket] * 8))
            assert sorted(answers, key=str) == [("ann", table), *[None] * 7]


def test_a_claimant_with_too_many_loses_the_oldest() -> None:
    """And takes nothing from anybody else."""
    office = tickets(max_per_claimant=3)
    other = office.issue(("bob", 0), now=0.0)
    of_ann = [office.issue(("ann", table), now=0.0) for table in range(4)]
    assert len(office) == 4
    assert [office.redeem(ticket, now=1.0) for ticket in of_ann] == [None, ("ann", 1), ("ann", 2), ("ann", 3)]
    assert office.redeem(other, now=1.0) == ("bob", 0)


def test_there_are_never_too_many_of_all() -> None:
    """One more is refused, until the others have expired; those are forgotten, also by claimant."""
    office = tickets(most=5)
    for guest in range(5):
        office.issue((f"guest {guest}", 1), now=float(guest))
    with pytest.raises(UserError, match="too many"):
        office.issue(("ann", 1), now=10.0)
    office.issue(("ann", 1), now=TICKET_SECONDS + 2.0)
    assert len(office) == 3
    assert set(office._by_claimant) == {"guest 3", "guest 4", "ann"}


def test_a_ticket_is_kept_as_its_hash() -> None:
    """Who reads the memory of the office finds no ticket."""
    office = tickets()
    ticket = office.issue(("ann", 1), now=0.0)
    assert ticket not in repr(vars(office))


def test_a_ticket_that_was_read_does_not_stay_in_memory() -> None:
    """Whoever parses messages keeps none of their texts."""
    said = f'{{"type":"hello","ticket":"{new_token().reveal()}"}}'
    hello = Hello.model_validate(parse_json(said.encode("ascii")))
    ticket, other = hello.ticket, "".join(["of ", "no ", "other"])
    del hello
    assert sys.getrefcount(ticket) == sys.getrefcount(other)
