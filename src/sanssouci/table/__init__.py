"""One hosted game, without a network: chairs, commands, events, what each viewer may see, the record."""

from .absence import PATIENCE
from .chairs import Chair, Colour, Sitter, new_chair
from .chance import Croupier
from .commands import (
    COMMANDS,
    Abandon,
    Appoint,
    Command,
    Concede,
    Create,
    Pick,
    Play,
    Ready,
    Rematch,
    Return,
    Right,
    Rise,
    Sit,
    StepAway,
    TakeBack,
    TimeOut,
    Unready,
    Vote,
    Wear,
    parse_command,
)
from .daily import OPPONENT, daily_terms
from .declined import Declined, No
from .endings import rematch_of
from .events import HOUSE, Caller, Event, parse_body, write_body
from .origin import Origin, make_origin
from .outcome import write_outcome
from .record import table_record
from .request import authorise
from .standing import MOST_APPOINTED, MOST_UNDONE, Duty, Ending, Manner, Stage, Standing
from .steps import write_steps, write_told
from .table import Move, Table, new_table
from .terms import STAND_IN, Clock, Pace, Terms, Visibility, kept_terms, make_terms
from .views import SPECTATOR, Viewer, write_past, write_public, write_summary, write_table

__all__ = [
    "COMMANDS",
    "HOUSE",
    "MOST_APPOINTED",
    "MOST_UNDONE",
    "OPPONENT",
    "PATIENCE",
    "SPECTATOR",
    "STAND_IN",
    "Abandon",
    "Appoint",
    "Caller",
    "Chair",
    "Clock",
    "Colour",
    "Command",
    "Concede",
    "Create",
    "Croupier",
    "Declined",
    "Duty",
    "Ending",
    "Event",
    "Manner",
    "Move",
    "No",
    "Origin",
    "Pace",
    "Pick",
    "Play",
    "Ready",
    "Rematch",
    "Return",
    "Right",
    "Rise",
    "Sit",
    "Sitter",
    "Stage",
    "Standing",
    "StepAway",
    "Table",
    "TakeBack",
    "Terms",
    "TimeOut",
    "Unready",
    "Viewer",
    "Visibility",
    "Vote",
    "Wear",
    "authorise",
    "daily_terms",
    "kept_terms",
    "make_origin",
    "make_terms",
    "new_chair",
    "new_table",
    "parse_body",
    "parse_command",
    "rematch_of",
    "table_record",
    "write_body",
    "write_outcome",
    "write_past",
    "write_public",
    "write_steps",
    "write_summary",
    "write_table",
    "write_told",
]
