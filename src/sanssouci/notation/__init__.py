"""Text and values: squares, cards, turns, reward boards, records. Every parse has its write."""

from .cards import parse_card, write_card
from .error import NotationError
from .files import PARTIAL, read_file, try_folder, write_whole
from .record import FORMAT, Record, is_complete, seat_names, write_record, write_result
from .record_file import RecordError, RefusedRecord, parse_record, read_record
from .refusals import write_refusal
from .replay import replay, verify
from .rewards import parse_mark, parse_marks, write_mark, write_marks
from .squares import (
    LETTERS,
    parse_column,
    parse_square,
    parse_squares,
    write_column,
    write_square,
    write_squares,
)
from .strict_json import LARGEST, parse_json
from .turns import parse_turn, write_turn

__all__ = [
    "FORMAT",
    "LARGEST",
    "LETTERS",
    "PARTIAL",
    "NotationError",
    "Record",
    "RecordError",
    "RefusedRecord",
    "is_complete",
    "parse_card",
    "parse_column",
    "parse_json",
    "parse_mark",
    "parse_marks",
    "parse_record",
    "parse_square",
    "parse_squares",
    "parse_turn",
    "read_file",
    "read_record",
    "replay",
    "seat_names",
    "try_folder",
    "verify",
    "write_card",
    "write_column",
    "write_mark",
    "write_marks",
    "write_record",
    "write_refusal",
    "write_result",
    "write_square",
    "write_squares",
    "write_turn",
    "write_whole",
]
