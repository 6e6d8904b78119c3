"""Text and values: squares, cards, turns, reward boards, records, views. ``write_x`` reverses ``parse_x``."""

from .cards import parse_card, write_card
from .error import NotationError
from .files import PARTIAL, read_file, real_path, try_folder, write_atomic
from .json_types import JsonObject, validator
from .option_tables import OptionsJson, write_options
from .record import (
    FORMAT,
    Record,
    RecordBoardsJson,
    RecordFairJson,
    RecordJson,
    RecordResultJson,
    is_complete,
    seat_names,
    write_record,
    write_result,
)
from .record_file import RecordError, RefusedRecord, parse_record, read_record, read_record_json
from .refusals import write_refusal
from .replay import replay, verify
from .rewards import parse_mark, parse_marks, write_mark, write_marks
from .setup_views import SetupViewJson, parse_setup_view, write_setup_view
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
from .typed_reader import FieldError, check_range, of_length, parsed_by, read_typed, read_typed_json, within
from .views import (
    GameViewJson,
    GardenJson,
    MarksJson,
    MissionsJson,
    OwnViewJson,
    ScoreJson,
    VariantJson,
    parse_variant,
    parse_view,
    write_own_view,
    write_variant,
    write_view,
)

__all__ = [
    "FORMAT",
    "LARGEST",
    "LETTERS",
    "PARTIAL",
    "FieldError",
    "GameViewJson",
    "GardenJson",
    "JsonObject",
    "MarksJson",
    "MissionsJson",
    "NotationError",
    "OptionsJson",
    "OwnViewJson",
    "Record",
    "RecordBoardsJson",
    "RecordError",
    "RecordFairJson",
    "RecordJson",
    "RecordResultJson",
    "RefusedRecord",
    "ScoreJson",
    "SetupViewJson",
    "VariantJson",
    "check_range",
    "is_complete",
    "of_length",
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
    "parsed_by",
    "read_file",
    "read_record",
    "read_record_json",
    "read_typed",
    "read_typed_json",
    "real_path",
    "replay",
    "seat_names",
    "try_folder",
    "validator",
    "verify",
    "within",
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
