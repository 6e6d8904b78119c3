"""Text and values: squares, cards, turns, reward boards, records, views. Every parse has its write."""

from .cards import parse_card, write_card
from .error import NotationError
from .fields import a_number, a_text, read_field
from .files import PARTIAL, read_file, real_path, try_folder, write_atomic
from .option_tables import write_options
from .record import FORMAT, Record, is_complete, seat_names, write_record, write_result
from .record_file import RecordError, RefusedRecord, parse_record, read_record
from .refusals import write_refusal
from .replay import replay, verify
from .rewards import parse_mark, parse_marks, write_mark, write_marks
from .setup_views import parse_setup_view, write_setup_view
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
from .views import parse_variant, parse_view, write_own_view, write_variant, write_view

__all__ = [
    "FORMAT",
    "LARGEST",
    "LETTERS",
    "PARTIAL",
    "NotationError",
    "Record",
    "RecordError",
    "RefusedRecord",
    "a_number",
    "a_text",
    "is_complete",
    "parse_card",
    "parse_column",
    "parse_json",
    "parse_mark",
    "parse_marks",
    "parse_record",
    "parse_setup_view",
    "parse_square",
    "parse_squares",
    "parse_turn",
    "parse_variant",
    "parse_view",
    "read_field",
    "read_file",
    "read_record",
    "real_path",
    "replay",
    "seat_names",
    "try_folder",
    "verify",
    "write_atomic",
    "write_card",
    "write_column",
    "write_mark",
    "write_marks",
    "write_options",
    "write_own_view",
    "write_record",
    "write_refusal",
    "write_result",
    "write_setup_view",
    "write_square",
    "write_squares",
    "write_turn",
    "write_variant",
    "write_view",
]
