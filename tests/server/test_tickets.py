"""Tickets open one socket each, expire soon, and are limited in number."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from sanssouci.notation import parse_json
from sanssouci.server.auth.tickets import TICKET_SECONDS, Tickets
from sanssouci.server.auth.tokens import new_token
from sanssouci.server.wire.requests import Hello

from ..helpers import user_error

Claims = tuple[str, int]


def make_tickets(most: int = 100, max_per_claimant: int = 3) -> Tickets[Claims]:
    """A registry of tickets for a guest and a table; the guest is the claimant."""
    return Tickets(lambda claims: claims[0], most, max_per_claimant)


def test_a_ticket_works_once() -> None:
    """A ticket returns its claims once."""
    tickets = make_tickets()
    ticket = tickets.issue(("ann", 1), now=0.0)
    assert tickets.redeem(ticket, now=1.0) == ("ann", 1)
    assert tickets.redeem(ticket, now=1.0) is None
    assert len(tickets) == 0


def test_a_ticket_expires() -> None:
    """A ticket expires after ``TICKET_SECONDS``, and an expired ticket is removed when used."""
    tickets = make_tickets()
    early, late = tickets.issue(("ann", 1), now=5.0), tickets.issue(("ann", 2), now=5.0)
    assert tickets.redeem(early, now=5.0 + TICKET_SECONDS - 0.001) == ("ann", 1)
    assert tickets.redeem(late, now=5.0 + TICKET_SECONDS) is None
    assert tickets.redeem(late, now=5.0) is None


@pytest.mark.parametrize("text", ["", "x", "a" * 43, "\ud800" * 43, "A" * 10_000])
def test_an_invalid_ticket_is_refused(text: str) -> None:
    """An invalid text opens nothing and does not affect valid tickets."""
    tickets = make_tickets()
    ticket = tickets.issue(("ann", 1), now=0.0)
    assert tickets.redeem(text, now=0.0) is None
    assert tickets.redeem(ticket, now=0.0) == ("ann", 1)


def test_concurrent_use_of_a_ticket() -> None:
    """If eight threads use the same ticket, exactly one succeeds."""
    tickets = make_tickets()
    barrier = Barrier(8)

    def redeem(ticket: str) -> Claims | None:
        barrier.wait()
        return tickets.redeem(ticket, now=0.0)

    with ThreadPoolExecutor(8) as pool:
        for table in range(100):
            ticket = tickets.issue(("ann", table), now=0.0)
            answers = list(pool.map(redeem, [ticket] * 8))
            assert sorted(answers, key=str) == [("ann", table), *[None] * 7]


def test_the_oldest_ticket_of_a_claimant_is_dropped() -> None:
    """Above the limit of a claimant its oldest ticket is dropped, and no other claimant's."""
    tickets = make_tickets(max_per_claimant=3)
    other = tickets.issue(("bob", 0), now=0.0)
    of_ann = [tickets.issue(("ann", table), now=0.0) for table in range(4)]
    assert len(tickets) == 4
    assert [tickets.redeem(ticket, now=1.0) for ticket in of_ann] == [
        None,
        ("ann", 1),
        ("ann", 2),
        ("ann", 3),
    ]
    assert tickets.redeem(other, now=1.0) == ("bob", 0)


def test_the_total_number_of_tickets_is_limited() -> None:
    """Above the total limit a new ticket is refused until others have expired."""
    tickets = make_tickets(most=5)
    for guest in range(5):
        tickets.issue((f"guest {guest}", 1), now=float(guest))
    with user_error("request.too_many_tickets"):
        tickets.issue(("ann", 1), now=10.0)
    tickets.issue(("ann", 1), now=TICKET_SECONDS + 2.0)
    assert len(tickets) == 3
    assert set(tickets._by_claimant) == {"guest 3", "guest 4", "ann"}


def test_tickets_are_stored_as_hashes() -> None:
    """The registry does not contain the text of a ticket."""
    tickets = make_tickets()
    ticket = tickets.issue(("ann", 1), now=0.0)
    assert ticket not in repr(vars(tickets))


def test_parsing_keeps_no_reference_to_a_ticket() -> None:
    """The JSON parser does not cache the text of a ticket."""
    text = f'{{"type":"hello","ticket":"{new_token().reveal()}"}}'
    hello = Hello.model_validate(parse_json(text.encode("ascii")))
    ticket, other = hello.ticket, "".join(["of ", "no ", "other"])
    del hello
    assert sys.getrefcount(ticket) == sys.getrefcount(other)
