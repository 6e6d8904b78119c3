"""The origin of a table that continues a record: the record up to the turn from which the game is played on.

A record contains all decks and tiles in order, so the rest of the game is dealt already. Such a table has no
seed, and no commitment to one.
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
    """A legal record that ends where the table takes over."""

    record: Record = field(repr=False)

    @property
    def turn(self) -> int:
        """The number of turns that count as played."""
        return len(self.record.turns)

    @property
    def variant(self) -> Variant:
        return self.record.deal.variant

    def chance(self, turn: int) -> Chance:
        """The tile and card that come up after a turn, counted from 0."""
        return self.record.deal.chance(turn)

    def states(self) -> tuple[State, ...]:
        """Every state from the first on; ``RecordError`` if a turn is not legal."""
        return (self.record.deal.start(), *(state for _, state in replay(self.record)))

    def turns(self) -> tuple[Turn, ...]:
        return tuple(map(parse_turn, self.record.turns))


def make_origin(record: Record, turn: int) -> Origin:
    """The origin after some turns of a record; ``RecordError``, or ``UserError`` if no turn is left to play.

    It contains only what the game needs: no result, no seed, no later turns.
    """
    verify(record)
    last = min(len(record.turns), record.deal.variant.turns - 1)
    if turn not in range(last + 1):
        raise UserError("terms.bad_turn", last=last)
    seats = tuple({"name": name} for name in seat_names(record))
    return Origin(Record(record.deal, seats, record.turns[:turn]))


def dump_origin(origin: Origin) -> Json:
    """The origin for the event log, in the format of records."""
    stored: Json = json.loads(write_record(origin.record))
    return stored


def load_origin(stored: Json) -> Origin:
    """The origin in an event log, or ``UserError``."""
    record = read_record_json(stored)
    return make_origin(record, len(record.turns))
