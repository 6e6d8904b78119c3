"""The hash chain of events: computed as in docs/store.md, and every change is detected."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sanssouci.store import GENESIS, AppendEvent, EventRow, Store, check_chain, event_hash

from .builders import add_games, an_event

PAGE = Path(__file__).parent.parent.parent / "docs" / "store.md"


def test_the_hash_is_computed_as_documented() -> None:
    """A hash recomputed from docs/store.md alone, and the example given there, match."""
    event = AppendEvent("g1", 0, "c1", None, '{"kind":"opened","by":"Zoë"}', "0.1.0")
    fields = ["sanssouci event/1", "0" * 64, "g1", 0, "c1", None, '{"kind":"opened","by":"Zoë"}', "0.1.0"]
    text = json.dumps(fields, ensure_ascii=True, separators=(",", ":"))
    assert event_hash(GENESIS, event) == hashlib.sha256(text.encode("ascii")).hexdigest()
    assert event_hash(GENESIS, event) in re.findall(r"`([0-9a-f]{64})`", PAGE.read_text(encoding="utf-8"))


def test_different_events_have_different_hashes() -> None:
    """Events that differ in one field, or in where one field ends, have different hashes."""
    events = [
        an_event(1, "g"),
        an_event(11, "g", command_id="c1", seat=1, body='{"n":1}'),
        an_event(1, "g1"),
        an_event(1, "g", command_id='c1",1'),
        an_event(1, "g", seat=None),
        an_event(1, "g", seat=0),
        an_event(1, "g", body='{"n":1}","1'),
        an_event(1, "g", engine='1"'),
    ]
    assert len({event_hash(GENESIS, event) for event in events}) == len(events)
    assert event_hash("1" * 64, events[0]) != event_hash(GENESIS, events[0])


@pytest.fixture
def chain(store: Store) -> list[EventRow]:
    """Five events read from the store."""
    add_games(store, "g", events=5)
    return store.events("g")


def test_written_events_form_a_chain(chain: list[EventRow]) -> None:
    """Each event contains the hash of the event before it."""
    assert [event.seq for event in chain] == [0, 1, 2, 3, 4]
    assert [event.prev_hash for event in chain] == [GENESIS, *(event.hash for event in chain[:-1])]
    assert check_chain(chain) is None and check_chain(chain, last=4) is None
    assert check_chain([]) is None and check_chain([], last=-1) is None


Forgery = Callable[[list[EventRow]], list[EventRow]]


def rehashed(event: EventRow, **changed: object) -> EventRow:
    """A forged event with a recomputed hash."""
    other = replace(event, **changed)  # type: ignore[arg-type]
    return replace(other, hash=event_hash(other.prev_hash, other))


@pytest.mark.parametrize(
    ("forge", "seq"),
    [
        (lambda chain: [*chain[:2], replace(chain[2], body="{}"), *chain[3:]], 2),
        (lambda chain: [*chain[:2], rehashed(chain[2], body="{}"), *chain[3:]], 3),
        (lambda chain: [*chain[:2], replace(chain[2], seat=None), *chain[3:]], 2),
        (lambda chain: [*chain[:2], replace(chain[2], engine="2"), *chain[3:]], 2),
        (lambda chain: [*chain[:2], replace(chain[2], command_id="x"), *chain[3:]], 2),
        (lambda chain: [*chain[:2], *chain[3:]], 2),
        (lambda chain: chain[1:], 0),
        (lambda chain: [chain[0], chain[2], chain[1], *chain[3:]], 1),
        (lambda chain: [*chain[:3], *chain[2:]], 3),
        (lambda chain: [*chain[:4], rehashed(chain[4], game="h")], 4),
        (lambda chain: chain[:4], 4),
        (lambda chain: [*chain, rehashed(chain[4], seq=5, prev_hash=chain[4].hash)], 5),
        (lambda chain: [], 0),
    ],
)
def test_a_broken_chain_is_detected_where_it_breaks(chain: list[EventRow], forge: Forgery, seq: int) -> None:
    """Changed, missing, swapped, repeated, foreign and surplus events are detected at their number."""
    assert check_chain(forge(chain), last=4) == seq
