"""Where a table goes on from: a record, and so many of its turns that count as played.

A record holds every deck and all tiles in their order, so chance has answered already for the rest of the
game: such a table needs no seed for it, and there is nothing that a dealer could have committed to.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from sanssouci.locale import UserError
from sanssouci.notation import Record, parse_turn, read_record_json, replay, seat_names, verify, write_record
from sanssouci.rules import Chance, State, Turn, Variant

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """A legal record that stops at the turn from which on it is played on."""

    record: Record = field(repr=False)

    @property
    def turn(self) -> int:
        """How many turns count as played."""
        return len(self.record.turns)

    @property
    def variant(self) -> Variant:
        """Which game it is."""
        return self.record.deal.variant

    def chance(self, turn: int) -> Chance:
        """What chance answers to a turn, counted from 0."""
        return self.record.deal.chance(turn)

    def states(self) -> tuple[State, ...]:
        """Every position, from the first on; ``RecordError`` if a turn is not legal."""
        return (self.record.deal.start(), *(state for _, state in replay(self.record)))

    def turns(self) -> tuple[Turn, ...]:
        """The turns that count as played."""
        return tuple(map(parse_turn, self.record.turns))


def make_origin(record: Record, turn: int) -> Origin:
    """A place to go on from, or ``RecordError``, or ``UserError`` if nothing is left to play there.

    Only what the game needs is kept: no result, no seed, no turn that came later.
    """
    verify(record)
    last = min(len(record.turns), record.deal.variant.turns - 1)
    if turn not in range(last + 1):
        raise UserError("terms.bad_turn", last=last)
    seats = tuple({"name": name} for name in seat_names(record))
    return Origin(Record(record.deal, seats, record.turns[:turn]))


def dump_origin(origin: Origin) -> Json:
    """An origin for the log: a record as anyone could read it."""
    kept: Json = json.loads(write_record(origin.record))
    return kept


def load_origin(kept: Json) -> Origin:
    """The origin that a log holds, or ``UserError``."""
    record = read_record_json(kept)
    return make_origin(record, len(record.turns))
