"""One hosted game, without a network: chairs, commands, events, views and the record."""

from .chairs import Chair, Colour, ColourName, Sitter, new_chair
from .chance import Croupier
from .command_context import authorise
from .commands import (
    COMMANDS,
    Abandon,
    AssignChair,
    ChooseColour,
    ClientCommand,
    Command,
    Concede,
    Create,
    LeaveChair,
    Pick,
    Play,
    Ready,
    Rematch,
    RequestRematch,
    Return,
    Right,
    Sit,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
    parse_command,
)
from .daily import OPPONENT, daily_settings
from .endings import rematch_of
from .events import SYSTEM, Caller, Event, parse_body, write_body
from .origin import Origin, make_origin
from .player_result import write_player_result
from .record import table_record
from .rejection import CommandRejected, RejectReason
from .replay_view import write_public_turns, write_replay
from .settings import (
    STAND_IN,
    TableSettings,
    TimeControl,
    TimeControlKind,
    Visibility,
    load_settings,
    make_settings,
)
from .stand_ins import VOTE_DELAY
from .table import Table, Transition, new_table
from .table_state import MAX_APPOINTED, MAX_UNDONE, Ending, EndReason, PendingBotAction, Stage, TableState
from .views import SPECTATOR, Viewer, write_past, write_public, write_summary, write_table

__all__ = [
    "COMMANDS",
    "MAX_APPOINTED",
    "MAX_UNDONE",
    "OPPONENT",
    "SPECTATOR",
    "STAND_IN",
    "SYSTEM",
    "VOTE_DELAY",
    "Abandon",
    "AssignChair",
    "Caller",
    "Chair",
    "ChooseColour",
    "ClientCommand",
    "Colour",
    "ColourName",
    "Command",
    "CommandRejected",
    "Concede",
    "Create",
    "Croupier",
    "EndReason",
    "Ending",
    "Event",
    "LeaveChair",
    "Origin",
    "PendingBotAction",
    "Pick",
    "Play",
    "Ready",
    "RejectReason",
    "Rematch",
    "RequestRematch",
    "Return",
    "Right",
    "Sit",
    "Sitter",
    "Stage",
    "StepAway",
    "Table",
    "TableSettings",
    "TableState",
    "TakeBack",
    "TimeControl",
    "TimeControlKind",
    "TimeOut",
    "Transition",
    "Unready",
    "Viewer",
    "Visibility",
    "Vote",
    "authorise",
    "daily_settings",
    "load_settings",
    "make_origin",
    "make_settings",
    "new_chair",
    "new_table",
    "parse_body",
    "parse_command",
    "rematch_of",
    "table_record",
    "write_body",
    "write_past",
    "write_player_result",
    "write_public",
    "write_public_turns",
    "write_replay",
    "write_summary",
    "write_table",
]
